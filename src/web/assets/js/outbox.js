/**
 * What has no answer yet, and how it goes on: pure steps from what is kept to what is kept next, and what is to
 * be done now. Nothing here waits, reads a clock, or knows a browser.
 */

import { emptyDraft, isDraft, withChosen } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Chosen} Chosen */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./service.js").Schemas["Head"]} Head */
/** @typedef {{path: string, body: unknown, key: string}} Call A request of an entry, with its own idempotency key. */

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} match
 * @property {number} n The place in the order of entries.
 * @property {string} title What it is, in a word: `FOUR`.
 * @property {Call[]} steps The requests that are still to be answered.
 * @property {string | null} head The head it was made on; null where that is the answer to the entry before.
 * @property {"held" | "queued" | "tried"} state
 * @property {Draft} draft What was typed, for Undo.
 * @property {import("./deciding.js").Preview | null} preview
 * @property {string} at When it was made.
 * @property {string} [store] The store of the service that it was made for.
 * @property {Chosen} [chosen] Of a correction: what was chosen for what it takes back.
 */

/** @typedef {{entries: Entry[], draft: Draft | null}} Kept The entries with the oldest first. */

/**
 * The entry in a row of the store; null where the row has not what is sent. A broken draft or preview is left out:
 * the ball goes without.
 * @param {unknown} row @returns {Entry | null}
 */
export const entryOf = (row) => {
  const { match, n, title, steps, head, state, draft, preview } = Object(row);
  const isSent =
    Number.isFinite(n) &&
    typeof title === "string" &&
    Array.isArray(steps) &&
    steps.every((call) => typeof call?.path === "string" && typeof call.key === "string") &&
    (head === null || typeof head === "string") &&
    ["held", "queued", "tried"].includes(state);
  if (!isSent) return null;
  const entry = /** @type {Entry} */ (row);
  const isKnown = !preview || Array.isArray(preview.next?.requests);
  if (isDraft(draft) && isKnown) return entry;
  return {
    ...entry,
    draft: isDraft(draft) ? draft : emptyDraft(match, entry.id),
    preview: isKnown ? preview : null,
  };
};

/** @typedef {(kept: Kept) => Kept} Step */

/**
 * What is to be done now. `ask`: the first entry was made on an answer that nobody has any more, so a person
 * says whether it goes. Without a head nothing goes.
 * @typedef {{act: "rest"} | {act: "pass"} | {act: "ask", entry: Entry} | {act: "send", entry: Entry, call: Call, head: string}} Due
 */

/** @param {Kept} kept @returns {Due} */
export const due = ({ entries: [first] }) => {
  if (!first || first.state === "held") return { act: "rest" };
  const [call] = first.steps;
  if (!call) return { act: "pass" };
  return first.head === null
    ? { act: "ask", entry: first }
    : { act: "send", entry: first, call, head: first.head };
};

/** The ball that can still be taken back without a trace. @param {Kept} kept */
export const heldOf = ({ entries }) => entries.find(({ state }) => state === "held") ?? null;

/** The newest entry without an answer. @param {Kept} kept */
export const newestOf = ({ entries }) => entries[entries.length - 1] ?? null;

/** Whether nothing waits to be sent. A held entry does not wait. @param {Kept} kept */
export const isIdle = ({ entries }) => entries.every(({ state }) => state === "held");

/** An entry is changed where it is still there. @param {string} id @param {(entry: Entry) => Entry} change @returns {Step} */
export const changed = (id, change) => (kept) => {
  if (!kept.entries.some((entry) => entry.id === id)) return kept;
  return { ...kept, entries: kept.entries.map((entry) => (entry.id === id ? change(entry) : entry)) };
};

/** Whether two drafts have the same answers so far. @param {Draft} one @param {Draft} other */
const sameAnswers = (one, other) => one.id === other.id && answersIn(one) === answersIn(other);

/** The answers of a draft, to compare. @param {Draft} draft */
export const answersIn = ({ answers }) => JSON.stringify(answers.map(({ at, value }) => [at, value]));

/**
 * The draft is typed on, from what was seen of it. Where another tab has typed meanwhile, that stands: a key answers
 * the question that it was drawn for.
 * @param {Draft} seen @param {(draft: Draft, kept: Kept) => Draft} change @returns {Step}
 */
export const typed = (seen, change) => (kept) => {
  const draft = kept.draft ?? seen;
  if (!sameAnswers(draft, seen)) return kept;
  return { ...kept, draft: change(draft, kept) };
};

/**
 * A default of the draft is changed. A choice answers no key, so what another tab has typed meanwhile stays beside it.
 * @param {Draft} seen @param {(draft: Draft) => Draft} change @returns {Step}
 */
export const chosen = (seen, change) => (kept) => {
  const draft = kept.draft ?? seen;
  return draft.id === seen.id ? { ...kept, draft: change(draft) } : kept;
};

/** Another draft, behind the same answers. @param {Kept} kept @param {Draft} draft @returns {Draft} */
export const behind = (kept, draft) => ({ ...draft, after: kept.draft?.after });

/**
 * A draft becomes an entry, and the next one begins. Where another tab has typed on meanwhile, or has made the entry,
 * that stands.
 * @param {Draft} seen @param {(draft: Draft, kept: Kept) => Entry} make @param {Draft} next @param {number} now
 * @returns {Step}
 */
export const entered = (seen, make, next, now) => (kept) => {
  if (kept.draft && !sameAnswers(kept.draft, seen)) return kept;
  const entry = make(kept.draft ?? seen, kept);
  const draft = behind(kept, next);
  if (kept.entries.some(({ id }) => id === entry.id)) return { ...kept, draft };
  const n = Math.max(now, (newestOf(kept)?.n ?? 0) + 1);
  return { entries: [...kept.entries, { ...entry, n }], draft };
};

/** What an entry comes to is known. Once it is tried, the service may have told what it comes to a second time. @param {string} id @param {Entry["preview"]} preview */
export const foreseen = (id, preview) =>
  changed(id, (entry) => (entry.state === "tried" ? entry : { ...entry, preview }));

/** The held ball goes. @param {Kept} kept @returns {Kept} */
export const released = (kept) => {
  const held = heldOf(kept);
  return held ? changed(held.id, (entry) => ({ ...entry, state: "queued" }))(kept) : kept;
};

/** A held ball is typed again from before its end; one that goes already stays. @param {string} id @param {(entry: Entry) => Draft} before @returns {Step} */
export const takenBack = (id, before) => (kept) => {
  const held = heldOf(kept);
  if (held?.id !== id) return kept;
  return { entries: kept.entries.filter((entry) => entry !== held), draft: behind(kept, before(held)) };
};

/** A try begins: from now on an entry may be recorded. @param {string} id @param {Chosen} [chosen] What was chosen for what it takes back. */
export const tried = (id, chosen) =>
  changed(id, (entry) =>
    entry.state === "tried" && (!chosen || entry.chosen)
      ? entry
      : { ...entry, state: "tried", ...(chosen && { chosen }) },
  );

/**
 * A request has its answer. The last one of an entry ends the entry: what was made on its answer, the next entry
 * or the draft, gets the head. What was chosen for what was taken back is chosen for the draft.
 * @param {string} id @param {string} key The request that is answered. @param {Head} head @param {NextRequest[]} [offered] The step after it.
 * @returns {Step}
 */
export const answered = (id, key, head, offered) => (kept) => {
  const entry = kept.entries.find((one) => one.id === id);
  // Another tab has its answer already.
  if (entry?.steps[0]?.key !== key) return kept;
  const steps = entry.steps.slice(1);
  const after = changed(id, () => ({ ...entry, steps, head: head.hash }))(kept);
  return steps.length > 0 ? after : ended(after, entry, head, offered);
};

/** An entry has ended with this head. @param {Kept} kept @param {Entry} entry @param {Head} head @param {NextRequest[]} [offered] */
export const ended = ({ entries, draft }, { chosen }, head, offered) => {
  const next = draft && chosen && offered ? withChosen(draft, offered, chosen) : draft;
  return passedOn({ entries, draft: next && { ...next, after: head } });
};

/** An entry without requests ends, and hands on its head. A page of an earlier version could leave one. @param {Kept} kept @returns {Kept} */
export const passedOn = (kept) => {
  const [first, next, ...rest] = kept.entries;
  if (!first || first.steps.length > 0) return kept;
  const { head } = first;
  if (next) return passedOn({ ...kept, entries: [next.head === null ? { ...next, head } : next, ...rest] });
  const { draft } = kept;
  return {
    entries: [],
    draft: draft && draft.head === null && draft.answers.length > 0 ? { ...draft, head } : draft,
  };
};
