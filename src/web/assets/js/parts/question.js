// Draws what is asked, with the dice of this ball and what they mean; the held ball; a note; and a label.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { dice } from "./dice.js";
import { icon } from "./icons.js";

/** @typedef {import("./dice.js").Shown} Shown */

/** What is refused here, in words. It stands beside the question for the dice and what they mean, and moves nothing. @param {string} said */
const refused = (said) =>
  html`<div class="refused"><p class="label" data-said role="alert" dir="auto">${said}</p></div>`;

/**
 * Whether the words beside a question have no room in three lines: a letter of the question takes that of four, a die
 * that of fourteen, and from three on they stand in two rows. @param {string} title @param {string} text @param {Shown[]} shown
 */
const areMany = (title, text, shown) => 4 * title.length + text.length + 14 * Math.min(shown.length, 2) > 80;

/**
 * The question; its group of keys is named by it.
 * @param {{ title: string, text?: string | null | undefined, dice?: Shown[], said?: string | null, why?: (() => void) | undefined }} data `text`: what the dice so far mean. `why`: opens the rule behind it.
 */
export const question = ({
  title,
  text,
  dice: shown = [],
  said,
  why,
}) => html`<div class=${!said && text && areMany(title, text, shown) ? (shown.length > 0 ? "ask long" : "ask long run-in") : "ask"}>
  <div class="asked"><h2 id="question" tabindex="-1">${title}</h2>${
    why
      ? html`<button type="button" class="why" data-action="rules" aria-label=${t("rules")} aria-haspopup="dialog" @click=${why}>?</button>`
      : nothing
  }</div>
  ${said ? refused(said) : html`<div class="so-far">${dice(shown)}${text ? html`<span class="said"><span dir="auto">${text}</span></span>` : nothing}</div>`}
</div>`;

/**
 * The ball that is held: its dice, its word, whose it was. The keys below it ask the next ball.
 * @param {{ title: string, word: string, text?: string | null | undefined, dice: Shown[], boundary?: unknown, wicket?: unknown, said?: string | null }} data
 */
export const heldBall = ({
  title,
  word,
  text,
  dice: shown,
  boundary,
  wicket,
  said,
}) => html`<div class="ask held">
  ${said ? nothing : dice(shown)}
  <h2 id="question" tabindex="-1"><span class=${wicket ? "red" : boundary ? "gold" : ""}>${word}</span><span class="heard">. ${title}</span></h2>
  ${said ? refused(said) : html`<div class="so-far"><span class="said"><span dir="auto">${text ? html`<b aria-hidden="true">${title}</b>` : nothing}${text} <span class="hold-words">${t("held.kept")}</span></span></span></div>`}
</div>`;

/** What must be known, above keys that wait or stay. @param {{ icon?: import("./icons.js").IconName, title: string, text?: string }} data */
export const note = ({ icon: drawing, title, text }) => html`<div class="note">
  ${drawing ? icon(drawing) : nothing}<p><b dir="auto">${title}</b>${text ? html`<span dir="auto">${text}</span>` : nothing}</p></div>`;

/** A line of second text under or above keys: what they wait for. @param {string} words @param {string} [id] */
export const under = (words, id) => html`<p class="under" id=${id ?? nothing} dir="auto">${words}</p>`;

/** The sentence of a ball above keys, in two lines: its cell has all of it. @param {string} words */
export const sentence = (words) => html`<p class="under two-lines" dir="auto">${words}</p>`;

/** What must be noticed: ink on cream, one at a time. @param {string} words */
export const label = (words) => html`<span class="label" dir="auto">${words}</span>`;
