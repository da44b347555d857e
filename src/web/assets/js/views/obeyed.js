/** Which rules of a sheet a document obeys. Our sheets are flat: rules, and rules in `@media`. */

/** The rules of a sheet, and the blocks of `@media` with theirs. @param {string} sheet */
const rulesIn = (sheet) => {
  const rules = [];
  let [begin, opened, depth] = [0, 0, 0];
  for (const { 0: brace, index } of sheet.matchAll(/[{}]/g)) {
    if (brace === "{" && depth++ === 0) opened = index;
    if (brace === "}" && --depth === 0) {
      rules.push({ head: sheet.slice(begin, opened).trim(), body: sheet.slice(opened + 1, index) });
      begin = index + 1;
    }
  }
  return rules;
};

/** What an element is not asked for: its own parts, and what a person does to it. */
const PASSING = /::[\w-]+|:(?:focus-visible|focus|active|hover|target)\b/g;

/** Whether an element is what a rule is for. @param {string} selectors @param {ParentNode} page */
const isObeyed = (selectors, page) => {
  try {
    // The root of a page that stands in no document is none to a selector.
    return page.querySelector(selectors.replace(PASSING, "").replaceAll(":root", "html")) !== null;
  } catch {
    // Nothing was left of a selector, so it is for any element.
    return true;
  }
};

/** A sheet without the rules that are for nothing in a document, and without what moves. @param {string} sheet @param {ParentNode} page @returns {string} */
export const obeyed = (sheet, page) =>
  rulesIn(sheet)
    .map(({ head, body }) => {
      if (head.startsWith("@keyframes")) return "";
      const inside = head.startsWith("@media") ? obeyed(body, page) : isObeyed(head, page) ? body.trim() : "";
      return inside ? `${head} {\n${inside}\n}\n` : "";
    })
    .join("");
