/** The wire between the pages and the service. What becomes of a request, the steps of a walk say beforehand. */

/**
 * What can become of a request. `lost`: taken, and its answer goes nowhere. `half`: its answer is cut. `refused`:
 * nobody has it, and the page hears so. `hole`: nobody has it, and the page hears nothing. `mute`: taken, and the
 * page hears nothing. `portal`: somebody else answers. `fails`: a 503. `slow`: it arrives late, when the page may
 * have tried again. `late`: taken at once, and answered late.
 */
export const LIES = ["lost", "half", "refused", "hole", "mute", "portal", "fails", "slow", "late"];
const TAKEN = ["through", "lost", "half", "mute", "slow", "late"];
/** How long a request is under way. */
const WAY = 10;
const ALIVE = 15_000;
/** How many requests of a page in one second are too many. */
const MOST_REQUESTS = 60;

export class Wire {
  /** What becomes of the next requests. @type {string[]} */
  fates = [];
  isCut = false;
  /** @type {Set<{push: (text: string) => void, fail: () => void}>} */
  streams = new Set();
  requests = 0;
  /** @type {Record<string, number>} */
  count = {};

  /** @param {import("./world.js").World} world @param {import("./service.js").Service} service */
  constructor(world, service) {
    Object.assign(this, { world, service });
    this.world = world;
    this.service = service;
    service.complains = (what) => world.fault(what);
    service.appended = ({ seq }) => this.tells(`id: ${seq}\nevent: ball\ndata: {}\n\n`);
    const alive = () => {
      this.tells(`event: alive\ndata: {"head":${service.head.seq},"store":true}\n\n`);
      world.later(alive, ALIVE);
    };
    alive();
  }

  /** @param {string} text */
  tells(text) {
    if (!this.isCut) for (const stream of this.streams) this.world.later(() => stream.push(text), WAY);
  }

  /** The line is cut. Streams break at once, or go silent and break later. @param {boolean} isHeard */
  cuts(isHeard) {
    this.isCut = true;
    if (isHeard) for (const stream of this.streams) stream.fail();
  }

  /** What `fetch` is in a page. @param {import("./page.js").Page} page */
  fetchOf(page) {
    return (/** @type {string} */ path, /** @type {any} */ init = {}) => {
      if (page.passes()) return new Promise(() => {});
      this.guards(page);
      const fate = this.isCut ? "refused" : (this.fates.shift() ?? "through");
      this.count[fate] = (this.count[fate] ?? 0) + 1;
      this.requests += 1;
      return new Promise((resolve, reject) => {
        const heard = (/** @type {() => void} */ run, ms = 2 * WAY) =>
          this.world.later(() => page.hears(run), ms);
        const fails = () => reject(new TypeError("Failed to fetch"));
        init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        if (path.includes("/events/stream"))
          return TAKEN.includes(fate)
            ? heard(() => resolve(this.stream(page, init.signal, path)))
            : heard(fails);
        if (fate === "refused") return heard(fails);
        if (fate === "portal")
          return heard(() => resolve(answer({ status: 200, type: "text/html", text: "<p>Hi" })));
        if (fate === "fails")
          return heard(() => resolve(answer({ status: 503, type: "application/json", text: "{}" })));
        if (fate === "hole") return;
        this.world.later(
          () => {
            const given = this.service.answersTo(
              init.method ?? "GET",
              path,
              init.headers ?? {},
              init.body ? JSON.parse(init.body) : null,
            );
            if (fate === "mute") return;
            const ms = fate === "late" ? 6000 : WAY;
            heard(() => (fate === "lost" ? fails() : resolve(answer(given, fate === "half"))), ms);
          },
          fate === "slow" ? 6000 : WAY,
        );
      });
    };
  }

  /** @param {import("./page.js").Page} page */
  guards(page) {
    page.asked = page.asked.filter((at) => at > this.world.now - 1000);
    page.asked.push(this.world.now);
    if (page.asked.length > MOST_REQUESTS) this.world.fault("a page asks again and again, and does not wait");
  }

  /** The answer of a stream of events, which never ends. @param {import("./page.js").Page} page @param {AbortSignal} signal @param {string} path */
  stream(page, signal, path) {
    const after = Number(/after=(\d+)/.exec(path)?.[1] ?? 0);
    /** @type {{resolve: (read: object) => void, reject: (error: Error) => void} | null} */
    let waits = null;
    let failed = false;
    let text = "";
    const gives = () => {
      if (failed) waits?.reject(new TypeError("network error"));
      else if (text) waits?.resolve({ done: false, value: new TextEncoder().encode(text) });
      if (waits && (failed || text)) [waits, text] = [null, ""];
    };
    const push = (/** @type {string} */ more) => page.hears(() => ((text += more), gives()));
    const fail = () => {
      this.streams.delete(stream);
      page.hears(() => ((failed = true), gives()));
    };
    const stream = { push, fail };
    this.streams.add(stream);
    signal.addEventListener("abort", fail);
    const missed = this.service.log.filter(({ seq }) => seq > after);
    text = missed.map(({ seq }) => `id: ${seq}\nevent: ball\ndata: {}\n\n`).join("");
    const read = () => new Promise((resolve, reject) => ((waits = { resolve, reject }), gives()));
    return {
      ok: true,
      headers: new Headers({ "Content-Type": "text/event-stream" }),
      body: { getReader: () => ({ read }) },
    };
  }
}

/** @param {{status: number, type: string, text: string}} given @param {boolean} [isCut] */
const answer = ({ status, type, text }, isCut = false) => {
  const whole = async () => {
    if (isCut) throw new TypeError("network error");
    return text;
  };
  return {
    ok: status < 300,
    status,
    headers: new Headers({ "Content-Type": type }),
    text: whole,
    json: async () => JSON.parse(await whole()),
  };
};
