/** The sides of new matches: names typed or pasted, squads with cards, teams of an edition; remembered here. */
import { keepSetting, setting } from "./settings.js";

/** @typedef {{name: string, text: string, team: string | null}} SideDraft `text`: a name or a card a line; `team`: of the edition. */
/** @typedef {import("./service.js").Schemas["NewSide"]} NewSide */

/** @returns {SideDraft} */
export const emptySide = () => ({ name: "", text: "", team: null });

/** Marks that nobody sees, and that come along with what is pasted. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** The name in a line: of the columns of a sheet the first with a letter, without its number. @param {string} line */
const nameIn = (line) => {
  const cells = line.split("\t").map((cell) => cell.trim());
  const cell = cells.find((one) => /\p{L}/u.test(one)) ?? cells.find(Boolean) ?? "";
  return cell.replace(/^\d+\s*[.):]?\s+(?=.*\p{L})/u, "").trim();
};

/** The names of a side: one a line; in a single line parted by commas. @param {string} text */
export const linesOf = (text) => {
  const lines = text
    .replace(INVISIBLE, "")
    .split(/\r?\n/)
    .filter((line) => line.trim());
  const [only = ""] = lines;
  const parts = lines.length === 1 && !only.includes("{") ? only.split(/[,;]/) : lines;
  return parts.map((line) => (line.includes("{") ? line.trim() : nameIn(line))).filter(Boolean);
};

/**
 * A side that can play: a name where it has none, and players where it has too few, as `Mill Lane 7`.
 * @param {SideDraft} draft @param {string} name @param {import("./options.js").GameEntry} game @returns {SideDraft}
 */
export const filledUp = (draft, name, game) => {
  const named = { ...draft, name: draft.name.replace(INVISIBLE, "").trim() || name };
  if (draft.team !== null || game.sheet.card || draft.text.includes("{"))
    return draft.team === null ? named : draft;
  const lines = linesOf(draft.text);
  if (lines.length >= game.players) return named;
  // A name has a hundred characters at most.
  const stem = named.name.length > 97 ? name : named.name;
  const more = Array.from(
    { length: game.players - lines.length },
    (_, place) => `${stem} ${lines.length + place + 1}`,
  );
  return { ...named, text: [...lines, ...more].join("\n") };
};

/**
 * A side as the API takes it. Players with cards are pasted as JSON: one object a line, or a whole array.
 * @param {SideDraft} draft @returns {NewSide}
 */
export const sideOf = ({ name, text, team }) => {
  if (team !== null) return { name: name.trim() || team, players: { team } };
  return { name: name.trim(), players: playersOf(text) };
};

/** @param {string} text @returns {import("./service.js").Schemas["PlayerEntry"][]} */
const playersOf = (text) => {
  try {
    const found = JSON.parse(text);
    if (Array.isArray(found)) return found;
  } catch {
    // It is no array: a name or a card a line.
  }
  return linesOf(text).map((line) => {
    try {
      return line.startsWith("{") ? JSON.parse(line.replace(/,$/, "")) : line;
    } catch {
      return line;
    }
  });
};

/** The sides that were entered here before, the newest first. @returns {Promise<SideDraft[]>} */
export const remembered = async () => (await setting("sides")) ?? [];

/** @param {SideDraft[]} sides */
export const remember = async (sides) => {
  const before = await remembered();
  const others = before.filter(({ name }) => !sides.some((side) => side.name === name));
  await keepSetting("sides", [...sides, ...others].slice(0, 20));
};
