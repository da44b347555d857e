/** The store of a browser, as one of its pages sees it. A page that is dead hears of nothing, and begins nothing. */

/** What answers nothing, whatever is asked of it. @type {any} */
const NOBODY = new Proxy(() => {}, { get: () => NOBODY, apply: () => NOBODY, set: () => true });

/** Whether something is a part of the store. @param {any} it */
const isPart = (it) => /^FDB/.test(it?.constructor?.name ?? "");

/** @param {any} factory What all pages of the browser share. @param {import("./page.js").Page} page */
export const storeOf = (factory, page) => {
  /** @param {any} part */
  const seen = (part) =>
    new Proxy(part, {
      get: (_, name) => {
        const member = part[name];
        if (typeof member === "function") return (/** @type {any[]} */ ...given) => called(part, name, given);
        return isPart(member) ? seen(member) : member;
      },
      set: (_, name, value) => {
        part[name] =
          typeof value === "function" ? (/** @type {any} */ event) => page.hears(() => value(event)) : value;
        return true;
      },
    });
  /** @param {any} part @param {string | symbol} name @param {any[]} given */
  const called = (part, name, given) => {
    const writes = name === "transaction" && given[1] === "readwrite";
    if (writes && page.world.now < page.browser.refusesUntil) throw new Error("QuotaExceededError");
    if (name === "transaction" && !writes && page.vain > 0) {
      page.vain -= 1;
      throw new Error("the store is not read");
    }
    if (name === "transaction" && page.lost.has(part)) throw new DOMException("lost", "InvalidStateError");
    if (name === "transaction" && page.passes()) return NOBODY;
    if (name === "transaction") page.connections.add(part);
    const answer = part[name](...given);
    if (name === "transaction") page.transactions.push(answer);
    return isPart(answer) ? seen(answer) : answer;
  };
  return seen(factory);
};

/** What the tabs of a browser tell each other. @param {import("./page.js").Page} page */
export const channelsOf = (page) =>
  class extends EventTarget {
    constructor() {
      super();
      page.browser.channels.add({ page, channel: this });
    }
    /** @param {unknown} data */
    postMessage(data) {
      for (const { page: other, channel } of page.browser.channels)
        if (channel !== this)
          page.world.tasks.push(() =>
            other.hears(() => channel.dispatchEvent(Object.assign(new Event("message"), { data }))),
          );
    }
  };
