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
/** @type {Map<string, any>} What the browser has refused to keep. */
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
      for (const [store, keyPath] of SCHEMA.slice(oldVersion)) request.result.createObjectStore(store, { keyPath });
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older store"));
    request.onsuccess = () => {
      // A browser may close the connection; it is opened anew.
      request.result.onclose = () => (opened = undefined);
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  }));

/**
 * @template T
 * @param {Store} store @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
const transact = async (store, mode, act) => {
  const database = await open();
  return new Promise((resolve, reject) => {
    // `strict`: the disk has it, and not only the browser.
    const transaction = database.transaction(store, mode, { durability: "strict" });
    const request = act(transaction.objectStore(store));
    transaction.oncomplete = () => {
      if (mode === "readwrite") tabs.postMessage(store);
      resolve(request.result);
    };
    transaction.onabort = () => reject(transaction.error ?? request.error);
  });
};

/** @param {unknown} error */
const note = (error) => {
  fault = error instanceof Error ? error.message || error.name : String(error);
};

const keyOf = (/** @type {Store} */ store) => SCHEMA.find(([name]) => name === store)?.[1] ?? "id";
const inMemory = (/** @type {Store} */ store, /** @type {string} */ key) => `${store} ${key}`;

/** @param {Store} store @param {string} key @returns {Promise<any>} */
export const get = async (store, key) => {
  const kept = memory.get(inMemory(store, key));
  if (kept !== undefined) return kept;
  return transact(store, "readonly", (rows) => rows.get(key)).catch(note);
};

/** @param {Store} store @returns {Promise<any[]>} */
export const all = async (store) => {
  const stored = await transact(store, "readonly", (rows) => rows.getAll()).catch(note);
  const kept = [...memory].filter(([key]) => key.startsWith(`${store} `)).map(([, row]) => row);
  return [...(stored ?? []), ...kept];
};

/** @param {Store} store @param {any} row */
export const put = async (store, row) => {
  const key = inMemory(store, row[keyOf(store)]);
  try {
    await transact(store, "readwrite", (rows) => rows.put(row));
    memory.delete(key);
    fault = undefined;
  } catch (error) {
    note(error);
    memory.set(key, row);
  }
};

/** @param {Store} store @param {string} key */
export const remove = async (store, key) => {
  memory.delete(inMemory(store, key));
  await transact(store, "readwrite", (rows) => rows.delete(key)).catch(note);
};
