/**
 * What the log has behind the head on which an entry was made. Nothing is merged by itself. What is not play changes no
 * ball, and what somebody else has recorded alike is the entry itself.
 */
import { pagesOf, read, Refused } from "./service.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./service.js").Schemas["Event"]} LogEvent */
/** @typedef {import("./service.js").Schemas["Head"]} Head */

/**
 * `moved`: only what is not play. `recorded`: the same ball. `differs`: something else, `theirs` first. `nothing`: the
 * head is still the newest.
 * @typedef {{is: "moved" | "recorded", head: Head} | {is: "differs", theirs: LogEvent} | {is: "nothing"}} Between
 */

/** What an event of play holds of what a request of play asks for. @typedef {{dice?: {value: number}[],
 *    choices?: Record<string, unknown>, accepted?: boolean, voids_from?: number, restores?: number} & Record<string, unknown>} Played */
/** A request of play. @typedef {{dice?: number[], choices?: Record<string, unknown>} & Record<string, unknown>} Asked */

/** What changes no ball. */
const NO_PLAY = new Set(
  "dispute dispute_ruled token_rotated side_claimed seed_committed seed_contributed correction_proposed".split(
    " ",
  ),
);
/** How many events are read at once, from the newest back. */
const PAGE = 100;
const EVENTS = "/v1/matches/{id}/events";

/** @typedef {Record<string, unknown>} Members */

/**
 * Whether two values are the same, in whichever order the members of their objects stand.
 * @param {unknown} one @param {unknown} other @returns {boolean}
 */
const isAlike = (one, other) =>
  isMembers(one) && isMembers(other)
    ? Object.keys(one).length === Object.keys(other).length && agrees(one, other)
    : one === other;

/** Whether a value has members. @param {unknown} value @returns {value is Members} */
const isMembers = (value) => Object(value) === value;

/** Whether all that is asked for is so. @param {Members} asked @param {Members} has */
const agrees = (asked, has) => Object.entries(asked).every(([name, value]) => isAlike(value, has[name]));

/**
 * Whether an event is what a request asks for. The values of its dice stand in the order in which they were rolled.
 * @param {LogEvent} event @param {import("./outbox.js").Call | undefined} call
 */
const isOf = ({ kind, data }, call) => {
  const has = /** @type {Played} */ (data);
  const { dice = [], choices = {}, ...rest } = /** @type {Asked} */ (call?.body ?? {});
  const rolled = (has.dice ?? []).map(({ value }) => value);
  const isSame = agrees({ dice }, { dice: rolled }) && agrees(choices, has.choices ?? {});
  const path = call?.path.split("/").at(-1);
  if (path === "balls") return kind === "ball" && isSame;
  if (path === "overs") return kind === "over" && agrees({ ...choices, ...rest }, has.choices ?? {});
  if (path === "reviews")
    return kind === "review" && (rest["accept"] ? has.accepted === true : isSame && dice.length > 0);
  if (path === "corrections")
    return rest["restores"]
      ? kind === "restoration" && has.restores === rest["restores"]
      : kind === "correction" && has.voids_from === rest["voids_from"];
  return (path === "toss" || path === "decision") && agrees(rest, has);
};

/**
 * What stands between an entry and the newest event. An over that began with the ball, with the bowler that the entry
 * was foreseen with, is the entry's too.
 * @param {Entry} entry @param {LogEvent[]} events Behind its head, the oldest first. @returns {Between}
 */
export const between = ({ steps, preview }, events) => {
  const play = events.filter(({ kind }) => !NO_PLAY.has(kind));
  const last = events[events.length - 1];
  if (!last) return { is: "nothing" };
  const head = { seq: last.seq, hash: last.hash };
  const [first] = play;
  if (!first) return { is: "moved", head };
  const bowler = preview?.situation?.bowler?.player;
  const begins = (/** @type {LogEvent} */ { kind, data }) =>
    kind === "over" && steps.length === 1 && agrees({ bowler }, /** @type {Played} */ (data).choices ?? {});
  const own = begins(first) ? play.slice(1) : play;
  const isSame = own.length >= steps.length && steps.every((call, at) => own[at] && isOf(own[at], call));
  const made = own[steps.length - 1];
  // What a correction brings back is written with it, at its time.
  const end = made?.kind === "restoration" ? own.filter(({ at }) => at === made.at).pop() : made;
  return isSame && end
    ? { is: "recorded", head: { seq: end.seq, hash: end.hash } }
    : { is: "differs", theirs: play.find(({ kind }) => kind === "ball") ?? first };
};

/**
 * Reads the newest events back to one that is looked for, with its place; null where the log has it not.
 * @param {string} match @param {(event: LogEvent) => boolean} isIt @param {AbortSignal} signal
 */
const eventsFrom = async (match, isIt, signal) => {
  const page = (/** @type {number} */ after, limit = PAGE) =>
    read(EVENTS, { of: { id: match }, query: { after, limit }, signal });
  const { head } = await page(0, 1);
  for (const start of new Set([Math.max(0, head.seq - PAGE), 0])) {
    const pages = await pagesOf(page, start);
    const events = pages.flatMap((found) => found.events);
    const at = events.findIndex(isIt);
    if (at >= 0) return { events, at };
  }
  return null;
};

/**
 * Reads the events behind a head; null where the log has it not.
 * @param {string} match @param {string} hash @param {AbortSignal} signal
 */
export const eventsBehind = async (match, hash, signal) => {
  const found = await eventsFrom(match, (event) => event.hash === hash, signal);
  return found && found.events.slice(found.at + 1);
};

/** The choices of an event, as the log has them. @param {LogEvent | undefined} event */
const choicesOf = (event) => /** @type {{choices?: object} | undefined} */ (event?.data)?.choices;

/**
 * Reads what was chosen for the ball that a correction takes back, and for the over that goes with its first ball.
 * @param {string} match @param {import("./outbox.js").Call} call @param {AbortSignal} signal
 * @returns {Promise<import("./draft.js").Chosen>}
 */
export const chosenFor = async (match, { body }, signal) => {
  const { voids_from: delivery } = /** @type {{voids_from?: number}} */ (body);
  if (!delivery) return {};
  const isIt = (/** @type {LogEvent} */ { kind, data }) =>
    kind === "ball" && /** @type {{delivery?: number}} */ (data).delivery === delivery;
  const found = await eventsFrom(match, isIt, signal).catch((error) => {
    // Without them it goes as well.
    if (error instanceof Refused && !error.isPassing) return null;
    throw error;
  });
  if (!found) return {};
  const before = found.events.slice(0, found.at).reverse();
  const first = before.find(({ kind }) => ["over", "ball", "correction", "restoration"].includes(kind));
  const over = first?.kind === "over" ? choicesOf(first) : undefined;
  return { bowl_ball: choicesOf(found.events[found.at]), ...(over && { begin_over: over }) };
};

/** Reads the step that a match waits for. @param {string} match @param {AbortSignal} signal */
export const stepNow = async (match, signal) =>
  (await read("/v1/matches/{id}", { of: { id: match }, signal })).next.requests;

/** How a token got to its holder. */
const OF_TOKENS = new Set(["token_rotated", "side_claimed"]);

/**
 * Reads what stands behind an event, a page of it: the last one, and those that were written with the scorer's token.
 * @param {string} match @param {number} after @param {AbortSignal} signal
 */
export const scoredBehind = async (match, after, signal) => {
  const { events } = await read(EVENTS, { of: { id: match }, query: { after, limit: PAGE }, signal });
  return {
    last: events[events.length - 1],
    scored: events.filter(({ actor, kind }) => actor === "scorer" && !OF_TOKENS.has(kind)),
  };
};

/** An event of somebody else in words, with the place of its ball. @typedef {Pick<import("./service.js").Schemas["CommentaryLine"], "text" | "place">} Told */

/** @param {string} match @param {LogEvent} event @param {AbortSignal} signal @returns {Promise<Told | null>} */
export const wordsOf = async (match, { seq }, signal) => {
  const of = { id: match };
  const { lines } = await read("/v1/matches/{id}/commentary", {
    of,
    query: { after: seq - 1, limit: 1 },
    signal,
  });
  const [line] = lines;
  return line?.seq === seq ? { text: line.text, place: line.place } : null;
};
