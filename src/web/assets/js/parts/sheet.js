// Draws sheets: a list of one with reasons, an order, a list of actions, a question of two ways, reasons for a correction.
// They need the element `sheet-box`, which shows them and gives focus back.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";
import { icon } from "./icons.js";
import { choiceKeys, keypad } from "./keypad.js";
import { ways } from "./ways.js";

/** @typedef {import("../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["Ask"]} Ask */
/** @typedef {Schemas["AskOption"]} AskOption */
/** @typedef {{ close: () => void }} Close close: the sheet is wished away. */

/**
 * A sheet around whatever it holds. `key` names what it is about, so that another sheet is another element.
 * @param {{ title: string, body: unknown, key?: string }} data @param {Close} send
 */
export const sheet = ({ title, body, key = "sheet" }, send) => html`${repeat([key], (name) => name, () => html`<sheet-box @close-sheet=${() => send.close()}>
  <dialog class="sheet" aria-labelledby="sheet-title" data-sheet=${key}>
    <div class="sheet-head"><h2 id="sheet-title" dir="auto">${title}</h2>
      <button type="button" class="square" data-action="close" aria-label=${t("close")} @click=${() => send.close()}>${icon("close")}</button></div>
    <div class="sheet-body">${body}</div>
  </dialog></sheet-box>`)}`;

/** @param {AskOption} option @param {boolean} chosen @param {{ choose: (value: any) => void }} send */
const openRow = ({ value, title, text }, chosen, send) => html`<li><button type="button" class=${chosen ? "row chosen" : "row"} data-choice=${String(value)}
  aria-pressed=${chosen ? "true" : "false"} @click=${() => send.choose(value)}>
  <span class=${chosen ? "name own" : "name"} dir="auto">${title}</span>${text ? html`<span class="reason" dir="auto">${text}</span>` : nothing}${chosen ? icon("check") : nothing}</button></li>`;

/** A row that is to be read and focused, not pressed. @param {AskOption} option */
const closedRow = ({ value, title, why_not: whyNot }) => html`<li><button type="button" class="row closed" data-choice=${String(value)} aria-disabled="true">
  <span class="name" dir="auto">${title}</span><span class="reason" dir="auto">${whyNot ?? nothing}</span></button></li>`;

/** The default first, the others in their order. @param {AskOption[]} options */
const inOrder = (options) => [...options.filter((option) => option.default), ...options.filter((option) => !option.default)];

/**
 * The list of an ask with reasons: first the default, then what can be chosen, then what cannot and why.
 * @param {{ ask: Ask, chosen?: unknown, labelledby?: string }} data @param {{ choose: (value: any) => void }} send
 */
export const optionList = ({ ask, chosen = ask.default, labelledby = "sheet-title" }, send) => {
  const options = ask.options ?? [];
  const open = inOrder(options.filter((option) => option.why_not === undefined));
  const closed = options.filter((option) => option.why_not !== undefined);
  return html`<div class="options" role="group" aria-labelledby=${labelledby}><ul>${repeat(open, ({ value }) => String(value), (option) => openRow(option, option.value === chosen, send))}</ul></div>
    ${closed.length === 0 ? nothing : html`<h3 class="section">${t("sheet.cannot")}</h3><ul>${repeat(closed, ({ value }) => String(value), closedRow)}</ul>`}`;
};

/** Whether a value may stand twice in the order of an ask: where its default says so, and numbers always. @param {Ask} ask */
const repeats = ({ options, default: usual }) => !options?.length || (Array.isArray(usual) && new Set(usual).size < usual.length);

/**
 * An order, one place after the other: the openers, the cubes of an over. The last tap is the whole order.
 * @param {{ ask: Ask, taken: any[] }} data `taken`: so far. @param {{ take: (value: any) => void }} send
 */
export const orderList = ({ ask, taken }, send) => {
  const titleOf = (/** @type {unknown} */ value) => ask.options?.find((option) => option.value === value)?.title ?? String(value);
  const options = ask.options?.filter(({ value }) => repeats(ask) || !taken.includes(value));
  const rest = { ...ask, options: options ?? [], default: undefined };
  return html`<p class="under" dir="auto" data-taken>${[...taken.map(titleOf), t(`order.${taken.length + 1}`)].join(" · ")}</p>
    ${options?.length ? optionList({ ask: rest }, { choose: send.take }) : keypad({ ask: rest, labelledby: "sheet-title" }, { die: send.take })}`;
};

/**
 * Some of a list, none of them as well. A tap takes one or gives it back.
 * @param {{ ask: Ask, taken: unknown[] }} data @param {{ take: (value: any) => void, confirm: () => void }} send
 */
export const someList = ({ ask, taken }, send) => {
  const full = taken.length >= Number(ask.count ?? Infinity);
  return html`<div role="group" aria-labelledby="sheet-title"><ul>${repeat(ask.options ?? [], ({ value }) => String(value), ({ value, title, text, why_not: whyNot }) => {
    const isTaken = taken.includes(value);
    const shut = whyNot !== undefined || (full && !isTaken);
    return html`<li><button type="button" class=${isTaken ? "row chosen" : shut ? "row closed" : "row"} data-choice=${String(value)} aria-pressed=${String(isTaken)}
      aria-disabled=${shut ? "true" : nothing} @click=${() => { if (!shut) send.take(value); }}>
      <span class=${isTaken ? "name own" : "name"} dir="auto">${title}</span>
      ${whyNot ?? text ? html`<span class="reason" dir="auto">${whyNot ?? text}</span>` : nothing}${isTaken ? icon("check") : nothing}</button></li>`;
  })}</ul></div>
  <div class="sheet-foot"><button type="button" class="button" data-action="confirm" @click=${() => send.confirm()}>${t(taken.length === 1 ? "some.one" : "some.other", { n: taken.length })}</button></div>`;
};

/** @typedef {{ words: string, text?: string, icon?: import("./icons.js").IconName, action: string, href?: string, download?: string }} Action */

/**
 * A list of what can be done: More.
 * @param {Action[]} actions @param {{ act: (action: string) => void }} send
 */
export const actionList = (actions, send) => html`<ul>${repeat(actions, ({ action }) => action, ({ words, text, icon: drawing, action, href, download }) => {
  const lines = html`${drawing ? icon(drawing) : nothing}<span class="lines"><span class="strong" dir="auto">${words}</span>${text ? html`<span class="small quiet" dir="auto">${text}</span>` : nothing}</span>`;
  return html`<li>${href
    ? html`<a class="row" href=${href} download=${download ?? nothing} data-action=${action}>${lines}</a>`
    : html`<button type="button" class="row" data-action=${action} @click=${() => send.act(action)}>${lines}</button>`}</li>`;
})}</ul>`;

/**
 * What is said, and two or three keys below it: accept or review, take it back or go on.
 * @param {{ text?: string, ways: import("./keypad.js").Way[], beside?: boolean }} data @param {{ choose: (value: any) => void }} send
 */
export const waysBody = ({ text, ways: all, beside }, send) => html`<div class="block">
  ${text ? html`<p class="lead" dir="auto">${text}</p>` : nothing}${choiceKeys({ ways: all, beside, labelledby: "sheet-title" }, send)}</div>`;

/** The reasons of a correction, as the keys of their words. */
export const REASONS = /** @type {const} */ (["misread", "key", "player", "rule"]);

/**
 * Why the last ball is taken back: four reasons, or words of one's own; the button names what goes.
 * @param {{ text: string, reason: string | null, own: string, words: string, wrong?: string }} data
 * @param {{ reason: (key: string) => void, own: (words: string) => void, confirm: () => void }} send
 */
export const reasonBody = ({ text, reason, own, words, wrong }, send) => {
  const ready = reason !== null && (reason !== "other" || own.trim() !== "");
  const all = [...REASONS, "other"].map((value) => ({ value, title: t(`reason.${value}`) }));
  return html`<form class="block" @submit=${(/** @type {Event} */ event) => { event.preventDefault(); if (ready) send.confirm(); }}>
    <p class="lead" dir="auto">${text}</p>
    ${ways({ name: "reason", title: t("reason"), ways: all, chosen: reason }, { choose: send.reason })}
    ${reason === "other" ? html`<div class="field"><label for="own-words">${t("reason.own")}</label>
      <input id="own-words" type="text" maxlength="200" dir="auto" .value=${own} @input=${(/** @type {Event} */ event) => send.own(/** @type {HTMLInputElement} */ (event.target).value)}></div>` : nothing}
    ${wrong ? html`<p class="label" dir="auto">${wrong}</p>` : nothing}
    <button class="button" data-action="confirm" aria-disabled=${ready ? nothing : "true"}><span dir="auto">${words}</span></button>
  </form>`;
};
