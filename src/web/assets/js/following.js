/** Follows a match as the service tells it: it is read, and read again when something was appended that is not known. */
import * as api from "./service.js";
import { adopt, keepReplaced, keyOf, settle } from "./keys.js";
import { owe, redraw } from "./owed.js";
import { after } from "./signal.js";
import { streamOf } from "./stream.js";
import { t } from "./i18n.js";

/** @typedef {import("./service.js").MatchView} MatchView */

/** What a page can need besides the match: its card, and its balls in words. */
export const BESIDE = /** @type {const} */ (["/v1/matches/{id}/scorecard", "/v1/matches/{id}/commentary"]);
/** The last events up to the beginning of the over. */
export const EVENTS = /** @type {const} */ ("/v1/matches/{id}/events");
/** @typedef {typeof BESIDE[number] | typeof EVENTS} Below */
/** What was read of that, and at which event. At 0 it was read in vain. @typedef {Partial<Record<Below, {seq: number, body: api.Told<Below> | null}>>} Beside */

const MATCH = "/v1/matches/{id}";

/** How long after a read in vain what stands beside the match is read again, while the service answers. */
const AGAIN = 5000;

/** How long a page waits for a first answer before it shows what was told of the match before. */
const SLOW = 1000;

/** What was told of the match before is shown, until the service tells it. @param {Followed} match */
const showKept = async (match) => {
  const kept = match.view ? null : await match.recall();
  if (kept && !match.view && match.known !== "unknown")
    change(match, { ...kept, isFresh: false, known: "there" });
};

/** No answer came. @param {Followed} match */
const goesWithout = async (match) => {
  await showKept(match);
  change(match, { isFresh: false, known: match.view ? "there" : "away" });
};

/** What was told of a match, and when. @typedef {Pick<Followed, "view" | "beside" | "since">} Told */

/**
 * A match on a page that reads it.
 * @typedef {object} Followed
 * @property {string} id
 * @property {AbortSignal} signal Ends when the page is left.
 * @property {MatchView | null} view As the service has told it last.
 * @property {"loading" | "there" | "unknown" | "away"} known Whether the service has told of the match, and what.
 * @property {string | undefined} token The scorer's token, unless the service has refused it.
 * @property {boolean} isFresh Whether the service answers, and the stream has given a sign.
 * @property {Date} since When the service has last told the match.
 * @property {string | null} said What is refused here, in words.
 * @property {Promise<void> | null} reading The read that is under way.
 * @property {boolean} isBehind Whether another read is to follow it.
 * @property {number} heard The last event that the stream has told of since that read began.
 * @property {number} corrected The last correction that the stream has told of.
 * @property {() => boolean} awaits Whether an append of this page has no answer yet: that tells its own events.
 * @property {() => readonly Below[]} wants What the page needs besides.
 * @property {Beside} beside
 * @property {() => Promise<Told | null>} recall What was told of the match before this page was opened.
 * @property {() => void} told The service has told something of the match.
 * @property {() => void} returned The service answers again.
 * @property {() => void} moved The match has another head.
 * @property {() => void} watched The match has another head, or its token was refused, and the page holds no token.
 */

/** @param {string} id @param {AbortSignal} signal @returns {Followed} */
export const followed = (id, signal) => ({
  id,
  signal,
  view: null,
  known: "loading",
  token: undefined,
  isFresh: true,
  since: api.now(),
  said: null,
  reading: null,
  isBehind: false,
  heard: 0,
  corrected: 0,
  awaits: () => false,
  wants: () => [],
  beside: {},
  recall: async () => null,
  told: () => {},
  returned: () => {},
  moved: () => {},
  watched: () => {},
});

/** The one way to change a match: the page is drawn after it. @template {Followed} M @param {M} match @param {Partial<M>} members */
export const change = (match, members) => {
  Object.assign(match, members);
  redraw();
};

/** Reads a match, and follows it until its page is left. @param {Followed} match */
export const follow = async (match) => {
  match.token = (await keyOf(match.id))?.scorer;
  after(SLOW, () => void owe(showKept(match)), match.signal);
  await goOn(match);
  void streamOf(
    match.id,
    {
      after: () => match.view?.head.seq ?? 0,
      happened: (seq, kind) => hear(match, seq, kind),
      fresh: (isFresh) => void (isFresh && !match.isFresh ? owe(goOn(match)) : change(match, { isFresh })),
    },
    match.signal,
  );
};

/** An event was appended; without its number anything may have been. @param {Followed} match @param {number | null} seq @param {string} [kind] */
const hear = (match, seq, kind) => {
  if (!seq) return void owe(refresh(match));
  if (kind === "correction") match.corrected = seq;
  match.heard = Math.max(match.heard, seq);
  readHeard(match);
};

/** Reads what was appended, unless it is known, or will be told. @param {Followed} match */
export const readHeard = (match) => {
  const isKnown = match.heard <= (match.view?.head.seq ?? 0);
  if (!isKnown && !match.reading && !match.awaits() && !match.signal.aborted) void owe(refresh(match));
};

/** Reads the match, with a token that was brought where there is one. @param {Followed} match */
const goOn = async (match) => {
  if (!(await tryBrought(match))) await refresh(match);
};

/** Reads the match, unless a read is under way: that one is made again where it came too early. @param {Followed} match @returns {Promise<void>} */
export const refresh = (match) => {
  match.isBehind = true;
  match.reading ??= reads(match).finally(() => {
    match.reading = null;
    readHeard(match);
  });
  return match.reading;
};

/** @param {Followed} match */
const reads = async (match) => {
  while (match.isBehind && !match.signal.aborted) {
    Object.assign(match, { isBehind: false, heard: 0 });
    await read(match);
  }
};

/** @param {Followed} match */
const read = async (match) => {
  try {
    // Which service stands at this address is asked before a token goes to it.
    if (match.token) {
      await api.about();
      match.token = (await keyOf(match.id))?.scorer;
    }
    took(match, await api.read(MATCH, { of: { id: match.id }, signal: match.signal, token: match.token }));
  } catch (error) {
    if (match.signal.aborted) return;
    if (error instanceof api.Refused && error.isOfToken && match.token) return forgetToken(match);
    const isUnknown = error instanceof api.Refused && [400, 404].includes(error.status);
    if (isUnknown) change(match, { known: "unknown" });
    else await goesWithout(match);
  }
};

/** The service has told the match. An answer that was overtaken never takes it back. @param {Followed} match @param {MatchView} view */
const took = (match, view) => {
  const isNew = !match.view || view.head.seq >= match.view.head.seq || !match.isBehind;
  const hasMoved = isNew && match.view?.head.hash !== view.head.hash;
  const isBack = !match.isFresh;
  if (view.viewer?.role === "scorer") void owe(adopt(match.id));
  change(match, { known: "there", since: api.now(), isFresh: true, ...(isNew ? { view } : {}) });
  match.told();
  if (hasMoved) match.moved();
  if (hasMoved && !match.token) match.watched();
  if (isBack) match.returned();
  void owe(readBeside(match));
};

/** What the view leaves out where there is nothing to say, as does an answer that shows it. */
const LEFT_OUT = {
  last: undefined,
  abandoned_for: undefined,
  disputes: undefined,
  disputes_open: undefined,
  proposed: undefined,
  own: undefined,
};

/** An append was answered with all of the view that can change. @param {Followed} match @param {MatchView} view @param {api.Appended} answer */
export const tookAnswer = (match, view, answer) => {
  // A read that is under way may have begun before.
  match.isBehind ||= match.reading !== null;
  took(match, { ...view, ...LEFT_OUT, ...answer });
};

/** Reads what the page needs besides, where the head has moved. @param {Followed} match */
export const readBeside = async (match) => {
  const seq = match.view?.head.seq ?? 0;
  await Promise.all(
    match.wants().map(async (below) => {
      if (match.beside[below]?.seq === seq) return;
      const body = match.beside[below]?.body ?? null;
      match.beside[below] = { seq, body };
      const found = await readWhole(match, below).then(
        (whole) => ({ seq, body: whole }),
        () => {
          after(AGAIN, () => void (match.isFresh && owe(readBeside(match))), match.signal);
          return { seq: 0, body };
        },
      );
      // Unless a later read was begun meanwhile.
      if (match.beside[below]?.seq === seq) match.beside[below] = found;
      match.told();
      redraw();
    }),
  );
};

/** Reads what comes in pages to its end. @param {Followed} match @param {Below} below @returns {Promise<api.Told<Below>>} */
const readWhole = async ({ id, signal, view }, below) => {
  if (below === EVENTS) {
    const first = view?.situation?.over.deliveries[0]?.seq ?? (view?.head.seq ?? 0) + 1;
    return api.read(below, { of: { id }, query: { after: Math.max(0, first - 9), limit: 8 }, signal });
  }
  if (below !== BESIDE[1]) return api.read(below, { of: { id }, signal });
  const pages = await api.pagesOf((after) => api.read(below, { of: { id }, query: { after }, signal }));
  return Object.assign({}, ...pages, { lines: pages.flatMap(({ lines }) => lines) });
};

/** The token is not the match's any more: this page only watches. It stays here, since it may be the way back. @param {Followed} match */
const forgetToken = (match) => {
  loseToken(match, t("key.refused"));
  match.isBehind = true;
};

/** The service takes the token no more. @param {Followed} match @param {string | null} said */
export const loseToken = (match, said) => {
  const { token } = match;
  change(match, { token: undefined, said });
  if (token) void owe(keepReplaced(match.id, token).then(match.watched));
};

/**
 * Tries a token that an address or a person has brought. The one that this browser has stays until the service
 * takes the new one. Returns whether the match was read with it.
 * @param {Followed} match
 */
export const tryBrought = async (match) => {
  const brought = (await keyOf(match.id))?.untried;
  if (!brought) return false;
  try {
    const view = await api.read(MATCH, { of: { id: match.id }, signal: match.signal, token: brought });
    const role = view.viewer?.role ?? null;
    await settle(match.id, brought, role);
    const said = role === "scorer" ? null : role ? t("key.other", { role }) : refusal(match);
    change(match, { said, ...(role === "scorer" ? { token: brought } : {}) });
    took(match, view);
    return true;
  } catch (error) {
    // Without an answer it is kept, and tried when the service is back.
    if (!(error instanceof api.Refused) || error.isPassing) return (await goesWithout(match), true);
    if (!error.isOfToken) return false;
    await settle(match.id, brought, null);
    change(match, { said: refusal(match) });
    return false;
  }
};

/** @param {Followed} match */
const refusal = ({ token }) => t(token ? "key.refused.kept" : "key.refused.none");

/** The last ball that the service has. @param {Followed} match */
export const lastBall = ({ view }) => view?.situation?.last ?? view?.last ?? null;
