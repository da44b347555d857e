/** The pages: an address, the name that stands in its title until it is drawn, and what draws it. A page that is seldom seen is a script of its own. */

/**
 * What is shown at an address.
 * @typedef {object} View
 * @property {() => string} title
 * @property {() => unknown} render
 * @property {() => string | null} [spoken] What is spoken.
 * @property {() => boolean} [mayLeave] Whether nothing is lost by leaving.
 */

/** Opens the page of an address; `id` is the match in it. @typedef {(id: string, signal: AbortSignal) => View} Open */
/**
 * @typedef {object} Page
 * @property {string} path As the program has it.
 * @property {string} title
 * @property {() => Promise<Open>} load
 * @property {string[]} [ahead] The paths of the pages that are loaded once this one is idle.
 */

const play = () => import("./views/play.js");

/** @type {Page[]} */
export const PAGES = [
  { path: "/", title: "home.title", load: async () => (await play()).home },
  { path: "/new", title: "new", load: async () => (await import("./views/new.js")).fresh },
  { path: "/m/{id}", title: "match", load: async () => (await play()).padOrBoard },
  {
    path: "/m/{id}/score",
    title: "pad",
    load: async () => (await play()).pad,
    ahead: ["/m/{id}/board", "/m/{id}/card"],
  },
  { path: "/m/{id}/board", title: "board", load: async () => (await import("./views/board.js")).board },
  { path: "/m/{id}/card", title: "card", load: async () => (await import("./views/card.js")).card },
];

/** The page at a path, and the match in it. @param {string} path @returns {{page: Page, id: string} | null} */
export const pageAt = (path) => {
  for (const page of PAGES) {
    const found = new RegExp(`^${page.path.replace("{id}", "([^/]+)")}$`).exec(path);
    // An id is ASCII, and `decodeURIComponent` throws where an escape is none, as in `/m/%`.
    if (found) return { page, id: unescape(found[1] ?? "") };
  }
  return null;
};
