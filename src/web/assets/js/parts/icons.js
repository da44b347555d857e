// Draws our own icons. None stands without words, but close and back.
import { html } from "../html.js";

const dots = (/** @type {number[]} */ ...xs) =>
  xs.map((x) => `M${x - 2} 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z`).join("");

const LINES = {
  check: "M4 13l5 5L20 6",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  card: "M6 3h12a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2H6a2 2 0 0 1 -2 -2V5a2 2 0 0 1 2 -2ZM8 8h8M8 12h8M8 16h5",
  close: "M5 5l14 14M19 5L5 19",
  back: "M15 4l-8 8 8 8",
  onward: "M9 4l8 8-8 8",
  down: "M5 9l7 7 7-7",
  file: "M6 3h8l4 4v14H6ZM14 3v4h4",
  lost: "M2 3l19 18M5 10a11 11 0 0 1 3-2M9 14a5 5 0 0 1 5 0M12 6a11 11 0 0 1 7 4M12 18v.01",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  eye: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6ZM9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z",
  play: "M7 4l13 8-13 8Z",
  stop: "M12 3l9.5 17h-19ZM12 10v4M12 17v.01",
  sending: "M12 19V5M6 11l6-6 6 6",
};
const SOLID = {
  more: dots(5, 12, 19),
  // A bat, leaning.
  bat: "M16.2 4.9L19.5 1.6 22.4 4.5 19.1 7.8 18.8 10.6 9.2 20.2C7.6 21.8 2.2 16.4 3.8 14.8L13.4 5.2Z",
};

/** @typedef {keyof typeof LINES | keyof typeof SOLID} IconName */

/** An icon beside words. @param {IconName} name */
export const icon = (name) =>
  name in SOLID
    ? html`<svg class="icon solid" viewBox="0 0 24 24" aria-hidden="true"><path d=${SOLID[/** @type {keyof typeof SOLID} */ (name)]}></path></svg>`
    : html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${LINES[/** @type {keyof typeof LINES} */ (name)]}></path></svg>`;

/** The mark of the program: three stumps and two bails, which are a T and a U. */
export const mark = () =>
  html`<svg class="mark" viewBox="8 6 32 34" aria-hidden="true"><path d="M14 16v22M24 16v22M34 16v22M12 11h11M25 11h11"></path></svg>`;
