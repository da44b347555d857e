/** Reads the balls of a match in rows. */
import { pagesOf, read } from "./service.js";

/** @typedef {import("./service.js").Schemas["DeliveryRow"]} Row */

/** The balls from one on that stand, or stood then. @param {{id: string, signal: AbortSignal}} match @param {number} from @param {Record<string, number>} [then] */
export const rowsOf = async ({ id, signal }, from, then = {}) => {
  const pages = await pagesOf(
    (after) => read("/v1/matches/{id}/deliveries", { of: { id }, query: { ...then, after }, signal }),
    from - 1,
  );
  return pages.flatMap(({ deliveries }) => deliveries);
};
