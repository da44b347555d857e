/** The parts of a pad that have scripts of their own. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keepInAddress, keyOf } from "../keys.js";
import { whole } from "../loading.js";
import { isShaped, kindOf, numbersOf } from "../kinds.js";
import { redraw } from "../owed.js";
import { cellOf } from "../parts/book.js";
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

/** The sheets, and what stands on that of a rule. @param {import("../match.js").Match} match */
export const rulesAhead = async (match) => {
  const { readRules } = await sheets.ahead();
  if (match.view) await readRules(match.view.game, match.signal);
};

/** The choices of a ball on the pad itself. */
export const steps = later(() => whole(import("./steps.js"), { sheet: "steps", words: "steps" }));

/**
 * The choices that stand on the pad before what is asked: those of a ball that begins, but for who bats and bowls,
 * which the book has. Where dice or numbers are asked, and no part of a field, the keys stand there at once.
 * @param {Pick<import("./pad.js").Drawn, "now" | "passed">} state
 */
export const stepsBefore = ({ now: { due, cells, draft, question }, passed }) => {
  if (!due || due.request.operation !== "bowl_ball" || draft.answers.length > 0 || passed === question)
    return [];
  const rest = cells.filter(({ ask }) => cellOf(ask) === null && numbersOf(ask).length === 0);
  const own = rest.filter(({ operation }) => operation === due.request.operation);
  const isLed = own.some(({ ask }) => isShaped(ask)) || (own.length > 0 && !kindOf(due.ask).keepsKeys);
  // What an over begins with, a ball of it does not ask again.
  const last = (/** @type {string} */ at) => at.split(".").at(-1);
  const begins = rest.filter(({ operation }) => operation !== due.request.operation);
  return isLed
    ? [...own.filter(({ ask }) => !begins.some((over) => last(over.ask.at) === last(ask.at))), ...begins]
    : [];
};

/** The first two of them by their titles: `Bowl, stroke`. @param {ReturnType<typeof stepsBefore>} all */
export const stepsTitle = (all) =>
  all
    .slice(0, 2)
    .map(({ ask }, i) => (i === 0 ? ask.title : ask.title.toLowerCase()))
    .join(", ");

/** Where Undo leads back to: the part of the field, else the first of them. @param {ReturnType<typeof stepsBefore>} all */
export const stepBack = (all) =>
  (all.find(({ ask }) => isShaped(ask)) ?? all[0])?.ask.title.toLowerCase() ?? "";

/** Looks what this phone can do without the scorer's token: take over by an invite, or score here again. @param {Pad} state */
export const look = async (state) => {
  const { id, signal } = state.match;
  const { scorer, invite, replaced, scored } = (await keyOf(id)) ?? {};
  const isThere = !scorer && (state.hand?.left || invite || replaced || scored || (await adminKey()));
  const script = isThere || state.hand ? await sheets.ahead().catch(() => null) : null;
  await script?.lookAt(state, Boolean(isThere));
  // What the hand has let go leaves the address.
  state.isForgetful = !signal.aborted && (await keepInAddress(id));
  redraw();
};

/** This phone scores from now on, where the service lets it. @param {Pad} state */
export const takeOver = (state) =>
  sheets
    .ahead()
    .then(({ takeOver }) => takeOver(state))
    .catch(() => {});

/** The sheet that is open. @param {Pad} state @param {Sheet} open @param {Verbs} verbs */
export const sheetOf = (state, open, verbs) =>
  sheets.draw(
    (module) => module.sheetOf(state, open, verbs, steps),
    (body) => sheet({ title: t(open.kind === "sync" ? "sync" : "more"), key: "later", body }, verbs),
  );
