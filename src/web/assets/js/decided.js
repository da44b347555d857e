/** What a person decides of an entry after a stop, as steps of the outbox. */
import { behind, changed } from "./outbox.js";

/** @typedef {import("./outbox.js").Call} Call */
/** @typedef {import("./outbox.js").Step} Step */
/** @typedef {import("./draft.js").Draft} Draft */

/** An entry is left out, and what was typed after it. @param {string} id @param {Draft} next @returns {Step} */
export const leftOut = (id, next) => (kept) => {
  const entries = kept.entries.filter((entry) => entry.id !== id);
  // Another tab has decided already.
  return entries.length === kept.entries.length ? kept : { entries, draft: behind(kept, next) };
};

/** An entry goes after what the match has now. What was typed after it begins anew. @param {string} id @param {string | null} head @param {Draft} next @param {string} [key] In the place of its keys, where the service has another request under them. @returns {Step} */
export const remade = (id, head, next, key) => (kept) => {
  if (!kept.entries.some((entry) => entry.id === id)) return kept;
  const anew = (/** @type {Call} */ call, /** @type {number} */ at) => ({ ...call, key: `${key}-${at}` });
  return changed(id, (entry) => ({
    ...entry,
    head,
    state: "queued",
    steps: key ? entry.steps.map(anew) : entry.steps,
  }))({ ...kept, draft: behind(kept, next) });
};
