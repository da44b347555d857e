/**
 * What survives a reload: IndexedDB. Written means that the transaction is done. Where the browser keeps
 * nothing, the page goes on with its memory, and `storageFault` says why.
 */
import { listen } from "./signal.js";

/** The stores, each with the key of its rows. The list only grows: a place in it is a version. */
const SCHEMA = /** @type {const} */ ([
  ["entries", "id"],
  ["drafts", "match"],
  ["keys", "match"],
  ["settings", "name"],
]);
const NAME = "third-umpire";

/** @typedef {(typeof SCHEMA)[number][0]} Store */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;
/** @type {string | undefined} */
let fault;
/** Why nothing that it keeps comes back, once that is known. @type {string | undefined} */
let lost;
/**
 * The rows of each store.
 * @typedef {object} Rows
 * @property {import("./outbox.js").Entry} entries
 * @property {import("./draft.js").Draft} drafts
 * @property {import("./keys.js").Key} keys
 * @property {{name: string, value: unknown}} settings
 */
/** What the browser has refused to keep. @type {Map<string, unknown>} */
const memory = new Map();

/** What the tabs of this browser tell each other: that a store has changed. */
const tabs = new BroadcastChannel("third-umpire");

/** Calls when another tab has written. @param {() => void} wrote @param {AbortSignal} signal */
export const otherTabs = (wrote, signal) => listen(tabs, "message", wrote, signal);

/** Why the browser keeps nothing, if it does not. */
export const storageFault = () => fault;

const open = () =>
  (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, SCHEMA.length);
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const [store, keyPath] of SCHEMA.slice(oldVersion))
        request.result.createObjectStore(store, { keyPath });
    };
    // A store that did not open is opened anew the next time.
    const fail = (/** @type {unknown} */ error) => {
      opened = undefined;
      reject(error);
    };
    request.onerror = () => fail(request.error);
    request.onblocked = () => fail(new Error("another tab holds an older store"));
    request.onsuccess = () => {
      // A browser may close the connection; it is opened anew.
      request.result.onclose = () => (opened = undefined);
      request.result.onversionchange = () => {
        opened = undefined;
        request.result.close();
      };
      resolve(request.result);
    };
  }));

/** What a browser says of a connection that it has lost, mostly without closing it. */
const LOST = new Set(["InvalidStateError", "UnknownError"]);

/**
 * Runs one transaction: all that it writes is on the disk when the promise resolves, or nothing of it. `act`
 * makes the requests, and may make more where one is answered; it waits for nothing else, and runs again on another
 * connection where the first one was lost. `fail` ends it unwritten.
 * @template T
 * @param {Store[]} stores @param {IDBTransactionMode} mode
 * @param {(rows: (store: Store) => IDBObjectStore, fail: (error: unknown) => void) => () => T} act Returns what reads the result at the end.
 * @returns {Promise<T>}
 */
export const transact = async (stores, mode, act) => {
  const opening = open();
  const database = await opening;
  return transactOn(database, stores, mode, act).catch(async (error) => {
    if (!LOST.has(error?.name)) throw error;
    if (opened === opening) opened = undefined;
    database.close();
    return transactOn(await open(), stores, mode, act);
  });
};

/**
 * @template T
 * @param {IDBDatabase} database @param {Store[]} stores @param {IDBTransactionMode} mode
 * @param {(rows: (store: Store) => IDBObjectStore, fail: (error: unknown) => void) => () => T} act
 * @returns {Promise<T>}
 */
const transactOn = (database, stores, mode, act) =>
  new Promise((resolve, reject) => {
    // `strict`: the disk has it, and not only the browser.
    const transaction = database.transaction(stores, mode, { durability: "strict" });
    /** @type {() => T} */
    let result;
    transaction.oncomplete = () => {
      if (mode === "readwrite") stores.forEach((store) => tabs.postMessage(store));
      resolve(result());
    };
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser has stopped a write"));
    const fail = (/** @type {unknown} */ error) => {
      transaction.abort();
      reject(error);
    };
    try {
      result = act((store) => transaction.objectStore(store), fail);
    } catch (error) {
      fail(error);
    }
  });

/** A transaction of one request. @template T @param {Store} store @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest<T>} act */
const ask = (store, mode, act) =>
  transact([store], mode, (rows) => {
    const request = act(rows(store));
    return () => request.result;
  });

/** Notes why the browser keeps nothing; without a reason it keeps what it is given. @param {unknown} [error] */
export const note = (error) => {
  const why = error instanceof Error ? error.message || error.name : String(error);
  fault = lost ?? (error === undefined ? undefined : why);
};

/** The key of a row. @param {Store} store @param {Rows[Store]} row */
const keyIn = (store, row) => {
  const key = SCHEMA.find(([name]) => name === store)?.[1] ?? "id";
  return /** @type {Record<string, string>} */ (/** @type {unknown} */ (row))[key] ?? "";
};
const inMemory = (/** @type {Store} */ store, /** @type {string} */ key) => `${store} ${key}`;

/** @template {Store} S @param {S} store @param {string} key @returns {Promise<Rows[S] | undefined>} */
export const get = async (store, key) => {
  const kept = memory.get(inMemory(store, key));
  if (kept !== undefined) return /** @type {Rows[typeof store]} */ (kept);
  return ask(store, "readonly", (rows) => rows.get(key)).catch(note);
};

/** @template {Store} S @param {S} store @returns {Promise<Rows[S][]>} */
export const all = async (store) => {
  /** @type {Rows[typeof store][]} */
  const stored = (await ask(store, "readonly", (rows) => rows.getAll()).catch(note)) ?? [];
  const kept = [...memory].filter(([key]) => key.startsWith(`${store} `));
  const left = stored.filter((row) => !memory.has(inMemory(store, keyIn(store, row))));
  return [...left, ...kept.map(([, row]) => /** @type {Rows[typeof store]} */ (row))];
};

/** @param {Store} store @param {string} key */
export const drop = async (store, key) => {
  memory.delete(inMemory(store, key));
  await ask(store, "readwrite", (rows) => rows.delete(key)).catch(note);
};

/** @template {Store} S @param {S} store @param {Rows[S]} row */
export const put = async (store, row) => {
  const key = inMemory(store, keyIn(store, row));
  try {
    await ask(store, "readwrite", (rows) => rows.put(row));
    memory.delete(key);
    note();
  } catch (error) {
    note(error);
    memory.set(key, row);
  }
  if (lost) memory.set(key, row);
};

/** What came of trying whether anything lasts. @type {Promise<boolean> | undefined} */
let tried;

/** Whether the browser gives back what it was given. It is tried once; where it does not, this page remembers instead. */
export const lasts = () => (tried ??= triesToLast());

const triesToLast = async () => {
  const row = { name: "lasts", value: Date.now() };
  await put("settings", row);
  const read = await ask("settings", "readonly", (rows) => rows.get(row.name)).catch(() => null);
  if (read?.value === row.value) return true;
  lost = "nothing lasts";
  note();
  return false;
};
