/** What the page still owes: work that was begun, and a drawing. `<html data-settled>` says that it owes nothing. */

let begun = 0;
let isDrawing = false;
/** @type {{draw(): void, rest(): void}} */
let page = { draw: () => {}, rest: () => {} };

/** Whether work that was begun has not ended. */
export const owes = () => begun > 0;

const tell = () => {
  const isSettled = begun === 0 && !isDrawing;
  document.documentElement.toggleAttribute("data-settled", isSettled);
  if (isSettled) page.rest();
};

/** Names what draws the page, and what may be done once it owes nothing. @param {() => void} draw @param {() => void} [rest] */
export const drawnBy = (draw, rest = () => {}) => {
  page = { draw, rest };
};

/** Draws at the next frame, once for all that ask before it. */
export const redraw = () => {
  if (isDrawing) return;
  isDrawing = true;
  tell();
  requestAnimationFrame(() => {
    isDrawing = false;
    page.draw();
    tell();
  });
};

/** Counts work until it has ended. What it changes is drawn by who changes it. @template T @param {Promise<T>} work @returns {Promise<T>} */
export const owe = (work) => {
  begun += 1;
  tell();
  const end = () => {
    begun -= 1;
    tell();
  };
  work.then(end, end);
  return work;
};
