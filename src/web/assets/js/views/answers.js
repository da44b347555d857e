/**
 * One field that takes every answer: digits of dice, an option by its number in the list or the start of its title,
 * `?` for the list, and `undo`. It is for who hears the pad, or types faster than he taps.
 */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { alternatives, isForm, kindOf, otherWays } from "../kinds.js";
import { change, nowOf } from "../match.js";
import { nextWords } from "../parts/book.js";
import { scoreWords } from "../parts/scorebox.js";
import * as scoring from "../scoring.js";
import { askedIn } from "./hearing.js";
import { hasDealt, undoWords } from "./stepping.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("../draft.js").Ask} Ask */
/** What can be answered: its words, and what does it. @typedef {{ title: string, act: () => void }} Item */

/** The options of an ask. @param {Ask} ask @param {(value: unknown) => void} choose @returns {Item[]} */
const optionsOf = ({ options }, choose) =>
  (options ?? []).map(({ value, title, why_not }) => ({
    title: [title || String(value), why_not].filter(Boolean).join(": "),
    act: () => choose(value),
  }));

/** What can be answered now, in the order of its numbers. @param {Pad} state @param {Verbs} verbs @returns {Item[]} */
const itemsOf = ({ match, now }, verbs) => {
  const { due, requests, question } = now;
  const picks = (/** @type {import("../draft.js").NextRequest[]} */ ways) =>
    ways.map((way) => ({ title: way.title, act: () => scoring.pick(match, way, question) }));
  const whole = now.draft.request ?? due?.request;
  if (match.queue.stop || !requests) return [];
  if (alternatives(requests).length > 0) return picks(alternatives(requests));
  if (whole && isForm(whole)) {
    if (!due) return [{ title: whole.title, act: () => scoring.submit(match) }];
    if (!whole.laid) return optionsOf(due.ask, (value) => scoring.set(match, due.request, due.ask.at, value));
  }
  if (due) return [...optionsOf(due.ask, verbs.choose), ...picks(otherWays(requests))];
  const lay = hasDealt(match) ? [{ title: t("answers.dealt"), act: () => verbs.lay() }] : [];
  const open = requests.filter(({ secret }) => !secret);
  return [
    ...open.map((request) => ({
      title: request.title,
      act: () => scoring.request(match, request, question),
    })),
    ...lay,
  ];
};

/** The ask whose values are typed; none where one of several ways is picked first. @param {Pad} state */
const askOf = ({ now }) => (alternatives(now.requests ?? []).length > 0 ? undefined : now.due?.ask);

/** The options as they are read: a face of a die is its own number. @param {Ask | undefined} ask @param {Item[]} items */
const listOf = (ask, items) =>
  items
    .map(({ title }, place) => {
      const value = ask && kindOf(ask).word ? ask.options?.[place]?.value : undefined;
      return `${value ?? place + 1} ${title}`;
    })
    .join(", ");

/** Whether a text is digits of dice or numbers, of which each answers by itself. @param {Ask | undefined} ask @param {string} text */
const isDigits = (ask, text) => Boolean(ask && kindOf(ask).word) && /^\d+$/.test(text);

/** Whether an ask has numbers of two digits. @param {Ask} ask */
const isLong = (ask) =>
  [ask.maximum, ...(ask.options ?? []).map(({ value }) => value)].some((value) => Number(value) > 9);

/** The options that begin so; the one that is so as a whole. @param {Item[]} items @param {string} text */
const found = (items, text) => {
  const lower = text.toLowerCase();
  const exact = items.filter(({ title }) => title.toLowerCase() === lower);
  return exact.length > 0 ? exact : items.filter(({ title }) => title.toLowerCase().startsWith(lower));
};

/** Numbers of a list, as of some options or of an order. @param {string} text */
const numbersIn = (text) => (/^\d+([ ,]+\d+)*$/.test(text) ? text.split(/[ ,]+/).map(Number) : []);

/** Words that a reader hears although they are those of before. @param {string} words @param {string | null} before */
const anew = (words, before) => (words === before ? `${words}\u00a0` : words);

/** Takes what was typed. @param {Pad} state @param {Verbs} verbs @param {string} typed */
const take = (state, verbs, typed) => {
  const { match, now } = state;
  const ask = askOf(state);
  const text = typed.trim();
  const items = itemsOf(state, verbs);
  const say = (/** @type {string} */ said) => change(match, { said: anew(said, match.said), spoken: null });
  if (text === "") return;
  // A digit that is typed before something is asked waits, as one of a keyboard does.
  if (!now.requests && !match.queue.stop && /^\d+$/.test(text))
    return [...text].forEach((digit) => scoring.answer(match, Number(digit), null));
  if (text === "?")
    return change(match, {
      said: null,
      spoken: anew(listOf(ask, items) || t("answers.nothing"), match.spoken),
    });
  if (/^undo$/iu.test(text)) {
    const { words, why } = undoWords(state);
    return words ? verbs.undo() : say(why || t("undo.none"));
  }
  if (ask && isDigits(ask, text)) {
    const digits = isLong(ask) ? [text] : [...text];
    return digits.forEach((digit) => scoring.answer(match, Number(digit), null));
  }
  if (ask && kindOf(ask).isList) {
    const values = numbersIn(text).map((number) => ask.options?.[number - 1]?.value);
    return values.length > 0 ? verbs.choose(values) : say(t("answers.list", { title: ask.title }));
  }
  if (ask && items.length === 0) return verbs.open(ask.at);
  const [number] = numbersIn(text);
  const wanted = number === undefined ? found(items, text) : items.slice(number - 1, number);
  if (wanted.length === 1) return wanted[0]?.act();
  say(
    wanted.length > 1
      ? t("answers.several", { text, list: wanted.map(({ title }) => title).join(", ") })
      : t("answers.none", { text }),
  );
};

/** The field. A digit answers at once where it is all that can be meant. @param {Pad} state @param {Verbs} verbs */
export const fieldOf = (state, verbs) => {
  const items = itemsOf(state, verbs);
  const ask = askOf(state);
  // A digit is a face, or the number of a list without ten options.
  const isClear = ask && kindOf(ask).word ? !isLong(ask) : items.length < 10 && !(ask && kindOf(ask).isList);
  // The list that was asked for; else how it is used, until it was.
  const list = listOf(ask, items);
  const isListed = state.match.spoken?.trim() === list;
  const hint = isListed ? list : state.match.hasAnswered ? "" : t("answers.text");
  const empty = (/** @type {Event} */ { target }) => {
    const field = /** @type {HTMLInputElement} */ (target);
    const { value } = field;
    field.value = "";
    return value;
  };
  return html`<div class="answers field">
    <label for="answers" class=${state.before.length > 0 && !state.isPassed ? nothing : "heard"}>${askedIn(state.now.requests) || items.map(({ title }) => title).join(", ") || t("waits.title")}</label>
    <input id="answers" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="done" aria-describedby="answers-hint" maxlength="100"
      @input=${(/** @type {Event} */ event) => {
        const { value } = /** @type {HTMLInputElement} */ (event.target);
        if (isClear && /^\d$/.test(value)) take(state, verbs, empty(event));
      }}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && !event.isComposing) take(state, verbs, empty(event));
      }}>
    ${state.match.said ? html`<p class="label wrong" data-said role="alert" dir="auto">${state.match.said}</p>` : nothing}
    <p class=${hint === "" ? "heard" : "hint"} id="answers-hint">${hint || t("answers.text")}</p></div>`;
};

/** How the match stands, and who bats and bowls. @param {Pad["match"]} match */
export const standsOf = (match) => {
  const { shown, cells } = nowOf(match);
  return shown && [scoreWords(shown), nextWords({ match: shown, cells })].filter(Boolean).join(" ");
};
