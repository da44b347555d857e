// Draws our own numerals, on 60 x 100, like a sign painter's; and the plates of a score made of them.
import { html, nothing, repeat } from "../html.js";

/** The path of each digit; those whose strokes have one width are stroked, the others filled. */
const STROKED = /** @type {Record<string, string>} */ ({
  0: "M8.5 31A21.5 22.5 0 0 1 51.5 31V69A21.5 22.5 0 0 1 8.5 69Z",
  2: "M8.5 35V30A21.5 21.5 0 0 1 51.5 30C51.5 47 41 55 29 67C19 77 12 83 12 91.5H55",
  3: "M8.5 31V29A21.5 20.5 0 0 1 51.5 29A21 19 0 0 1 31 48H22M30 48A21.5 21.5 0 0 1 51.5 70A21.5 21.5 0 0 1 8.5 70V66",
  5: "M53 8.5H15.5V54M15 45.5H29A22.5 23 0 0 1 51.5 68.5V69A21.5 22.5 0 0 1 8.5 69V65",
  6: "M51.5 33V30A21.5 21.5 0 0 0 8.5 30V69A21.5 22.5 0 0 0 51.5 69V66A21.5 22 0 0 0 8.5 66",
  8: "M30 8.5A20 19.5 0 0 1 30 47.5A20 19.5 0 0 1 30 8.5ZM30 47.5A21.5 22 0 0 1 30 91.5A21.5 22 0 0 1 30 47.5Z",
});
const FILLED = /** @type {Record<string, string>} */ ({
  1: "M25 0H42V100H24V23L10 31V13Z",
  4: "M32 0H50V62H60V78H50V100H33V78H1V63ZM33 62V27L18 62Z",
  7: "M3 0H58V15L32 100H14L38 17H3Z",
});

/** One digit. @param {string} digit */
export const numeral = (digit) => {
  // A nine is a six, turned half round.
  const upright = digit === "9" ? "6" : digit;
  return html`<svg class="digit" viewBox="0 0 60 100" aria-hidden="true"><path
    class=${upright in STROKED ? "stroke" : nothing} d=${STROKED[upright] ?? FILLED[upright] ?? ""}
    transform=${digit === "9" ? "rotate(180 30 50)" : nothing}></path></svg>`;
};

/** A whole number in our numerals. @param {number | string} number */
export const numerals = (number) => html`${[...String(number)].map(numeral)}`;

/** @param {number} number @param {string} which @param {boolean} fell */
const plate = (number, which, fell) =>
  html`<span>${repeat(
    // A plate is keyed by its digit, so that one that changes is a new one, and flips.
    [...String(number)].map((digit, place) => ({ digit, key: `${which}${place}:${digit}` })),
    ({ key }) => key,
    ({ digit }) => html`<span class=${fell ? "plate fell" : "plate"}>${numeral(digit)}</span>`,
  )}</span>`;

/**
 * The plates of a score, hidden from readers: whoever shows them says the score beside them in words.
 * @param {{ runs: number, wickets: number, size?: "little" | "big", stale?: boolean }} score
 */
export const plates = ({ runs, wickets, size, stale }) => {
  const many = `${runs}${wickets}`.length > 4;
  const looks = ["plates", size, many && size !== "little" && "many", stale && "stale"].filter(Boolean);
  return html`<span class=${looks.join(" ")} aria-hidden="true">${plate(runs, "r", false)}${plate(wickets, "w", wickets > 0)}</span>`;
};
