/** Bowls a ball that asks nothing: dice of the service; an over whose orders are laid, ball by ball turned over. */
import { ordered, t } from "../i18n.js";
import { html, nothing } from "../html.js";
import { EVENTS, lastBall } from "../following.js";
import { wordOf } from "../parts/names.js";
import { orderRows } from "../parts/orders.js";
import { bowlKeys, seededBall } from "../parts/bowl.js";
import { question } from "../parts/question.js";
import { placeWords } from "../parts/strip.js";
import * as scoring from "../scoring.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("../draft.js").Draft} Draft */
/** @typedef {import("../parts/orders.js").Row} Row */

/** The list that a number of an order stands in. @param {string} at */
const listOf = (at) => at.replace(/\[\d+\]$/, "");

/** The side that lays an order, by its name. @param {Pad["match"]} match @param {import("../draft.js").Ask} ask */
export const nameOf = ({ view }, { side, title }) => (side && view?.[side].name) || title;

/** The orders of a draft, as far as they are typed. @param {Pad["match"]} match @param {Draft} draft @returns {Row[]} */
const rowsOf = (match, { request, answers }) => {
  const asks = request?.asks ?? [];
  const given = new Map(answers.map(({ at, value }) => [at, value]));
  return [...new Set(asks.map(({ at }) => listOf(at)))].map((list) => {
    const own = asks.filter(({ at }) => listOf(at) === list);
    return {
      name: own[0] ? nameOf(match, own[0]) : "",
      values: own.map(({ at }) => given.get(at)),
    };
  });
};

/** The lists of numbers in the choices of an event, each with its name. @param {unknown} choices @returns {[string, unknown[]][]} */
const listsIn = (choices) =>
  Object.entries(Object(choices)).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.every((one) => typeof one === "number") ? [[name, value]] : [];
    return typeof value === "object" ? listsIn(value) : [];
  });

/** The orders of the over in progress, as the log has them: the bowler's first. @param {Pad["match"]} match @returns {Row[]} */
const rowsInLog = ({ view, beside }) => {
  const body = beside[EVENTS]?.body;
  const over =
    body && "events" in body ? body.events.filter(({ kind }) => kind === "over").at(-1) : undefined;
  const { number = 0 } = view?.situation?.over ?? {};
  const data = /** @type {{over?: number, innings?: number, choices?: unknown}} */ (Object(over?.data));
  if (!view?.situation || data.over !== number || data.innings !== view.situation.innings) return [];
  const { situation } = view;
  const bowling = situation.batting === "home" ? "away" : "home";
  // The side that bats has a list by the name that the situation has for it.
  const sideOf = (/** @type {string} */ name) => (name in situation ? situation.batting : bowling);
  return listsIn(data.choices)
    .map(([name, values]) => ({ side: sideOf(name), values }))
    .sort((one, other) => Number(one.side !== bowling) - Number(other.side !== bowling))
    .map(({ side, values }) => ({ name: view[side].name, values }));
};

/** The orders as they are typed, in the place of this over. @param {Pad} state */
export const ordersOf = ({ match, now }) => {
  const { draft } = now;
  return orderRows({ rows: rowsOf(match, draft), due: draft.answers.length });
};

/** Both orders are typed: they are looked at, and played. @param {Pad} state */
export const playOf = ({ match }) => html`${question({ title: t("orders.whole"), said: match.said })}
  <div class="bowl-keys"><button type="button" class="button main" data-action="play" @click=${() => scoring.submit(match)}>${t("orders.play")}</button></div>`;

/** The next ball is turned over, with the numbers of its over in sight. @param {Pad} state @param {Verbs} verbs */
export const turnOf = ({ match, now }, verbs) => {
  const { over } = now.shown?.situation ?? {};
  const turned = over?.deliveries ?? [];
  const laid = match.queue.entries.find(({ draft }) => draft.request?.laid)?.draft;
  const rows = laid ? rowsOf(match, laid) : rowsInLog(match);
  const last = turned.length > 0 ? lastBall(match) : null;
  const at = turned.length + 1;
  return html`${question({ title: last ? t("bowl.last", { at: placeWords(last.place, turned) }) : t("orders.first"), said: match.said })}
    ${last ? seededBall({ ...last, word: wordOf(last), text: ordered(last.text) }) : html`<div class="seeded"></div>`}
    ${rows.length > 0 ? orderRows({ rows, due: turned.length, isTurned: true }) : nothing}
    ${bowlKeys({ over: false, closed: !now.isIdle, words: t("orders.turn", { n: at }) }, verbs)}`;
};

/** Dice of the service: the last ball, and the keys that bowl the next one. @param {Pad} state @param {import("../draft.js").NextRequest[]} requests @param {import("./pad.js").Verbs} verbs */
export const bowlOf = ({ match, now }, requests, verbs) => {
  const has = (/** @type {string} */ operation) =>
    requests.find((request) => request.operation === operation);
  const last = lastBall(match);
  const title = last
    ? t("bowl.last", { at: placeWords(last.place, match.view?.situation?.over.deliveries) })
    : t("bowl.ask");
  return html`${question({ title, said: match.said })}
    ${last ? seededBall({ ...last, word: wordOf(last), text: ordered(last.text) }) : html`<div class="seeded"></div>`}
    ${bowlKeys({ over: Boolean(has("autoplay")), closed: !now.isIdle, words: has("bowl_ball")?.title ?? "" }, verbs)}`;
};
