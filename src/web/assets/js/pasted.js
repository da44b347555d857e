/** Reads the lists that people paste: names a line, the columns of a sheet, objects of JSON. */

/** Marks that nobody sees, and that come along with what is pasted. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A text without what nobody sees, its letters composed, as the service keeps it. @param {string} text */
export const clean = (text) => text.replace(INVISIBLE, "").normalize("NFC").trim();

/** A name without the number that its line begins with. @param {string} cell */
export const unnumbered = (cell) => cell.replace(/^\d+\s*[.):]?\s+(?=.*\p{L})/u, "").trim();

/** The columns of a line of a sheet. @param {string} line */
export const cellsOf = (line) => line.split("\t").map((cell) => cell.trim());

/** The name in a line: of the columns of a sheet the first with a letter, without its number. @param {string} line */
const nameIn = (line) => {
  const cells = cellsOf(line);
  return unnumbered(cells.find((one) => /\p{L}/u.test(one)) ?? cells.find(Boolean) ?? "");
};

/** The lines with something in them; a single line without an object is parted by commas. @param {string} text */
const filledLines = (text) => {
  const lines = clean(text)
    .split(/\r?\n/)
    .filter((line) => line.trim());
  const [only = ""] = lines;
  return lines.length === 1 && !only.includes("{") ? only.split(/[,;]/) : lines;
};

/** The names of a side: one a line; in a single line parted by commas. @param {string} text */
export const namesIn = (text) => filledLines(text).map(nameIn).filter(Boolean);

/** What JSON says, if the text is JSON that begins like an array or an object. People leave a comma behind the last of a list. @param {string} text @returns {unknown} */
const parsed = (text) => {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    const without = text.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, name) => name ?? "");
    return without === text ? null : parsed(without);
  }
};

/** @param {unknown} found @returns {found is Record<string, unknown>} */
const isObject = (found) => typeof found === "object" && found !== null && !Array.isArray(found);

/**
 * The players of a list: objects of JSON, a whole array of them or one a line, and else the lines themselves.
 * @param {string} text @returns {(string | Record<string, unknown>)[]}
 */
export const entriesIn = (text) => {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.map((entry) => (isObject(entry) ? entry : String(entry)));
  return filledLines(text).map((line) => {
    const found = parsed(line.trim().replace(/,$/, ""));
    return isObject(found) ? found : line;
  });
};
