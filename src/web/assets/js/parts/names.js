// Words for names and scores: the short name of a scorebook, a score as it is spoken, the result of a match.
import { counted, t } from "../i18n.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */

/** @param {string} name */
const words = (name) => name.trim().split(/[\s,]+/u);
/** Whether a word stands beside a name: a mark in brackets, an initial, Jr, Sr, II, III, IV. @param {string} word */
const isMark = (word) => /^[([].*[)\]]$|^\p{L}\.?$|^(jr|sr|ii|iii|iv)\.?$/iu.test(word);
/** The last name; all of it where that is a number, as of a side without names. @param {string} name */
const lastWord = (name) => {
  const last =
    words(name)
      .filter((word) => !isMark(word))
      .at(-1) ?? name;
  return /^\d+$/u.test(last) ? name : last;
};

/** With an initial: `Smith J` and `J Smith` are both `J Smith`. @param {string} name */
const initialled = (name) => {
  const last = lastWord(name);
  const other = words(name).find((word) => word !== last && !/^[([]/.test(word));
  return other && last !== name ? `${[...other][0]} ${last}` : name;
};

/**
 * The name that a scorebook writes: the last word, with an initial where two are alike, or all of it.
 * @param {Iterable<string>} all @returns {(name: string) => string}
 */
export const shortNames = (all) => {
  const names = [...new Set(all)];
  return (name) =>
    [lastWord, initialled]
      .map((short) => ({ short, own: short(name) }))
      .find(({ short, own }) => !names.some((other) => other !== name && short(other) === own))?.own ?? name;
};

/** @typedef {{ name?: string, players?: unknown }} Sheet */
/** The short names by the sheet of the home side: they are asked for at each drawing. @type {WeakMap<Sheet, Map<string, string>>} */
const known = new WeakMap();

/** @param {{ home: Sheet, away: Sheet }} match */
const shortOf = ({ home, away }) => {
  const found = known.get(home);
  if (found) return found;
  const names = [home, away].flatMap(({ players }) =>
    Array.isArray(players) ? players.map(playerName) : [],
  );
  const short = shortNames(names);
  const all = new Map(names.map((name) => [name, short(name)]));
  // A side that bowls in its own name has all of it.
  for (const { name } of [home, away]) if (name) all.set(name, name);
  known.set(home, all);
  return all;
};

/** The short names of both sides of a match. @param {{ home: Sheet, away: Sheet }} match @returns {(name: string) => string} */
export const shortNamesOf = (match) => (name) => shortOf(match).get(name) ?? name;

/** A sentence with the short names of both sides in place of the names. @param {{ home: Sheet, away: Sheet }} match @param {string} text */
export const withShortNames = (match, text) => {
  const short = shortOf(match);
  const names = [...short.keys()].sort((one, other) => other.length - one.length);
  const any = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  // No part of a longer word.
  const whole = new RegExp(`(^|[^\\p{L}\\p{M}\\d])(${any})(?![\\p{L}\\p{M}\\d])`, "gu");
  return text.replace(whole, (_, before, name) => before + (short.get(name) ?? name));
};

/** The name of a player of a sheet, who may have a card. @param {unknown} player */
export const playerName = (player) =>
  typeof player === "string" ? player : String(/** @type {{ name?: string }} */ (player)?.name ?? "");

/** `73 for 2`, as it is spoken. @param {{ runs: number, wickets: number }} score */
export const spoken = ({ runs, wickets }) => t("score.spoken", { runs, wickets });

/** `73/2`, as it is written in text; `112 all out` where nobody is left. @param {{ runs: number, wickets: number }} score @param {number} [allOut] The wickets at which a side is all out. */
export const written = ({ runs, wickets }, allOut = Infinity) =>
  wickets < allOut ? `${runs}/${wickets}` : t("score.all_out", { runs });

/** The result in words; empty while there is none. @param {{ status: string, result?: { text: string } | null }} match */
export const resultWords = ({ result, status }) =>
  result?.text ?? (status === "abandoned" ? t("result.abandoned") : "");

/** The result with why the match was abandoned, where there is room for it. @param {Parameters<typeof resultWords>[0] & { abandoned_for?: string | null }} match */
export const endWords = (match) =>
  match.abandoned_for ? t("result.abandoned.for", { reason: match.abandoned_for }) : resultWords(match);

/** Runs in a word or two. @param {number} runs @param {number | null | undefined} boundary */
const runsWords = (runs, boundary) => {
  if (boundary) return t(boundary === 4 ? "ball.four" : "ball.six");
  return runs === 0 ? t("ball.dot") : counted("ball.runs", runs);
};

/** The parts of a cell that have a sign of their own. @type {Record<string, (runs: number) => string>} */
const SIGNS = {
  wd: () => t("ball.wide"),
  nb: () => t("ball.no_ball"),
  db: () => t("ball.dead"),
  b: (runs) => counted("ball.byes", runs),
  lb: (runs) => counted("ball.leg_byes", runs),
  p: (runs) => counted("ball.penalty", runs),
};

/** A cell in words, without its wicket: `nb+6` is `no-ball, six`. @param {{cell: string, boundary?: number | null}} ball */
export const cellWords = ({ cell, boundary }) =>
  cell
    .split("+")
    .flatMap((part) => {
      const [, sign = "", runs = ""] = /^([a-z]*)(\d*)$/u.exec(part) ?? [];
      return SIGNS[sign]?.(Number(runs)) ?? (runs ? runsWords(Number(runs), boundary) : []);
    })
    .join(", ");

/** A ball in a word or two. @param {{wicket?: unknown, boundary?: number | null, runs: number, cell?: string}} ball */
export const ballWords = ({ wicket, boundary, runs, cell = "" }) => {
  if (wicket) return t("ball.wicket");
  return /[a-z]/u.test(cell) ? cellWords({ cell, boundary }) : runsWords(runs, boundary);
};

/** A ball in the word of a key: a wicket says OUT. @param {Parameters<typeof ballWords>[0]} ball */
export const wordOf = (ball) => (ball.wicket ? t("ball.out") : ballWords(ball));

/** The side that bats in an innings. @param {Pick<import("../../../api.d.ts").components["schemas"]["MatchView"], "score">} match @param {number} innings */
export const battingIn = ({ score }, innings) =>
  score.innings.find(({ number }) => number === innings)?.batting ?? null;

/** `18:31`. @param {Date} time */
export const timeOf = (time) => time.toTimeString().slice(0, 5);

/** `24 Nov, 18:31`; with the year, if it is another one. @param {Date} time */
export const whenOf = (time) => {
  const year =
    time.getFullYear() === new Date().getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return `${time.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year })}, ${timeOf(time)}`;
};
