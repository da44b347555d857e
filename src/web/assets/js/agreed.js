/** What the log says of an entry that was refused, as steps of the outbox. */
import { changed, ended } from "./outbox.js";

/** @typedef {import("./outbox.js").Step} Step */
/** @typedef {import("./outbox.js").Head} Head */
/** @typedef {import("./draft.js").NextRequest} NextRequest */

/** An entry goes again, behind what has changed no ball. @param {string} id @param {string} head @returns {Step} */
export const rebased = (id, head) => changed(id, (entry) => ({ ...entry, head }));

/** Somebody else has recorded the same: the entry ends as with its answer, and hands on the head of that. @param {string} id @param {Head} head @param {NextRequest[]} [offered] The step after it. @returns {Step} */
export const recorded = (id, head, offered) => (kept) => {
  const entry = kept.entries.find((one) => one.id === id);
  if (!entry) return kept;
  const after = changed(id, () => ({ ...entry, steps: [], head: head.hash }))(kept);
  return ended(after, entry, head, offered);
};
