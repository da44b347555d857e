/** What Home has of the list of matches: the first of each status, or what its address asks the list for. */
import { read } from "../service.js";

/** @typedef {import("../parts/matches.js").Listed} Listed */
/** What an address asks for, by the names that the list has. @typedef {Record<string, string[]>} Asked */
/** What is to be found, as its fields have it. `until`: a day. @typedef {{ team: string, game: string, status: string, until: string }} Draft */
/**
 * @typedef {object} Listing
 * @property {Map<string, Listed>} matches All that were read, by their ids.
 * @property {Record<string, string>} more Where the matches of a status begin that were not read.
 * @property {string[] | null} playing Those in play at the last look; null where one request tells the whole list.
 * @property {number} at When the whole was read.
 */

/** The names that the list has for what an address can ask. */
const NAMES = ["status", "game", "team", "before", "cursor"];
/** The most matches of a page of the API, and of one here. */
const [MOST, PAGE] = [100, 50];
/** How many of a status stand on Home where one page does not hold the list. The last is kept first. */
const FIRST = { abandoned: 5, completed: 20, created: 20, in_play: MOST };
/** After how long a long list is read whole again, though no match began or ended. */
const WHOLE = 30_000;

/** What an address asks of the list, null where it asks nothing; and the names that the list does not have. @param {string} search @returns {{ asked: Asked | null, unknown: string[] }} */
export const askedOf = (search) => {
  const given = [...new URLSearchParams(search)];
  /** @type {Asked} */
  const asked = {};
  for (const [name, value] of given)
    if (NAMES.includes(name) && value !== "") asked[name] = [...(asked[name] ?? []), value];
  const unknown = given.map(([name]) => name).filter((name) => !NAMES.includes(name));
  return { asked: Object.keys(asked).length > 0 ? asked : null, unknown };
};

/** What the fields begin with. Where an address asks for several of a kind, a field has none of them. @param {Asked | null} asked @returns {Draft} */
export const draftOf = (asked) => {
  const only = (/** @type {string} */ name) => {
    const values = asked?.[name] ?? [];
    return values.length === 1 ? (values[0] ?? "") : "";
  };
  const end = Date.parse(only("before"));
  const until = Number.isNaN(end) ? "" : dayOf(new Date(end - 1));
  return { team: only("team"), game: only("game"), status: only("status"), until };
};

/** The day of a time where the page is, as a field has it. @param {Date} time */
const dayOf = (time) => {
  const [year, ...parts] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return [String(year).padStart(4, "0"), ...parts.map((part) => String(part).padStart(2, "0"))].join("-");
};

/** What the fields ask for. @param {Draft} draft @returns {Asked} */
export const askedBy = ({ team, game, status, until }) => {
  const end = new Date(`${until}T00:00`);
  // The whole day counts, also one that is an hour longer.
  end.setDate(end.getDate() + 1);
  const before = until ? end.toISOString() : "";
  const given = Object.entries({ team, game, status, before }).filter(([, value]) => value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name, [value]]));
};

/** The address of Home that asks for this. @param {Asked} asked */
export const addressOf = (asked) => {
  const pairs = Object.entries(asked).flatMap(([name, values]) => values.map((value) => [name, value]));
  return pairs.length > 0 ? `/?${new URLSearchParams(pairs)}` : "/";
};

/** Those among matches that were read before which an address asks for; none for a later page. @param {Map<string, Listed>} matches @param {Asked} asked */
export const among = (matches, { status, game, team, before, cursor }) =>
  new Map(
    [...matches].filter(
      ([, one]) =>
        !cursor &&
        (status?.includes(one.status) ?? true) &&
        (game?.includes(one.game) ?? true) &&
        (before?.every((time) => one.last_at < time) ?? true) &&
        (team?.some((name) => name === one.home || name === one.away) ?? true),
    ),
  );

/** @param {Record<string, string | number | string[]>} query @param {AbortSignal} signal */
const page = (query, signal) => read("/v1/matches", { query: { order: "changed", ...query }, signal });

/** @param {{ matches: Listed[] }[]} pages */
const byId = (pages) =>
  new Map(pages.flatMap(({ matches }) => matches.map((match) => /** @type {const} */ ([match.id, match]))));

/** Reads what an address asks for. @param {Asked} asked @param {AbortSignal} signal */
export const readAsked = async (asked, signal) => {
  const found = await page({ limit: PAGE, ...asked }, signal);
  return { matches: byId([found]), next: found.next_cursor ?? null };
};

/** Reads the list, or of a long one the first of each status, and one's own. @param {string[]} own @param {AbortSignal} signal @returns {Promise<Listing>} */
const readWhole = async (own, signal) => {
  const last = await page({ limit: PAGE }, signal);
  const at = Date.now();
  if (last.next_cursor === null) return { matches: byId([last]), more: {}, playing: null, at };
  const [mine, ...parts] = await Promise.all([
    own.length > 0 ? page({ id: own, limit: MOST }, signal) : { matches: [] },
    ...Object.entries(FIRST).map(async ([status, limit]) => ({
      status,
      ...(await page({ status, limit }, signal)),
    })),
  ]);
  const more = parts.flatMap(({ status, next_cursor }) => (next_cursor ? [[status, next_cursor]] : []));
  const playing = parts.at(-1)?.matches.map(({ id }) => id) ?? [];
  return { matches: byId([mine, ...parts]), more: Object.fromEntries(more), playing, at };
};

/**
 * Reads the list again. Of a long one the matches in play are enough, as long as the same ones are.
 * @param {Listing | null} before @param {string[]} own @param {AbortSignal} signal
 */
export const readAgain = async (before, own, signal) => {
  if (!before?.playing || Date.now() - before.at >= WHOLE) return readWhole(own, signal);
  const { matches } = await page({ status: "in_play", limit: MOST }, signal);
  const ids = matches.map(({ id }) => id);
  const isSame = ids.length === before.playing.length && before.playing.every((id) => ids.includes(id));
  if (!isSame) return readWhole(own, signal);
  return { ...before, matches: new Map([...before.matches, ...byId([{ matches }])]) };
};
