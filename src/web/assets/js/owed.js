/** What the page still owes: work that was begun, and a drawing. `<html data-settled>` says that it owes nothing. */

let begun = 0;
let isDrawing = false;
/** @type {{draw(): void, rest(): void}} */
let page = { draw: () => {}, rest: () => {} };

/** What is kept here and not sent yet: nothing, as long as the script that sends is not here. */
let unsent = { has: () => false, wouldLose: () => false };

/** Names what knows what is not sent yet. @param {typeof unsent} now */
export const unsentBy = (now) => {
  unsent = now;
};

/** Whether something of any match is not sent yet. */
export const hasUnsent = () => unsent.has();

/** Whether a page that goes now would lose something: a write is under way, or the browser has refused one. */
export const wouldLose = () => unsent.wouldLose();

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

/** What is done with the next drawing. @type {(() => void)[]} */
const waiting = [];

/** Draws at the next frame, once for all that ask before it. */
export const redraw = () => {
  if (isDrawing) return;
  isDrawing = true;
  tell();
  requestAnimationFrame(() => {
    isDrawing = false;
    page.draw();
    for (const act of waiting.splice(0)) act();
    tell();
  });
};

/** Begins something behind the drawing that finds it missing, since a drawing itself begins nothing. @param {() => void} act */
export const behindDrawing = (act) => void waiting.push(act);

/** Does something with what has changed once it is drawn: gives it the focus, or brings it into sight. @param {() => void} act */
export const onceDrawn = (act) => {
  waiting.push(act);
  redraw();
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

/** Gives the focus to what stands there once it is drawn, and what was open has given it back. @param {string} selector */
export const focusSoon = (selector) =>
  onceDrawn(() => {
    const found = document.querySelector(selector);
    if (found instanceof HTMLElement) found.focus();
  });
