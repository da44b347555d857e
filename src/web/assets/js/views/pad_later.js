/** The parts of a pad that have scripts of their own. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keepInAddress, keyOf } from "../keys.js";
import { whole } from "../loading.js";
import { redraw } from "../owed.js";
import { sheet } from "../parts/sheet.js";
import { later } from "./later.js";
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

/** What bowls a ball that asks nothing, and the cover before an order of cubes. */
export const orders = later(() => whole(import("./orders.js"), { sheet: "orders", words: "orders" }));

/** The sheets, and what stands on that of a rule. @param {import("../match.js").Match} match */
export const rulesAhead = async (match) => {
  const { readRules } = await sheets.ahead();
  if (match.view) await readRules(match.view.game, match.signal);
};

/** The choices of a ball on the pad itself. */
export const steps = later(() => whole(import("./steps.js"), { sheet: "steps", words: "steps" }));

/** The field that takes every answer, where somebody wishes to type. */
export const answers = later(() => whole(import("./answers.js"), { sheet: "answers", words: "answers" }));

/** Looks what this phone can do without the scorer's token: take over by an invite, or score here again. @param {Pad} state */
export const look = async (state) => {
  const { id, signal } = state.match;
  const { scorer, invite, replaced, scored, order } = (await keyOf(id)) ?? {};
  // What a side has laid here goes with the right to score.
  if (!state.match.token) state.secret = null;
  if (order) await orders.soon(({ resumeOrders }) => resumeOrders(state));
  const isThere = !scorer && (state.hand?.left || invite || replaced || scored || (await adminKey()));
  const script = isThere || state.hand ? await sheets.ahead().catch(() => null) : null;
  await script?.lookAt(state, Boolean(isThere));
  // What the hand has let go leaves the address.
  state.isForgetful = !signal.aborted && (await keepInAddress(id));
  redraw();
};

/** This phone scores from now on, where the service lets it. @param {Pad} state */
export const takeOver = (state) => sheets.soon(({ takeOver }) => takeOver(state)).catch(() => {});

/** The sheet that is open. @param {Pad} state @param {Sheet} open @param {Verbs} verbs */
export const sheetOf = (state, open, verbs) =>
  sheets.draw(
    (module) => module.sheetOf(state, open, verbs, steps),
    (body) => sheet({ title: t(open.kind === "sync" ? "sync" : "more"), key: "later", body }, verbs),
  );
