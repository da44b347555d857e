/** The sides of new matches: names typed or pasted, squads with cards, teams of an edition; remembered here. */
import { keepSetting, setting } from "./settings.js";

/** @typedef {{name: string, text: string, team: string | null}} SideDraft `text`: a name or a card a line; `team`: of the edition. */
/** @typedef {import("./service.js").Schemas["NewSide"]} NewSide */

/** @returns {SideDraft} */
export const emptySide = () => ({ name: "", text: "", team: null });

/** The names of a side: one a line, or parted by commas. @param {string} text */
export const linesOf = (text) =>
  text
    .split(/\n/)
    .flatMap((line) => (line.includes("{") ? [line] : line.split(/[,;]/)))
    .map((line) => line.trim())
    .filter(Boolean);

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
