/** The pages: an address, the name that stands in its title until it is drawn, and what draws it. A page that is seldom seen is a script of its own. */
import { whole } from "./loading.js";
import { card } from "./views/scripts.js";

/**
 * What is shown at an address.
 * @typedef {object} View
 * @property {() => string} title
 * @property {() => unknown} render
 * @property {() => string | null} [spoken] What is spoken.
 * @property {(() => Promise<unknown>)[]} [ahead] What loads its parts that have scripts of their own.
 * @property {() => boolean} [mayLeave] Whether the page may be loaded anew by itself.
 * @property {() => boolean} [isBehind] Whether a press has not been taken yet, so that leaving would lose it.
 */

/** Opens the page of an address; `id` is the match in it. @typedef {(id: string, signal: AbortSignal) => View} Open */
/**
 * @typedef {object} Page
 * @property {string} path As the program has it.
 * @property {string} title
 * @property {() => Promise<Open>} load
 * @property {(() => Promise<unknown>)[]} [ahead] What loads the pages that it leads to, once it is idle.
 */

const home = () => whole(import("./views/home.js"), { sheet: "home", words: "home" });
const play = () => import("./views/play.js");
const fresh = () => whole(import("./views/new.js"), { sheet: "new", words: "new" });
const settings = async () => (await play()).settings();
const details = () => whole(import("./views/details.js"), { sheet: "details", words: "details" });
const board = () => whole(import("./views/board.js"), { sheet: "board", words: "board" });

/** @type {Page[]} */
export const PAGES = [
  { path: "/", title: "home.title", load: async () => (await home()).home, ahead: [play] },
  { path: "/new", title: "new", load: async () => (await fresh()).fresh },
  { path: "/settings", title: "settings", load: async () => (await settings()).settings },
  { path: "/board", title: "board", load: async () => (await board()).shortBoard },
  { path: "/m/{id}", title: "match", load: async () => (await play()).padOrBoard },
  {
    path: "/m/{id}/score",
    title: "pad",
    load: async () => (await play()).pad,
    ahead: [board, card, home, settings, details],
  },
  { path: "/m/{id}/board", title: "board", load: async () => (await board()).board },
  { path: "/m/{id}/card", title: "card", load: async () => (await card()).card },
  { path: "/m/{id}/details", title: "details", load: async () => (await details()).details },
  { path: "/m/{id}/ball/{n}", title: "match", load: async () => (await (await play()).ball()).delivery },
];

/** The page at a path, and the match in it. @param {string} path @returns {{page: Page, id: string} | null} */
export const pageAt = (path) => {
  for (const page of PAGES) {
    const found = new RegExp(`^${page.path.replace(/{\w+}/g, "([^/]+)")}$`).exec(path);
    // An id is ASCII, and `decodeURIComponent` throws where an escape is none, as in `/m/%`.
    if (found) return { page, id: unescape(found[1] ?? "") };
  }
  return null;
};
