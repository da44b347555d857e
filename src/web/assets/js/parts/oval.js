// Draws the parts of a field on an oval, by their shapes in a square of 1 by 1, with words or names on them.
import { html, nothing, repeat, svg } from "../html.js";

/** The oval is wider than it is high. */
const [WIDE, HIGH] = [328, 216];

/**
 * A part of the oval. `shut`: it is hatched and cannot be taken.
 * @typedef {object} Part
 * @property {unknown} value
 * @property {string} shape
 * @property {string[]} [lines] What stands on it.
 * @property {string | null | undefined} [note] What stands below that.
 * @property {string} [said]
 * @property {boolean} [chosen]
 * @property {boolean} [shut]
 */
/** A name that stands on a part. @typedef {{name: string, initials: string, shape: string, chosen: boolean}} Token */

/** The middle of a shape: between its corners, as far from the middle of the square as they are. @param {string} shape */
const middleOf = (shape) => {
  const corners = [...shape.matchAll(/([\d.]+) ([\d.]+)(?=[A-Za-z])/g)].map(([, x, y]) => [
    Number(x) - 0.5,
    Number(y) - 0.5,
  ]);
  const mean = (/** @type {number[]} */ all) =>
    all.reduce((sum, one) => sum + one, 0) / Math.max(all.length, 1);
  const [x, y] = [0, 1].map((axis) => mean(corners.map((corner) => corner[axis] ?? 0)));
  const towards = Math.hypot(x ?? 0, y ?? 0);
  const far = towards > 0.001 ? mean(corners.map(([x = 0, y = 0]) => Math.hypot(x, y))) / towards : 1;
  return { x: (0.5 + (x ?? 0) * far) * WIDE, y: (0.5 + (y ?? 0) * far) * HIGH };
};

/** What a press of Enter or of the space bar on an element does. @param {() => void} act */
const onKey = (act) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
};

/** Lines of text around a point. @param {string[]} lines @param {{x: number, y: number}} at @param {string | null} [note] */
const words = (lines, { x, y }, note) =>
  [...lines, ...(note ? [note] : [])].map(
    (line, i, all) =>
      svg`<text aria-hidden="true" class=${note && i === all.length - 1 ? "note-on" : nothing} x=${x} y=${y + (i - (all.length - 1) / 2) * 16}>${line}</text>`,
  );

/** @param {Part} part @param {boolean} isListed @param {(value: unknown) => void} take */
const zone = ({ value, shape, lines = [], note, said, chosen = false, shut = false }, isListed, take) => {
  const act = () => {
    if (!shut) take(value);
  };
  return svg`<g class=${`zone ${chosen ? "chosen" : ""} ${shut ? "shut" : ""}`} role=${isListed ? nothing : "radio"} tabindex=${isListed ? nothing : "0"} data-choice=${String(value)}
    aria-checked=${isListed ? nothing : String(chosen)} aria-disabled=${shut ? "true" : nothing} aria-label=${said ?? nothing}
    @click=${act} @keydown=${onKey(act)}><path d=${shape} transform=${`scale(${WIDE} ${HIGH})`}></path>${words(lines, middleOf(shape), note)}</g>`;
};

/** @param {Token} token @param {(name: string) => void} pick */
const token = ({ name, initials, shape, chosen }, pick) => {
  const { x, y } = middleOf(shape);
  return svg`<g class=${chosen ? "token chosen" : "token"} data-token=${name} @click=${() => pick(name)}><circle class="reach" cx=${x} cy=${y} r="22"></circle>
    <circle cx=${x} cy=${y} r="15"></circle>${words([initials], { x, y })}</g>`;
};

/**
 * The oval with its parts, and the names that stand on them. `isListed`: a list beside it says and does the same, in
 * words, for whoever does not see it.
 * @param {{parts: Part[], tokens?: Token[], isListed?: boolean, label: string}} data
 * @param {{take: (value: unknown) => void, pick?: (name: string) => void}} send
 */
export const oval = ({ parts, tokens = [], isListed = false, label }, { take, pick = () => {} }) =>
  html`<svg class="oval" viewBox=${`-4 -4 ${WIDE + 8} ${HIGH + 8}`} role=${isListed ? nothing : "radiogroup"}
    aria-label=${isListed ? nothing : label} aria-hidden=${isListed ? "true" : nothing}>
    <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform=${`scale(${1 / WIDE} ${1 / HIGH}) rotate(45)`}><path d="M0 0V7"></path></pattern></defs>
    <ellipse cx=${WIDE / 2} cy=${HIGH / 2} rx=${WIDE / 2} ry=${HIGH / 2}></ellipse>
    ${repeat(
      parts,
      ({ value }) => String(value),
      (part) => zone(part, isListed, take),
    )}
    <rect class="pitch" x=${WIDE / 2 - 18} y=${HIGH / 2 - 5} width="36" height="10"></rect>
    ${repeat(
      tokens,
      ({ name }) => name,
      (one) => token(one, pick),
    )}</svg>`;
