/**
 * What goes to the service: one entry after the other, each sent again until it is answered. An entry is in
 * the store before anybody sees it, and leaves it only with its answer.
 */
import * as api from "./service.js";
import * as db from "./db.js";
import { freshId } from "./must.js";
import { owe } from "./owed.js";
import { endedBy, pause } from "./signal.js";

const LONGEST_WAIT = 30_000;

/** @typedef {{path: string, body: any, key: string}} Step A request of an entry, with its own idempotency key. */

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} match
 * @property {number} n The place in the order of entries.
 * @property {string} title What it is, in a word: `FOUR`.
 * @property {Step[]} steps The requests that are still to be answered.
 * @property {string | null} head The head it was made on; null where that is the answer to the entry before.
 * @property {"held" | "queued" | "tried"} state
 * @property {import("./draft.js").Draft} draft What was typed, for Undo.
 * @property {import("./decide.js").Preview | null} preview
 * @property {string} at When it was made.
 */

/**
 * @typedef {object} Hooks
 * @property {() => string | undefined} token
 * @property {(entry: Entry, answer: any) => Promise<void>} answered
 * @property {(entry: Entry, error: api.Refused) => void} refused
 * @property {(seconds: number) => void} late No answer came; the next try is in so many seconds.
 * @property {() => void} drained All that was queued has its answer.
 * @property {() => void} changed
 */

/** @param {string} path @param {any} body @param {string} [key] @returns {Step} */
export const step = (path, body, key = freshId()) => ({ path, body, key });

export class Outbox {
  /** @type {Entry[]} The oldest first. */
  entries = [];
  isStopped = false;
  #isSending = false;
  #wake = () => {};

  /** @param {string} match @param {Hooks} hooks @param {AbortSignal} signal */
  constructor(match, hooks, signal) {
    this.match = match;
    this.hooks = hooks;
    this.signal = signal;
    const wake = () => document.visibilityState === "visible" && this.#wake();
    addEventListener("online", wake, { signal });
    document.addEventListener("visibilitychange", wake, { signal });
  }

  /** Reads what is kept. What is on its way from here stays as it is: only a held entry can change in another tab. */
  async load() {
    const rows = /** @type {Entry[]} */ (await db.all("entries"));
    const here = new Map(this.entries.filter(({ state }) => state !== "held").map((entry) => [entry.id, entry]));
    const all = rows.filter(({ match }) => match === this.match).map((row) => here.get(row.id) ?? row);
    this.entries = all.sort((one, other) => one.n - other.n);
  }

  get held() {
    return this.entries.find(({ state }) => state === "held") ?? null;
  }

  /** The newest entry without an answer. */
  get newest() {
    return this.entries[this.entries.length - 1] ?? null;
  }

  /** Writes an entry, and shows it only then. @param {Entry} entry */
  async add(entry) {
    entry.n = Math.max(Date.now(), (this.newest?.n ?? 0) + 1);
    await db.put("entries", entry);
    this.entries = [...this.entries.filter(({ id }) => id !== entry.id), entry];
    this.hooks.changed();
  }

  /** @param {Entry} entry @param {Partial<Entry>} change */
  async change(entry, change) {
    await db.put("entries", Object.assign(entry, change));
    this.hooks.changed();
  }

  /** @param {Entry} entry */
  async drop(entry) {
    await db.remove("entries", entry.id);
    this.entries = this.entries.filter(({ id }) => id !== entry.id);
    this.hooks.changed();
  }

  /** Tries at once, where a try was waiting. */
  wake() {
    this.#wake();
  }

  /** Sends what is not held, one at a time and in order. */
  async send() {
    if (this.#isSending) return;
    this.#isSending = true;
    let wait = 1000;
    for (let entry = this.#next(); entry && !this.signal.aborted; entry = this.#next()) {
      const went = await owe(this.#attempt(entry)).catch(() => false);
      if (went) wait = 1000;
      else if (!this.isStopped) {
        await this.#until(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
    this.#isSending = false;
    this.hooks.changed();
  }

  #next() {
    const first = this.entries[0];
    return !this.isStopped && first && first.state !== "held" ? first : null;
  }

  /** Sends the steps of an entry. Returns false where no answer came. @param {Entry} entry */
  async #attempt(entry) {
    try {
      // Another tab has taken it back, or has its answer.
      if (!(await db.get("entries", entry.id)) && !db.storageFault()) return await this.drop(entry), true;
      for (let [first] = entry.steps; first; [first] = entry.steps) {
        await this.change(entry, { state: "tried" });
        const { path, body, key } = first;
        const call = { body, key, token: this.hooks.token(), signal: this.signal };
        const answer = await api.send(path, entry.head ? { ...call, ifMatch: entry.head } : call);
        await this.change(entry, { steps: entry.steps.slice(1), head: answer.head.hash });
        if (entry.steps.length === 0) await this.#done(entry, answer);
      }
      return true;
    } catch (error) {
      if (!(error instanceof api.Refused) || error.isPassing) return false;
      this.isStopped = true;
      this.hooks.refused(entry, error);
      return true;
    }
  }

  /** The next entry was made on the answer to this one. @param {Entry} entry @param {any} answer */
  async #done(entry, answer) {
    const next = this.entries[1];
    if (next && next.head === null) await this.change(next, { head: answer.head.hash });
    await this.hooks.answered(entry, answer);
    await this.drop(entry);
    if (this.isIdle) this.hooks.drained();
  }

  /** Waits until the next try. @param {number} wait */
  async #until(wait) {
    this.hooks.late(wait / 1000);
    const waiting = endedBy(this.signal);
    const { done, wake } = pause(wait, waiting.signal);
    this.#wake = wake;
    await done;
    waiting.abort();
  }

  /** Resolves once nothing waits to be sent. A held entry does not wait. */
  get isIdle() {
    return this.entries.every(({ state }) => state === "held");
  }
}
