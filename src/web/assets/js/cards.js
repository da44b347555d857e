/**
 * Players with cards: a row each, with the fields that the game's sheet describes. The rows are the lines of a
 * text, so that a list can be pasted as well.
 */
import { cellsOf, entriesIn, unnumbered } from "./pasted.js";

/** @typedef {import("./options.js").GameEntry} GameEntry */
/** @typedef {import("./options.js").Property} Property */
/** @typedef {Record<string, Property>} Fields The fields of a card beside the name. */
/** @typedef {{ name: string } & Record<string, unknown>} PlayerRow */

/** The fields of a player's card, those that it needs first; null where a player is only a name. @param {GameEntry} game @returns {Fields | null} */
export const fieldsOf = ({ sheet }) => {
  const { properties, required = [] } = /** @type {import("./options.js").Schema} */ (sheet.card ?? {});
  if (!properties) return null;
  const place = (/** @type {string} */ name) => required.indexOf(name) + 1 || required.length + 1;
  return Object.fromEntries(Object.entries(properties).sort(([one], [other]) => place(one) - place(other)));
};

/** What a field holds until somebody says it: of counted words the one whose turn it is, else the default. @param {Property} field @param {number} place */
const usual = (field, place) =>
  Object.entries(field["x-count"] ?? {}).flatMap(([word, count]) =>
    Array.from({ length: count }, () => word),
  )[place] ??
  field.default ??
  "";

/** A player of whom nothing is said yet. @param {Fields} fields @param {number} place @returns {PlayerRow} */
const freshRow = (fields, place) => ({
  name: "",
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, usual(field, place)])),
});

/** What a cell says in a field, if it can say it. @param {string} cell @param {Property} field */
const saidIn = (cell, { enum: words, type, minimum = -Infinity, maximum = Infinity }) => {
  if (words) return words.find((word) => word === cell.toLowerCase());
  const isWhole = type === "integer" && /^[-+\u2212]?\d+$/.test(cell);
  const number = isWhole ? Number(cell.replace("\u2212", "-")) : NaN;
  return number >= minimum && number <= maximum ? number : undefined;
};

/** A row by the columns of a sheet: a name, and what the fields can say. @param {string} line @param {Fields} fields @param {PlayerRow} row What it was before. @returns {PlayerRow} */
const rowIn = (line, fields, row) => {
  const words = Object.values(fields).flatMap((field) => field.enum ?? []);
  const isWord = (/** @type {string} */ cell) => words.includes(cell.toLowerCase());
  const parts = line.split(/[,;]/).map((part) => part.trim());
  const cells = !line.includes("\t") && parts.some(isWord) ? parts : cellsOf(line);
  const at = cells.findIndex((cell) => /\p{L}/u.test(cell) && !isWord(cell));
  const said = Object.entries(fields).map(([name, field]) => {
    // A number before the name is the line's.
    const rest = cells.slice(field.enum ? 0 : at + 1);
    return [name, rest.map((cell) => saidIn(cell, field)).find((one) => one !== undefined) ?? row[name]];
  });
  return { ...row, ...Object.fromEntries(said), name: unnumbered(cells[at] ?? "") };
};

/** The name of an object, as it was typed: a blank at its end may be followed by another word. @param {unknown} name */
const nameOf = (name) =>
  typeof name === "string" ? name.replace(/^\s+/u, "") : typeof name === "number" ? `${name}` : "";

/** The rows of a text, each over the one that stood there. @param {string} text @param {Fields} fields @param {(place: number) => PlayerRow} before @returns {PlayerRow[]} */
const rowsIn = (text, fields, before) =>
  entriesIn(text).map((entry, place) =>
    typeof entry === "string"
      ? rowIn(entry, fields, before(place))
      : { ...before(place), ...entry, name: nameOf(entry["name"]) },
  );

/** The rows of a text, and empty ones up to the number of players. @param {string} text @param {GameEntry} game @returns {PlayerRow[]} */
export const rowsOf = (text, game) => {
  const fields = fieldsOf(game) ?? {};
  const fresh = (/** @type {number} */ place) => freshRow(fields, place);
  const rows = rowsIn(text, fields, fresh);
  const missing = Math.max(0, game.players - rows.length);
  return [...rows, ...Array.from({ length: missing }, (_, more) => fresh(rows.length + more))];
};

/** The text of rows. @param {PlayerRow[]} rows */
export const textOf = (rows) => rows.map((row) => JSON.stringify(row)).join("\n");

/** The rows with a list written over them from one on. @param {PlayerRow[]} rows @param {number} from @param {string} text @param {GameEntry} game @returns {PlayerRow[]} */
export const pastedOver = (rows, from, text, game) => {
  const fields = fieldsOf(game) ?? {};
  const over = rowsIn(text, fields, (place) => rows[from + place] ?? freshRow(fields, from + place));
  return [...rows.slice(0, from), ...over, ...rows.slice(from + over.length)];
};

/**
 * The words that a side has too many or too few of, as the card counts them.
 * @param {PlayerRow[]} rows @param {Fields} fields @returns {{ word: string, has: number, needs: number }[]}
 */
export const miscounted = (rows, fields) =>
  Object.entries(fields).flatMap(([name, field]) =>
    Object.entries(field["x-count"] ?? {}).flatMap(([word, needs]) => {
      const has = rows.filter((row) => row[name] === word).length;
      return has === needs ? [] : [{ word, has, needs }];
    }),
  );
