// Draws what stands on a sheet: a list of one with reasons, some of a list, an order, names on places, a list of
// actions, reasons for a correction.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";
import { isKnown } from "../kinds.js";
import { icon } from "./icons.js";
import { choiceKeys, keypad } from "./keypad.js";
import { ways } from "./ways.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["Ask"]} Ask */
/** @typedef {Schemas["AskOption"]} AskOption */

/** What is chosen on the sheet of an ask, and taken of its list so far. @typedef {import("../kinds.js").OnSheet} OnSheet */
/** @typedef {import("../kinds.js").OfSheet} OfSheet */

/** A key for each face or number. @param {{ ask: Ask, isDie: boolean }} data @param {{ choose(value: unknown): void }} send */
export const numberList = ({ ask, isDie }, send) =>
  keypad({ ask, isDie, labelledby: "sheet-title" }, { die: send.choose });

/** A key for each of a few. @param {{ ask: Ask }} data @param {{ choose(value: unknown): void }} send */
export const fewList = ({ ask }, send) =>
  html`<div class="block">${choiceKeys({ ways: ask.options ?? [], labelledby: "sheet-title" }, send)}</div>`;

/**
 * A row of a list: taken, to be taken, or only to be read and focused, with its reason.
 * @param {AskOption} option @param {{ chosen?: boolean, shut?: boolean, now?: string }} state `now`: the places that it has now. @param {(value: unknown) => void} take
 */
const row = (
  { value, title, text, why_not: whyNot },
  { chosen = false, shut = whyNot !== undefined, now = "" },
  take,
) => {
  const words = [whyNot ?? text, now].filter(Boolean).join(", ");
  return html`<li><button type="button"
  class=${chosen ? "row chosen" : shut ? "row closed" : "row"} data-choice=${String(value)} aria-pressed=${String(chosen)}
  aria-disabled=${shut ? "true" : nothing} @click=${() => {
    if (!shut) take(value);
  }}>
  <span class=${chosen ? "name own" : "name"} dir="auto">${title}</span>
  ${words ? html`<span class="reason" dir="auto">${words}</span>` : nothing}${chosen ? icon("check") : nothing}</button></li>`;
};

/** The default first, the others in their order. @param {AskOption[]} options */
const inOrder = (options) => [
  ...options.filter((option) => option.default),
  ...options.filter((option) => !option.default),
];

/**
 * The list of an ask with reasons: first the default, then what can be chosen, then what cannot and why.
 * @param {{ ask: Ask, chosen?: unknown, now?: (value: unknown) => string, labelledby?: string }} data @param {{ choose(value: unknown): void }} send
 */
export const optionList = ({ ask, chosen = ask.default, now, labelledby = "sheet-title" }, send) => {
  const options = ask.options ?? [];
  const open = inOrder(options.filter((option) => option.why_not === undefined));
  const closed = options.filter((option) => option.why_not !== undefined);
  return html`<div role="group" aria-labelledby=${labelledby}><ul>${repeat(
    open,
    ({ value }) => String(value),
    (option) => row(option, { chosen: option.value === chosen, now: now?.(option.value) ?? "" }, send.choose),
  )}</ul></div>
    ${
      closed.length === 0
        ? nothing
        : html`<h3 class="section">${t("sheet.cannot")}</h3><ul>${repeat(
            closed,
            ({ value }) => String(value),
            (option) => row(option, {}, send.choose),
          )}</ul>`
    }`;
};

/** Whether a value may stand twice in the order of an ask: where its default says so, and numbers always. @param {Ask} ask */
const repeats = ({ options, default: usual }) =>
  !options?.length || (Array.isArray(usual) && new Set(usual).size < usual.length);

/**
 * An order, one place after the other: the openers, the cubes of an over. The last tap is the whole order.
 * @param {OnSheet} data @param {OfSheet} send
 */
export const orderList = ({ ask, chosen, taken: now, elsewhere }, send) => {
  if (!isKnown(ask)) return elsewhere();
  const taken = now ?? [];
  const take = (/** @type {unknown} */ value) =>
    (taken.length + 1 < Number(ask.count) ? send.take : send.choose)([...taken, value]);
  const titleOf = (/** @type {unknown} */ value) =>
    ask.options?.find((option) => option.value === value)?.title ?? String(value);
  const options = ask.options?.filter(({ value }) => repeats(ask) || !taken.includes(value));
  const rest = { ...ask, options: options ?? [], default: undefined };
  const stands = Array.isArray(chosen) ? chosen : [];
  const standsAt = (/** @type {unknown} */ value) =>
    stands
      .flatMap((one, place) => (one === value ? t("order.now", { place: t(`order.${place + 1}`) }) : []))
      .join(", ");
  return html`<p class="under" dir="auto" data-taken>${[...taken.map(titleOf), t(`order.${taken.length + 1}`)].join(" · ")}
    ${taken.length > 0 ? html` <button type="button" class="link" data-action="undo-taken" @click=${() => send.take(taken.slice(0, -1))}>${t("undo.what", { what: titleOf(taken[taken.length - 1]) })}</button>` : nothing}</p>
    ${options?.length ? optionList({ ask: rest, now: standsAt }, { choose: take }) : keypad({ ask: rest, labelledby: "sheet-title" }, { die: take })}`;
};

/**
 * Some of a list, none of them as well. A tap takes one or gives it back.
 * @param {Pick<OnSheet, "ask" | "chosen" | "taken">} data @param {OfSheet} send
 */
export const someList = ({ ask, chosen: stands, taken: now }, send) => {
  const taken = now ?? (Array.isArray(stands) ? stands : []);
  const take = (/** @type {unknown} */ value) =>
    send.take(taken.includes(value) ? taken.filter((other) => other !== value) : [...taken, value]);
  const full = taken.length >= Number(ask.count ?? Infinity);
  return html`<div role="group" aria-labelledby="sheet-title"><ul>${repeat(
    ask.options ?? [],
    ({ value }) => String(value),
    (option) => {
      const chosen = taken.includes(option.value);
      return row(option, { chosen, shut: option.why_not !== undefined || (full && !chosen) }, take);
    },
  )}</ul></div>
  <div class="sheet-foot"><button type="button" class="button" data-action="confirm" @click=${() => send.choose(taken)}>${t(taken.length === 1 ? "some.one" : "some.other", { n: taken.length })}</button></div>`;
};

/** @typedef {{ words: string, action: string, href?: string, download?: string }} Action */

/**
 * A list of what can be done: More.
 * @param {Action[]} actions @param {{ act: (action: string) => void }} send
 */
export const actionList = (actions, send) =>
  html`<ul>${repeat(
    actions,
    ({ action }) => action,
    ({ words, action, href, download }) => {
      const lines = html`<span class="strong" dir="auto">${words}</span>`;
      return html`<li>${
        href
          ? html`<a class="row" href=${href} download=${download ?? nothing} data-action=${action}>${lines}</a>`
          : html`<button type="button" class="row" data-action=${action} @click=${() => send.act(action)}>${lines}</button>`
      }</li>`;
    },
  )}</ul>`;

/** The reasons of a correction, as the keys of their words. */
export const REASONS = /** @type {const} */ (["misread", "key", "player", "rule"]);

/**
 * Why the last ball is taken back: four reasons, or words of one's own; the button names what goes.
 * @param {{ text: string, reason: string | null, own: string, words: string }} data
 * @param {{ reason: (key: string) => void, own: (words: string) => void, confirm: () => void }} send
 */
export const reasonBody = ({ text, reason, own, words }, send) => {
  const ready = reason !== null && (reason !== "other" || own.trim() !== "");
  const all = [...REASONS, "other"].map((value) => ({ value, title: t(`reason.${value}`) }));
  return html`<form class="block" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    if (ready) send.confirm();
  }}>
    <p dir="auto">${text}</p>
    ${ways({ name: "reason", title: t("reason"), ways: all, chosen: reason }, { choose: send.reason })}
    ${
      reason === "other"
        ? html`<div class="field"><label for="own-words">${t("reason.own")}</label>
      <input id="own-words" type="text" maxlength="200" dir="auto" .value=${own} @input=${(/** @type {Event} */ event) => send.own(/** @type {HTMLInputElement} */ (event.target).value)}></div>`
        : nothing
    }
    ${ready ? nothing : html`<p class="small quiet">${t("reason.say")}</p>`}
    <button class="button" data-action="confirm" aria-disabled=${ready ? nothing : "true"}><span dir="auto">${words}</span></button>
  </form>`;
};
