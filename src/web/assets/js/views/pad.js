/** The pad: what is asked, and a key for each answer. It is driven by what the match says, and knows no game. */
import { storageFault } from "../db.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { hasBroken } from "../kept.js";
import { keepFragment } from "../keys.js";
import { BESIDE, EVENTS, readBeside } from "../following.js";
import { change, draftOf, isTurned, matchOf, nowOf, requestsOf, shownOf, types } from "../match.js";
import { hasShortcuts } from "../looks.js";
import { focusSoon, owe, redraw } from "../owed.js";
import * as scoring from "../scoring.js";
import { books } from "../sending.js";
import { listen } from "../signal.js";
import { keepSetting, setting } from "../settings.js";
import { chosenIn } from "../kinds.js";
import { book } from "../parts/book.js";
import { foot, undo } from "../parts/foot.js";
import { scorebox, scoreWords } from "../parts/scorebox.js";
import { strip } from "../parts/strip.js";
import { askOf } from "./pad_keys.js";
import {
  answers,
  asidesOf,
  look,
  orders,
  rulesAhead,
  sheetOf,
  sheets,
  steps,
  takeOver,
} from "./pad_later.js";
import { overOf, syncOf } from "./standing.js";
import { isSecret, steppingOf, undoWords } from "./stepping.js";
import { recalling } from "./recalling.js";
import { shares, sharing } from "./sharing.js";
import { go } from "./go.js";
import { spokenOf } from "./hearing.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("../match.js").Match} Match */
/** @typedef {import("./pad_sheets.js").Sheet} Sheet */
/**
 * What stands on the pad, beside the match.
 * @typedef {object} Pad
 * @property {Match} match
 * @property {Sheet | null} sheet
 * @property {string | null} cardText The card as text, once it was asked for.
 * @property {string | null} hint What is told once, as the key of its words.
 * @property {string | null} passed The question whose keys stand there, behind the choices of its ball.
 * @property {number} inningsHeard The innings whose end was heard.
 * @property {string | undefined} faultHeard The fault of the store that was heard.
 * @property {boolean} isForgetful Whether nothing in the browser lasts, so that the address has this phone's token.
 * @property {import("./hand.js").Hand | null} hand What this phone can do where it holds no token.
 * @property {import("./sharing.js").Sharing} sharing
 * @property {import("./covering.js").Secret | null} secret What a side lays unseen by the other.
 * @property {string} link What stands in the field for the scorer's link.
 */
/** The pad with what follows from its match. @typedef {Pad & {pad: Pad, now: import("../match.js").Now} & import("./stepping.js").Stepping} Drawn */

/** Where there is room beside the pad. */
const WIDE = matchMedia(
  "(min-width: 1000px) and (min-height: 501px), (min-width: 600px) and (min-height: 860px)",
);

/** @param {string} id @param {AbortSignal} signal */
export const pad = (id, signal) => {
  const match = matchOf(id, signal);
  const keeps = recalling(match);
  match.wants = () => [...(WIDE.matches ? BESIDE : []), ...(isTurned(match) ? [EVENTS] : [])];
  /** @type {Pad} */
  const state = {
    match,
    sheet: null,
    cardText: null,
    hint: null,
    passed: null,
    inningsHeard: 0,
    faultHeard: undefined,
    isForgetful: false,
    hand: null,
    sharing: sharing(id, signal),
    secret: null,
    link: "",
  };
  match.watched = () => void owe(look(state));
  listen(WIDE, "change", () => (redraw(), void readBeside(match)), signal);
  void owe(open(state, id, signal));
  return {
    title: () => {
      const shown = shownOf(match);
      return shown ? scoreWords(shown) : t("match");
    },
    render: () => draw(state),
    spoken: () => (isSecret(state) ? (orders.now(({ saidOf }) => saidOf(state)) ?? null) : spokenOf(match)),
    ahead: [keeps, steps.ahead, answers.ahead, orders.ahead, () => rulesAhead(match), shares.ahead, books],
    mayLeave: () => !state.secret && match.queue.entries.length === 0 && draftOf(match).answers.length === 0,
    isBehind: () => match.presses + match.digits.length > 0,
  };
};

/** @param {Pad} state @param {string} id @param {AbortSignal} signal */
const open = async (state, id, signal) => {
  await keepFragment(id);
  listen(document, "keydown", (event) => event instanceof KeyboardEvent && pressed(state, event), signal);
  await scoring.open(state.match);
  await look(state);
  if (state.match.token && !(await setting("screen"))) {
    state.hint = "hint.screen";
    await keepSetting("screen", true);
  }
  redraw();
};

/** What had the focus when the key of the keyboard that was pressed last was a digit; undefined where it was none. @type {Element | null | undefined} */
let typedAt;

/** A digit presses its key, and a letter its button. What a keyboard repeats by itself counts for nothing. @param {Pad} state @param {KeyboardEvent} event */
const pressed = (state, event) => {
  const { match, sheet } = state;
  const target = event.target instanceof Element ? event.target : null;
  if (event.repeat && target?.matches("button")) return event.preventDefault();
  if (
    event.repeat ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    sheet ||
    state.sharing.isOpen() ||
    target?.closest("input, textarea, select")
  )
    return;
  // A letter presses the button that is there and says so.
  const button = /^[a-z]$/i.test(event.key)
    ? document.querySelector(`.pad [aria-keyshortcuts="${event.key.toUpperCase()}"]`)
    : null;
  if (button instanceof HTMLElement) button.click();
  if (/^s$/i.test(event.key) && hasShortcuts())
    void answers.soon(({ standsOf }) => change(match, { spoken: standsOf(match) }));
  // Who types digits means the panel by Enter, and not the button that was left with the focus.
  const isTyping = typedAt !== undefined && typedAt === document.activeElement;
  typedAt = /^\d$/.test(event.key) ? document.activeElement : undefined;
  if (/^\d$/.test(event.key) && isSecret(state) && hasShortcuts())
    return orders.now(({ typeCube }) => typeCube(state, Number(event.key)));
  if (/^\d$/.test(event.key) && types(match) && hasShortcuts())
    scoring.answer(match, Number(event.key), null);
  const isTold = document.querySelector("[data-hint]") !== null;
  if (event.key === "Enter" && isTold && (isTyping || !target?.closest("button, a"))) {
    event.preventDefault();
    sheets.now(({ hear }) => hear(state));
  }
};

/** Whether there may be something that is told once. @param {Drawn} state */
const hasToTell = ({ match, hint, now }) =>
  hint || match.stranger || storageFault() || hasBroken(match.id) || now.shown?.situation?.innings_ended;

/** The place of this over, until what stands there has come. @param {unknown} words */
const around = (words) => html`<div class="strip">${words}</div>`;

/** @param {Pad} pad */
const draw = (pad) => {
  const { match } = pad;
  if (match.known === "unknown") return unknownMatch();
  const now = nowOf(match);
  const { shown, cells } = now;
  if (!shown) return notThere(match.known === "away");
  const stepping = steppingOf(pad, now);
  const state = { ...pad, pad, now, ...stepping };
  const verbs = verbsOf(pad, now, stepping);
  return html`<div class="desk"><div class=${stepping.before.length > 0 && !stepping.isPassed ? "pad stepping" : "pad"}>
    ${scorebox({ match: shown, sync: syncOf(state), stale: !match.isFresh }, verbs)}
    <main>
      <div class="pad-ask" data-asks=${now.due?.ask.at ?? nothing}>${askOf(state, verbs)}</div>
      ${undo(orders.now(({ undoOrders }) => undoOrders(state)) ?? undoWords(state), verbs)}
      ${isSecret(state) ? orders.draw(({ rowOf }) => rowOf(state), around) : now.draft.request?.laid ? orders.draw(({ ordersOf }) => ordersOf(state), around) : strip(overOf(match, now), verbs)}
      ${book({ match: shown, asks: cells.map(({ ask }) => ask), chosen: Object.fromEntries(cells.map(({ ask, value }) => [ask.at, value])), card: chosenIn(now.draft) }, verbs)}
    </main>
    ${foot({ card: `/m/${match.id}/card` }, verbs)}
    ${
      hasToTell(state)
        ? sheets.draw(
            ({ hintOf }) => hintOf(state, verbs),
            () => nothing,
          )
        : nothing
    }
    ${state.sheet ? sheetOf(state, state.sheet, verbs) : nothing}
    ${state.sharing.draw()}
  </div>
  ${WIDE.matches ? asidesOf(match) : nothing}</div>`;
};

/** The wishes of the pad, as verbs. A key answers the question that stood there when it was drawn. @param {Pad} state @param {import("../match.js").Now} now @param {import("./stepping.js").Stepping} stepping */
const verbsOf = (state, { question }, { isPassed }) => {
  const { match } = state;
  const sheet = (/** @type {Sheet | null} */ next) => {
    state.sheet = next;
    redraw();
  };
  const correct = () => sheet({ kind: "correct", reason: null, own: "" });
  const step = (/** @type {boolean} */ on) => {
    state.passed = on ? question : null;
    change(match, { said: null });
    // The key that led on is there no more.
    focusSoon("#question");
  };
  const answer = (/** @type {unknown} */ value) => {
    state.hint = null;
    scoring.answer(match, value, question);
  };
  return {
    step,
    die: answer,
    choose: answer,
    correct,
    undo: () => {
      if (orders.now(({ takeOrderBack }) => takeOrderBack(state))) return;
      if (isPassed) step(false);
      else if (scoring.undo(match) !== "undone") correct();
    },
    bowl: () => request(match, "bowl_ball", question),
    over: () => request(match, "autoplay", question),
    open: (/** @type {string} */ at) => sheet({ kind: "ask", at, taken: null }),
    type: () => void answers.soon(() => focusSoon("#answers")),
    card: () => go(`/m/${match.id}/card`),
    more: () => sheet({ kind: "more" }),
    sync: () => sheet({ kind: "sync" }),
    ball: (/** @type {number} */ delivery) => void owe(openBall(state, delivery, sheet)),
    lay: () => {
      sheet(null);
      void owe(
        orders.ahead().then(
          ({ beginOrders }) => beginOrders(state),
          () => sheet({ kind: "more" }),
        ),
      );
    },
    earlier: () => sheet({ kind: "earlier" }),
    rules: (/** @type {import("./rules.js").Asked[]} */ of) => {
      void owe(rulesAhead(match).catch(() => {}));
      sheet({ kind: "rules", of });
    },
    share: () => {
      sheet(null);
      state.sharing.open();
    },
    take: () => void owe(takeOver(state)),
    close: () => sheet(null),
    link: (/** @type {string} */ link) => {
      state.link = link;
      redraw();
    },
    heard: () => sheets.now(({ hear }) => hear(state)),
    sheet,
  };
};
/** @typedef {ReturnType<typeof verbsOf>} Verbs */

/** Opens a ball of this over with its words, which the service has. @param {Pad} state @param {number} delivery @param {(next: Sheet | null) => void} sheet */
const openBall = ({ match }, delivery, sheet) =>
  sheets.ahead().then(
    async ({ ballOf }) => sheet(await ballOf(match, delivery, overOf(match, nowOf(match)).over?.deliveries)),
    // That says that its script has not come.
    () => sheet({ kind: "more" }),
  );

/** @param {Match} match @param {string} operation @param {string} question */
const request = (match, operation, question) => {
  const found = (requestsOf(match) ?? []).find((request) => request.operation === operation);
  if (found) scoring.request(match, found, question);
};
