/**
 * A world for pages: a clock that stands until it is moved on, and tasks that are done one at a time. Nothing in
 * it is left to chance or to the machine, so that a walk goes the same way each time.
 */

/** Numbers from a seed. @param {number} seed */
export const numbers = (seed) => {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  return { next, below, of: (/** @type {any[]} */ list) => list[below(list.length)] };
};

const START = 1_800_000_000_000;
/** How many tasks may follow each other while the clock stands: more is a loop that waits for nothing. */
const MOST_TASKS = 4000;

const { setImmediate: nextTurn } = globalThis;
/** All promises go on as far as they can. */
const promises = () => new Promise((resolve) => nextTurn(resolve));

/** What is wrong in a walk. */
export class Fault extends Error {}

/** @type {World | null} */
let current = null;
// The stand-in for IndexedDB asks for its turns by this.
globalThis.setImmediate = /** @type {any} */ ((/** @type {() => void} */ run) => current?.disk.push(run));

export class World {
  now = START;
  /** What is to be done at once. @type {(() => void)[]} */
  tasks = [];
  /** What the disk is to do. @type {(() => void)[]} */
  disk = [];
  /** The disk does nothing before this time. */
  diskUntil = 0;
  /** What is due later. @type {Map<number, {run: () => void, at: number}>} */
  timers = new Map();
  /** @type {string[]} */
  faults = [];
  #last = 0;

  constructor() {
    current = this;
  }

  /** @param {() => void} run @param {number} ms */
  later(run, ms) {
    this.#last += 1;
    this.timers.set(this.#last, { run, at: this.now + Math.max(0, ms) });
    return this.#last;
  }

  /** Notes what is wrong; the walk ends with it. @param {string} what */
  fault(what) {
    this.faults.push(what);
  }

  /** Does what can be done while the clock stands. */
  async settles() {
    await promises();
    for (let count = 0; ; count += 1) {
      const task = this.tasks.shift() ?? (this.now >= this.diskUntil ? this.disk.shift() : undefined);
      if (!task) break;
      task();
      await promises();
      if (count > MOST_TASKS) this.fault("something goes round and round, and waits for nothing");
      if (this.faults.length > 0) throw new Fault(this.faults[0]);
    }
    if (this.faults.length > 0) throw new Fault(this.faults[0]);
  }

  /** Moves the clock on. @param {number} ms */
  async moves(ms) {
    const until = this.now + ms;
    await this.settles();
    for (;;) {
      const next = [...this.timers].reduce(
        (first, timer) => (timer[1].at < (first?.[1].at ?? until + 1) ? timer : first),
        /** @type {[number, {run: () => void, at: number}] | null} */ (null),
      );
      const wakes = this.diskUntil > this.now && this.diskUntil <= (next?.[1].at ?? until);
      if (!next && !wakes) break;
      this.now = wakes ? this.diskUntil : next[1].at;
      if (!wakes) {
        this.timers.delete(next[0]);
        next[1].run();
      }
      await this.settles();
    }
    this.now = until;
  }
}
