/** Finds the ball that had a number when a link to it was made. It draws nothing. */
import { read } from "../service.js";

/** @typedef {import("../service.js").Schemas["DeliveryRow"]} Row */
/** Where it is now; null where it is not bowled any more. @typedef {{now: Row | null}} Moved */

const ROWS = "/v1/matches/{id}/deliveries";

/** All balls that stand, or stood then. @param {{id: string, signal: AbortSignal}} match @param {Record<string, number>} then */
const rowsOf = async ({ id, signal }, then) => {
  const all = [];
  for (let after = 0; ;) {
    const { deliveries, next_after: next } = await read(ROWS, {
      of: { id },
      query: { ...then, after },
      signal,
    });
    all.push(...deliveries);
    if (!next) return all;
    after = next;
  }
};

/** Whether the number of a ball is another one since an event, and where it is. @param {{id: string, signal: AbortSignal}} match @param {number} n @param {number} known @returns {Promise<Moved | null>} */
export const movedSince = async (match, n, known) => {
  const rows = await rowsOf(match, {});
  if (!rows.some(({ was }) => was)) return null;
  const before = await rowsOf(match, { at: known, as_known_at: known });
  // A ball keeps for good the number that it had before.
  const isNew = (/** @type {Row} */ row) =>
    before.find(({ delivery }) => delivery === row.delivery)?.was !== row.was;
  const now = rows.find((row) => row.was === n && isNew(row));
  const here = rows.find(({ delivery }) => delivery === n);
  if (!now && !(here?.was && isNew(here))) return null;
  return { now: now ?? null };
};
