/** What a pad asks without keys: by buttons, on a sheet, or not at all. */
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { isKnown } from "../kinds.js";
import { notBuilt, told } from "../parts/not_built.js";
import { choiceKeys } from "../parts/keypad.js";
import { wordOf } from "../parts/names.js";
import { heldBall, question, sentence } from "../parts/question.js";
import * as scoring from "../scoring.js";
import { hasDealt } from "./stepping.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("../draft.js").NextRequest} NextRequest */

/** How an ask is answered that has no keys: on its sheet; or by a request, where this page does not know its kind. @param {NextRequest} request @param {import("../draft.js").Ask} ask @param {import("./pad.js").Verbs} verbs */
export const elsewhereOf = ({ path, body }, ask, verbs) => {
  const { at, title } = ask;
  return isKnown(ask)
    ? html`<div class="actions"><button type="button" class="button" data-action=${`ask:${at}`} @click=${() => verbs.open(at)}>${t("enter")}</button></div>`
    : notBuilt({ title, at, request: `POST ${path}`, body });
};

/** Nothing is asked: what can be done. @param {Pad} state @param {NextRequest[]} requests @param {import("./pad.js").Verbs} verbs */
export const restOf = ({ match, now }, requests, verbs) => {
  const secrets = requests.filter(({ secret }) => secret);
  const isDealt = hasDealt(match);
  const seeds = requests.filter(({ operation }) => operation === "add_seed");
  const rest = requests.filter((request) => !secrets.includes(request) && !seeds.includes(request));
  // A choice of what this phone is not told, or a side's seed, is not this page's to make.
  const own = [...(isDealt ? [] : secrets), ...seeds];
  const lay = { title: t("orders.dealt"), operation: "lay" };
  const act = (/** @type {NextRequest | typeof lay} */ one) =>
    "path" in one ? scoring.request(match, one, now.question) : verbs.lay();
  return html`${question({ title: t("next") })}<div class="actions">${[
    ...(isDealt ? [lay] : []),
    ...rest,
  ].map(
    (one) => html`<button type="button" class="button" data-action=${one.operation}
    @click=${() => act(one)}><span dir="auto">${one.title}</span></button>`,
  )}</div>${own.map(told)}`;
};

/** Several requests answer the step, as to accept a decision or to review it: each is a key with its outcome in words. @param {Pad} state @param {NextRequest[]} requests @param {(() => void) | undefined} why Opens the rules behind it. */
export const waysOf = ({ match, now }, requests, why) => {
  const title = requests.map(({ title }) => title).join(" · ");
  const last = now.shown?.situation?.last;
  const ways = requests.map((request, value) => ({ value, title: request.title, text: outcomes(request) }));
  const { said } = match;
  return html`${!last ? question({ title, said, why }) : heldBall({ ...last, title, word: wordOf(last), text: null, said })}
    ${last ? sentence(ordered(last.text)) : nothing}
    ${choiceKeys(
      { ways },
      {
        choose: (value) => {
          const found = requests[Number(value)];
          if (found) scoring.pick(match, found, now.question);
        },
      },
    )}`;
};

/** What the faces of a request's die come to: `1, 2 OUT · 5, 6 not out`. @param {NextRequest} request */
const outcomes = ({ asks }) => {
  /** @type {Map<string, unknown[]>} */
  const faces = new Map();
  for (const { value, title } of asks.find(({ required }) => required)?.options ?? [])
    if (title) faces.set(title, [...(faces.get(title) ?? []), value]);
  return [...faces].map(([title, values]) => `${values.join(", ")} ${title}`).join(" · ");
};
