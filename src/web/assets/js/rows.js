/** Reads the balls of a match in rows. */
import { read } from "./service.js";

/** @typedef {import("./service.js").Schemas["DeliveryRow"]} Row */

/** The balls from one on that stand, or stood then. @param {{id: string, signal: AbortSignal}} match @param {number} from @param {Record<string, number>} [then] */
export const rowsOf = async ({ id, signal }, from, then = {}) => {
  /** @type {Row[]} */
  const all = [];
  for (let after = Math.max(0, from - 1); ;) {
    const query = { ...then, after };
    const page = await read("/v1/matches/{id}/deliveries", { of: { id }, query, signal });
    all.push(...page.deliveries);
    if (!page.next_after) return all;
    after = page.next_after;
  }
};
