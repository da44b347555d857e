/** The time between two tries of what has no answer. */
import { isReady } from "./service.js";
import { after, pause } from "./signal.js";

/** How often a page that is seen looks whether the service is back. */
const LOOK = 1000;
/** How long it waits for what comes of a look. */
const LONGEST_LOOK = 3000;

/**
 * Waits until the next try. Where no answer came, a page that is seen looks each second whether the service is back.
 * @param {import("./sending.js").Queue} queue @param {number} wait @param {boolean} isAway Whether no answer came at all.
 */
export const waited = async (queue, wait, isAway) => {
  const until = Date.now() + wait;
  let isOver = false;
  while (!isOver && Date.now() < until) {
    queue.nextTry = Math.ceil((until - Date.now()) / 1000);
    queue.hearer?.late();
    const waiting = new AbortController();
    const ends = () => waiting.abort();
    queue.wake = () => {
      isOver = true;
      ends();
    };
    // Phones that have lost the same service do not all look at the same moment.
    await pause(Math.min(until - Date.now(), LOOK * (0.8 + 0.4 * Math.random())), waiting.signal).done;
    if (!isOver && isAway && document.visibilityState === "visible") {
      after(LONGEST_LOOK, ends, waiting.signal);
      if (await isReady(waiting.signal)) isOver = true;
    }
    ends();
  }
  queue.nextTry = null;
};
