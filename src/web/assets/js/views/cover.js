/** Draws the cover of an over at once, or the keys of the side whose turn it is. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { kindOf } from "../kinds.js";
import { owe, redraw } from "../owed.js";
import { choiceKeys } from "../parts/keypad.js";
import { orderRows } from "../parts/orders.js";
import { note, question, under } from "../parts/question.js";
import { ways } from "../parts/ways.js";
import { anew, change, dueOf, hasMoved, lays, leftOf, NOTHING, shows, type, wordsOf } from "./covering.js";
import { nameOf } from "./pad_orders.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./covering.js").Secret} Secret */

/** @param {{ words: string, action: string, other?: boolean }} data @param {() => unknown} act */
const button = ({ words, action, other }, act) =>
  html`<button type="button" class=${other ? "button other low" : "button"} data-action=${action} @click=${() => void owe(Promise.resolve(act()))}><span dir="auto">${words}</span></button>`;

/** What a reader hears of it: never a cube. @param {Pad} pad */
export const saidOf = (pad) => {
  const { match, secret } = pad;
  const ask = dueOf(pad)?.ask;
  if (secret?.isSent) return t("cover.sent");
  if (!secret || hasMoved(pad)) return t("cover.moved");
  if (!ask) return t("cover.both");
  return secret.covered ? t("cover.give", { side: nameOf(match, ask) }) : ask.title;
};

/** The cover, or the keys of the side whose turn it is. @param {Pad} pad */
export const coverOf = (pad) => {
  const { match, secret } = pad;
  if (!secret) return nothing;
  const leave = () => {
    pad.secret = null;
    redraw();
  };
  if (secret.isSent) return note({ title: t("cover.sent") });
  if (hasMoved(pad))
    return html`${note({ title: t("cover.moved") })}<div class="actions">${button({ words: t("cover.leave"), action: "leave" }, leave)}</div>`;
  const due = dueOf(pad);
  const ask = due?.ask;
  const name = ask ? nameOf(match, ask) : "";
  const isFresh = secret.turn === 0 && !secret.again;
  const leaves = t(secret.side !== null ? "cover.later" : "cover.leave");
  const out =
    isFresh || secret.side !== null
      ? button({ words: leaves, action: "leave", other: true }, leave)
      : button({ words: t("cover.anew"), action: "anew", other: true }, () => anew(pad));
  if (!ask)
    return html`${question({ title: t("cover.both"), said: secret.said })}<div class="actions">${button({ words: t("cover.show"), action: "show-both" }, () => shows(pad))}${out}</div>`;
  if (secret.covered)
    return html`${question({ title: t("cover.give", { side: name }) })}${secret.again ? under(t("cover.again")) : nothing}
      <div class="actions">${button({ words: t("cover.here", { side: name }), action: "uncover" }, () => change(pad, { covered: false, said: null }))}${out}</div>`;
  const isWhole = secret.values.length >= Number(ask.count);
  const hide = () => change(pad, { ...NOTHING, covered: true, said: null });
  return html`${question({ title: ask.title, said: secret.said })}
    ${isWhole ? rollOf(pad, secret) : due && keysOf(pad, due, secret)}
    <div class="actions">${isWhole ? button({ words: t("cover.done"), action: "laid" }, () => lays(pad)) : nothing}${button({ words: t("cover.hide"), action: "cover", other: true }, hide)}</div>`;
};

/** What can be laid. @param {Pad} pad @param {NonNullable<ReturnType<typeof dueOf>>} due @param {Secret} secret */
const keysOf = (pad, due, secret) => {
  const lay = (/** @type {unknown} */ value) => type(pad, value, true);
  if ("each" in due) return kindOf(due.each).keys({ ...OPEN, ask: due.each }, { die: lay, choose: () => {} });
  const left = leftOf(due, secret);
  const cubes = (due.ask.options ?? []).map(({ value, title }) => ({
    value,
    title,
    why_not: left.includes(value) ? null : t("cover.laid"),
  }));
  return choiceKeys({ ways: cubes, looks: "many cubes" }, { choose: lay });
};

const OPEN = { pressed: null, missed: undefined, closed: false, elsewhere: () => nothing };

/** The order is whole: on which ball a cube of it is rolled, where that may be. @param {Pad} pad @param {Secret} secret */
const rollOf = (pad, secret) => {
  const due = dueOf(pad);
  const roll = due && "roll" in due ? due.roll : undefined;
  const { roll: chosen } = secret;
  const balls = Array.from({ length: Number(roll?.maximum) || 0 }, (_, place) => place + 1);
  const choices = [
    { value: undefined, title: t("cover.roll.none") },
    ...balls.map((value) => ({ value, title: String(value) })),
  ];
  const choose = (/** @type {unknown} */ value) => change(pad, { roll: value });
  return roll
    ? html`<div class="block">${ways({ name: "roll", title: roll.title, ways: choices, chosen }, { choose })}</div>`
    : nothing;
};

/** The cubes of the side whose turn it is; under the cover none. @param {Pad} pad */
export const rowOf = (pad) => {
  const { match, secret } = pad;
  const ask = secret && !secret.covered ? dueOf(pad)?.ask : undefined;
  if (!secret || !ask) return html`<div class="strip"></div>`;
  const name = nameOf(match, ask);
  const laid = secret.values.map((value) => wordsOf(ask, value));
  const values = Array.from({ length: Number(ask.count) }, (_, place) => laid[place]);
  return orderRows({ rows: [{ name, values }], due: secret.values.length });
};
