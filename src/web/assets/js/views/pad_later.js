/** The parts of a pad that have scripts of their own. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { diceOf, emptyDraft } from "../draft.js";
import { adminKey, keepInAddress, keyOf } from "../keys.js";
import { whole } from "../loading.js";
import { draftOf } from "../match.js";
import { redraw } from "../owed.js";
import { sheet } from "../parts/sheet.js";
import { takeUp } from "../scoring.js";
import { write } from "../weighing.js";
import { later } from "./later.js";
import { shares } from "./sharing.js";
import { card } from "./scripts.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("./pad_sheets.js").Sheet} Sheet */

const asides = later(card);

/** What stands beside a pad where there is room. @param {import("../match.js").Match} match */
export const asidesOf = (match) =>
  asides.draw(
    (module) => module.asidesOf(match),
    (words) => html`<aside class="aside card">${words}</aside>`,
  );

/** The sheets of a pad, and the end of its match. */
export const sheets = later(() => whole(import("./sheets.js"), { sheet: "sheets", words: "sheets" }));

/** Looks what this phone can do without the scorer's token: take over by an invite, or score here again. @param {Pad} state */
export const look = async (state) => {
  const { id, signal } = state.match;
  const { scorer, invite, replaced, scored } = (await keyOf(id)) ?? {};
  const isThere = !scorer && (state.hand?.left || invite || replaced || scored || (await adminKey()));
  const module = isThere ? await shares.ahead().catch(() => null) : null;
  const took = () => takeUp(state.match);
  const { hand } = state;
  state.hand = module && (await module.handOf(id, signal, took, hand).catch(() => hand));
  await letGoOfBall(state, hand);
  // What the hand has let go leaves the address.
  state.isForgetful = !signal.aborted && (await keepInAddress(id));
  redraw();
};

/** A ball that was not finished here goes once the scoring has left for good, and its dice are told. @param {Pad} state @param {import("./hand.js").Hand | null} before */
const letGoOfBall = async ({ match, hand }, before) => {
  if (!hand || match.token || !(hand.left || hand.offer === "table")) return;
  const dice = diceOf(draftOf(match).answers).map(({ value }) => value);
  if (dice.length > 0) await write(match, () => emptyDraft(match.id));
  hand.unsent = dice.join(", ") || before?.unsent;
};

/** This phone scores from now on, where the service lets it. @param {Pad} state */
export const takeOver = ({ match, hand }) =>
  shares.ahead().then(
    async ({ scoresHere }) => {
      if (hand) await scoresHere(match, hand, () => takeUp(match));
      await keepInAddress(match.id);
    },
    () => {},
  );

/** The sheet that is open. @param {Pad} state @param {Sheet} open @param {Verbs} verbs */
export const sheetOf = (state, open, verbs) =>
  sheets.draw(
    (module) => module.sheetOf(state, open, verbs),
    (body) => sheet({ title: t(open.kind === "sync" ? "sync" : "more"), key: "later", body }, verbs),
  );
