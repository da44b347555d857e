/** The page's own words, by key. The titles and sentences of a game come from the API. */

/** @type {Record<string, string>} */
let words = {};

/** Adds the words of a file. @param {URL} address */
export const loadWords = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address.pathname} has not come`);
  const more = await answer.json();
  // Others may have come meanwhile.
  words = { ...words, ...more };
};

/** A sentence in which names from right to left keep what stands beside them in its order. @param {string} text */
export const ordered = (text) =>
  text.replace(/[\u0590-\u08ff]+(?:[ '-][\u0590-\u08ff]+)*/g, "\u2068$&\u2069");

/** The words of a key, with the values of its names filled in. @param {string} key @param {Record<string, string | number>} [values] */
export const t = (key, values = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? ordered(String(values[name])) : whole,
  );

/** It is slow to make. */
const plural = new Intl.PluralRules("en");

/** The words of a key for a number: `key.one` or `key.other`. @param {string} key @param {number} n @param {Record<string, string | number>} [values] */
export const counted = (key, n, values = {}) => t(`${key}.${plural.select(n)}`, { n, ...values });
