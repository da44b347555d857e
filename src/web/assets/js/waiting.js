/** The time between two tries of what has no answer. */
import { isReady } from "./service.js";
import { endedBy, pause } from "./signal.js";

/** How often a page that is seen looks whether the service is back. */
const LOOK = 1000;
/** It ends with the page. */
const FOR_EVER = new AbortController().signal;

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
    const waiting = endedBy(FOR_EVER);
    // Phones that have lost the same service do not all look at the same moment.
    const { done, wake } = pause(
      Math.min(until - Date.now(), LOOK * (0.8 + 0.4 * Math.random())),
      waiting.signal,
    );
    queue.wake = () => {
      isOver = true;
      wake();
    };
    await done;
    waiting.abort();
    if (!isOver && isAway && document.visibilityState === "visible") isOver = await isReady(FOR_EVER);
  }
  queue.nextTry = null;
};
