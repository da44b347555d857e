// Draws dice: the pips of a face, a die of six as a rounded square, any other as a small plate with its number.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { numeral } from "./numerals.js";

/** `face`: what is printed on it, where that is no 1 to 6. @typedef {{ value: number, sides?: number, face?: string | null | undefined, void?: boolean }} Shown A face that a die showed. */

const [LOW, MIDDLE, HIGH] = [0, 1, 2];
/** The places of the pips of each face, on a grid of three by three. */
const PIPS = [
  [],
  [[MIDDLE, MIDDLE]],
  [
    [LOW, HIGH],
    [HIGH, LOW],
  ],
  [
    [LOW, HIGH],
    [MIDDLE, MIDDLE],
    [HIGH, LOW],
  ],
  [
    [LOW, LOW],
    [LOW, HIGH],
    [HIGH, LOW],
    [HIGH, HIGH],
  ],
  [
    [LOW, LOW],
    [LOW, HIGH],
    [MIDDLE, MIDDLE],
    [HIGH, LOW],
    [HIGH, HIGH],
  ],
  [
    [LOW, LOW],
    [LOW, MIDDLE],
    [LOW, HIGH],
    [HIGH, LOW],
    [HIGH, MIDDLE],
    [HIGH, HIGH],
  ],
];

/** The pips of a face as one path, in a square of 48. @param {number} face @param {number} step @param {number} radius */
const pipsPath = (face, step, radius) =>
  (PIPS[face] ?? [])
    .map(
      ([x = 0, y = 0]) =>
        `M${24 + (x - 1) * step - radius} ${24 + (y - 1) * step}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`,
    )
    .join("");

/** The pips alone, for a key that is the die. @param {number} face */
export const pips = (face) =>
  html`<svg class="pips" viewBox="0 0 48 48" aria-hidden="true"><path d=${pipsPath(face, 16, 5.6)}></path></svg>`;

/** One die; a reader hears its number. @param {Shown} shown */
export const die = ({ value, sides = 6, face, void: struck }) => {
  const said = struck ? t("die.void", { value }) : (face ?? String(value));
  if (face || sides !== 6 || value < 1 || value > 6) {
    const digits = [...String(face ? parseInt(face, 10) : value)];
    return html`<span class=${digits.length > 1 ? "face two" : "face"} role="img" aria-label=${said}><span>${digits.map(numeral)}</span></span>`;
  }
  return html`<svg class=${`die ${struck ? "void" : ""}`} viewBox="0 0 48 48" role="img" aria-label=${said}>
    <rect x="1.5" y="1.5" width="45" height="45" rx="9"></rect><path d=${pipsPath(value, 13, 4.6)}></path>
    <path class="void" d=${struck ? "M4 44L44 4" : nothing}></path></svg>`;
};

/** A row of dice, in the order rolled. @param {Shown[]} shown @param {string} [looks] */
export const dice = (shown, looks = "") =>
  shown.length === 0
    ? nothing
    : html`<span class=${`dice ${looks} ${shown.length > 2 ? "many" : shown.length > 1 ? "several" : ""} ${shown.length > 6 ? "four" : shown.length > 4 ? "three" : ""}`}>${shown.map(die)}</span>`;
