// Draws the keys: of a die, of a number, of two or three ways. A key says what it does before it is pressed.
import { html, nothing, repeat } from "../html.js";
import { pips } from "./dice.js";
import { icon } from "./icons.js";
import { numerals } from "./numerals.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["Ask"]} Ask */
/** @typedef {Schemas["AskOption"]} AskOption */

/** The values of an ask; of a number without options, every one from the least to the greatest. @param {Ask} ask @returns {AskOption[]} */
export const optionsOf = ({ options, minimum, maximum }) =>
  options?.length
    ? options
    : Array.from({ length: Number(maximum ?? 6) - Number(minimum ?? 1) + 1 }, (_, place) => ({
        value: Number(minimum ?? 1) + place,
        title: "",
      }));

/** The options that have a key: those alike in what is printed on their faces are one, which sends the least value. @param {AskOption[]} options */
const withKeys = (options) =>
  options.filter(({ face }, place) => !face || options.findIndex((option) => option.face === face) === place);

/** How many stand in a row: six are three by two, eight four by two, ten five by two; up to four are one row. @param {number} count */
const columns = (count) => {
  if (count <= 4) return count === 4 ? "four lone" : "lone";
  return count <= 6 ? "" : [7, 8, 12].includes(count) ? "four" : "five";
};

/**
 * @param {AskOption} option
 * @param {{ ask: Ask, drawn: boolean, pressed: boolean, missed: boolean, closed: boolean }} state @param {Send} send
 */
const key = (
  { value, face, title, text, wicket, boundary, why_not: whyNot },
  { drawn, pressed, missed, closed },
  send,
) => {
  const shut = closed || whyNot !== undefined;
  const looks = [
    "key",
    wicket ? "wicket" : boundary ? "boundary" : "",
    pressed ? "pressed" : missed ? "missed" : "",
    face ? "faced" : "",
  ].join(" ");
  const more = whyNot ?? text;
  return html`<button type="button" class=${looks} data-die=${value} aria-disabled=${shut ? "true" : nothing}
    @click=${() => {
      if (!shut) send.die(/** @type {number} */ (value));
    }}>
    <kbd aria-hidden="true">${value}</kbd>
    ${face ? html`<span class="printed" aria-hidden="true">${face}</span>` : drawn ? pips(/** @type {number} */ (value)) : html`<span class="number" aria-hidden="true">${numerals(/** @type {number} */ (value))}</span>`}
    <span class="heard">${face ?? value}${title ? ", " : ""}</span>
    ${title ? html`<span class="means">${title}</span>` : nothing}
    ${more ? html`<span class="heard">, </span><span class="more" dir="auto">${more}</span>` : nothing}
  </button>`;
};

/** @typedef {{ die: (value: number) => void }} Send die: a face or a number was pressed. */

/**
 * The keys of a die or a number. `pressed`: the key that stays filled for a moment. `missed`: the key whose
 * press did not count. `closed`: the keys wait, and the
 * line with the id `waits` says for what.
 * @param {{ ask: Ask, isDie?: boolean, pressed?: number | null, missed?: unknown, closed?: boolean, labelledby?: string }} data @param {Send} send
 */
export const keypad = (
  { ask, isDie = false, pressed, missed, closed = false, labelledby = "question" },
  send,
) => {
  const options = withKeys(optionsOf(ask));
  const drawn = isDie && options.length === 6 && options[0]?.value === 1;
  return html`<div class=${`keys ${columns(options.length)} ${closed && !ask.options?.some(({ title }) => title) ? "closed" : ""}`} role="group" aria-labelledby=${labelledby} aria-describedby=${closed ? "waits" : nothing}>
    ${repeat(
      options,
      ({ value }) => value,
      (option) =>
        key(
          option,
          { ask, drawn, pressed: pressed === option.value, missed: missed === option.value, closed },
          send,
        ),
    )}
  </div>`;
};

/** @typedef {{ value?: unknown, title: string, text?: string | null, why_not?: string | null, icon?: import("./icons.js").IconName, action?: string }} Way */

/**
 * Equal choices as keys: bat or bowl, accept or review; or many, each in its place, as the cards of an over.
 * @param {{ ways: Way[], looks?: "beside" | "many" | "many cubes" | "", labelledby?: string }} data @param {{ choose(value: unknown): void }} send
 */
export const choiceKeys = (
  { ways, looks = "", labelledby = "question" },
  send,
) => html`<div class=${`ways-keys ${looks}`} role="group" aria-labelledby=${labelledby}>
  ${repeat(
    ways,
    ({ value }) => String(value),
    (
      way,
    ) => html`<button type="button" class="key" data-choice=${String(way.value)} data-action=${way.action ?? nothing}
    aria-disabled=${way.why_not ? "true" : nothing} @click=${() => {
      if (!way.why_not) send.choose(way.value);
    }}>
    ${way.icon ? icon(way.icon) : nothing}<span><span class="means" dir="auto">${way.title}</span>
    ${(way.why_not ?? way.text) ? html`<span class="more" dir="auto">${way.why_not ?? way.text}</span>` : nothing}</span></button>`,
  )}
</div>`;
