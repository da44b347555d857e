/** A page in a browser: the modules that the real page loads, over stand-ins for what a browser gives them. */
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { channelsOf, storeOf } from "./store.js";
import { MATCH } from "./service.js";

const FOLDER = new URL("../../../src/web/assets/js/", import.meta.url);
/** What the modules take from a browser. */
const GLOBALS = [
  ..."window document indexedDB BroadcastChannel fetch setTimeout clearTimeout Date Math crypto".split(" "),
  ..."addEventListener requestAnimationFrame location history matchMedia".split(" "),
];
/** The modules that begin what a pad does. */
const STARTS = [
  "scoring.js",
  "sending.js",
  "match.js",
  "owed.js",
  "keys.js",
  "db.js",
  "draft.js",
  "kinds.js",
  "sha256.js",
  "must.js",
  "creating.js",
  "handover.js",
  "books.js",
  "stopping.js",
];
const FRAME = 16;

/** A module and all that it needs, before it. @param {string} name @param {Map<string, any>} found */
const placed = (name, found) => {
  if (found.has(name)) return;
  const text = readFileSync(new URL(name, FOLDER), "utf8");
  const taken = [...text.matchAll(/^import ([^;]*?) from "(\.[^"]+)";/gms)].map(([, names, path]) => {
    const from = new URL(String(path), new URL(name, FOLDER)).href.slice(FOLDER.href.length);
    return { names, from };
  });
  for (const { from } of taken) placed(from, found);
  const imports = taken.map(({ names, from }) => `const ${names?.replace("* as ", "")} = $["${from}"];`);
  const exported = [...text.matchAll(/^export (?:const|class|function|async function) (\w+)/gm)].map(
    ([, own]) => own,
  );
  const body = text
    .replace(/^import [^;]*;$/gms, "")
    .replace(/^export /gm, "")
    .replace(/\bimport\("\.\/([^"]+)"\)/g, (_, path) => `Promise.resolve($["${path}"])`)
    .replaceAll("import.meta.url", '"file:///"');
  const code = `"use strict";${imports.join("")}${body}\nreturn { ${exported.join(", ")} };`;
  found.set(name, compileFunction(code, ["$", ...GLOBALS], { filename: new URL(name, FOLDER).pathname }));
};
/** The modules in the order in which they need each other. @type {Map<string, any>} */
const MODULES = new Map();
for (const name of STARTS) placed(name, MODULES);

export class Page {
  isDead = false;
  /** After how many more moments it dies. A moment is whatever it begins, or hears of. */
  diesAfter = Number.POSITIVE_INFINITY;
  /** The transactions that it has begun. @type {any[]} */
  transactions = [];
  /** The connections to the store that it has, and those of them that are lost without a word. @type {Set<any>} */
  connections = new Set();
  /** @type {Set<any>} */
  lost = new Set();
  /** How many of the next reads of the store fail. */
  vain = 0;
  /** When it has asked the service. @type {number[]} */
  asked = [];
  /** What stands on the screen. @type {any} */
  screen = null;
  /** Called with each frame. @type {(screen: any) => void} */
  drew = () => {};
  visibility = "visible";
  /** How many wishes that take something away wait for their turn: it may be what any tab has typed meanwhile. */
  taking = 0;

  /** @param {import("./browser.js").Browser} browser */
  constructor(browser) {
    this.browser = browser;
    this.world = browser.world;
    const document = Object.assign(new EventTarget(), { documentElement: { toggleAttribute: () => {} } });
    Object.defineProperty(document, "visibilityState", { get: () => this.visibility });
    Object.defineProperty(document, "hidden", { get: () => this.visibility !== "visible" });
    const window = new EventTarget();
    Object.assign(this, { document, window });
    this.document = document;
    this.window = window;
    const given = this.#globals();
    /** @type {Record<string, any>} */
    const $ = {};
    for (const [name, make] of MODULES) $[name] = make($, ...GLOBALS.map((global) => given[global]));
    this.modules = $;
    $["owed.js"].drawnBy(() => this.#draws());
    void $["db.js"].all("entries").then($["sending.js"].sendKept);
    this.enters();
  }

  /** @returns {Record<string, any>} */
  #globals() {
    const { world, browser, window, document } = this;
    const { draws } = browser;
    class Clock extends Date {
      /** @param {any[]} given */
      constructor(...given) {
        super(...(given.length > 0 ? given : [world.now]));
      }
      static now() {
        return world.now;
      }
    }
    const setTimeout = (/** @type {() => void} */ run, ms = 0) => world.later(() => this.hears(run), ms);
    return {
      window,
      document,
      indexedDB: storeOf(browser.factory, this),
      BroadcastChannel: channelsOf(this),
      fetch: browser.wire.fetchOf(this),
      setTimeout,
      clearTimeout: (/** @type {number} */ id) => world.timers.delete(id),
      Date: Clock,
      Math: Object.assign(Object.create(Math), { random: draws.next }),
      crypto: { getRandomValues: (/** @type {Uint8Array} */ bytes) => bytes.map(() => draws.below(256)) },
      addEventListener: window.addEventListener.bind(window),
      requestAnimationFrame: (/** @type {() => void} */ draw) => setTimeout(draw, FRAME),
      location: { pathname: `/m/${MATCH}/score`, hash: "" },
      history: { replaceState: () => {} },
      matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
    };
  }

  /** Opens the pad. */
  enters() {
    this.leaving = new AbortController();
    this.match = this.modules["match.js"].matchOf(MATCH, this.leaving.signal);
    this.modules["scoring.js"]
      .open(this.match)
      .catch((/** @type {Error} */ error) => this.world.fault(`${error.stack}`));
  }

  /** Goes to another page of the same program. */
  leaves() {
    this.leaving?.abort();
    this.screen = null;
  }

  /** @param {string} visibility */
  turns(visibility) {
    if (this.visibility === visibility) return;
    this.visibility = visibility;
    this.document?.dispatchEvent(new Event("visibilitychange"));
  }

  /** Passes a moment at which it may die; returns whether it is dead. */
  passes() {
    this.diesAfter -= 1;
    if (this.diesAfter < 0) this.dies();
    return this.isDead;
  }

  /** @param {() => void} what */
  hears(what) {
    if (!this.passes()) what();
  }

  /** Ends at once: what it waits for never comes. */
  dies() {
    if (this.isDead) return;
    this.isDead = true;
    for (const each of this.browser.channels) if (each.page === this) this.browser.channels.delete(each);
    this.browser.died(this);
  }

  /** What the next frame shows. */
  sees() {
    return screenOf(this.modules, this.match);
  }

  #draws() {
    if (this.isDead || this.leaving?.signal.aborted || !this.match) return;
    this.screen = this.sees();
    this.drew(this.screen);
  }
}

/** What a person sees, and what each key would do. @param {Record<string, any>} $ @param {any} match */
const screenOf = ($, match) => {
  const { draftOf, questionOf, requestsOf, undoable, cellsOf } = $["match.js"];
  const { asked } = $["draft.js"];
  const { alternatives } = $["kinds.js"];
  const { queue, token } = match;
  const dice = (/** @type {any} */ { answers }) => answers.map((/** @type {any} */ { value }) => value);
  const requests = (token && !queue.stop && requestsOf(match)) || [];
  const ways = alternatives(requests);
  const ask = ways.length > 0 ? null : asked(requests)?.ask;
  const range = ask ? Array.from({ length: 6 }, (_, place) => Number(ask.minimum ?? 1) + place) : [];
  const draft = draftOf(match);
  return {
    isLoaded: match.known !== "loading",
    question: questionOf(match),
    keys: ask?.options?.length ? ask.options.map((/** @type {any} */ { value }) => value) : range,
    ways,
    cells: cellsOf(match),
    undo: undoable(match),
    entries: queue.entries.map((/** @type {any} */ entry) => ({
      id: entry.id,
      key: entry.steps.at(-1)?.key ?? entry.id,
      state: entry.state,
      dice: dice(entry.draft),
    })),
    /** What the oldest of them asks for. */
    body: queue.entries[0]?.steps.at(-1)?.body ?? null,
    draft: { id: draft.id, dice: dice(draft), request: draft.request?.operation ?? null },
    seq: match.view?.head.seq ?? 0,
    stop: queue.stop && {
      id: queue.stop.entry.id,
      status: queue.stop.error?.status ?? null,
      isForgotten: queue.stop.isForgotten ?? false,
      theirs: queue.stop.theirs?.text ?? null,
    },
    isFresh: match.isFresh,
    said: match.said,
    stranger: match.stranger?.text ?? null,
    fault: $["db.js"].storageFault() ?? null,
  };
};
