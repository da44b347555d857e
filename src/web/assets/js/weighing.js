/** What is typed comes to something: the service is asked, and a whole ball becomes an entry. */
import { emptyDraft, sameDraft } from "./draft.js";
import { isPreviewed, preview } from "./deciding.js";
import { alternatives, calledBy, isForm, laid } from "./kinds.js";
import { change, draftOf, inTurn, isWeighed, offeredOf, unreadOf } from "./match.js";
import { chosen, entered, foreseen, isIdle, newestOf, released, typed } from "./outbox.js";
import { remembered } from "./remembered.js";
import { foretake, hold, letGo, send, take } from "./sending.js";
import { Refused, storeHere } from "./service.js";
import { endedBy, pause } from "./signal.js";
import { t } from "./i18n.js";
import { wordOf } from "./parts/names.js";
import { callsOf, changedOf, isOpen, overOf, previewBody } from "./typing.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./deciding.js").Preview} Preview */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Kept} Kept */
/** @typedef {import("./outbox.js").Step} Step */
/** @typedef {import("./outbox.js").Head} Head */

/** How long a wish waits for the service, until the next one has its turn. */
const SLOW = 1000;

/** What the service was asked of, on which head. @typedef {{draft: Draft, request: import("./draft.js").NextRequest, previewOn: string | null}} Weighed */
/** How a draft goes on; `head` is what it is made on. @typedef {(draft: Draft, head: string | null) => Draft} Typing */

/**
 * The draft goes on, and what is held goes. A die of an unfinished ball is shown at once, and written meanwhile; the
 * next one waits for that, so that no more than one can be lost. Returns whether it counts: another tab may be sooner.
 * @param {Match} match @param {Typing} next @param {Head} [on] What the match had when its key was pressed.
 */
export const write = (match, next, on = match.view?.head) =>
  writeStep(match, (seen) => typedOn(match, seen, next, on));

/** A default is changed, as `write` writes an answer. @param {Match} match @param {(draft: Draft) => Draft} next */
export const writeChoice = (match, next) =>
  writeStep(match, (seen) => (kept) => chosen(seen, next)(released(kept)));

/** @param {Match} match @param {(seen: Draft) => Step} step What is done to the draft that was seen. */
const writeStep = async (match, step) => {
  const { queue } = match;
  // What is written meanwhile may be another tab's.
  const seen = draftOf(match);
  await queue.written;
  letGo(queue);
  const before = draftOf(match);
  foretake(queue, step(seen));
  change(match, { preview: null });
  return draftOf(match) !== before;
};

/** @param {Match} match @param {Draft} seen @param {Typing} next @param {Head} [on] @returns {(kept: Kept) => Kept} */
const typedOn = (match, seen, next, on) => (kept) =>
  typed(seen, (draft, now) => next(draft, headFor(match, now, on)))(released(kept));

/** The head that something is made on; null where it is made on an entry without an answer. @param {Match} match @param {Kept} kept @param {Head} [on] */
const headFor = (match, kept, on) =>
  newestOf(kept) ? null : ((unreadOf(match, kept, on) ?? on)?.hash ?? null);

/** Asks what the draft comes to, and makes an entry of it once it is whole; or returns that it is. @param {Match} match @param {boolean} [enters] */
export const weigh = async (match, enters = true) => {
  const { queue } = match;
  if (await leftBehind(match)) return false;
  if (laid(draftOf(match), offeredOf(match))) await lay(match);
  const draft = draftOf(match);
  const offered = offeredOf(match);
  // Where one of several ways is picked first, as to review, what was chosen for a ball waits for that.
  const isPicked = alternatives(offered ?? []).length > 0;
  const request = draft.request ?? (isPicked ? null : changedOf(draft, offered));
  if (!request || (draft.request && draft.answers.length === 0)) return false;
  if (!isPreviewed(request)) return !isForm(request) && !isOpen(draft, request) && (!enters || finish(match));
  // Behind an entry the service would be asked at the place before it. Where a choice is secret, it previews nothing.
  if (newestOf(queue) || queue.stop || offeredOf(match)?.some(({ secret }) => secret)) return false;
  const weighed = { draft, request, previewOn: match.view?.head.hash ?? null };
  const asked = previewOf(match, draft, request);
  const answer = await soon(match, asked);
  if (answer) return heard(match, weighed, answer.found, enters);
  void asked.then((found) =>
    inTurn(match, () =>
      weighed.previewOn === (match.view?.head.hash ?? null)
        ? heard(match, weighed, found, true)
        : sameDraft(draft, draftOf(match)) && !isWeighed(match) && weigh(match),
    ),
  );
  return false;
};

/** What is answered soon; null where nothing is: then the keys open whose faces are known. @template T @param {Match} match @param {Promise<T>} asked */
const soon = async (match, asked) => {
  const waiting = endedBy(match.signal);
  const { done } = pause(SLOW, waiting.signal);
  const answer = await Promise.race([asked.then((found) => ({ found })), done.then(() => null)]);
  waiting.abort();
  if (!answer) change(match, { slow: draftOf(match) });
  return answer;
};

/** What a draft comes to is known, unless it has gone on meanwhile. @param {Match} match @param {Weighed} weighed @param {Preview | Refused | null} found @param {boolean} enters @returns {Promise<unknown>} */
const heard = async (match, weighed, found, enters) => {
  const { draft, previewOn } = weighed;
  if (!found || !sameDraft(draft, draftOf(match))) return false;
  match.slow = null;
  if (found instanceof Refused) return refused(match, weighed, found, enters);
  if (found.done && draft.answers.length > 0) return !enters || finish(match, { preview: found });
  change(match, { preview: found, previewOn, previewOf: draft, said: null });
  return false;
};

/** The numbers of the orders of an over are asked here, with those that stand among its choices. @param {Match} match */
const lay = (match) => write(match, (draft) => laid(draft, offeredOf(match)) ?? draft);

/** @param {Match} match @param {Draft} draft @param {NextRequest} request @returns {Promise<Preview | Refused | null>} */
const previewOf = (match, draft, request) =>
  preview(request.path, previewBody(draft, request, offeredOf(match)), match.signal).catch((error) => {
    if (error instanceof Refused && !error.isPassing) return error;
    // What was asked long ago says nothing of now.
    if (sameDraft(draft, draftOf(match)) && !isWeighed(match)) change(match, { isFresh: false });
    return null;
  });

/** The changed choice that a refusal names by its place; null where it names no such one. @param {Weighed} weighed @param {string} location */
const changeAt = ({ draft: { changes }, request }, location) => {
  const place = location.replace(/^body\./, "");
  const [operation, at] = place.startsWith("over.")
    ? ["begin_over", place.slice(5)]
    : [request.operation, place];
  const found = Object.keys(changes[operation] ?? {}).find(
    (own) => at === own || at.startsWith(`${own}.`) || at.startsWith(`${own}[`),
  );
  return found === undefined ? null : { operation, at: found };
};

/**
 * The service refuses what is typed, and it is said why. A changed choice that it names goes: one before it was changed,
 * as the bowler of a bowl, and the sheets have to tell what can be chosen now.
 * @param {Match} match @param {Weighed} weighed @param {Refused} error @param {boolean} enters @returns {Promise<unknown>}
 */
const refused = async (match, weighed, error, enters) => {
  const { draft } = weighed;
  const said = error.problem.detail ?? error.message;
  const gone = changeAt(weighed, error.problem.errors?.[0]?.location ?? "");
  if (!gone || !sameDraft(draft, draftOf(match))) return (change(match, { said }), false);
  await write(match, (draft) => {
    const { [gone.at]: _, ...rest } = draft.changes[gone.operation] ?? {};
    return { ...draft, changes: { ...draft.changes, [gone.operation]: rest } };
  });
  const isWhole = await weigh(match, enters);
  change(match, { said });
  return isWhole;
};

/**
 * The draft is whole, with the answer that makes it so: it becomes an entry, and the next one begins.
 * @param {Match} match @param {{preview?: Preview, next?: Typing, on?: Head | undefined}} [how]
 */
export const finish = async (match, { preview, next, on } = {}) => {
  const { queue } = match;
  const { request, answers } = next ? next(draftOf(match), null) : draftOf(match);
  if (!request) return;
  const offered = offeredOf(match);
  const isHeld = request.laid || (isPreviewed(request) && answers.length > 0);
  // Where its meaning was not known when the last die was typed, the ball tells what it came to.
  const ball = preview?.ball;
  const word = ball && wordOf(ball);
  const came = (ball?.boundary ? word?.toUpperCase() : word) ?? request.title;
  const last = answers.slice(-1);
  // A card or another choice that ends a ball is no word for it.
  const title = (ball && calledBy(last) === "choice" ? null : last[0]?.option?.title) || came;
  const whole = (/** @type {Draft} */ draft) => (overOf(draft, offered) ? draft : { ...draft, over: null });
  const make = (/** @type {Draft} */ draft) => ({
    title,
    state: /** @type {Entry["state"]} */ (isHeld ? "held" : "queued"),
    steps: callsOf(whole(draft), request, offered),
    preview: preview ?? null,
    draft: whole(draft),
  });
  const entry = await enter(match, make, next, on);
  // What was held before it goes, whatever becomes of this one.
  void send(queue);
  if (!entry || !isHeld) return;
  // An over of which no ball is played yet stays until the first one is.
  if (!request.laid) hold(queue);
  const comes = preview ?? (await soon(match, foresee(match, entry, request)))?.found;
  change(match, { spoken: [comes?.text ?? title, comes?.score?.text].filter(Boolean).join(". ") });
};

/**
 * Makes an entry of the draft, with the answer that is typed last. There is none where another tab was sooner.
 * @param {Match} match @param {(draft: Draft) => Pick<Entry, "title" | "state" | "steps"> & Partial<Entry>} make @param {Typing} [next] @param {Head} [on]
 */
export const enter = async (match, make, next = (draft) => draft, on = match.view?.head) => {
  const { queue } = match;
  letGo(queue);
  const seen = draftOf(match);
  const store = storeHere();
  const rest = {
    id: seen.id,
    match: match.id,
    n: 0,
    preview: null,
    at: new Date().toISOString(),
    ...(store && { store }),
  };
  /** @type {(draft: Draft, kept: Kept) => Entry} */
  const made = (draft, kept) => ({
    ...rest,
    draft,
    head: draft.head ?? headFor(match, kept, on),
    ...make(draft),
  });
  const entering = entered(next(seen, null), made, emptyDraft(match.id), Date.now());
  const again = remembered(seen.id);
  await take(queue, (kept) => again(entering(typedOn(match, seen, next, on)(kept))));
  change(match, { preview: null });
  const entry = queue.entries.find(({ id }) => id === seen.id);
  if (!entry) queue.hearer?.joined(seen);
  return entry;
};

/**
 * What is held behind an answer, or what the service could not be asked of: until now nobody could say what it comes
 * to. An over that is laid is held until its first ball.
 * @param {Match} match
 */
export const foreseeNext = async (match) => {
  const [next] = match.queue.entries;
  const { request } = next?.draft ?? {};
  if (!next || next.preview || next.state !== "held" || !request) return;
  if (!request.laid && !isPreviewed(request)) return;
  await foresee(match, next, request);
};

/** What a whole ball comes to: its sentence, the score, and the keys of the next one. @param {Match} match @param {Entry} entry @param {NextRequest} request */
const foresee = async (match, { id, draft }, request) => {
  const { queue } = match;
  if (queue.entries[0]?.id !== id) return null;
  const before = match.view?.next.requests ?? null;
  const found = await preview(request.path, previewBody(draft, request, before), match.signal).catch(
    () => null,
  );
  const again = remembered(id);
  if (found) await take(queue, (kept) => again(foreseen(id, found)(kept)));
  else if (queue.entries[0]?.id === id) change(match, { isFresh: false });
  return queue.entries.find((entry) => entry.id === id)?.preview ?? null;
};

/** What is typed can be no more, as a ball whose toss was taken back elsewhere: it goes, and that is said. Returns whether it did. @param {Match} match */
export const leftBehind = async (match) => {
  const [{ request, answers }, offered] = [draftOf(match), offeredOf(match)];
  const isKnown = match.isFresh && isIdle(match.queue) && !match.queue.stop;
  const isLeft = isKnown && answers.length > 0 && !match.signal.aborted;
  if (!isLeft || !offered || offered.some(({ operation }) => operation === request?.operation)) return false;
  const anew = (/** @type {Draft} */ { after }) => ({ ...emptyDraft(match.id), ...(after && { after }) });
  const goes = await write(match, anew);
  if (goes) change(match, { preview: null, digits: [], said: t("typed.gone") });
  return goes;
};

/** A ball that no key has answered is heard with its answer, as one of the service's dice. @param {Match} match @param {import("./service.js").Appended} answer */
export const hearBall = (match, { situation, score }) => {
  const last = situation?.last;
  if (last && last.seq > Number(match.view?.head.seq))
    change(match, { spoken: [last.text, score.text].filter(Boolean).join(". ") });
};
