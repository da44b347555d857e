/** Looks for an event of a match, from the last one back. */
import { read } from "./service.js";

/** @typedef {import("./service.js").Schemas["Event"]} Event */

/** How many events are read at once. */
const PAGE = 100;

/** The last event before a place in the log of which something holds. @param {{id: string, signal: AbortSignal}} match @param {number} before @param {(event: Event) => boolean} holds @returns {Promise<Event | null>} */
export const lastEvent = async ({ id, signal }, before, holds) => {
  for (let end = before; end > 1; end -= PAGE) {
    const query = { after: Math.max(0, end - PAGE - 1), limit: Math.min(PAGE, end) };
    const { events } = await read("/v1/matches/{id}/events", { of: { id }, query, signal });
    const found = [...events].reverse().find((event) => event.seq < end && holds(event));
    if (found) return found;
  }
  return null;
};
