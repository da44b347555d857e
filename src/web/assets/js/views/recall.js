/**
 * What pages were told last. It is kept, so that a page which was visited opens again while the service is gone, and
 * says of when it is. It is never sent, and the outbox does not know it.
 */
import { html } from "../html.js";
import { counted, t } from "../i18n.js";
import { BESIDE, lastBall } from "../following.js";
import { redraw } from "../owed.js";
import { timeOf, whenOf } from "../parts/names.js";
import { note } from "../parts/question.js";
import { now } from "../service.js";
import { OWN } from "../version.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../following.js").Told} Told */
/** @typedef {import("./home.js").Home} Home */
/** What is kept of the list of matches. @typedef {Pick<Home, "games" | "since"> & { matches: [string, import("../parts/matches.js").Listed][], own: string[] }} List */

/** How many rows are kept, and how many matches of the list. */
const [MOST, MOST_LISTED] = [40, 100];
/** How often words that say how long ago something was are drawn anew. */
const AGAIN = 10_000;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** What this tab was told, also where the browser keeps nothing. @type {Map<string, string>} */
const memory = new Map();

/** What was written last of what is read besides, by name. @type {Map<string, object>} */
const written = new Map();

/** The row of a name: `home`, `board`, the id of a match, and what is below it. Pages of another version may draw other members. @param {string} name */
const rowOf = (name) => `seen ${OWN} ${name}`;

/** The names of the rows, the newest first. @returns {string[]} */
const rows = () => JSON.parse(localStorage.getItem("seen") ?? "[]");

/** Keeps what was told under a name. What the browser refuses stays in this tab. @param {string} name @param {object} told */
const keep = (name, told) => {
  const [row, text] = [rowOf(name), JSON.stringify(told)];
  memory.set(row, text);
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith("seen "));
    const names = [...new Set([row, ...rows(), ...found])];
    for (const old of names.splice(MOST)) localStorage.removeItem(old);
    localStorage.setItem("seen", JSON.stringify(names));
    localStorage.setItem(row, text);
    memory.delete(row);
  } catch {
    // Nothing that a person has entered is lost.
  }
};

/** What was kept under a name, as JSON has it. @template T @param {string} name @returns {T | null} */
const kept = (name) => {
  const row = rowOf(name);
  try {
    return JSON.parse(memory.get(row) ?? localStorage.getItem(row) ?? "null");
  } catch {
    return null;
  }
};

/** Keeps a match as it is told, and what was read besides. What its sides hide from each other is not kept. @param {Followed} match */
export const keepMatch = ({ id, view, beside, since }) => {
  if (view) keep(id, { view: { ...view, own: null }, since });
  for (const [below, read] of Object.entries(beside)) {
    const name = `${id} ${below}`;
    // The commentary is long, and each ball tells the match without it.
    if (read.body && written.get(name) !== read) keep(name, read);
    written.set(name, read);
  }
};

/** A match as it was told. @param {string} id @returns {Told | null} */
export const matchOf = (id) => {
  /** @type {Told | null} */
  const told = kept(id);
  const beside = Object.fromEntries(
    BESIDE.flatMap((below) => {
      const read = kept(`${id} ${below}`);
      return read ? [[below, read]] : [];
    }),
  );
  return told && { ...told, beside, since: new Date(told.since) };
};

/** The matches of which something is kept, as they were told. @returns {Map<string, import("../service.js").MatchView | null>} */
export const keptMatches = () => {
  const ids = Object.keys(localStorage).flatMap(
    (row) => /^seen \S+ ([\da-f]{8}-[\da-f-]+)/u.exec(row)?.[1] ?? [],
  );
  return new Map(ids.map((id) => [id, matchOf(id)?.view ?? null]));
};

/** Forgets what was told of a match. @param {string} id */
export const forgetMatch = (id) => {
  for (const row of [...memory.keys()]) if (row.includes(id)) memory.delete(row);
  for (const row of Object.keys(localStorage))
    if (row.startsWith("seen ") && row.includes(id)) localStorage.removeItem(row);
};

/** Keeps the list of matches as it is told. @param {Home} home */
export const keepHome = ({ games, matches, own, since, isAway, asked }) => {
  if (matches && !isAway && !asked)
    keep("home", { games, matches: [...matches].slice(-MOST_LISTED), own: [...own], since });
};

/** The list of matches as it was told. @returns {Pick<Home, "games" | "matches" | "own" | "since"> | null} */
export const homeOf = () => {
  /** @type {List | null} */
  const told = kept("home");
  if (!told) return null;
  const { games, matches, own, since } = told;
  return { games, matches: new Map(matches), own: new Set(own), since: new Date(since) };
};

/** Keeps which match the short board shows. @param {string | null} id */
export const keepBoard = (id) => keep("board", { id });

/** The match that the short board has shown. @returns {string | null} */
export const boardOf = () => {
  /** @type {{id: string} | null} */
  const told = kept("board");
  return told?.id ?? null;
};

let isDrawnAgain = false;
/** Draws the page again after a while. */
const drawAgain = () => {
  if (isDrawnAgain) return;
  isDrawnAgain = true;
  setTimeout(() => {
    isDrawnAgain = false;
    redraw();
  }, AGAIN);
};

/** A time of today, or with its day. @param {Date} time */
const timeWords = (time) => (time.toDateString() === now().toDateString() ? timeOf : whenOf)(time);

/** Since when there is no connection; else how long ago the last ball was. @param {Followed} match */
export const sinceOf = (match) => (match.isFresh ? agoOf(match) : timeWords(match.since));

/** How long ago the last ball was, by the clock of the service; empty where there is none, or the match is over. @param {Followed} match */
const agoOf = (match) => {
  const last = lastBall(match);
  if (!last || match.view?.status !== "in_play") return "";
  drawAgain();
  const past = now().getTime() - Date.parse(last.at);
  if (past < MINUTE) return t("ago.now");
  if (past < HOUR) return t("ago.minutes", { n: Math.floor(past / MINUTE) });
  if (past < DAY) return t("ago.hours", { n: Math.floor(past / HOUR) });
  return counted("ago.days", Math.floor(past / DAY));
};

/** What stands below a score that is old. @param {Followed} match */
export const oldScore = ({ since }) =>
  note({ icon: "lost", title: t("old.score", { time: timeWords(since) }), text: t("old.text") });

/** What stands above a list that is old, or that is not there. @param {Date | null} since */
export const oldList = (since) =>
  html`<p class="block"><span class="label">${since ? t("old.list", { time: timeWords(since) }) : t("match.away")}</span></p>`;
