/** Which view an address shows. An address is a path; a link of the page changes it without a load. */
import { redraw } from "./owed.js";
import { board } from "./views/board.js";
import { card } from "./views/card.js";
import { home } from "./views/home.js";
import { fresh } from "./views/new.js";
import { pad } from "./views/pad.js";
import { padOrBoard } from "./views/match_page.js";
import { nowhere } from "./views/nowhere.js";

/** @typedef {{title: () => string, render: () => unknown, spoken?: () => string | null, mayLeave?: () => boolean}} View */
/** @typedef {(id: string, signal: AbortSignal) => View} Open */

/** @type {[RegExp, Open][]} */
const ROUTES = [
  [/^\/$/, (_, signal) => home(signal)],
  [/^\/new$/, (_, signal) => fresh(signal)],
  [/^\/m\/([^/]+)$/, padOrBoard],
  [/^\/m\/([^/]+)\/score$/, pad],
  [/^\/m\/([^/]+)\/board$/, board],
  [/^\/m\/([^/]+)\/card$/, card],
];

/** @type {{view: View, path: string, controller: AbortController} | null} */
let open = null;

/** The view that is shown. */
export const current = () => open?.view ?? null;

/** Opens the view of the address, unless it is open. */
export const route = () => {
  // The service takes an address with a slash behind it, too.
  const path = location.pathname.replace(/(.)\/$/, "$1");
  if (open?.path === path) return;
  open?.controller.abort();
  const controller = new AbortController();
  for (const [pattern, view] of ROUTES) {
    const found = pattern.exec(path);
    // An id is ASCII, and `decodeURIComponent` throws where an escape is none, as in `/m/%`.
    if (found) return show(view(unescape(found[1] ?? ""), controller.signal), path, controller);
  }
  show(nowhere(), path, controller);
};

/** @param {View} view @param {string} path @param {AbortController} controller */
const show = (view, path, controller) => {
  open = { view, path, controller };
  scrollTo(0, 0);
  redraw();
};

/** Follows a click on a link of the page. @param {MouseEvent} event */
export const followLink = (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || !ROUTES.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  route();
};
