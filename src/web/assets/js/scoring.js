/** What a person wishes on the pad, as verbs: a key, a choice, Undo. They are done one after the other. */
import { asked } from "./draft.js";
import { follow, loseToken, readHeard, refresh, tookAnswer, tryBrought } from "./following.js";
import { keyOf } from "./keys.js";
import { alternatives, answerTo, kindOf, otherWays } from "./kinds.js";
import {
  change,
  draftOf,
  inTurn,
  isAlone,
  isWeighed,
  judge,
  judgedAll,
  offeredOf,
  questionOf,
  readUnread,
  requestsOf,
  undoable,
} from "./match.js";
import { freshId } from "./must.js";
import { heldOf, takenBack } from "./outbox.js";
import { owe } from "./owed.js";
import { miss, press } from "./pressing.js";
import { goOnWith, letGo, load, release, send, take } from "./sending.js";
import { now } from "./service.js";
import { after } from "./signal.js";
import { callsOf, withAnswer, withChange, withoutLast, withPlace } from "./typing.js";
import { enter, finish, foreseeNext, hearBall, leftBehind, weigh, write, writeChoice } from "./weighing.js";
import { t } from "./i18n.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Call} Call */

/** The drafts that Undo has left, by what they were before: a wish behind an Undo means what that leaves. @type {Map<string, string>} */
const leftBy = new Map();
/** What a draft or a held ball has become. @param {string | undefined} id @returns {string | undefined} */
const becameOf = (id) => (id && leftBy.has(id) ? becameOf(leftBy.get(id)) : id);

/** How long another tab may take to enter a ball. */
const ELSEWHERE = 2000;

/** Reads what this browser has of the match before the match, and goes on with both. @param {Match} match */
export const open = async (match) => {
  const { queue, signal } = match;
  if (signal.aborted) return;
  queue.hearer = {
    answered: (entry, answer) => answered(match, entry, answer),
    found: ({ title }) => {
      change(match, { preview: null, said: t("typed.elsewhere", { what: title }) });
      void owe(refresh(match).then(() => again(match)));
    },
    settled: () => readHeard(match),
    stopped: (error) => {
      match.digits = [];
      if (error?.isOfToken) loseToken(match, match.said);
      // Whose ball came between, the stop shows.
      void owe(refresh(match).then(() => judgedAll(match)));
    },
    late: () => {
      change(match, { isFresh: false });
      refuseDigits(match, match.digits.splice(0));
    },
    drained: () => {
      const { answers, changes } = draftOf(match);
      const waits = answers.length > 0 || match.digits.length > 0 || Object.keys(changes).length > 0;
      if (waits && !match.preview) again(match);
      void owe(foreseeNext(match));
      judge(match);
    },
    joined: (before) => {
      judge(match);
      void inTurn(match, () => joined(match, before));
    },
  };
  match.awaits = () => queue.isAwaiting;
  match.returned = () => {
    queue.wake();
    void owe(Promise.all([foreseeNext(match), tryBrought(match).then(() => goOnWithKey(match))]));
    if (!match.preview) again(match);
  };
  match.moved = () => {
    const isOlder = match.preview !== null && match.previewOn !== match.view?.head.hash;
    if (isOlder && draftOf(match).answers.length === 0) again(match);
    void inTurn(match, () => leftBehind(match));
    // What another phone has written is no news of the ball that was told here.
    if (Number(match.view?.head.seq) > Number(match.judged?.seq ?? Infinity)) change(match, { spoken: null });
    judge(match);
  };
  signal.addEventListener(
    "abort",
    () => {
      queue.hearer = null;
      void release(queue);
    },
    { once: true },
  );
  await load(queue);
  await follow(match);
  if (signal.aborted) return;
  await goOnWithKey(match);
  change(match, {});
  again(match);
};

/** Goes on with the token that this browser has now, where an earlier one was refused. @param {Match} match */
export const goOnWithKey = async (match) => {
  const token = (await keyOf(match.id))?.scorer;
  const goes = await goOnWith(match.queue, token);
  if (goes) change(match, { token, said: null });
  return goes;
};

/** What was typed is asked for, unless that is known, and what was typed meanwhile is taken. @param {Match} match */
export const again = (match) =>
  void inTurn(match, async () => {
    await readUnread(match);
    if (!isWeighed(match)) await weigh(match);
    await takeDigits(match);
  });

/** A ball is entered where its last die was typed, and here where that tab has gone. @param {Match} match @param {Draft | null} before */
const joined = async (match, before) => {
  await goOnWithKey(match);
  await readUnread(match);
  const { head } = draftOf(match);
  // It may be typed on what another phone has written, of which this page has not heard.
  if (head && head !== match.view?.head.hash) await refresh(match);
  if (JSON.stringify(before) === JSON.stringify(match.queue.draft) || isWeighed(match)) return;
  change(match, { preview: null });
  if (await weigh(match, false)) after(ELSEWHERE, () => again(match), match.signal);
};

/**
 * A key or a choice is pressed. It answers the question that it was drawn for. A digit of a keyboard was drawn for
 * none: it answers the question that is due when its turn comes.
 * @param {Match} match @param {unknown} value @param {string | null} question
 */
export const answer = (match, value, question) => {
  if (!press(match, value, question !== null)) return;
  const on = match.view?.head;
  match.presses += 1;
  void inTurn(match, async () => {
    match.presses -= 1;
    if (question !== null && question !== questionOf(match)) return miss(match, value);
    await took(match, value, question === null, question === null ? undefined : on);
  });
};

/** @param {Match} match @param {unknown} value @param {boolean} waits Whether it waits until something is asked. @param {import("./outbox.js").Head} [on] */
const took = async (match, value, waits, on) => {
  const { queue } = match;
  const requests = requestsOf(match);
  if (!requests && waits)
    return queue.stop || isAlone(match) ? refuseDigits(match, [value]) : void match.digits.push(value);
  // Which of several ways is meant, a key of its own says.
  const found = alternatives(requests ?? []).length > 0 ? null : asked(requests ?? []);
  if (!found || queue.stop) return void (match.digits = []);
  const { request, ask } = found;
  const option = kindOf(ask).option(ask, value);
  if (!option || option.why_not) {
    const said = option?.why_not ?? t("key.none", { title: ask.title, value: String(value) });
    return change(match, { said, pressed: null });
  }
  const given = answerTo(ask, value, option);
  /** @type {import("./weighing.js").Typing} */
  const next = (draft, head) => withAnswer(draft, request, given, head);
  change(match, { said: null, spoken: null });
  if (option.runs === undefined) {
    if (!(await write(match, next, on))) return miss(match, value);
    await weigh(match);
  } else await finish(match, { next, on });
  await takeDigits(match);
};

/** The digits that were typed before something was asked. @param {Match} match */
const takeDigits = async (match) => {
  while (match.digits.length > 0 && requestsOf(match)) await took(match, match.digits.shift(), true);
  if (isAlone(match)) refuseDigits(match, match.digits.splice(0));
};

/** Nobody says what is asked: the digits of a keyboard count no more than a finger on a dashed key. @param {Match} match @param {unknown[]} digits */
const refuseDigits = (match, digits) => {
  if (digits.length > 0) change(match, { said: t("key.early", { digits: digits.join(" ") }), pressed: null });
};

/** One of several requests that can answer the step: to accept, to review. @param {Match} match @param {NextRequest} wished @param {string} question For which its key was drawn. */
export const pick = (match, wished, question) => {
  if (!press(match, wished.title, true)) return;
  change(match, { said: null, spoken: null });
  if (wished.asks.every(({ required }) => !required)) return request(match, wished, question);
  void inTurn(
    match,
    () => question === questionOf(match) && write(match, (draft) => ({ ...draft, request: wished })),
  );
};

/**
 * A request of an entry has its answer. It tells all that has changed. Where a request was sent again, or to a service
 * of before, it does not, and the match is read.
 * @param {Match} match @param {Entry} entry @param {import("./service.js").Appended} answer
 */
const answered = (match, entry, answer) => {
  const { view, judged } = match;
  if (!entry.preview) hearBall(match, answer);
  if (judged?.hash === entry.head) match.judged = answer.head;
  const isNew = !view || answer.head.seq > view.head.seq;
  if (view && isNew && answer.status) return tookAnswer(match, view, answer);
  change(match, { isFresh: true, since: now() });
  if (!isNew) return;
  // What is typed from now on is made on this answer.
  if (view && entry.steps.length === 1) {
    const { head, score, situation } = answer;
    const next = entry.preview?.next ?? answer.next;
    change(match, { view: { ...view, head, score, situation: situation ?? view.situation, next } });
  }
  void owe(refresh(match));
};

/** Takes back the last die, or opens the question why, for a ball that was sent. @param {Match} match @returns {"undone" | "ask" | "nothing"} */
export const undo = (match) => {
  const what = undoable(match);
  const id = what === "held" ? heldOf(match.queue)?.id : draftOf(match).id;
  if (what === "draft" || what === "held") return (void inTurn(match, () => back(match, id)), "undone");
  return what === "sent" ? "ask" : "nothing";
};

/** Takes back the last die of a draft, or of the held ball that it has become meanwhile. @param {Match} match @param {string | undefined} wished */
const back = async (match, wished) => {
  const { queue } = match;
  const id = becameOf(wished);
  const held = heldOf(queue)?.id === id ? heldOf(queue) : null;
  const draft = draftOf(match);
  if (!held && (draft.id !== id || !draft.request)) return;
  letGo(queue);
  const offered = (held ? match.view?.next.requests : offeredOf(match)) ?? [];
  const picked = [...alternatives(offered), ...otherWays(offered)];
  // It is another ball from now on: a store that forgot may give back a draft that is recorded under its key.
  const anew = freshId();
  // A key of its own has sent what was laid: all of it stands again.
  const typed = (/** @type {Entry} */ { draft, head }) => ({ ...draft, head, id: anew });
  const before = (/** @type {Entry} */ entry) =>
    entry.draft.request?.laid ? typed(entry) : withoutLast(typed(entry), picked);
  if (held) await take(queue, takenBack(held.id, before));
  else await write(match, (draft) => ({ ...withoutLast(draft, picked), id: anew }));
  if (draftOf(match).id === anew) leftBy.set(String(id), anew);
  change(match, { preview: null, pressed: null, said: null, spoken: null, digits: [] });
  await weigh(match);
};

/** Sends a request that has nothing to be asked: Bowl, Bowl the over. @param {Match} match @param {NextRequest} wished @param {string} question For which its key was drawn. */
export const request = (match, wished, question) =>
  post(match, question, wished.title, () => callsOf(draftOf(match), wished, offeredOf(match)));

/** A choice of a form. @param {Match} match @param {NextRequest} request @param {string} at @param {unknown} value */
export const set = (match, request, at, value) =>
  void inTurn(match, () =>
    write(match, (draft, head) => withPlace(draft, request, { at, value, sides: 0 }, head)),
  );

/** The form is sent. @param {Match} match */
export const submit = (match) => void inTurn(match, () => finish(match));

/** A default is changed, or taken again. @param {Match} match @param {string} operation @param {string} at @param {unknown} value */
export const choose = (match, operation, at, value) => {
  const { id } = draftOf(match);
  void inTurn(match, async () => {
    // The ball that it was chosen for may be entered meanwhile, here or in another tab.
    if (draftOf(match).id !== becameOf(id)) return change(match, { said: t("choice.late") });
    await writeChoice(match, (draft) => withChange(draft, offeredOf(match) ?? [], { operation, at, value }));
    await weigh(match);
  });
};

/** Tries at once what is waited for. @param {Match} match */
export const tryNow = (match) => {
  match.queue.wake();
  void owe(Promise.all([foreseeNext(match), refresh(match).then(() => again(match))]));
};

/**
 * Sends what needs no time to be taken back.
 * @param {Match} match @param {string} question @param {string} title @param {() => Call[]} calls @param {() => Promise<boolean>} [isDue]
 */
export const post = (match, question, title, calls, isDue) =>
  void inTurn(match, async () => {
    const { queue } = match;
    // The second of two taps was drawn for what the first one has asked for.
    const isAsked = () => !queue.stop && question === questionOf(match);
    if (!isAsked() || (isDue && !(await isDue()))) return;
    await release(queue);
    // Another tab may have taken back meanwhile what is released here.
    if (!isAsked()) return;
    change(match, { spoken: null });
    await enter(match, () => ({ title, state: "queued", steps: calls() }));
    void send(queue);
  });
