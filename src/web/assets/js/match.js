/** A match on the pad: what is known, kept and typed of it, in one object, and what follows from that. */
import { asked, changeable, remaining, same, sameDraft } from "./draft.js";
import { isPreviewed } from "./deciding.js";
import { followed, lastBall, refresh } from "./following.js";
import { answersIn, isIdle, newestOf } from "./outbox.js";
import { books, queueOf } from "./sending.js";
import { owe, redraw } from "./owed.js";

/** @typedef {import("./service.js").MatchView} MatchView */
/** @typedef {import("./deciding.js").Preview} Preview */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */

/** A key that was pressed stays filled for a while, on the question that it has answered. @typedef {{value: unknown, question: string, at: number}} Pressed */

/**
 * @typedef {object} Typed
 * @property {import("./sending.js").Queue} queue What is kept here, and how it goes.
 * @property {Preview | null} preview What the draft comes to; null until it is known.
 * @property {string | null} previewOn The head that it was asked on.
 * @property {Draft | null} previewOf The draft that it was asked of.
 * @property {Draft | null} slow The draft of which the service was asked, and has not answered soon.
 * @property {import("./draft.js").Ask | null} lastAsk What was asked last: its keys keep their place while the service is asked.
 * @property {Pressed | null} pressed
 * @property {boolean} hasAnswered Whether a key was pressed on this page.
 * @property {{value: unknown} | null} missed A key whose press did not count.
 * @property {string | null} read The head of the answer that this page has read past last.
 * @property {number} presses How many presses of keys wait for their turn.
 * @property {unknown[]} digits What a keyboard has typed before something was asked.
 * @property {import("./outbox.js").Head | null} judged Up to where it is known whether this phone wrote; null before the first look.
 * @property {import("./log.js").Told | null} stranger What another phone has written with the token of this one, until somebody has heard it.
 * @property {string | null} spoken What is spoken.
 */

/** @typedef {import("./following.js").Followed & Typed} Match */

/** @param {string} id @param {AbortSignal} signal @returns {Match} */
export const matchOf = (id, signal) => ({
  ...followed(id, signal),
  queue: queueOf(id),
  preview: null,
  previewOn: null,
  previewOf: null,
  slow: null,
  lastAsk: null,
  pressed: null,
  hasAnswered: false,
  missed: null,
  read: null,
  presses: 0,
  digits: [],
  judged: null,
  stranger: null,
  spoken: null,
});

/** The one way to change it: the page is drawn after it. @param {Match} match @param {Partial<Match>} members */
export const change = (match, members) => {
  Object.assign(match, members);
  match.lastAsk = asked(requestsOf(match) ?? [])?.ask ?? match.lastAsk;
  redraw();
};

/** Wishes wait for each other, on a pad that is opened again too: two fingers make two taps. @param {Match} match @param {() => unknown} wish */
export const inTurn = (match, wish) => {
  const { queue } = match;
  const run = queue.turn
    .then(async () => void (await wish()))
    .catch((error) => change(match, { said: String(error?.message ?? error) }));
  queue.turn = run;
  return owe(run);
};

/** The ball that is being typed. @param {Match} match @returns {Draft} */
export const draftOf = ({ queue }) => queue.draft;

/** The head of an answer that is newer than what was seen, until this page has read what followed from it. @param {Match} match @param {import("./outbox.js").Kept} kept @param {import("./outbox.js").Head} [seen] */
export const unreadOf = ({ view, read }, { draft }, seen = view?.head) => {
  const after = draft?.after;
  if (!after || after.seq <= (seen?.seq ?? 0)) return null;
  // A log that was put back has no such event any more.
  return after.hash === read && after.seq > (view?.head.seq ?? 0) ? null : after;
};

/** Reads what followed from an answer that another tab has had. @param {Match} match */
export const readUnread = async (match) => {
  const unread = unreadOf(match, match.queue);
  if (!unread) return;
  await refresh(match);
  if (match.isFresh) change(match, { read: unread.hash });
};

/** Whether it is known what the draft comes to where the match stands now. @param {Match} match */
export const isWeighed = ({ preview, previewOn, previewOf, view, queue }) =>
  Boolean(preview && previewOf && previewOn === view?.head.hash && sameDraft(previewOf, queue.draft));

/** The step without what is typed: its defaults are the cells that can be changed. @param {Match} match */
export const offeredOf = (match) => {
  const { queue, view } = match;
  const ahead = newestOf(queue);
  if (!ahead && unreadOf(match, queue)) return null;
  return (ahead ? ahead.preview : view)?.next.requests ?? null;
};

/** The step that is shown: after what is typed, else after what is not answered yet, else as the service has it. @param {Match} match @param {NextRequest[] | null} [offered] @returns {NextRequest[] | null} */
export const requestsOf = (match, offered = offeredOf(match)) => {
  const draft = draftOf(match);
  const { request, answers } = draft;
  if (request && answers.length === 0 && offered?.some((one) => same(one, request))) return [request];
  if (request && answers.length > 0 && !isPreviewed(request)) return [remaining(request, answers)];
  if (request && answers.length > 0) return match.preview?.next.requests ?? knownOf(match);
  // A default was changed: what that asks holds until the match moves on.
  const isChanged = offered && match.previewOn === match.view?.head.hash;
  return isChanged && match.preview ? match.preview.next.requests : offered;
};

/** Whether nobody says now, or soon, what the draft comes to. @param {Match} match */
export const isAlone = ({ isFresh, slow, queue }) =>
  !isFresh || (slow !== null && sameDraft(slow, queue.draft));

/**
 * Without a connection, or while the ball before has no answer, what the last answer is known to ask: its faces, and not
 * what they mean.
 * @param {Match} match @returns {NextRequest[] | null}
 */
const knownOf = (match) => {
  const { request, answers } = draftOf(match);
  const asks = answers.at(-1)?.option?.asks ?? [];
  const isFree = isAlone(match) || !isIdle(match.queue);
  return isFree && request && asks.some(({ required }) => required) ? [{ ...request, asks }] : null;
};

/** Which question stands there: another one after each answer, and after another answer. @param {Match} match */
export const questionOf = ({ queue }) => `${queue.draft.id} ${answersIn(queue.draft)}`;

/** The match as it will be once all is answered. @param {Match} match @returns {MatchView | null} */
export const shownOf = ({ queue, view }) => {
  const ahead = newestOf(queue)?.preview;
  if (!view || !ahead?.score) return view;
  const { score, situation = null, result = null } = ahead;
  return { ...view, score, situation, result };
};

/** The newest ball or review that was typed here and has no answer yet. @param {Match} match */
export const typedOf = ({ queue }) => {
  const newest = newestOf(queue);
  return newest?.draft.request && isPreviewed(newest.draft.request) && newest.draft.answers.length > 0
    ? newest
    : null;
};

/** Whether the match has ended, and nothing is on its way that changes it. @param {Match} match */
export const isOver = ({ queue, view }) =>
  ["completed", "abandoned"].includes(view?.status ?? "") && isIdle(queue);

/** The asks with a default, and what stands for each now. @param {Match} match @param {NextRequest[] | null} [offered] */
export const cellsOf = (match, offered = offeredOf(match)) => {
  const { changes } = draftOf(match);
  const isNow = match.previewOn === match.view?.head.hash;
  const previewed = (isNow && match.preview?.next.requests) || [];
  return changeable(offered ?? []).map(({ operation, ask: usual }) => {
    const chosen = changes[operation] ?? {};
    // The bowls of another bowler, and the default of a choice that follows from another one, the preview tells.
    const asks = previewed.find((request) => request.operation === operation)?.asks;
    const ask = asks?.find(({ at }) => at === usual.at) ?? usual;
    // What the choices before it make of its options is not known yet.
    const isStale = asks === undefined && Object.keys(changes).length > 0;
    return { operation, ask, value: ask.at in chosen ? chosen[ask.at] : ask.default, isStale };
  });
};

/** Whether the next ball at a table asks nothing: it turns over what the over began with, which its event has. @param {Match} match */
export const isTurned = ({ view }) =>
  view?.dice === "table" &&
  Boolean(
    view.next.requests?.some(
      ({ operation, asks }) => operation === "bowl_ball" && !asks.some(({ required }) => required),
    ),
  );

/** Whether something is typed here: a phone that watches has no ball of its own, nor has a match that is over. @param {Match} match */
export const types = (match) => match.token !== undefined && !isOver(match);

/** What Undo would take back. What another tab has sent last is not known before it is read. @param {Match} match @returns {"draft" | "held" | "sent" | null} */
export const undoable = (match) => {
  if (match.token && draftOf(match).request) return "draft";
  const newest = newestOf(match.queue);
  if (newest) return newest.state === "held" ? "held" : null;
  return lastBall(match) && !unreadOf(match, match.queue) ? "sent" : null;
};

/** What follows from a match as it stands, derived once for a drawing. @typedef {ReturnType<typeof nowOf>} Now */

/** @param {Match} match */
export const nowOf = (match) => {
  const offered = offeredOf(match);
  const requests = requestsOf(match, offered);
  return {
    draft: draftOf(match),
    requests,
    /** What is asked first. */
    due: asked(requests ?? []),
    question: questionOf(match),
    cells: types(match) ? cellsOf(match, offered) : [],
    shown: shownOf(match),
    typed: typedOf(match),
    isOver: isOver(match),
    isIdle: isIdle(match.queue),
  };
};

/** All that the match has is known to this page. @param {Match} match */
export const judgedAll = (match) => {
  match.judged = match.view?.head ?? null;
};

/**
 * Looks whether another phone has written with the token of this one. What this browser has on its way may be in the
 * log already: there is nothing to say before it is answered.
 * @param {Match} match
 */
export const judge = (match) => {
  const { judged, view, token, queue } = match;
  if (!judged || !token || Number(view?.head.seq) <= judged.seq) judgedAll(match);
  else if (isIdle(queue))
    void owe(
      books().then(
        ({ lookForStrangers }) => lookForStrangers(match),
        () => {},
      ),
    );
};
