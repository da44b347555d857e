// A page that dies. Once armed, it counts each moment at which a page could go away: before a request of the
// API or a transaction, and before the page hears of its end. The files that a pad fetches ahead are none. At
// the moment that is named the page is dead: nothing reaches the service or the store any more, and nothing
// is heard from them.
(() => {
  let moments = 0;
  let last = null;
  let isDead = false;
  // Whether a whole ball was shown when the page died.
  let hasShown = false;
  globalThis.moments = () => moments;
  globalThis.isDead = () => isDead;
  globalThis.hasShown = () => hasShown;
  globalThis.dieAt = (moment) => ([moments, last] = [0, moment]);
  const moment = () => {
    if (last === null) return isDead;
    moments += 1;
    if (!isDead && moments >= last)
      [isDead, hasShown] = [true, document.querySelector(".undo.solid") !== null];
    return isDead;
  };
  const never = () => new Promise(() => {});
  const { fetch } = globalThis;
  globalThis.fetch = async (path, how) => {
    const isCounted = String(path).startsWith("/v1/") && !path.includes("/stream");
    if (!isCounted) return isDead ? never() : fetch(path, how);
    const isAppend = how?.method === "POST" && !/(preview|dry_run=true)$/.test(path);
    if (isAppend && !new Headers(how.headers).has("If-Match")) console.error(`${path} goes without If-Match`);
    if (moment()) return never();
    const answer = await fetch(path, how);
    return moment() ? never() : answer;
  };
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, mode, how) {
    if (mode !== "readwrite") return transaction.call(this, stores, mode, how);
    if (moment()) throw new DOMException("the page is dead", "AbortError");
    const begun = transaction.call(this, stores, mode, how);
    begun.addEventListener("complete", (event) => moment() && event.stopImmediatePropagation());
    return begun;
  };
})();
