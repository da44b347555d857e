/** The tokens that this browser holds, by match. They leave it only in the header of a request. */
import * as db from "./db.js";

/** @typedef {{match: string, scorer: string, trial?: boolean}} Key */

/** @param {Key} key */
export const keep = (key) => db.put("keys", key);

/** @param {string} match @returns {Promise<Key | undefined>} */
export const keyOf = (match) => db.get("keys", match);

/** @returns {Promise<Key[]>} */
export const keys = () => db.all("keys");

/** The token in the fragment of the address, which is cleared at once: neither history nor a log has it. @returns {string | undefined} */
export const takeFragment = () => {
  const found = new URLSearchParams(location.hash.slice(1)).get("scorer") ?? undefined;
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  return found;
};

/** The key of the whole service, for who may create matches. @returns {Promise<string | undefined>} */
export const adminKey = async () => (await db.get("settings", "admin"))?.value;
/** @param {string} value */
export const keepAdminKey = (value) => db.put("settings", { name: "admin", value });
