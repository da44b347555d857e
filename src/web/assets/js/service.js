/** The one door to the API. Every call takes a signal; an answer that is no success is a `Refused`. */
import { owe } from "./owed.js";

/** @typedef {import("./api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */
/** @typedef {Schemas["Problem"]} Problem */

/** How long an answer may take before the request counts as lost. */
const PATIENCE = 15_000;

/** The service refuses a request, and says why. */
export class Refused extends Error {
  /** @param {number} status @param {Partial<Problem>} problem */
  constructor(status, problem) {
    super(problem.ruling?.text ?? problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.problem = problem;
  }

  /** Whether the same request may be answered otherwise later. */
  get isPassing() {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** No answer came: the service is away, or slow. */
export class NoAnswer extends Error {}

/**
 * @typedef {object} Call
 * @property {AbortSignal} signal
 * @property {unknown} [body]
 * @property {string | undefined} [token] Goes only with requests that append, or that read what is a side's own.
 * @property {string} [key] The idempotency key.
 * @property {string} [ifMatch] The hash of the head that the request was made on.
 * @property {boolean} [keepalive] Whether it goes on after the page has gone.
 */

/** @param {Call} call */
const headersOf = ({ body, token, key, ifMatch }) => {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (ifMatch) headers["If-Match"] = `"${ifMatch}"`;
  return headers;
};

/** @param {string} method @param {string} path @param {Call} call @returns {Promise<any>} */
const ask = async (method, path, call) => {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  const stop = () => patience.abort();
  call.signal.addEventListener("abort", stop, { once: true });
  try {
    const answer = await fetch(path, {
      method,
      headers: headersOf(call),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: patience.signal,
      keepalive: call.keepalive ?? false,
      cache: "no-cache",
    });
    const text = await answer.text();
    if (answer.ok) return /json/.test(answer.headers.get("Content-Type") ?? "") ? JSON.parse(text) : text;
    throw new Refused(answer.status, problemOf(text));
  } catch (error) {
    if (error instanceof Refused || call.signal.aborted) throw error;
    throw new NoAnswer(String(error));
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", stop);
  }
};

/** @param {string} text @returns {Partial<Problem>} */
const problemOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 200) };
  }
};

/** @param {string} path @param {Call} call */
export const read = (path, call) => owe(ask("GET", path, call));
/** @param {string} path @param {Call} call */
export const send = (path, call) => owe(ask("POST", path, call));

/** The path of a match, or below it. @param {string} id @param {string} [below] */
export const ofMatch = (id, below = "") => `/v1/matches/${encodeURIComponent(id)}${below}`;
