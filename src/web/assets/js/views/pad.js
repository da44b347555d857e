/** The pad: what is asked, and a key for each answer. It is driven by what the match says, and knows no game. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { keep, takeFragment } from "../keys.js";
import { Match } from "../match.js";
import { owe, redraw } from "../owed.js";
import { listen } from "../signal.js";
import { storageFault } from "../db.js";
import { keepSetting, setting } from "../settings.js";
import { diceOf } from "../draft.js";
import { book } from "../parts/book.js";
import { foot, undo } from "../parts/foot.js";
import { scorebox, scoreWords } from "../parts/scorebox.js";
import { strip } from "../parts/strip.js";
import { keysOf } from "./pad_keys.js";
import { sheetOf } from "./pad_sheets.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("./pad_sheets.js").Sheet} Sheet */
/** @typedef {{match: Match, sheet: Sheet | null, cardText: string | null, lastAsk: import("../draft.js").Ask | null, hint: string | null}} Pad */

/** @param {string} id @param {AbortSignal} signal */
export const pad = (id, signal) => {
  const match = new Match(id, signal);
  /** @type {Pad} */
  const state = { match, sheet: null, cardText: null, lastAsk: null, hint: null };
  void owe(open(state, id, signal));
  return {
    title: () => (match.shown ? scoreWords(match.shown) : t("match")),
    render: () => draw(state),
    spoken: () => match.spoken,
    mayLeave: () => match.outbox.isIdle && match.draft.answers.length === 0 && !match.outbox.held,
  };
};

/** @param {Pad} state @param {string} id @param {AbortSignal} signal */
const open = async (state, id, signal) => {
  const scorer = takeFragment();
  if (scorer) await keep({ match: id, scorer });
  listen(document, "keydown", (event) => pressed(state, event), signal);
  await state.match.open();
  if (state.match.token && !(await setting("screen"))) {
    state.hint = t("hint.screen");
    await keepSetting("screen", true);
  }
  redraw();
};

/** A digit presses its key. What a keyboard repeats by itself counts for nothing. @param {Pad} state @param {KeyboardEvent} event */
const pressed = ({ match, sheet }, event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.repeat && target?.matches("button")) return event.preventDefault();
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || sheet || target?.closest("input, textarea, select")) return;
  if (/^\d$/.test(event.key) && match.token) match.answer(Number(event.key));
};

/** What the sync words say. @param {Match} match @returns {import("../parts/scorebox.js").Sync} */
const syncOf = (match) => {
  const kept = match.outbox.entries.length;
  const since = match.since.toTimeString().slice(0, 5);
  if (match.stopped) return { state: "stopped", kept, since };
  if (!match.isFresh) return { state: "lost", kept, since };
  if (match.outbox.held || match.draft.answers.length > 0) return { state: "kept", kept, since };
  if (kept > 0) return { state: "sending", kept, since };
  if (!match.token) return { state: "watching" };
  return { state: isOver(match) ? "finished" : "saved" };
};

/** @param {Match} match */
export const isOver = (match) => ["completed", "abandoned"].includes(match.view?.status ?? "") && match.outbox.isIdle;

/** What Undo takes back, in words. @param {Match} match */
const undoWords = (match) => {
  const { held } = match.outbox;
  const last = match.lastBall;
  if (match.draft.answers.length > 0) return { words: t(diceOf(match.draft.answers).length > 0 ? "undo.die" : "undo.choice") };
  if (held) return { words: t("undo.what", { what: held.title.toLowerCase() }), solid: true, said: t("undo.held", { what: held.title.toLowerCase() }) };
  if (!match.token || !match.outbox.isIdle) return { why: match.token ? t("undo.sending") : "" };
  if (!last) return { why: t("undo.none") };
  return { words: t("undo.why", { what: ballWords(last) }) };
};

/** A ball in a word or two. @param {{wicket?: unknown, boundary?: number | null, runs: number}} ball */
export const ballWords = ({ wicket, boundary, runs }) => {
  if (wicket) return t("ball.wicket");
  if (boundary) return t(boundary === 4 ? "ball.four" : "ball.six");
  return runs === 0 ? t("ball.dot") : counted("ball.runs", runs);
};

/** @param {Pad} state */
const draw = (state) => {
  const { match } = state;
  if (match.known === "unknown") return unknownMatch();
  const shown = match.shown;
  if (!shown) return notThere(match.known === "away");
  const verbs = verbsOf(state);
  const { held } = match.outbox;
  const cells = match.cells;
  return html`<div class="pad">
    ${scorebox({ match: shown, sync: syncOf(match), stale: !match.isFresh && match.outbox.isIdle }, verbs)}
    <main>
      <div class="pad-ask">${keysOf(state, verbs)}</div>
      ${undo(undoWords(match), verbs)}
      ${strip({ over: shown.situation?.over, held: held !== null, ...(held && !held.preview ? { kept: diceOf(held.draft.answers) } : {}) }, verbs)}
      ${book({ match: shown, asks: cells.map(({ ask }) => ask), chosen: Object.fromEntries(cells.map(({ ask, value }) => [ask.at, value])) }, verbs)}
      ${hintOf(state)}
    </main>
    ${foot({ card: `/m/${match.id}/card` }, verbs)}
    ${state.sheet ? sheetOf(state, state.sheet, verbs) : nothing}
  </div>`;
};

/** What is told once, and what the browser refuses to keep. @param {Pad} state */
const hintOf = (state) => {
  const words = storageFault() ? t("storage.refused") : state.hint;
  return words ? html`<p class="heard" role="note" data-hint>${words}</p>` : nothing;
};

/** The wishes of the pad, as verbs. @param {Pad} state */
const verbsOf = (state) => {
  const { match } = state;
  const sheet = (/** @type {Sheet | null} */ next) => {
    state.sheet = next;
    redraw();
  };
  return {
    die: (/** @type {unknown} */ value) => match.answer(value),
    choose: (/** @type {unknown} */ value) => match.answer(value),
    undo: () => match.undo() === "ask" && sheet({ kind: "correct", reason: null, own: "" }),
    bowl: () => request(match, "bowl_ball"),
    over: () => request(match, "autoplay"),
    open: (/** @type {string} */ at) => sheet({ kind: "ask", at, taken: [] }),
    card: () => sheet({ kind: "more" }),
    more: () => sheet({ kind: "more" }),
    sync: () => sheet({ kind: "sync" }),
    ball: (/** @type {number} */ delivery) => sheet({ kind: "ball", delivery }),
    close: () => sheet(null),
    sheet,
  };
};
/** @typedef {ReturnType<typeof verbsOf>} Verbs */

/** @param {Match} match @param {string} operation */
const request = (match, operation) => {
  const found = (match.requests ?? []).find((request) => request.operation === operation);
  if (found) match.request(found);
};
