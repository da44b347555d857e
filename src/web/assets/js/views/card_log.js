/** The log of a match as a part of a file: its bytes in a link, unless they are too many. */
import { owe } from "../owed.js";
import { NoAnswer } from "../service.js";

/** `href`: the log as a link; null where it is too long. `size`: its bytes, as far as they were read. @typedef {{ href: string | null, size: number }} Log */

/** How long it may take until more bytes come. */
const PATIENCE = 15_000;

/** A signal that also ends what waits too long: each call waits anew. @param {AbortSignal} signal */
const impatient = (signal) => {
  const patience = new AbortController();
  const stop = () => patience.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(stop, PATIENCE);
  return {
    signal: patience.signal,
    waits: () => {
      clearTimeout(timer);
      timer = setTimeout(stop, PATIENCE);
    },
    ends: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
};

/** Reads up to a number of bytes; one more says that there are more. @param {Response} answer @param {number} most @param {() => void} waits */
const bytesOf = async (answer, most, waits) => {
  const reader = answer.body?.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return { parts, size };
    waits();
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader?.cancel();
      return { parts, size };
    }
  }
};

/** The lines of a log up to an event. A line of the edition comes before them. @param {string} text @param {number} seq */
const upTo = (text, seq) => {
  const lines = text.split("\n");
  const before = lines[0]?.startsWith('{"edition"') ? 1 : 0;
  return lines
    .slice(0, before + seq)
    .map((line) => `${line}\n`)
    .join("");
};

/** Some bytes in base64; `btoa` takes a letter a byte. @param {Uint8Array} bytes */
const base64 = (bytes) => {
  const step = 0x8000;
  const letters = Array.from({ length: Math.ceil(bytes.length / step) }, (_, place) =>
    String.fromCharCode(...bytes.subarray(place * step, (place + 1) * step)),
  );
  return btoa(letters.join(""));
};

/** @param {string} id @param {number} most @param {AbortSignal} ended */
const readLog = async (id, most, ended) => {
  const { signal, waits, ends } = impatient(ended);
  try {
    const path = `/v1/matches/${encodeURIComponent(id)}/log?with=edition`;
    const answer = await fetch(path, { signal, cache: "no-cache" });
    if (!answer.ok || !/ndjson/.test(answer.headers.get("Content-Type") ?? ""))
      throw new NoAnswer(`${answer.status}`);
    return await bytesOf(answer, most, waits);
  } finally {
    ends();
  }
};

/**
 * The log up to an event, with the edition that the match is played with, so that it is audited by itself.
 * @param {string} id @param {number} seq @param {number} most @param {AbortSignal} signal @returns {Promise<Log>}
 */
export const logOf = async (id, seq, most, signal) => {
  const { parts, size } = await owe(readLog(id, most, signal));
  if (size > most) return { href: null, size };
  const log = new TextEncoder().encode(upTo(await new Blob(parts).text(), seq));
  return { href: `data:application/x-ndjson;base64,${base64(log)}`, size: log.length };
};

/** `92 kB`, `1.4 MB`. @param {number} bytes */
export const sizeWords = (bytes) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
