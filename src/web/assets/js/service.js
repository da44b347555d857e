/** The one door to the API. Every call takes a signal; an answer that is no success is a `Refused`. */
import { owe } from "./owed.js";

/** @typedef {import("../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {import("../../api.d.ts").paths} Paths */
/** @typedef {Schemas["MatchView"]} MatchView */
/** The answer to an append; with how the match stands it has all of the view that can change. @typedef {Schemas["AppendedBody"] & Partial<Schemas["MatchStanding"]>} Appended */
/** @typedef {Schemas["Problem"]} Problem */

/**
 * What the service answers to a read of a path.
 * @template {keyof Paths} P
 * @typedef {Paths[P] extends { get: { responses: { 200: { content: { "application/json": infer T } } } } } ? T : never} Told
 */
/**
 * What the service answers to what is sent to a path.
 * @template {keyof Paths} P
 * @typedef {Paths[P] extends { post: { responses: { 201: { content: { "application/json": infer T } } } } } ? T : never} Answered
 */
/**
 * What is sent to a path.
 * @template {keyof Paths} P
 * @typedef {Paths[P] extends { post: { requestBody?: { content: { "application/json": infer T } } } } ? T : never} Sent
 */

/** How long an answer may take before the request counts as lost. */
const PATIENCE = 15_000;

/** How far the clock of the service is ahead of this one's, as its last answer had it. */
let ahead = 0;

/** The time by the clock of the service: this one's may be a day off. */
export const now = () => new Date(Date.now() + ahead);

/**
 * The members that a page cannot do without, by what was asked. An answer without one is not the service's, or of
 * another version.
 */
const NEXT = ["head.hash", "score.innings", "next.requests"];
/** @type {Partial<Record<keyof Paths, string[]>>} */
const OF_READS = {
  "/v1/matches/{id}": [...NEXT, "home.name", "away.name"],
  "/v1/matches/{id}/scorecard": ["innings"],
  "/v1/matches/{id}/commentary": ["lines"],
  "/v1/matches": ["matches"],
  "/v1/games": ["games"],
};

/** The service refuses a request, and says why. */
export class Refused extends Error {
  /** @param {number} status @param {Partial<Problem>} problem */
  constructor(status, problem) {
    super(problem.ruling?.text ?? problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.problem = problem;
  }

  /** Whether the token is refused, and not what was asked. */
  get isOfToken() {
    return this.status === 401 || this.status === 403;
  }

  /** Whether the service has recorded another request under the same idempotency key. */
  get isOfKey() {
    return this.problem.type?.endsWith("/idempotency-key-reused") ?? false;
  }

  /** Whether the log has something else in the place of what was asked. */
  get isOfLog() {
    return this.status === 412 || this.isOfKey;
  }

  /** Whether the same request may be answered otherwise later. */
  get isPassing() {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** No answer came, or none of the service: it is away, or slow, or somebody else answers in its place. */
export class NoAnswer extends Error {}

/** An answer came, and a page cannot go on with it: a member is missing. */
export class Unreadable extends NoAnswer {}

/**
 * @typedef {object} Call
 * @property {AbortSignal} signal
 * @property {unknown} [body] Text goes as it is.
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
  // An append with a key is answered with all that it changes, so that no read has to follow.
  if (key) Object.assign(headers, { "Idempotency-Key": key, Prefer: "return=representation" });
  if (ifMatch) headers["If-Match"] = `"${ifMatch}"`;
  return headers;
};

/** @template T @param {T} answer @param {string[]} members @returns {T} */
const whole = (answer, members) => {
  const isThere = (/** @type {string} */ member) =>
    member.split(".").reduce((inner, name) => Object(inner)[name] ?? null, answer) !== null;
  const missing = members.find((member) => !isThere(member));
  if (missing) throw new Unreadable(`an answer without ${missing}`);
  return answer;
};

/** Asks; what is answered has the type that the caller knows of the path. @template T @param {string} method @param {string} path @param {Call} call @param {string[]} [members] Those that the answer has at least. @returns {Promise<T>} */
const ask = async (method, path, call, members = []) => {
  // What a page asks once it was left, nobody would end.
  if (call.signal.aborted) throw new NoAnswer("the page was left");
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  const stop = () => patience.abort();
  call.signal.addEventListener("abort", stop, { once: true });
  try {
    const answer = await fetch(path, {
      method,
      headers: headersOf(call),
      body: typeof call.body === "string" ? call.body : (JSON.stringify(call.body) ?? null),
      signal: patience.signal,
      keepalive: call.keepalive ?? false,
      cache: "no-cache",
    });
    const text = await answer.text();
    if (answer.status === 204) return JSON.parse("null");
    // A network that wants a sign-in, or a proxy, answers with a page of its own, and with any status.
    if (!/json/.test(answer.headers.get("Content-Type") ?? ""))
      throw new NoAnswer(`${answer.status}, and no JSON`);
    ahead = (Date.parse(answer.headers.get("Date") ?? "") || Date.now() + ahead) - Date.now();
    if (answer.ok) return whole(JSON.parse(text), members);
    throw new Refused(answer.status, problemOf(text));
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreadable || call.signal.aborted) throw error;
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

/** The values of a path and of its query; a list gives a parameter several times. @typedef {{of?: Record<string, string | number>, query?: Record<string, string | number | string[]>}} Values */

/** A path with its values. @param {string} path @param {Values} values */
const filled = (path, { of = {}, query = {} }) => {
  const whole = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(of[name])));
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)]),
  );
  return pairs.length > 0 ? `${whole}?${new URLSearchParams(pairs)}` : whole;
};

/** Reads. @template {keyof Paths} P @param {P} path As the document has it. @param {Call & Values} call @returns {Promise<Told<P>>} */
export const read = (path, call) => owe(ask("GET", filled(path, call), call, OF_READS[path]));

/** Reads what comes in pages to its end, from after a number on. @template {{ next_after?: number | null }} T @param {(after: number) => Promise<T>} page @param {number} [after] @returns {Promise<T[]>} */
export const pagesOf = async (page, after = 0) => {
  const found = await page(after);
  return found.next_after ? [found, ...(await pagesOf(page, found.next_after))] : [found];
};

/** @type {Promise<Told<"/v1/about">> | null} */
let told = null;
/** The id of the store that the service has, once it has said so. @type {string | null} */
let store = null;

/** Which store the service has; null until it has said so. Another service may stand at the same address. */
export const storeHere = () => store;

/** What the service says of itself, which is asked once. @param {boolean} [isAnew] Whether it is asked again. */
export const about = (isAnew = false) => {
  if (isAnew) told = null;
  // No page that is left ends it for the others.
  told ??= read("/v1/about", { signal: new AbortController().signal }).then(
    (found) => {
      store = found.store;
      return found;
    },
    (error) => {
      told = null;
      throw error;
    },
  );
  return told;
};

/** Sends. @template {keyof Paths} P @param {P} path As the document has it. @param {Call & Values & {body: Sent<P>}} call @returns {Promise<Answered<P>>} */
export const send = (path, call) => owe(ask("POST", filled(path, call), call));

/** Takes back, or puts in place: nothing is answered. @template {keyof Paths} P @param {"DELETE" | "PUT"} method @param {P} path As the document has it. @param {Call & Values} call */
export const order = (method, path, call) => owe(ask(method, filled(path, call), call).then(() => {}));

/** Appends to a match, by a request that the service has listed. @param {string} path @param {Call} call @returns {Promise<Appended>} */
export const append = (path, call) => owe(ask("POST", path, call, NEXT));

/** Asks what a listed request would come to. @param {string} path @param {Call} call @returns {Promise<Schemas["PreviewBody"]>} */
export const preview = (path, call) => owe(ask("POST", `${path}/preview`, call, ["next.requests"]));

/** Whether the service answers. @param {AbortSignal} signal */
export const isReady = (signal) =>
  ask("GET", "/readyz", { signal }).then(
    () => true,
    () => false,
  );

/** The path of a match, or below it. @param {string} id @param {string} [below] */
export const ofMatch = (id, below = "") => `/v1/matches/${encodeURIComponent(id)}${below}`;
