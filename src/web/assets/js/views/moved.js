/** Finds the ball that had a number when a link to it was made. It draws nothing. */
import { rowsOf } from "../rows.js";
import { pagesOf, read } from "../service.js";

/** @typedef {import("../rows.js").Row} Row */
/** @typedef {import("../service.js").Schemas["CorrectionEntry"]} Entry */
/** @typedef {{id: string, signal: AbortSignal}} Of */
/** Where it is now; null where it is not bowled any more. @typedef {{now: Row | null}} Moved */

/** All corrections that were made, in their order. @param {Of} match */
const correctionsOf = async ({ id, signal }) => {
  const pages = await pagesOf((after) =>
    read("/v1/matches/{id}/corrections", { of: { id }, query: { after }, signal }),
  );
  return pages.flatMap(({ corrections }) => corrections).filter(({ status }) => status === "made");
};

/** The balls that a correction adds and takes out, by their numbers: one of them, or none. A restoration turns it round. @param {Entry} entry @param {Entry[]} all @returns {{added?: number, taken?: number}} */
const turned = (entry, all) => {
  const first = all.find(({ seq }) => seq === entry.restores);
  if (!first) return { added: entry.inserts ?? undefined, taken: entry.removes ?? undefined };
  const { added, taken } = turned(first, all);
  return { added: taken, taken: added };
};

/**
 * The number of a ball after a correction; null where it is not bowled any more. A ball keeps its place in its innings,
 * but for one that is added or taken out before it.
 * @param {Row[]} before @param {Row[]} after @param {{added?: number, taken?: number}} change @param {number} n
 */
const next = (before, after, { added, taken }, n) => {
  const inningsOf = (/** @type {number | undefined} */ number) =>
    before.find(({ delivery }) => delivery === number)?.innings;
  const innings = inningsOf(n);
  const first = (/** @type {Row[]} */ rows) => rows.find((row) => row.innings === innings)?.delivery;
  const [was, is] = [first(before), first(after)];
  if (n === taken) return null;
  if (was === undefined || is === undefined) return n;
  const more = added !== undefined && inningsOf(added) === innings && n >= added ? 1 : 0;
  const fewer = taken !== undefined && inningsOf(taken) === innings && n > taken ? 1 : 0;
  const number = n - was + is + more - fewer;
  return after.some((row) => row.delivery === number && row.innings === innings) ? number : null;
};

/** Whether the number of a ball is another one since an event, and where it is. It is followed through each correction. @param {Of} match @param {number} n @param {number} known @returns {Promise<Moved | null>} */
export const movedSince = async (match, n, known) => {
  const rows = await rowsOf(match, 1);
  if (!rows.some(({ was }) => was)) return null;
  const all = await correctionsOf(match);
  const since = all.filter(({ seq }) => seq > known);
  const then = (/** @type {number} */ seq) => rowsOf(match, 1, { at: seq, as_known_at: seq });
  let at = n;
  for (const [place, entry] of since.entries()) {
    const following = since[place + 1];
    const after = following ? await then(following.seq - 1) : rows;
    const found = next(await then(entry.seq - 1), after, turned(entry, all), at);
    if (found === null) return { now: null };
    at = found;
  }
  return at === n ? null : { now: rows.find(({ delivery }) => delivery === at) ?? null };
};
