/** What a reader hears: each sentence once, in the one live region of the page. */

let last = "";

/** @param {string | null} words */
export const announce = (words) => {
  const region = document.querySelector("[data-announce]");
  if (!region || !words || words === last) return;
  last = words;
  region.textContent = words;
};
