/** Finds the ball that had a number when a link to it was made. It draws nothing. */
import { rowsOf } from "../rows.js";

/** @typedef {import("../rows.js").Row} Row */
/** Where it is now; null where it is not bowled any more. @typedef {{now: Row | null}} Moved */

/** Whether the number of a ball is another one since an event, and where it is. @param {{id: string, signal: AbortSignal}} match @param {number} n @param {number} known @returns {Promise<Moved | null>} */
export const movedSince = async (match, n, known) => {
  const rows = await rowsOf(match, 1);
  if (!rows.some(({ was }) => was)) return null;
  const before = await rowsOf(match, 1, { at: known, as_known_at: known });
  // A ball keeps for good the number that it had before.
  const isNew = (/** @type {Row} */ row) =>
    before.find(({ delivery }) => delivery === row.delivery)?.was !== row.was;
  const now = rows.find((row) => row.was === n && isNew(row));
  const here = rows.find(({ delivery }) => delivery === n);
  if (!now && !(here?.was && isNew(here))) return null;
  return { now: now ?? null };
};
