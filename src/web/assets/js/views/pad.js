/** The pad: what is asked, and a key for each answer. It is driven by what the match says, and knows no game. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { keep, takeFragment } from "../keys.js";
import { Match } from "../match.js";
import { owe, redraw } from "../owed.js";
import { listen } from "../signal.js";
import { storageFault } from "../db.js";
import { keepSetting, setting } from "../settings.js";
import { diceOf } from "../draft.js";
import { book } from "../parts/book.js";
import { foot, undo } from "../parts/foot.js";
import { icon } from "../parts/icons.js";
import { ballWords, timeOf } from "../parts/names.js";
import { scorebox, scoreWords } from "../parts/scorebox.js";
import { strip } from "../parts/strip.js";
import { ballOf, ballsOf, cardOf } from "./beside.js";
import { keysOf } from "./pad_keys.js";
import { sheetOf } from "./pad_sheets.js";
import { go } from "./go.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("./pad_sheets.js").Sheet} Sheet */
/**
 * @typedef {{match: Match, sheet: Sheet | null, cardText: string | null, lastAsk: import("../draft.js").Ask | null,
 *   hint: string | null, faultHeard?: string | undefined, beside: (() => unknown)[]}} Pad
 */

/** Where there is room beside the pad. */
const WIDE = matchMedia("(min-width: 1000px) and (min-height: 501px)");

/** @param {string} id @param {AbortSignal} signal */
export const pad = (id, signal) => {
  const match = new Match(id, signal);
  /** @type {Pad} */
  const state = { match, sheet: null, cardText: null, lastAsk: null, hint: null, beside: [cardOf(match, { newestFirst: true }), ballsOf(match)] };
  listen(WIDE, "change", redraw, signal);
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
  const state = match.stopped ? "stopped"
    : !match.isFresh ? "lost"
      : match.outbox.held || match.draft.answers.length > 0 ? "kept"
        : kept > 0 ? "sending"
          : !match.token ? "watching" : match.isOver ? "finished" : "saved";
  return { state, kept, since: timeOf(match.since) };
};

/** What Undo takes back, in words. @param {Match} match */
const undoWords = (match) => {
  const { held } = match.outbox;
  const last = match.lastBall;
  if (match.draft.request) return { words: t(diceOf(match.draft.answers).length > 0 ? "undo.die" : "undo.choice") };
  const what = held?.title.toLowerCase() ?? "";
  if (held) return { words: t("undo.what", { what }), solid: true, said: t("undo.held", { what }) };
  if (!match.token || !match.outbox.isIdle) return { why: match.token ? t(match.isFresh ? "undo.sending" : "strip.kept") : "" };
  if (!last) return { why: t("undo.none") };
  if (match.isOver && match.view?.dice === "seeded") return { why: t("undo.seeded") };
  return { words: t("undo.why", { what: ballWords(last) }) };
};

/**
 * This over, with the ball that was typed here. Until the service has it, or where no cell of the over is it, as after the
 * last ball of an innings, its dice stand behind the balls before it.
 * @param {Match} match @param {import("../service.js").Schemas["MatchSituation"] | null | undefined} now
 */
const overOf = ({ typed, isFresh, view }, now) => {
  const held = typed?.state === "held";
  const over = now?.over;
  const isIn = typed?.preview && over?.deliveries.some(({ delivery }) => delivery === now?.last?.delivery);
  if (typed?.draft.request?.operation !== "bowl_ball" || (isIn && isFresh)) return { over, held };
  const before = view?.situation?.over;
  return { over: before?.legal_left ? before : null, held, kept: diceOf(typed.draft.answers) };
};

/** @param {Pad} state */
const draw = (state) => {
  const { match } = state;
  if (match.known === "unknown") return unknownMatch();
  const shown = match.shown;
  if (!shown) return notThere(match.known === "away");
  const verbs = verbsOf(state);
  const cells = match.cells;
  return html`<div class="desk"><div class="pad">
    ${scorebox({ match: shown, sync: syncOf(match), stale: !match.isFresh }, verbs)}
    <main>
      <div class="pad-ask">${keysOf(state, verbs)}</div>
      ${undo(undoWords(match), verbs)}
      ${strip(overOf(match, shown.situation), verbs)}
      ${book({ match: shown, asks: cells.map(({ ask }) => ask), chosen: Object.fromEntries(cells.map(({ ask, value }) => [ask.at, value])) }, verbs)}
    </main>
    ${foot({ card: `/m/${match.id}/card` }, verbs)}
    ${shown.situation ? hintOf(state, verbs) : nothing}
    ${state.sheet ? sheetOf(state, state.sheet, verbs) : nothing}
  </div>
  ${WIDE.matches ? state.beside.map((draw, place) => html`<aside class=${place === 0 ? "aside card" : "aside"} aria-label=${t(place === 0 ? "card" : "balls")}>${draw()}</aside>`) : nothing}</div>`;
};

/**
 * What is told once, and what the browser refuses to keep. It lies over the score box, so that no key moves.
 * @param {Pad} state @param {Verbs} verbs
 */
const hintOf = (state, { heard }) => {
  const fault = storageFault();
  const words = fault && state.faultHeard !== fault ? t("storage.refused") : state.hint;
  return words ? html`<div class="hint-over" role="status" data-hint><p>${words}</p>
    <button type="button" class="square" data-action="heard" aria-label=${t("close")} @click=${heard}>${icon("close")}</button></div>` : nothing;
};

/** The wishes of the pad, as verbs. @param {Pad} state */
const verbsOf = (state) => {
  const { match } = state;
  const sheet = (/** @type {Sheet | null} */ next) => {
    state.sheet = next;
    redraw();
  };
  const correct = () => sheet({ kind: "correct", reason: null, own: "" });
  const answer = (/** @type {unknown} */ value) => {
    state.hint = null;
    match.answer(value);
  };
  return {
    die: answer,
    choose: answer,
    correct,
    undo: () => match.undo() === "ask" && correct(),
    bowl: () => request(match, "bowl_ball"),
    over: () => request(match, "autoplay"),
    open: (/** @type {string} */ at) => sheet({ kind: "ask", at, taken: [] }),
    card: () => go(`/m/${match.id}/card`),
    more: () => sheet({ kind: "more" }),
    sync: () => sheet({ kind: "sync" }),
    ball: (/** @type {number} */ delivery) => void owe(openBall(state, delivery, sheet)),
    close: () => sheet(null),
    heard: () => {
      [state.faultHeard, state.hint] = [storageFault(), null];
      redraw();
    },
    sheet,
  };
};
/** @typedef {ReturnType<typeof verbsOf>} Verbs */

/** Opens a ball of this over with its words, which the service has. @param {Pad} state @param {number} delivery @param {(next: Sheet | null) => void} sheet */
const openBall = async ({ match }, delivery, sheet) => {
  const ball = match.shown?.situation?.over.deliveries.find((other) => other.delivery === delivery);
  if (!ball) return;
  const ahead = match.outbox.entries.find(({ preview }) => preview?.situation?.last?.delivery === delivery);
  const found = ahead ? { text: ahead.preview?.text ?? "", dice: diceOf(ahead.draft.answers) }
    : await ballOf(match, ball).catch(() => ({ text: t("match.away"), dice: [] }));
  sheet({ kind: "ball", ball, ...found });
};

/** @param {Match} match @param {string} operation */
const request = (match, operation) => {
  const found = (match.requests ?? []).find((request) => request.operation === operation);
  if (found) match.request(found);
};
