/**
 * What this browser keeps of a match: the entries without an answer, and the draft. It changes by steps. A step
 * is a pure function, and one transaction over both stores: it gets what is there, and all that differs after it
 * is written. So a page that goes away at any moment leaves what was before a step, or what is after it.
 */
import { note, transact } from "./db.js";
import { isDraft } from "./draft.js";
import { entryOf } from "./outbox.js";

/** @typedef {import("./outbox.js").Kept} Kept */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./db.js").Store} Store */

/** What was read or written last, by match. @type {Map<string, Kept>} */
const known = new Map();
/** The entries that the store had when the last step was taken by it, by match. @type {Map<string, Set<string>>} */
const stood = new Map();
/** The matches whose last step the browser has not taken: they go on from what is known. @type {Set<string>} */
const refused = new Set();

/** The matches of which the last read has failed. @type {Set<string>} */
const unread = new Set();

/** The matches that have rows of another shape, which stay in the store until a person was told. @type {Set<string>} */
const broken = new Set();

/** Reads what is kept of a match. @param {string} match */
export const read = (match) => run(match, "readonly", (kept) => kept);

/** Whether something is kept of a match that nobody can read. @param {string} match */
export const hasBroken = (match) => broken.has(match);

/** Lets go what nobody can read. @param {string} match */
export const dropBroken = (match) => run(match, "readwrite", (kept) => kept, true);

/** Takes a step, and returns what is kept after it. @param {string} match @param {(kept: Kept) => Kept} step */
export const take = (match, step) => run(match, "readwrite", step);

/** How many steps are being written. */
let writing = 0;

/** Whether a page that goes now would lose something: a write is under way, or the browser has refused one. */
export const wouldLose = () =>
  writing > 0 ||
  [...refused].some((match) => {
    const { entries, draft } = known.get(match) ?? { entries: [], draft: null };
    return entries.length > 0 || (draft?.answers.length ?? 0) > 0;
  });

/** The step that was taken last: a step waits for it, since the browser may refuse that one, and not this. @type {Promise<unknown>} */
let last = Promise.resolve();

/** @param {string} match @param {IDBTransactionMode} mode @param {(kept: Kept) => Kept} step @param {boolean} [drops] Whether broken rows go. */
const run = (match, mode, step, drops = false) => {
  const writes = mode === "readwrite" ? 1 : 0;
  writing += writes;
  const now = last
    .then(() => runNow(match, mode, step, drops))
    .finally(() => {
      writing -= writes;
    });
  last = now.catch(() => {});
  return now;
};

/** @param {string} match @param {IDBTransactionMode} mode @param {(kept: Kept) => Kept} step @param {boolean} drops @returns {Promise<Kept>} */
const runNow = async (match, mode, step, drops) => {
  try {
    /** @type {Kept} */
    const after = await transact(["entries", "drafts"], mode, (rows, fail) =>
      stepped(match, step, rows, fail, drops),
    );
    known.set(match, after);
    const wasUnread = unread.delete(match);
    const wasRefused = mode === "readwrite" && refused.delete(match);
    if (wasRefused || (wasUnread && !refused.has(match))) note();
    if (!refused.has(match)) stood.set(match, new Set(after.entries.map(({ id }) => id)));
    return after;
  } catch (error) {
    // The browser takes nothing: the page goes on with its memory, and tries again with the next step.
    note(error);
    (mode === "readwrite" ? refused : unread).add(match);
    const after = step(known.get(match) ?? { entries: [], draft: null });
    known.set(match, after);
    return after;
  }
};

/** @param {string} match @param {(kept: Kept) => Kept} step @param {(store: Store) => IDBObjectStore} rows @param {(error: unknown) => void} fail @param {boolean} drops @returns {() => Kept} */
const stepped = (match, step, rows, fail, drops) => {
  const [entries, draft] = [rows("entries").getAll(), rows("drafts").get(match)];
  /** @type {Kept} */
  let after;
  // The requests of a transaction are answered in their order.
  draft.onsuccess = () => {
    const own = entries.result.filter((row) => row.match === match);
    const whole = own.flatMap((row) => entryOf(row) ?? []).sort((one, other) => one.n - other.n);
    const stored = { entries: whole, draft: isDraft(draft.result) ? draft.result : null };
    const left = own.filter((row) => entryOf(row) === null);
    const isBroken = left.length > 0 || (draft.result && !stored.draft);
    broken[isBroken && !drops ? "add" : "delete"](match);
    try {
      if (drops) left.forEach(({ id }) => rows("entries").delete(id));
      if (drops && !stored.draft) rows("drafts").delete(match);
      after = step(startOf(match, stored));
      write(stored, after, rows);
    } catch (error) {
      fail(error);
    }
  };
  return () => after;
};

/** What a step starts from: what is stored; after a refusal what is known here, with what other tabs have entered since. @param {string} match @param {Kept} stored @returns {Kept} */
const startOf = (match, stored) => {
  const here = refused.has(match) ? known.get(match) : undefined;
  if (!here) return stored;
  const isOld = (/** @type {string} */ id) =>
    stood.get(match)?.has(id) || here.entries.some((entry) => entry.id === id);
  const others = stored.entries.filter((entry) => !isOld(entry.id));
  const entries = [...here.entries, ...others];
  return { entries: entries.sort((one, other) => one.n - other.n), draft: here.draft };
};

/** @param {Kept} before @param {Kept} after @param {(store: Store) => IDBObjectStore} rows */
const write = (before, after, rows) => {
  if (after.draft && after.draft !== before.draft) rows("drafts").put(after.draft);
  const left = new Set(after.entries.map(({ id }) => id));
  for (const { id } of before.entries) if (!left.has(id)) rows("entries").delete(id);
  for (const entry of after.entries) if (!before.entries.includes(entry)) rows("entries").put(entry);
};
