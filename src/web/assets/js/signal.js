/** How things end and wait: by an `AbortSignal`. */

/** A controller that ends with any of the signals. `AbortSignal.any` is newer than our browsers. @param {AbortSignal[]} signals */
export const endedBy = (...signals) => {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener("abort", () => controller.abort(signal.reason), {
      once: true,
      signal: controller.signal,
    });
  }
  return controller;
};

/** @param {EventTarget} target @param {string} type @param {(event: Event) => void} listener @param {AbortSignal} signal */
export const listen = (target, type, listener, signal) => target.addEventListener(type, listener, { signal });

/** Calls after a time, unless the signal ends before. @param {number} ms @param {() => void} call @param {AbortSignal} signal */
export const after = (ms, call, signal) => {
  if (signal.aborted) return;
  const stop = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", stop);
    call();
  }, ms);
  signal.addEventListener("abort", stop, { once: true });
};

/** Waits for a time, or until the waker is called. @param {number} ms @param {AbortSignal} signal @returns {{done: Promise<void>, wake: () => void}} */
export const pause = (ms, signal) => {
  let wake = () => {};
  const done = new Promise((/** @type {(value: void) => void} */ resolve) => {
    wake = () => resolve();
    after(ms, wake, signal);
    if (signal.aborted) wake();
    signal.addEventListener("abort", wake, { once: true });
  });
  return { done, wake };
};
