/** What a reader hears: each sentence of a page once, in the one live region of the document. */

let last = "";
/** @type {unknown} The page that was heard last. */
let speaker = null;

/** What a page says; another page has nothing of the one before it. @param {string | null} words @param {unknown} page */
export const announce = (words, page) => {
  const region = document.querySelector("[data-announce]");
  if (!region) return;
  if (speaker !== page) [speaker, last, region.textContent] = [page, "", ""];
  // The same question is heard again once something else came between.
  if (words && words !== last) region.textContent = words;
  last = words ?? "";
};
