/** The tokens that this browser holds, by match. They leave it only in the header of a request. */
import * as db from "./db.js";
import { about, storeHere } from "./service.js";

/**
 * @typedef {object} Key
 * @property {string} match
 * @property {string} [store] The store of the service that has the match; none until one has taken the token.
 * @property {string} [scorer] The scorer's token, as far as this browser knows.
 * @property {string} [untried] A token that an address or a person has brought; the service has not said yet whose it is.
 * @property {Record<string, string>} [others] Tokens of other roles, by role.
 * @property {Record<string, string>} [invites] The invites of the sides of a match that was made here, by side.
 * @property {string} [invite] The invite of a code that was scanned: with it this browser can take over the scoring.
 * @property {string} [replaced] The scorer's token that another phone has replaced. It is the way back.
 * @property {number} [issued] The event that has issued the scorer's token, of one that was made here.
 * @property {string} [called] How this browser was called when it scored last.
 * @property {"given" | "ended"} [scored] This browser has scored. Its token was given away, or ended by somebody else, and nothing is left of it.
 * @property {Order} [order] What is kept of the order that the first side has laid unseen.
 * @property {Made} [made] A token that the service may have taken in.
 * @property {boolean} [trial]
 */
/** The over that an order is for, and its salted hash. @typedef {{over: string, salt: string, hash: string}} Order */
/** A token that was made here, and the idempotency key of the request that brings its hash. @typedef {{token: string, key: string}} Made */

/** Whether a key is of another store than the one that the service has. @param {Key | undefined} key */
const isElsewhere = (key) => Boolean(key?.store && storeHere() && key.store !== storeHere());

/** Keeps a key. That of another store, whose match has the same id, stays as it is. @param {Key} key */
export const keep = async (key) => {
  const store = key.store ?? storeHere();
  if (!isElsewhere(await db.get("keys", key.match)))
    await db.put("keys", { ...key, ...(store && { store }) });
};

/** What this browser holds of a match. No token goes to a service with another store. @param {string} match @returns {Promise<Key | undefined>} */
export const keyOf = async (match) => {
  const key = await db.get("keys", match);
  return isElsewhere(key) ? { match } : key;
};

/** The service takes the scorer's token: a key without a store is that of the first one which does, and no invite is needed. @param {string} match */
export const adopt = async (match) => {
  const { invite, ...key } = (await keyOf(match)) ?? { match };
  if (key.scorer && storeHere() && (invite || !key.store)) await keep(key);
};

/** Forgets all that this browser holds of a match. @param {string} match */
export const forget = (match) => db.drop("keys", match);

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

/** Whose tokens a link can bring. */
const ROLES = ["scorer", "home", "away", "umpire"];

/** The secrets in the fragment of the address, which is cleared at once: neither history nor a log has them. */
export const takeFragment = () => {
  const found = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  const secret = (/** @type {string} */ name) => found.get(name) ?? undefined;
  const [invite, back, key] = ["invite", "back", "key"].map(secret);
  return { token: ROLES.map(secret).find(Boolean), invite, back, key };
};

/** Keeps what the address has brought for a match: a token to be tried, the invite of a code that was scanned, since a token that is here may be one of before, or the way back. @param {string} match */
export const keepFragment = async (match) => {
  const { token, invite, back } = takeFragment();
  await db.lasts();
  if (token) await bring(match, token);
  const key = (await keyOf(match)) ?? { match };
  if (invite) await keep({ ...key, invite });
  else if (back && !key.scorer) await keep({ ...key, replaced: back });
  await keepInAddress(match);
};

/** Where nothing in the browser lasts, the address keeps what this phone scores with, or could again: a reload has it. Returns whether it is so. @param {string} match */
export const keepInAddress = async (match) => {
  if (await db.lasts()) return false;
  const { scorer, untried, invite, replaced } = (await keyOf(match)) ?? {};
  const secrets = Object.entries({ scorer: scorer ?? untried, invite, back: replaced });
  const found = secrets.find(([, secret]) => secret);
  history.replaceState(
    history.state,
    "",
    location.pathname + location.search + (found ? `#${found.join("=")}` : ""),
  );
  return true;
};

/** The scorer's token is another phone's now; it stays, since it may be the way back. @param {string} match @param {string} token */
export const keepReplaced = async (match, token) => {
  const { scorer, ...key } = (await keyOf(match)) ?? { match };
  if (scorer === token) await keep({ ...key, replaced: token });
};

/** The key of the whole service, for who may create matches. @returns {Promise<string | undefined>} */
export const adminKey = async () =>
  /** @type {string | undefined} */ ((await db.get("settings", "admin"))?.value);
/** Whether this browser may create a match. */
export const mayCreate = async () => (await about()).create === "open" || (await adminKey()) !== undefined;

/** A key without what no header takes, as the dots of a link that was cut: the service refuses the rest in words. @param {string} value */
export const asHeader = (value) => value.replace(/[^ -ÿ]/g, "");

/** @param {string} value */
export const keepAdminKey = (value) => db.put("settings", { name: "admin", value: asHeader(value) });
