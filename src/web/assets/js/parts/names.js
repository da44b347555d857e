// Words for names and results: the short name of a scorebook, a score as it is spoken, the result of a match.
import { t } from "../i18n.js";

/** @typedef {import("../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Pick<Schemas["MatchView"], "home" | "away" | "score" | "status"> & { result?: Schemas["MatchResult"] | null }} Scored */

/** @param {string} name */
const words = (name) => name.trim().split(/\s+/u);
/** The last word; all of it where that is a number, as of a side without names. @param {string} name */
const lastWord = (name) => {
  const last = words(name).at(-1) ?? name;
  return /^\d+$/u.test(last) ? name : last;
};

/**
 * The name that a scorebook writes: the last word, with an initial where two are alike.
 * @param {Iterable<string>} all @returns {(name: string) => string}
 */
export const shortNames = (all) => {
  const alike = new Map();
  for (const name of new Set(all)) alike.set(lastWord(name), (alike.get(lastWord(name)) ?? 0) + 1);
  return (name) => {
    const last = lastWord(name);
    if ((alike.get(last) ?? 0) < 2 || words(name).length < 2 || last === name) return last;
    return `${[...name.trim()][0]} ${last}`;
  };
};

/** The short names of both sides of a match. @param {{ home: { players?: unknown }, away: { players?: unknown } }} match */
export const shortNamesOf = ({ home, away }) =>
  shortNames([home, away].flatMap(({ players }) => (Array.isArray(players) ? players.map(playerName) : [])));

/** The name of a player of a sheet, who may have a card. @param {unknown} player */
export const playerName = (player) =>
  typeof player === "string" ? player : String(/** @type {{ name?: string }} */ (player)?.name ?? "");

/** `73 for 2`, as it is spoken. @param {{ runs: number, wickets: number }} score */
export const spoken = ({ runs, wickets }) => t("score.spoken", { runs, wickets });

/** `73/2`, as it is written in text. @param {{ runs: number, wickets: number }} score */
export const written = ({ runs, wickets }) => `${runs}/${wickets}`;

/** @param {string} key @param {number} count @param {Record<string, string | number>} [more] */
const counted = (key, count, more) => t(`${key}.${count === 1 ? "one" : "other"}`, { count, ...more });

/** The result in words; empty while there is none. @param {Scored} match */
export const resultWords = ({ home, away, result, status }) => {
  if (status === "abandoned") return t("result.abandoned");
  if (!result) return "";
  const winner = result.winner === "home" ? home : result.winner === "away" ? away : null;
  const side = typeof winner === "string" ? winner : winner?.name ?? "";
  const { runs, wickets } = result.margin;
  if (!winner) return t("result.tie");
  if (result.method === "innings") return counted("result.innings", runs ?? 0, { side });
  if (wickets) return counted("result.wickets", wickets, { side });
  if (runs) return counted("result.runs", runs, { side });
  return t("result.level", { side });
};
