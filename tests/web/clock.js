// A clock that stands still until a test moves it on. It is there before the page's own scripts.
(() => {
  let now = 1_800_000_000_000;
  let last = 0;
  const due = new Map();
  const at = (call, ms, every) => {
    last += 1;
    due.set(last, { call, at: now + Math.max(0, ms ?? 0), every });
    return last;
  };
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length > 0) super(...given);
      else super(now);
    }
    static now() {
      return now;
    }
  };
  // The driver waits in the page as well, by short timers. Those of the page are longer.
  const SHORT = 250;
  const { setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
  globalThis.setTimeout = (call, ms = 0, ...given) =>
    ms < SHORT ? -realTimeout(call, ms, ...given) : at(call, ms, null);
  globalThis.setInterval = (call, ms) => at(call, ms, ms);
  globalThis.clearTimeout = globalThis.clearInterval = (id) => (id < 0 ? realClear(-id) : due.delete(id));
  // As on a phone that sleeps: the time passes, and no timer is due before it wakes.
  globalThis.sleepClock = (ms) => (now += ms);
  globalThis.moveClock = (ms) => {
    const until = now + ms;
    for (;;) {
      const [id, next] =
        [...due].filter(([, timer]) => timer.at <= until).sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (!next) break;
      now = next.at;
      if (next.every === null) due.delete(id);
      else next.at += next.every;
      next.call();
    }
    now = until;
  };
})();
