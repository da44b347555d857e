/**
 * Handing over: the invite that a phone gives, the claim of one that was scanned, and the way back. A token is made
 * here, and kept before its hash goes: a lost answer loses nothing.
 */
import { adminKey, keep, keyOf } from "./keys.js";
import { freshId, must } from "./must.js";
import { Refused, order, read, send } from "./service.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./keys.js").Key} Key */

/** A secret of 256 random bits. @param {string} kind */
export const freshSecret = (kind) => `${kind}_${freshId()}${freshId()}`;

/** What a phone without the scorer's token can do: `table` by the key of the table. @typedef {"claim" | "back" | "table" | null} Offer */

/** @param {string} id @returns {Promise<Offer>} */
export const offerOf = async (id) => {
  const key = await keyOf(id);
  if (key?.scorer) return null;
  return key?.invite ? "claim" : key?.replaced ? "back" : (await adminKey()) ? "table" : null;
};

/** A token that is new, and the idempotency key of the request that brings its hash. @returns {import("./keys.js").Made} */
export const freshMade = () => ({ token: freshSecret("tu"), key: freshId() });

/** The token that is made for a match, and its idempotency key: the same for each try. @param {string} id @returns {Promise<{key: Key, made: import("./keys.js").Made}>} */
const making = async (id) => {
  const key = must(await keyOf(id), "a key");
  const made = key.made ?? freshMade();
  if (!key.made) await keep({ ...key, made });
  return { key, made };
};

/** Leaves members out of what is kept of a match. @param {string} id @param {(keyof Key)[]} members @param {Partial<Key>} [more] What is kept in their place. */
const without = async (id, members, more = {}) => {
  const key = { ...must(await keyOf(id), "a key") };
  for (const member of members) delete key[member];
  await keep({ ...key, ...more });
};

/** The scorer's token was taken in. @param {string} id @param {string} scorer @param {import("./service.js").Schemas["Head"]} [head] That of the event that has issued it, where its answer has come. */
const settle = (id, scorer, head) =>
  without(id, ["invite", "replaced", "made", "scored", "issued"], {
    scorer,
    ...(head && { issued: head.seq }),
  });

/** Takes over the scoring by the invite that was scanned. @param {string} id @param {AbortSignal} signal */
export const claim = async (id, signal) => {
  const { key, made } = await making(id);
  const body = { invite: must(key.invite, "an invite"), token_sha256: sha256(made.token) };
  let claimed;
  try {
    claimed = await send("/v1/matches/{id}/tokens/claim", { of: { id }, body, key: made.key, signal });
  } catch (error) {
    // It was used by somebody else, has run out, or was stopped.
    if (error instanceof Refused && !error.isPassing) await without(id, ["invite", "made"]);
    throw error;
  }
  await settle(id, made.token, claimed.head);
};

/** Replaces the scorer's token by one that is made here. @param {string} id @param {string | undefined} token What allows it. @param {AbortSignal} signal */
const rotate = async (id, token, signal) => {
  const { made } = await making(id);
  const [of, body] = [{ id, role: "scorer" }, { token_sha256: sha256(made.token) }];
  const { head } = await send("/v1/matches/{id}/tokens/{role}/rotate", {
    of,
    body,
    key: made.key,
    token,
    signal,
  });
  await settle(id, made.token, head);
};

/** Scores here again: the token that was replaced takes the way back. @param {string} id @param {AbortSignal} signal */
export const comeBack = async (id, signal) => {
  const { replaced } = must(await keyOf(id), "a key");
  try {
    await rotate(id, must(replaced, "a token that was replaced"), signal);
  } catch (error) {
    if (error instanceof Refused && error.isOfToken) await dropReplaced(id, "ended");
    throw error;
  }
};

/** There is no way back any more. @param {string} id @param {"given" | "ended"} scored How the scoring left this phone. */
export const dropReplaced = (id, scored) => without(id, ["replaced", "made"], { scored });

/** Whether a token is the scorer's now. @param {string} id @param {string} token @param {AbortSignal} signal */
const isScorers = (id, token, signal) =>
  read("/v1/matches/{id}", { of: { id }, token, signal }).then(
    ({ viewer }) => viewer?.role === "scorer",
    (error) => {
      if (error instanceof Refused && error.isOfToken) return false;
      throw error;
    },
  );

/**
 * Looks whether a token that is kept here is the scorer's after all: one whose answer was lost, or the one that was
 * replaced, where the store was put back. With it this phone scores.
 * @param {string} id @param {AbortSignal} signal
 */
export const regained = async (id, signal) => {
  const { made, replaced } = (await keyOf(id)) ?? {};
  for (const token of [made?.token, replaced])
    if (token && (await isScorers(id, token, signal))) {
      await settle(id, token);
      return true;
    }
  return false;
};

/** This phone scores from now on, by the key of the table, which stands above each token. @param {string} id @param {AbortSignal} signal */
export const takeByKey = async (id, signal) => {
  if (!(await keyOf(id))) await keep({ match: id });
  await rotate(id, await adminKey(), signal);
};

/** Offers the scoring to another phone; returns when that ends. @param {string} id @param {string} invite @param {string} token @param {AbortSignal} signal */
export const offer = async (id, invite, token, signal) => {
  const body = { invite_sha256: sha256(invite) };
  const { ends_at } = await send("/v1/matches/{id}/tokens/scorer/invite", {
    of: { id },
    body,
    token,
    signal,
  });
  return new Date(ends_at);
};

/** Stops sharing. @param {string} id @param {string} token @param {AbortSignal} signal */
export const stopOffer = (id, token, signal) =>
  order("DELETE", "/v1/matches/{id}/tokens/scorer/invite", { of: { id }, token, signal });

/** Who writes in a match, as the holder of a token is told it. @param {string} id @param {string | undefined} token @param {AbortSignal} signal */
export const writersOf = (id, token, signal) =>
  read("/v1/matches/{id}/writers", { of: { id }, token, signal });

/**
 * Gives a role a token that was made here, and ends the one that it had. A side that nobody has claimed is claimed by
 * its invite. The same goes again until it is answered.
 * @param {string} id @param {string} role @param {import("./keys.js").Made} made @param {string | undefined} token What allows it. @param {AbortSignal} signal
 */
export const giveRole = async (id, role, made, token, signal) => {
  const [body, { key }] = [{ token_sha256: sha256(made.token) }, made];
  const { [role]: invite, ...invites } = (await keyOf(id))?.invites ?? {};
  if (invite && (await claimSide(id, { ...body, invite }, key, signal))) return without(id, [], { invites });
  await send("/v1/matches/{id}/tokens/{role}/rotate", { of: { id, role }, body, key, token, signal });
  if (invite) await without(id, [], { invites });
};

/** Claims a side; false where its invite was used before. @param {string} id @param {import("./service.js").Sent<"/v1/matches/{id}/tokens/claim">} body @param {string} key @param {AbortSignal} signal */
const claimSide = (id, body, key, signal) =>
  send("/v1/matches/{id}/tokens/claim", { of: { id }, body, key, signal }).then(
    () => true,
    (error) => {
      if (error instanceof Refused && !error.isPassing) return false;
      throw error;
    },
  );

/** Ends the token of a role. The hash that takes its place is nobody's: the service tells the others so. @param {string} id @param {string} role @param {string | undefined} token The table's key. @param {AbortSignal} signal */
export const endRole = async (id, role, token, signal) => {
  const [of, body] = [{ id, role }, { token_sha256: "0".repeat(32) + freshId() }];
  await send("/v1/matches/{id}/tokens/{role}/rotate", { of, body, key: freshId(), token, signal });
};

/** Keeps how this phone is called, for when it scores again. @param {string} id @param {string} called */
export const keepCalled = async (id, called) => {
  if ((await keyOf(id))?.called !== called) await without(id, [], { called });
};

/** Names this phone for the others who hold a token of the match. @param {string} id @param {string} name @param {string | undefined} token @param {AbortSignal} signal */
export const nameWriter = (id, name, token, signal) =>
  order("PUT", "/v1/matches/{id}/writers/me", { of: { id }, body: { name }, token, signal });
