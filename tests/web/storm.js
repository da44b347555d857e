// What a storm reads off a page: the screen as a person sees it, and the rows that the browser keeps.
(() => {
  const words = (selector) => document.querySelector(selector)?.innerText.replace(/\s+/g, " ").trim() ?? null;
  globalThis.screenNow = () => ({
    question: words("#question"),
    dice: [...document.querySelectorAll(".ask .dice [aria-label]")].map((die) =>
      Number(die.getAttribute("aria-label")),
    ),
    held: document.querySelector(".ask.held") !== null,
    keys: [...document.querySelectorAll("[data-die]:not([aria-disabled])")].map(({ dataset }) =>
      Number(dataset.die),
    ),
    undo: words("[data-action='undo']"),
    solid: document.querySelector(".undo.solid") !== null,
    sync: document.querySelector(".sync")?.dataset.sync ?? null,
    said: words("[data-said]"),
    score: words("h1"),
    // A dead page that goes on by its memory shows what nobody sees.
    dead: globalThis.isDead?.() ?? false,
    settled: document.documentElement.hasAttribute("data-settled"),
  });
  const STORES = ["entries", "drafts", "keys"];
  // All rows of one moment.
  const rows = (database) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORES);
      const requests = STORES.map((store) => transaction.objectStore(store).getAll());
      transaction.oncomplete = () =>
        resolve(Object.fromEntries(STORES.map((store, place) => [store, requests[place].result])));
      transaction.onabort = () => reject(transaction.error);
    });
  const opened = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open("third-umpire");
      // The page makes the stores, and nobody else.
      request.onupgradeneeded = () => request.transaction.abort();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  // The rows as they stand in the store, which is there once a page has opened it.
  globalThis.storedNow = async () => {
    const database = await opened();
    const stored = await rows(database);
    database.close();
    return stored;
  };
  globalThis.rowsNow = async () => {
    const { entries, drafts } = await storedNow();
    const faces = ({ answers }) => answers.map(({ value }) => value);
    return {
      entries: entries.map(({ id, n, state, head, steps, draft }) => ({
        id,
        n,
        state,
        head,
        steps: steps.length,
        dice: faces(draft),
      })),
      drafts: drafts.map(({ id, head, ...draft }) => ({ id, head, dice: faces(draft) })),
    };
  };
})();
