/** The sheets of the pad: a choice that has a default, why a ball is taken back, more, what is kept. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { cellOf } from "../parts/book.js";
import { actionList, optionList, orderList, reasonBody, sheet, waysBody } from "../parts/sheet.js";
import { notBuilt, placesList } from "../parts/places.js";
import { choiceKeys, keypad } from "../parts/keypad.js";
import { syncText } from "../parts/scorebox.js";
import { go } from "./go.js";
import { ballWords, isOver } from "./pad.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/**
 * @typedef {{kind: "ask", at: string, taken: unknown[]} | {kind: "correct", reason: string | null, own: string}
 *   | {kind: "more"} | {kind: "sync"} | {kind: "ball", delivery: number}} Sheet
 */

/** @param {Pad} state @param {Sheet} open @param {Verbs} verbs */
export const sheetOf = (state, open, verbs) => {
  switch (open.kind) {
    case "ask": return askSheet(state, open, verbs);
    case "correct": return correctSheet(state, open, verbs);
    case "more": return moreSheet(state, verbs);
    case "sync": return syncSheet(state, verbs);
    case "ball": return ballSheet(state, open.delivery, verbs);
  }
};

/** A choice with a default. @param {Pad} state @param {Extract<Sheet, {kind: "ask"}>} open @param {Verbs} verbs */
const askSheet = ({ match }, open, verbs) => {
  const cell = match.cells.find(({ ask }) => ask.at === open.at);
  if (!cell) return nothing;
  const { ask, operation, value: chosen } = cell;
  const choose = (/** @type {unknown} */ value) => {
    match.choose(operation, ask.at, value);
    verbs.close();
  };
  const path = (match.base ?? []).find((request) => request.operation === operation)?.path ?? "";
  return sheet({ title: ask.title, key: `ask-${ask.at}`, body: askBody(open, { ask, chosen, path }, choose, verbs) }, verbs);
};

/**
 * @param {Extract<Sheet, {kind: "ask"}>} open @param {{ask: import("../draft.js").Ask, chosen: unknown, path: string}} cell
 * @param {(value: any) => void} choose @param {Verbs} verbs
 */
const askBody = (open, { ask, chosen, path }, choose, verbs) => {
  const { taken } = open;
  switch (ask.kind) {
    case "one": return optionList({ ask, chosen }, { choose });
    case "yes_no": return html`<div class="block">${choiceKeys({ ways: (ask.options ?? []).map(({ value, title }) => ({ value, title })), labelledby: "sheet-title" }, { choose })}</div>`;
    case "die": case "number": return keypad({ ask }, { die: choose });
    case "order": return orderList({ ask, taken, words: t("order.take") }, {
      take: (value) => verbs.sheet({ ...open, taken: taken.includes(value) ? taken.filter((other) => other !== value) : [...taken, value] }),
      confirm: () => choose(taken),
    });
    case "places": return ask.places ? placesList({ places: ask.places, request: `POST ${path}` }) : notBuilt({ ask, request: `POST ${path}` });
    default: return notBuilt({ ask, request: `POST ${path}` });
  }
};

/** Why the last ball is taken back. @param {Pad} state @param {Extract<Sheet, {kind: "correct"}>} open @param {Verbs} verbs */
const correctSheet = ({ match }, open, verbs) => {
  const last = match.lastBall;
  if (!last) return nothing;
  const what = ballWords(last);
  return sheet({
    title: t("correct"), key: "correct",
    body: reasonBody({ text: last.text, reason: open.reason, own: open.own, words: t("correct.confirm", { what }) }, {
      reason: (reason) => verbs.sheet({ ...open, reason }),
      own: (own) => verbs.sheet({ ...open, own }),
      confirm: () => {
        match.correct(open.reason === "other" ? open.own.trim() : t(`reason.${open.reason}`));
        verbs.close();
      },
    }),
  }, verbs);
};

/** What is not needed for each ball. @param {Pad} state @param {Verbs} verbs */
const moreSheet = ({ match }, verbs) => {
  const rest = match.cells.filter(({ ask }) => cellOf(ask) === null);
  const choices = rest.map(({ ask }) => ({ words: ask.title, action: `ask:${ask.at}` }));
  const actions = [
    ...(isOver(match) ? [] : choices),
    { words: t("board.go"), action: "board", href: `/m/${match.id}/board` },
    { words: t("end.log"), action: "log", href: `/v1/matches/${match.id}/log`, download: `${match.id}.ndjson` },
    { words: t("home.go"), action: "home", href: "/" },
  ];
  return sheet({
    title: t("more"), key: "more",
    body: html`${actionList(actions, { act: (action) => (action.startsWith("ask:") ? verbs.open(action.slice(4)) : go("/")) })}
      <p class="block small quiet">${t("hint.screen")}</p>`,
  }, verbs);
};

/** What is kept here, and since when. @param {Pad} state @param {Verbs} verbs */
const syncSheet = ({ match }, verbs) => {
  const kept = match.outbox.entries;
  const since = match.since.toTimeString().slice(0, 5);
  return sheet({
    title: t("sync"), key: "sync",
    body: html`<div class="block"><p>${match.isFresh ? t("sync.there") : t("sync.lost.since", { since })}</p>
      ${kept.map((entry) => html`<p>${t("sync.entry", { what: entry.title, at: new Date(entry.at).toTimeString().slice(0, 5) })}</p>`)}
      ${match.nextTry === null ? nothing : html`<p>${t("sync.next", { seconds: match.nextTry })}</p>`}
      ${kept.length === 0 ? html`<p>${syncText({ state: "saved" })}</p>` : nothing}</div>`,
  }, verbs);
};

/** A ball of this over. @param {Pad} state @param {number} delivery @param {Verbs} verbs */
const ballSheet = ({ match }, delivery, verbs) => {
  const ball = match.shown?.situation?.over.deliveries.find((other) => other.delivery === delivery);
  if (!ball) return nothing;
  const isLast = match.lastBall?.delivery === delivery && match.token !== undefined;
  const text = isLast ? match.lastBall?.text : undefined;
  return sheet({
    title: `${ball.place.over - 1}.${ball.place.ball} ${ballWords(ball)}`, key: "ball",
    body: waysBody({ ...(text ? { text } : {}), ways: isLast ? [{ value: "correct", title: t("correct"), action: "correct" }] : [] },
      { choose: () => verbs.sheet({ kind: "correct", reason: null, own: "" }) }),
  }, verbs);
};
