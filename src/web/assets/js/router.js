/** Which page an address shows. An address is a path; a link of the page changes it without a load. */
import { owe, owes, redraw } from "./owed.js";
import { pageAt } from "./pages.js";
import { isReady } from "./service.js";
import { after } from "./signal.js";
import { compareVersions } from "./version.js";
import { failed, nowhere, opening } from "./views/nowhere.js";

/** @typedef {import("./pages.js").View} View */
/** @typedef {import("./pages.js").Page} Page */

/** How long a page has been there before it counts as idle. */
const IDLE = 1000;
/** Calls when the browser has time; not every browser says when. @param {() => void} call */
const whenIdle = (call) => (globalThis.requestIdleCallback ?? setTimeout)(call);

/** `address`: the path with its query. @type {{view: View, address: string, controller: AbortController} | null} */
let open = null;

/** The view that is shown. */
export const current = () => open?.view ?? null;

/** Opens the page of the address, unless it is open. */
export const route = () => {
  // The service takes an address with a slash behind it, too.
  const path = location.pathname.replace(/(.)\/$/, "$1");
  // A link with a key opens its page anew, which takes the key out of the address.
  const address = path + location.search;
  if (open?.address === address && !/[#&]\w+=/.test(location.hash)) return;
  open?.controller.abort();
  const controller = new AbortController();
  const found = pageAt(path);
  show(found ? opening(found.page.title) : nowhere(), address, controller);
  if (found) void owe(start(found.page, found.id, address, controller));
};

/** Opens a page once its script is there. A script that does not come is asked for again when somebody says so. @param {Page} page @param {string} id @param {string} address @param {AbortController} controller */
const start = async (page, id, address, controller) => {
  /** @type {() => View} */
  const view = await page.load().then(
    (view) => () => view(id, controller.signal),
    () => {
      // The script of a version that is gone does not come again.
      void compareVersions();
      return () => failed(() => void owe(start(page, id, address, controller)));
    },
  );
  if (controller.signal.aborted) return;
  const shown = view();
  show(shown, address, controller);
  // The cache is one of addresses: one that a link has opened was not fetched yet, and opens in another tab then. To
  // fetch it in vain would throw away what the cache has.
  const fetched = async () => (await isReady(controller.signal)) && fetch(address, { cache: "reload" });
  fetchAhead([fetched, ...(page.ahead ?? []), ...(shown.ahead ?? [])], controller.signal);
};

/** Loads what a page can open once the page is idle, so that it opens without a connection. @param {(() => Promise<unknown>)[]} ahead @param {AbortSignal} signal */
const fetchAhead = (ahead, signal) => {
  const load = () => ahead.forEach((load) => void load().catch(() => {}));
  const look = () => after(IDLE, () => (owes() ? look() : whenIdle(load)), signal);
  look();
};

/** @param {View} view @param {string} address @param {AbortController} controller */
const show = (view, address, controller) => {
  open = { view, address, controller };
  scrollTo(0, 0);
  redraw();
};

/** Follows a click on a link of the page. @param {MouseEvent} event */
export const followLink = (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute("download"))
    return;
  if (link.origin !== location.origin || !pageAt(link.pathname)) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  route();
};
