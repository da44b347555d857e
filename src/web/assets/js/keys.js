/** The tokens that this browser holds, by match. They leave it only in the header of a request. */
import * as db from "./db.js";
import { about } from "./service.js";

/**
 * @typedef {object} Key
 * @property {string} match
 * @property {string} [scorer] The scorer's token, as far as this browser knows.
 * @property {string} [untried] A token that an address or a person has brought; the service has not said yet whose it is.
 * @property {Record<string, string>} [others] Tokens of other roles, by role.
 * @property {boolean} [trial]
 */

/** @param {Key} key */
export const keep = (key) => db.put("keys", key);

/** @param {string} match @returns {Promise<Key | undefined>} */
export const keyOf = (match) => db.get("keys", match);

/** @returns {Promise<Key[]>} */
export const keys = () => db.all("keys");

/** Keeps a token beside those that there are, until the service says whose it is. @param {string} match @param {string} token */
export const bring = async (match, token) => {
  const key = (await keyOf(match)) ?? { match };
  await keep(key.scorer === token ? key : { ...key, untried: token });
};

/** What a token that was tried turned out to be: a role, or null where the match does not take it. @param {string} match @param {string} token @param {string | null} role */
export const settle = async (match, token, role) => {
  const { untried, ...key } = (await keyOf(match)) ?? { match };
  // Another one was brought meanwhile: it is tried next.
  const rest = untried === undefined || untried === token ? key : { ...key, untried };
  const found =
    role === "scorer" ? { scorer: token } : role ? { others: { ...key.others, [role]: token } } : {};
  await keep({ ...rest, ...found });
};

/** The token in a link of a match, or a token alone. @param {string} text @returns {string | undefined} */
export const tokenIn = (text) => {
  const [link, fragment] = text.trim().split("#");
  const found =
    new URLSearchParams(fragment ?? "").get("scorer") ?? (fragment === undefined ? link : undefined);
  return found && /^[\w.~+/=-]+$/.test(found) ? found : undefined;
};

/** The token in the fragment of the address, which is cleared at once: neither history nor a log has it. @returns {string | undefined} */
export const takeFragment = () => {
  const found = new URLSearchParams(location.hash.slice(1)).get("scorer") ?? undefined;
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  return found;
};

/** The key of the whole service, for who may create matches. @returns {Promise<string | undefined>} */
export const adminKey = async () =>
  /** @type {string | undefined} */ ((await db.get("settings", "admin"))?.value);
/** Whether this browser may create a match. */
export const mayCreate = async () => (await about()).create === "open" || (await adminKey()) !== undefined;

/** @param {string} value */
export const keepAdminKey = (value) => db.put("settings", { name: "admin", value });
