/**
 * Two books: what the log has behind the head on which an entry was made, where it was refused for that. Nothing is
 * merged by itself. What is not play changes no ball, and what somebody else has recorded alike is the entry itself.
 */
import { read } from "./service.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./service.js").Schemas["Event"]} LogEvent */
/** @typedef {import("./service.js").Schemas["Head"]} Head */

/**
 * `moved`: only what is not play. `recorded`: the same ball. `differs`: something else, `theirs` first. `nothing`: the
 * head is still the newest.
 * @typedef {{is: "moved" | "recorded", head: Head} | {is: "differs", theirs: LogEvent} | {is: "nothing"}} Between
 */

/** What changes no ball. */
const NO_PLAY = new Set(
  "dispute dispute_ruled token_rotated side_claimed seed_committed seed_contributed correction_proposed".split(
    " ",
  ),
);
/** How many events are read at once, from the newest back. */
const PAGE = 100;

/** Whether all that is asked for is so. @param {Record<string, unknown>} asked @param {Record<string, unknown>} has */
const agrees = (asked, has) =>
  Object.entries(asked).every(([name, value]) => JSON.stringify(value) === JSON.stringify(has[name]));

/**
 * Whether an event is what a request asks for. The values of its dice stand in the order in which they were rolled.
 * @param {LogEvent} event @param {import("./outbox.js").Call | undefined} call
 */
const isOf = ({ kind, data }, call) => {
  const has = /** @type {Record<string, any>} */ (data);
  const { dice = [], choices = {}, ...rest } = /** @type {Record<string, any>} */ (call?.body ?? {});
  const rolled = (has["dice"] ?? []).map((/** @type {{value: number}} */ { value }) => value);
  const isSame = agrees({ dice }, { dice: rolled }) && agrees(choices, has["choices"] ?? {});
  const path = call?.path.split("/").at(-1);
  if (path === "balls") return kind === "ball" && isSame;
  if (path === "overs") return kind === "over" && agrees({ ...choices, ...rest }, has["choices"] ?? {});
  if (path === "review")
    return kind === "review" && (rest["accept"] ? has["accepted"] === true : isSame && dice.length > 0);
  if (path === "corrections") return kind === "correction" && has["voids_from"] === rest["voids_from"];
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
    kind === "over" && steps.length === 1 && agrees({ bowler }, /** @type {any} */ (data)["choices"] ?? {});
  const own = begins(first) ? play.slice(1) : play;
  const isSame = own.length >= steps.length && steps.every((call, at) => own[at] && isOf(own[at], call));
  const end = own[steps.length - 1];
  return isSame && end
    ? { is: "recorded", head: { seq: end.seq, hash: end.hash } }
    : { is: "differs", theirs: first };
};

/**
 * Reads the events behind a head; null where the log has it not. It is looked for among the newest ones first.
 * @param {string} match @param {string} hash @param {AbortSignal} signal @returns {Promise<LogEvent[] | null>}
 */
export const eventsBehind = async (match, hash, signal) => {
  const page = (/** @type {number} */ after, limit = PAGE) =>
    read("/v1/matches/{id}/events", { of: { id: match }, query: { after, limit }, signal });
  const { head } = await page(0, 1);
  for (const start of new Set([Math.max(0, head.seq - PAGE), 0])) {
    const events = [];
    for (let after = start; ;) {
      const found = await page(after);
      events.push(...found.events);
      if (!found.next_after) break;
      after = found.next_after;
    }
    const at = events.findIndex((event) => event.hash === hash);
    if (at >= 0) return events.slice(at + 1);
  }
  return null;
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
