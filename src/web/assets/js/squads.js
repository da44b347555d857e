/** The sides of new matches: names, players with cards, or teams of an edition; the sides that this browser keeps. */
import { fieldsOf, rowsOf, textOf } from "./cards.js";
import { clean, namesIn } from "./pasted.js";
import { read } from "./service.js";
import { keepSetting, setting } from "./settings.js";

/** @typedef {import("./options.js").GameEntry} GameEntry */
/** @typedef {import("./service.js").Schemas["NewSide"]} NewSide */
/** @typedef {"home" | "away"} Side */
/**
 * A side as it is entered.
 * @typedef {object} SideDraft
 * @property {string} name
 * @property {string} text A player a line: a name, or a card in JSON.
 * @property {string | null} team A team of the edition instead of players.
 */
/** A side of a finished match. @typedef {{ name: string, match: string, side: Side, at: string }} PlayedSide */

/** How many sides a browser keeps, and how much of a side's name goes into the name of a player. */
const KEPT = 100;
const LONGEST = 96;

/** @returns {SideDraft} */
export const emptySide = () => ({ name: "", text: "", team: null });

/** Whether its players have cards. @param {SideDraft} draft */
export const hasCards = ({ text, team }) => team !== null || text.includes("{");

/** Whether the sides of one game can play another: as many players, both with cards or both without. @param {GameEntry} game @param {GameEntry | undefined} other */
export const isAlike = (game, other) =>
  other !== undefined && game.players === other.players && !game.sheet.card === !other.sheet.card;

/** The rows of the players that were entered. @param {string} text @param {GameEntry} game */
const enteredRows = (text, game) => rowsOf(text, { ...game, players: 0 });

/** The names of the players that a side has. @param {SideDraft} draft @param {GameEntry} game */
export const namesOf = ({ text }, game) =>
  fieldsOf(game)
    ? enteredRows(text, game)
        .map(({ name }) => clean(name))
        .filter(Boolean)
    : namesIn(text);

/** The names with those that are missing, as `Mill Lane 7`; none of these is there already. @param {string[]} names Empty where one is missing. @param {string} side */
const withNumbers = (names, side) => {
  const taken = new Set(names);
  let number = 0;
  return names.map((name, place) => {
    if (name) return name;
    number = Math.max(number, place) + 1;
    while (taken.has(`${side} ${number}`)) number += 1;
    return `${side} ${number}`;
  });
};

/**
 * A side that can play: a name where it has none, and names for the players who have none.
 * @param {SideDraft} draft @param {string} usual The side's name, if it is given none. @param {GameEntry} game @returns {SideDraft}
 */
export const filledUp = (draft, usual, game) => {
  const name = clean(draft.name) || usual;
  const short = [...name].slice(0, LONGEST).join("");
  if (draft.team !== null) return { ...draft, name: clean(draft.name) || draft.team };
  if (fieldsOf(game)) {
    const rows = rowsOf(draft.text, game);
    const names = withNumbers(
      rows.map((row) => clean(row.name)),
      short,
    );
    return { ...draft, name, text: textOf(rows.map((row, at) => ({ ...row, name: names[at] ?? "" }))) };
  }
  const names = namesIn(draft.text);
  const all = Array.from({ length: Math.max(game.players, names.length) }, (_, place) => names[place] ?? "");
  return { ...draft, name, text: withNumbers(all, short).join("\n") };
};

/**
 * A side of a game with teams: where no players were entered, it is a team of its own, whatever is entered for the
 * other side, unless that takes this team.
 * @param {Record<Side, SideDraft>} sides @param {Side} side @param {GameEntry} game @returns {SideDraft}
 */
export const withTeam = (sides, side, game) => {
  const draft = sides[side];
  const isOpen = (/** @type {SideDraft} */ { team, text }) => team === null && !text.trim();
  if (!isOpen(draft)) return draft;
  const other = sides[side === "home" ? "away" : "home"];
  const teams = game.sheet.teams.flatMap(({ teams }) => teams);
  const own = teams[side === "away" ? 1 : 0];
  const isFree = own !== undefined && own !== other.team;
  const left = isOpen(other) ? undefined : teams.find((team) => team !== other.team);
  return { ...draft, team: (isFree ? own : left) ?? null };
};

/** A side as the API takes it. @param {SideDraft} draft @param {GameEntry} game @returns {NewSide} */
export const sideOf = ({ name, text, team }, game) => {
  if (team !== null) return { name: name || team, players: { team } };
  const cleaned = () => enteredRows(text, game).map((row) => ({ ...row, name: clean(row.name) }));
  const players = fieldsOf(game) ? cleaned() : namesIn(text);
  return { name, players: /** @type {import("./service.js").Schemas["PlayerEntry"][]} */ (players) };
};

/** A name as names are compared: joiners and capitals make no other one. @param {string} name */
const compared = (name) => name.replace(/[\u200c\u200d]/g, "").toLowerCase();

/**
 * What keeps players from being a side: too many of them, or two who are alike.
 * @param {string[]} names @param {GameEntry} game @returns {{ words: "many" | "alike", values: Record<string, string | number> } | null}
 */
export const faultOf = (names, { players }) => {
  const n = names.length;
  if (n > players) return { words: "many", values: { n, players } };
  const all = names.map(compared);
  const second = all.findIndex((name, place) => all.indexOf(name) < place);
  if (second < 0) return null;
  const first = all.indexOf(all[second] ?? "");
  return { words: "alike", values: { name: names[second] ?? "", first: first + 1, second: second + 1 } };
};

/** The side of a match as a draft. @param {import("./service.js").MatchView["home"]} side @returns {SideDraft} */
export const draftOf = ({ name, players }) => {
  const lines = players.map((player) => (typeof player === "string" ? player : JSON.stringify(player)));
  return { name, team: null, text: lines.join("\n") };
};

/** The sides that this browser keeps, the newest first. @returns {Promise<SideDraft[]>} */
export const keptSides = async () =>
  ((await setting("sides")) ?? []).filter(({ name, team }) => name !== "" && team === null);

/** Keeps these sides and no others. @param {SideDraft[]} sides */
export const writeSides = (sides) => keepSetting("sides", sides.slice(0, KEPT));

/** Keeps sides before the others, in the place of those of their names. @param {SideDraft[]} sides */
export const keepSides = async (sides) => {
  const isNew = (/** @type {SideDraft} */ kept) =>
    !sides.some((side) => side.name === kept.name && hasCards(side) === hasCards(kept));
  await writeSides([...sides, ...(await keptSides()).filter(isNew)]);
};

/** The sides of finished matches that could play this game, each once, the newest first. @param {GameEntry} game @param {GameEntry[]} games @param {AbortSignal} signal @returns {Promise<PlayedSide[]>} */
export const playedSides = async (game, games, signal) => {
  const query = { status: ["completed", "abandoned"], order: "changed", limit: 100 };
  const { matches } = await read("/v1/matches", { query, signal });
  const all = matches
    .filter((match) =>
      isAlike(
        game,
        games.find(({ id }) => id === match.game),
      ),
    )
    .flatMap((match) =>
      /** @type {const} */ (["home", "away"]).map((side) => ({
        name: match[side],
        match: match.id,
        side,
        at: match.last_at,
      })),
    );
  return all.filter(({ name }, place) => all.findIndex((one) => one.name === name) === place);
};

/** A side of a finished match with its players. @param {PlayedSide} played @param {AbortSignal} signal @returns {Promise<SideDraft>} */
export const playedBy = async ({ match: id, side }, signal) =>
  draftOf((await read("/v1/matches/{id}", { of: { id }, signal }))[side]);
