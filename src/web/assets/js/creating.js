/** Creates a match. Its id and the scorer's token are made and kept here before they go, so a lost answer loses nothing. */
import * as handing from "./handover.js";
import { adminKey, forget, keep } from "./keys.js";
import { randomDigits } from "./must.js";
import { Refused, send } from "./service.js";
import { sha256 } from "./sha256.js";

/** Both make tokens, and are one script. */
export const handover = handing;

/** A UUID of version 7: its first digits are the time, in milliseconds. @param {number} now */
export const freshUuid = (now) => {
  const time = now.toString(16).padStart(12, "0");
  const rest = randomDigits(10);
  const variant = ((parseInt(rest.slice(3, 4), 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`;
};

/** @typedef {import("./service.js").Sent<"/v1/matches">} Body */
/** What was sent last and has no answer: it goes again as it was. @type {{text: string, id: string, token: string, invites: {home: string, away: string}} | null} */
let unanswered = null;

/** How far the clock of the service is ahead of this device's, which may be wrong by a day. */
let ahead = 0;

/** The time of the service, where it refuses an id for its time and says both. @param {unknown} error */
const timeIn = (error) => {
  if (!(error instanceof Refused)) return undefined;
  const said = error.problem.errors?.find(({ location }) => location === "body.id")?.message ?? "";
  const [, time = ""] = said.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  return Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time);
};

/** The SHA-256 of a text, for what is kept here unseen: plain http has none of the browser's. @param {string} text */
export const hashed = (text) => sha256(text);

/**
 * Creates a match, and returns its id. The same body goes under the same id until it is answered.
 * @param {Body} body @param {AbortSignal} signal @param {{trial?: boolean}} [more] What is kept with its token.
 */
export const create = async (body, signal, more = {}) => {
  try {
    return await tried(body, signal, more);
  } catch (error) {
    const time = timeIn(error);
    if (time === undefined) throw error;
    ahead = time - Date.now();
    return tried(body, signal, more);
  }
};

/** @param {Body} body @param {AbortSignal} signal @param {{trial?: boolean}} more @returns {Promise<string>} */
const tried = async (body, signal, more) => {
  const text = JSON.stringify(body);
  const { freshSecret } = handing;
  if (unanswered?.text !== text)
    unanswered = {
      text,
      id: freshUuid(Date.now() + ahead),
      token: freshSecret("tu"),
      invites: { home: freshSecret("tui"), away: freshSecret("tui") },
    };
  const { id, token, invites } = unanswered;
  // The first event of a match issues its scorer's token.
  await keep({ match: id, scorer: token, issued: 1, invites, ...more });
  try {
    const invite_sha256 = { home: sha256(invites.home), away: sha256(invites.away) };
    const whole = { ...body, id, token_sha256: sha256(token), invite_sha256 };
    await send("/v1/matches", { body: whole, key: id, token: await adminKey(), signal });
  } catch (error) {
    if (error instanceof Refused && !error.isPassing) {
      unanswered = null;
      await forget(id);
    }
    throw error;
  }
  unanswered = null;
  return id;
};
