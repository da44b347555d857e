/** A match that is being entered: one plain object, and functions over it. */
import { t } from "./i18n.js";
import { EMPTIED, optionsOf } from "./options.js";
import { draftOf, emptySide, filledUp, isAlike, sideOf, withTeam } from "./squads.js";

/** @typedef {import("./options.js").GameEntry} GameEntry */
/** @typedef {import("./squads.js").Side} Side */
/** @typedef {import("./squads.js").SideDraft} SideDraft */
/** @typedef {Record<Side, SideDraft>} Sides */
/**
 * @typedef {object} Fresh
 * @property {GameEntry[]} games
 * @property {string} game
 * @property {"table" | "seeded"} dice
 * @property {Sides} sides
 * @property {string | null} edition The hash of the edition that is chosen; without one it is the first.
 * @property {import("./editions.js").Fault[]} faults What is wrong with the edition that was to be taken in.
 * @property {Map<string, Sides>} aside The sides of other games, which cannot play this one.
 * @property {Record<string, unknown>} rules
 * @property {Record<string, string>} errors By the field they are at.
 * @property {{ side: Side, listsFirst: boolean } | null} open The side whose sheet is open; whether nothing was entered for it yet.
 * @property {SideDraft[]} kept The sides that this browser keeps.
 * @property {number | null} edited The one of them that is edited.
 * @property {import("./squads.js").PlayedSide[] | null} played The sides of finished matches, once they were asked for.
 * @property {boolean} isTable Whether the service is a table, whose key a command prints.
 * @property {boolean} needsKey
 * @property {string} key
 * @property {boolean} busy
 */

const emptySides = () => ({ home: emptySide(), away: emptySide() });

/** @returns {Fresh} */
export const emptyMatch = () => ({
  games: [],
  game: "",
  dice: "table",
  sides: emptySides(),
  edition: null,
  faults: [],
  aside: new Map(),
  rules: {},
  errors: {},
  open: null,
  kept: [],
  edited: null,
  played: null,
  isTable: false,
  needsKey: false,
  key: "",
  busy: false,
});

/** Chooses an edition. A team that it has not gives way to one that it has. @param {Fresh} state @param {string} edition @returns {Partial<Fresh>} */
export const withEdition = (state, edition) => {
  const teams = gameOf({ ...state, edition })?.sheet.teams.flatMap(({ teams }) => teams) ?? [];
  const kept = (/** @type {SideDraft} */ side) =>
    side.team !== null && !teams.includes(side.team) ? { ...side, team: null } : side;
  const { home, away } = state.sides;
  return { edition, faults: [], errors: {}, sides: { home: kept(home), away: kept(away) } };
};

/** The game that is chosen, with the teams of the edition. @param {Pick<Fresh, "games" | "game" | "edition">} state @returns {GameEntry | undefined} */
export const gameOf = (state) => {
  const found = state.games.find(({ id }) => id === state.game);
  const edition = found && editionOf(found, state);
  if (!edition) return found;
  const teams = found.sheet.teams.filter((teams) => teams.edition.sha256 === edition);
  return { ...found, sheet: { ...found.sheet, teams } };
};

/** The hash of the edition that is played with: the chosen one where the game has it, else its first. @param {GameEntry} game @param {Pick<Fresh, "edition">} state */
export const editionOf = ({ editions }, { edition }) =>
  (editions.find(({ sha256 }) => sha256 === edition) ?? editions[0])?.sha256;

/** @param {GameEntry | undefined} game */
export const propertiesOf = (game) => (game && optionsOf(game).properties) ?? {};

/** Changes an option. What was wrong with the options goes, and they stay unfolded. @param {Fresh} state @param {string} name @param {unknown} value @returns {Partial<Fresh>} */
export const withOption = (state, name, value) => {
  const options = propertiesOf(gameOf(state));
  const errors = Object.entries(state.errors).map(([field, words]) => [field, field in options ? "" : words]);
  return { rules: { ...state.rules, [name]: value }, errors: Object.fromEntries(errors) };
};

/** What is wrong with an option, by its title in place of its name. @param {Fresh} state @param {string} name @param {string} words */
export const optionWords = (state, name, words) => {
  const title = propertiesOf(gameOf(state))[name]?.title;
  return title && words.startsWith(`${name} `) ? title + words.slice(name.length) : words;
};

/** Changes the game. Sides that cannot play it wait for one that they can. @param {Fresh} state @param {GameEntry} game */
export const changeGame = (state, game) => {
  const before = gameOf(state);
  state.game = game.id;
  if (!before || isAlike(game, before)) return;
  state.aside.set(before.id, state.sides);
  const alike = state.games.find((other) => state.aside.has(other.id) && isAlike(game, other));
  state.sides = state.aside.get(alike?.id ?? "") ?? emptySides();
};

/** The same as another match. An option that follows from another one follows it again. @param {Fresh} state @param {import("./service.js").MatchView} match */
export const takeSame = (state, match) => {
  const options = propertiesOf(state.games.find((game) => game.id === match.game));
  const rules = Object.entries(match.rules).filter(([name]) => !options[name]?.["x-default-depends"]);
  Object.assign(state, {
    game: match.game,
    dice: match.dice,
    rules: Object.fromEntries(rules),
    edition: match.edition?.sha256 ?? null,
    sides: { home: draftOf(match.home), away: draftOf(match.away) },
  });
};

/** A side as it plays. @param {Fresh} state @param {Side} side */
export const playing = (state, side) => {
  const game = gameOf(state);
  return game
    ? filledUp(withTeam(state.sides, side, game), t(`side.default.${side}`), game)
    : state.sides[side];
};

/** The sides that are worth keeping, each with a name. @param {Fresh} state */
export const sidesToKeep = (state) =>
  /** @type {Side[]} */ (["home", "away"]).flatMap((side) => {
    const draft = state.sides[side];
    const isEntered = draft.text.trim() || (draft.name.trim() && !gameOf(state)?.sheet.card);
    return isEntered && draft.team === null ? [{ ...draft, name: playing(state, side).name }] : [];
  });

/** What is sent to create the match. @param {Fresh} state @param {GameEntry} game @returns {import("./service.js").Sent<"/v1/matches">} */
export const bodyOf = (state, game) => {
  const has = propertiesOf(game);
  const rules = Object.entries(state.rules).filter(
    ([name, value]) => name in has && value !== undefined && value !== EMPTIED,
  );
  return {
    game: /** @type {import("./options.js").GameId} */ (game.id),
    dice: state.dice,
    rules: Object.fromEntries(rules),
    ...(game.editions.length > 0 && { edition: editionOf(game, state) ?? null }),
    home: sideOf(playing(state, "home"), game),
    away: sideOf(playing(state, "away"), game),
  };
};
