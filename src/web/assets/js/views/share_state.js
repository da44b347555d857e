/** What is shared of a match, as far as it was read, and how a wish of the sheet is done. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { lasts } from "../db.js";
import { adminKey, keyOf } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { drawCode } from "../codes.js";
import { now, read, Refused } from "../service.js";
import { after } from "../signal.js";
import { sentence } from "./nowhere.js";

/** What makes tokens: a script that is loaded with the one that shares. */
export const handing = async () => (await import("../creating.js")).handover;

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../parts/code.js").Shown} Shown */
/** What a wish has come to in vain, in words, and at what it stands. @typedef {{at: string, words: string}} Said */
/**
 * What is shared of a match.
 * @typedef {object} Share
 * @property {string} id
 * @property {AbortSignal} signal
 * @property {string[]} bases Where this service is found by others; none where it listens to this machine alone.
 * @property {Shown | null} watch
 * @property {Shown | null} television The short address, while its sheet is open.
 * @property {string | null} invite That of another phone, until it is stopped.
 * @property {(Shown & {ends: Date}) | null} score
 * @property {string | undefined} token The scorer's, or the table's key: with it the scoring is handed over.
 * @property {string | undefined} tableKey The table's key, which stands above each token.
 * @property {boolean} isTable Whether somebody at the table can always give the scoring back.
 * @property {boolean} isAround Whether the service is a table, for the network around.
 * @property {boolean} isScorer Whether this browser holds the scorer's token.
 * @property {string | null} own The link of this phone's own right, where nothing in the browser lasts.
 * @property {boolean} isOutdated Whether this browser has a key of the table that was replaced.
 * @property {string[]} invites The sides whose invites this browser has.
 * @property {Record<string, import("./programs.js").Given>} given What was made for programs, by role.
 * @property {Schemas["Writer"][]} writers
 * @property {import("./writers.js").Change | null} change What is being changed of a writer.
 * @property {Said | null} said
 * @property {import("./lasting.js").Lasting} lasting What was made of it that lasts.
 * @property {boolean} isClosed Whether its sheet was closed.
 */

/** Whether an address leads only to the machine that it is opened on. @param {string} base */
const isLoopback = (base) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(base);

/** Reads what can be shared; the sheet draws it as it comes. @param {string} id @param {AbortSignal} signal */
export const shareOf = (id, signal) => {
  /** @type {Share} */
  const share = {
    id,
    signal,
    bases: [],
    watch: null,
    television: null,
    invite: null,
    score: null,
    token: undefined,
    tableKey: undefined,
    isTable: false,
    isAround: false,
    isScorer: false,
    own: null,
    isOutdated: false,
    invites: [],
    given: {},
    writers: [],
    change: null,
    said: null,
    lasting: { isMaking: false, file: null, picture: null, text: null },
    isClosed: false,
  };
  void owe(tried(share, "watch", () => load(share)).then(() => looks(share)));
  return share;
};

/** Does what was wished; what it comes to in vain is said at its place. Returns whether it came to something. @param {Share} share @param {string} at @param {() => Promise<void>} act */
export const tried = async (share, at, act) => {
  share.said = null;
  try {
    await act();
  } catch (error) {
    if (!share.signal.aborted) share.said = { at, words: sentence(error) };
  }
  redraw();
  return share.said === null;
};

/** @param {Share} share */
const load = async (share) => {
  const { id, signal } = share;
  const [admin, key] = [await adminKey(), await keyOf(id)];
  const at = await withFirst([admin], (token) => read("/v1/about", { signal, token }));
  const told = at.told;
  const found = [...(told.addresses ?? []), location.origin].map((base) => base.replace(/\/$/, ""));
  share.bases = [...new Set(found)].filter((base) => !isLoopback(base));
  share.isTable = told.create === "token";
  share.isAround = told.table === true;
  share.invites = Object.keys(key?.invites ?? {});
  share.watch = await shown(share, "/board");
  const { writersOf } = await handing();
  const ask = (/** @type {string | undefined} */ token) => writersOf(id, token, signal);
  // A service that is no table says only with the match that it takes a key no more.
  const byKey = told.table ? at : await withFirst([at.token], ask);
  share.tableKey = byKey.token;
  const own = await withFirst([key?.scorer, byKey.token], ask);
  share.isScorer = own.token !== undefined && own.token === key?.scorer && own.told.way_back === undefined;
  share.token = share.isScorer ? own.token : byKey.token;
  share.writers = own.told.writers;
  await heard(share);
  share.own = share.isScorer && !(await lasts()) ? linkOf(share, `/score#scorer=${own.token}`) : null;
  share.isOutdated = admin !== undefined && share.tableKey === undefined;
};

/** How often it is looked who scores, while the sheet is open. */
const LOOK = 3000;

/** @param {Share} share */
const looks = (share) => after(LOOK, () => share.isClosed || void owe(look(share)), share.signal);

/** Who has the scorer's token, by its number. @param {Schemas["Writer"][]} writers */
const scorerIn = (writers) => writers.find(({ role }) => role === "scorer")?.number;

/**
 * Looks who scores. Where another phone has taken over, a phone that scored has no more to hand out: its sheet closes, and
 * the pad says what it can do. With the table's key another code can follow.
 * @param {Share} share
 */
const look = async (share) => {
  const before = scorerIn(share.writers);
  const isOver = share.score !== null && share.score.ends < now();
  try {
    if (document.visibilityState === "visible") await readWriters(share);
    const isOther = before !== undefined && scorerIn(share.writers) !== before;
    if (isOther || isOver) Object.assign(share, { invite: null, score: null });
    share.isClosed ||= isOther && share.isScorer;
    if (isOther && !share.isClosed) await load(share);
  } catch (error) {
    // The right of this phone was ended; else it is looked again.
    if (error instanceof Refused && error.isOfToken) share.isClosed = true;
  }
  if (share.signal.aborted) return;
  redraw();
  looks(share);
};

/** Asks with the first token that the service takes; without any where it takes none. @template T @param {(string | undefined)[]} tokens @param {(token: string | undefined) => Promise<T>} ask */
export const withFirst = async (tokens, ask) => {
  for (const token of tokens.filter(Boolean))
    try {
      return { token, told: await ask(token) };
    } catch (error) {
      if (!(error instanceof Refused && error.isOfToken)) throw error;
    }
  return { token: undefined, told: await ask(undefined) };
};

/** @param {Share} share */
export const readWriters = async (share) => {
  const { writersOf } = await handing();
  share.writers = (await writersOf(share.id, share.token, share.signal)).writers;
  await heard(share);
};

/** How who scores is called. @param {Schemas["Writer"][]} writers */
export const calledIn = (writers) => {
  const { name, number = 1 } = writers.find(({ role }) => role === "scorer") ?? {};
  return name ?? t("writer.phone", { number });
};

/** How this phone is called is kept, where it scores. @param {Share} share */
const heard = async ({ id, isScorer, writers }) => {
  if (isScorer) await (await handing()).keepCalled(id, calledIn(writers));
};

/** A link of this match as others open it. @param {Share} share @param {string} path */
export const linkOf = ({ bases, id }, path) => `${bases[0] ?? location.origin}/m/${id}${path}`;

/** @param {Share} share @param {string} path @returns {Promise<Shown>} */
export const shown = async (share, path) => {
  const link = linkOf(share, path);
  const code = share.bases.length > 0 ? await drawCode(link, share.signal).catch(() => null) : null;
  return { link, code };
};

/** What a wish there has come to in vain. @param {Share} share @param {string} at */
export const saidAt = ({ said }, at) =>
  said?.at === at
    ? html`<p role="alert"><span class="label" data-said dir="auto">${said.words}</span></p>`
    : nothing;
