/**
 * The events of a match as they are appended. The stream is read by `fetch` and watched: a connection that
 * has ended looks open, so 40 s without a sign make it stale.
 */
import { ofMatch } from "./service.js";
import { endedBy, listen, pause } from "./signal.js";

/** How long a stream may say nothing. The service gives a sign every 15 s. */
const SILENCE = 40_000;
/** A television, which nobody touches, is right again soon after a service that was started anew. */
const LONGEST_WAIT = 8000;
/** How long it may have said nothing when a phone wakes up. */
const ASLEEP = 20_000;

/**
 * @typedef {object} Follower
 * @property {() => number} after The last event that is known.
 * @property {(seq: number | null, kind?: string) => void} happened The event with this number and of this kind was appended; null where the log was put back.
 * @property {(isFresh: boolean) => void} fresh Whether what is shown is what the service has.
 */

/** @type {() => void} */
let back = () => {};
/** Calls when a stream that had ended is open again: whoever started the service may have started another version. @param {() => void} call */
export const whenBack = (call) => {
  back = call;
};

/** Follows a match until the signal ends it. @param {string} id @param {Follower} follower @param {AbortSignal} signal */
export const streamOf = async (id, follower, signal) => {
  let isWoken = false;
  let wake = () => {};
  const look = () => {
    if (document.hidden) return;
    isWoken = true;
    wake();
  };
  listen(window, "online", look, signal);
  listen(document, "visibilitychange", look, signal);
  for (
    let wait = 1000, isAgain = false;
    !signal.aborted;
    wait = Math.min(2 * wait, LONGEST_WAIT), isAgain = true
  ) {
    isWoken = false;
    const connection = endedBy(signal);
    const watchdog = watch(
      () => connection.abort(),
      () => follower.happened(null),
    );
    wake = watchdog.wake;
    if (await once(id, follower, isAgain, connection, watchdog).catch(() => false)) wait = 1000;
    if (signal.aborted) return;
    follower.fresh(false);
    const waiting = pause(isWoken ? 0 : wait * (0.8 + 0.2 * Math.random()), signal);
    wake = waiting.wake;
    await waiting.done;
  }
};

/** Reads one connection to its end. @param {string} id @param {Follower} follower @param {boolean} isAgain @param {AbortController} connection @param {ReturnType<typeof watch>} watchdog */
const once = async (id, follower, isAgain, connection, watchdog) => {
  try {
    const path = ofMatch(id, `/events/stream?after=${follower.after()}`);
    const answer = await fetch(path, { signal: connection.signal, cache: "no-store" });
    const isStream = /event-stream/.test(answer.headers.get("Content-Type") ?? "");
    if (!answer.ok || !answer.body || !isStream) return false;
    follower.fresh(true);
    if (isAgain) back();
    await lines(answer.body, (message) => take(message, follower), watchdog.sign);
    return true;
  } finally {
    watchdog.end();
    connection.abort();
  }
};

/** @param {() => void} bark @param {() => void} look */
const watch = (bark, look) => {
  let timer = setTimeout(bark, SILENCE);
  let last = Date.now();
  // A phone that slept has no timers, its connection may be dead, and its clock may have been put right.
  const wake = () => (Math.abs(Date.now() - last) > ASLEEP ? bark() : look());
  const end = () => clearTimeout(timer);
  const sign = () => {
    clearTimeout(timer);
    last = Date.now();
    timer = setTimeout(bark, SILENCE);
  };
  return { sign, end, wake };
};

/** @param {ReadableStream<Uint8Array>} body @param {(message: string) => void} message @param {() => void} sign */
const lines = async (body, message, sign) => {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    sign();
    const messages = (text + decoder.decode(value, { stream: true })).split("\n\n");
    text = messages.pop() ?? "";
    messages.forEach(message);
  }
};

/** @param {string} message @param {Follower} follower */
const take = (message, follower) => {
  const field = (/** @type {string} */ name) => new RegExp(`^${name}: ?(.*)$`, "m").exec(message)?.[1];
  const data = field("data");
  const type = field("event") ?? (data ? "message" : "comment");
  const { kind, head, store } = JSON.parse(data ?? "{}");
  // `alive` says whether the store answers: a service without it repeats old news. It has the head as well, since a
  // store that was put back may have grown again before the stream has noticed.
  if (type === "alive") {
    follower.fresh(store);
    follower.happened(head);
  } else if (type !== "comment")
    follower.happened(type === "reset" ? null : Number(field("id") ?? Number.NaN), kind);
};
