/** A press of a key: whether it counts, and how its key shows that. */
import { change, questionOf } from "./match.js";
import { after } from "./signal.js";

/** @typedef {import("./match.js").Match} Match */

/** How soon a second tap on the same key is a slip of the finger, in milliseconds. */
const SLIP = 300;
/** How soon a touch of another key is a second finger. */
const SECOND_FINGER = 80;

/** Whether a press counts: not a second tap on the same key for a while, and not a second finger. A digit of a keyboard counts. @param {Match} match @param {unknown} value @param {boolean} isTouch */
export const press = (match, value, isTouch) => {
  const now = Date.now();
  const before = match.pressed;
  if (isTouch && before && before.value === value && now - before.at < SLIP) return false;
  if (isTouch && before && before.value !== value && now - before.at < SECOND_FINGER)
    return (miss(match, value), false);
  const pressed = { value, question: questionOf(match), at: now };
  change(match, { pressed, hasAnswered: true });
  after(SLIP, () => match.pressed === pressed && change(match, { pressed: null }), match.signal);
  return true;
};

/** A press did not count, and its key shows it for a while. @param {Match} match @param {unknown} value */
export const miss = (match, value) => {
  const missed = { value };
  change(match, { missed });
  after(SLIP, () => match.missed === missed && change(match, { missed: null }), match.signal);
};
