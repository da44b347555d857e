/** What the page still owes: work that was begun, and a drawing. `<html data-settled>` says that it owes nothing. */

let begun = 0;
let isDrawing = false;
/** @type {() => void} */
let draw = () => {};

/** Whether work that was begun has not ended. */
export const owes = () => begun > 0;

const tell = () => document.documentElement.toggleAttribute("data-settled", begun === 0 && !isDrawing);

/** Names what draws the page. @param {() => void} drawing */
export const drawnBy = (drawing) => {
  draw = drawing;
};

/** Draws at the next frame, once for all that ask before it. */
export const redraw = () => {
  if (isDrawing) return;
  isDrawing = true;
  tell();
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
    tell();
  });
};

/** Counts work until it has ended. @template T @param {Promise<T>} work @returns {Promise<T>} */
export const owe = (work) => {
  begun += 1;
  tell();
  const end = () => {
    begun -= 1;
    redraw();
  };
  work.then(end, end);
  return work;
};
