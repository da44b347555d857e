/** What a pad asks without keys: by buttons, on a sheet, or not at all. */
import { html } from "../html.js";
import { lastBall } from "../following.js";
import { ordered, t } from "../i18n.js";
import { isKnown } from "../kinds.js";
import { bowlKeys, seededBall } from "../parts/bowl.js";
import { wordOf } from "../parts/names.js";
import { notBuilt, told } from "../parts/not_built.js";
import { question } from "../parts/question.js";
import { placeWords } from "../parts/strip.js";
import * as scoring from "../scoring.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("../draft.js").NextRequest} NextRequest */

/** How an ask is answered that has no keys: on its sheet; or by a request, where this page does not know its kind. @param {NextRequest} request @param {import("../draft.js").Ask} ask @param {import("./pad.js").Verbs} verbs */
export const elsewhereOf = ({ path, body }, ask, verbs) => {
  const { at, title } = ask;
  return isKnown(ask)
    ? html`<div class="actions"><button type="button" class="button" data-action=${`ask:${at}`} @click=${() => verbs.open(at)}>${t("enter")}</button></div>`
    : notBuilt({ title, at, request: `POST ${path}`, body });
};

/** Nothing is asked: what can be done. @param {Pad} state @param {NextRequest[]} requests */
export const restOf = ({ match, now }, requests) => {
  // A side's own choice or seed is not this page's to make.
  const own = requests.filter(({ secret, operation }) => secret || operation === "add_seed");
  const rest = requests.filter((request) => !own.includes(request));
  return html`${question({ title: t("next") })}<div class="actions">${rest.map(
    (request) => html`<button type="button" class="button" data-action=${request.operation}
    @click=${() => scoring.request(match, request, now.question)}><span dir="auto">${request.title}</span></button>`,
  )}</div>${own.map(told)}`;
};

/** Dice of the service: the last ball, and the keys that bowl the next one. @param {Pad} state @param {NextRequest[]} requests @param {import("./pad.js").Verbs} verbs */
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
