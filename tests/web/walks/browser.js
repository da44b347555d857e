/** A browser: its store, its tabs, and the wire to the service. */
import { IDBFactory } from "fake-indexeddb";
import { Page } from "./page.js";
import { MATCH, TOKEN, Service } from "./service.js";
import { Wire } from "./wire.js";
import { World, numbers } from "./world.js";

export class Browser {
  world = new World();
  service = new Service();
  wire = new Wire(this.world, this.service);
  factory = new IDBFactory();
  /** @type {Set<{page: Page, channel: EventTarget}>} */
  channels = new Set();
  /** The tabs that are open, and live. @type {Page[]} */
  tabs = [];
  /** The store takes nothing before this time. */
  refusesUntil = 0;
  /** Called with each page that is opened. @type {(page: Page) => void} */
  opened = () => {};
  /** How many pages were opened. */
  pages = 0;
  /** Whether the transactions of a page that dies are stopped in their midst. */
  stops = false;

  /** @param {number} seed */
  constructor(seed) {
    this.draws = numbers(seed);
  }

  /** Puts the scorer's token into the store, and rows that an earlier version has left. @param {{entries?: any[], drafts?: any[]}} [rows] */
  async fills({ entries = [], drafts = [] } = {}) {
    const request = this.factory.open("third-umpire", 4);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of [
        ["entries", "id"],
        ["drafts", "match"],
        ["keys", "match"],
        ["settings", "name"],
      ])
        request.result.createObjectStore(String(store), { keyPath });
    };
    await this.world.settles();
    const transaction = request.result.transaction(["entries", "drafts", "keys"], "readwrite");
    transaction.objectStore("keys").put({ match: MATCH, scorer: TOKEN });
    for (const row of entries) transaction.objectStore("entries").put(row);
    for (const row of drafts) transaction.objectStore("drafts").put(row);
    await this.world.settles();
    request.result.close();
  }

  /** Opens a tab with the pad. */
  opens() {
    const page = new Page(this);
    this.pages += 1;
    this.tabs.push(page);
    this.opened(page);
    return page;
  }

  /** @param {Page} page */
  died(page) {
    this.tabs = this.tabs.filter((tab) => tab !== page);
    if (!this.stops) return;
    for (const transaction of page.transactions)
      try {
        transaction.abort();
      } catch {
        // It has ended.
      }
  }
}
