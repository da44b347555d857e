/**
 * Sends what is kept: of each match one entry after the other, each request again until it is answered. It goes
 * on whichever page is open. What is to be done now, the steps of the outbox say; this module does it.
 */
import * as api from "./service.js";
import { otherTabs } from "./db.js";
import * as kept from "./kept.js";
import { emptyDraft, sameDraft } from "./draft.js";
import { keyOf } from "./keys.js";
import { answered, due, heldOf, isIdle, passedOn, released, tried } from "./outbox.js";
import { owe, redraw, unsentBy } from "./owed.js";
import { after, listen } from "./signal.js";
import { waited } from "./waiting.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Kept} Kept */
/** @typedef {import("./outbox.js").Step} Step */
/** @typedef {import("./draft.js").Draft} Draft */

/** How long a ball can be taken back before it goes. */
const HOLD = 4000;
const [FIRST_WAIT, LONGEST_WAIT] = [1000, 30_000];

/**
 * Why nothing of a match goes any more, until a person says how. Without an error the entry was made on an answer
 * that nobody has.
 * @typedef {object} Stop
 * @property {Entry} entry
 * @property {api.Refused | null} error
 * @property {string} [token] The one that it went with.
 * @property {import("./log.js").Told} [theirs] What the log has instead of the entry.
 * @property {boolean} [isElsewhere] Whether the entry was made for the store of another service.
 * @property {boolean} [isForgotten] Whether the log has not what the entry was made on: its store was put back.
 */

/** Why an entry was refused. @typedef {{entry: Entry, error: api.Refused, token?: string}} Why */

/**
 * Who has a match open, and is told how it goes.
 * @typedef {object} Hearer
 * @property {(entry: Entry, answer: api.Appended) => void} answered A request of the entry has its answer.
 * @property {(entry: Entry) => void} found Somebody else has recorded the same as the entry.
 * @property {() => void} settled A request is not on its way any more, answered or not.
 * @property {(error: api.Refused | null) => void} stopped
 * @property {() => void} late No answer came.
 * @property {() => void} drained All that was queued has gone, from here or from a tab that may have died since.
 * @property {(before: Draft | null) => void} joined Another tab has written.
 */

/**
 * What this browser keeps of a match, and how it goes.
 * @typedef {object} Queue
 * @property {string} match
 * @property {Entry[]} entries As they are in the store, the oldest first.
 * @property {Draft} draft As it is in the store; an empty one where that has none.
 * @property {Step[]} ahead Steps that are shown, and not written yet.
 * @property {Promise<void>} written Ends when they are.
 * @property {Stop | null} stop
 * @property {number | null} nextTry The seconds until the next try, where one is waited for.
 * @property {boolean} isSending
 * @property {boolean} isAwaiting Whether a request is on its way.
 * @property {Promise<void>} turn The wish that was made last on any of its pads: wishes wait for each other.
 * @property {Hearer | null} hearer The pad of the match, while it is open.
 * @property {AbortController} hold Ends the time of the held ball.
 * @property {() => void} wake Tries at once, where a try is waited for.
 */

/** What reads the log after a refusal, or for a correction: a script that comes later. */
export const books = () => import("./books.js");

/** @type {Map<string, Queue>} */
const queues = new Map();
/** It ends with the page. */
const FOR_EVER = new AbortController().signal;

/** @param {string} match @returns {Queue} */
export const queueOf = (match) => {
  if (queues.size === 0) begin();
  const found = queues.get(match) ?? {
    match,
    entries: [],
    draft: emptyDraft(match),
    ahead: [],
    written: Promise.resolve(),
    stop: null,
    nextTry: null,
    isSending: false,
    isAwaiting: false,
    turn: Promise.resolve(),
    hearer: null,
    hold: new AbortController(),
    wake: () => {},
  };
  queues.set(match, found);
  return found;
};

const has = () => [...queues.values()].some(({ entries }) => entries.length > 0);

/** What goes on is told to the page, and the page's sleep and waking to what goes on. */
const begin = () => {
  unsentBy({ has, wouldLose: kept.wouldLose });
  const visible = () => document.visibilityState === "visible";
  listen(window, "online", () => visible() && queues.forEach(({ wake }) => wake()), FOR_EVER);
  listen(
    document,
    "visibilitychange",
    () => queues.forEach((queue) => (visible() ? comeBack(queue) : void release(queue))),
    FOR_EVER,
  );
  otherTabs(() => queues.forEach((queue) => void owe(join(queue))), FOR_EVER);
};

/** Goes on with what is kept here, of whichever match. @param {import("./db.js").Rows["entries"][]} entries */
export const sendKept = async (entries) => {
  const matches = new Set(entries.map(({ match }) => match));
  await Promise.all([...matches].filter(Boolean).map((match) => load(queueOf(String(match)))));
};

/** Reads what is kept of a match, and goes on with it. @param {Queue} queue */
export const load = async (queue) => {
  settle(queue, await kept.read(queue.match));
  if (heldOf(queue)) hold(queue);
  void send(queue);
};

/** @param {Queue} queue @param {Kept} now */
const show = (queue, { entries, draft }) => {
  queue.entries = entries;
  queue.draft = draft ?? queue.draft;
  redraw();
};

/** The page is seen again: a tab that has gone meanwhile may have told nobody what it wrote. @param {Queue} queue */
const comeBack = (queue) => {
  queue.wake();
  void owe(join(queue));
};

/** Another tab of this browser has written: both show the same. @param {Queue} queue */
const join = async (queue) => {
  const before = { held: heldOf(queue)?.id, draft: queue.draft };
  settle(queue, await kept.read(queue.match));
  const at = queue.stop?.entry;
  // A person has decided there.
  if (at && !queue.entries.some(({ id, head }) => id === at.id && head === at.head)) queue.stop = null;
  await goOnWith(queue, (await keyOf(queue.match))?.scorer);
  const held = heldOf(queue)?.id;
  if (held !== before.held && held) hold(queue);
  void send(queue);
  queue.hearer?.joined(before.draft);
};

/** Changes what is kept of a match; the store has it before anybody sees it. @param {Queue} queue @param {Step} step */
export const take = async (queue, step) => {
  const after = await kept.take(queue.match, step);
  settle(queue, after);
  return after;
};

/** Shows a step at once, writes it meanwhile, and sends what goes then. @param {Queue} queue @param {Step} step */
export const foretake = (queue, step) => {
  queue.ahead.push(step);
  show(queue, step(queue));
  queue.written = owe(
    kept.take(queue.match, step).then((after) => {
      const { draft } = queue;
      queue.ahead.shift();
      settle(queue, after);
      void send(queue);
      // Another tab was sooner.
      if (!sameDraft(draft, queue.draft)) queue.hearer?.joined(draft);
    }),
  );
};

/** What the store has is shown, with the steps that are still being written. @param {Queue} queue @param {Kept} after */
const settle = (queue, after) =>
  show(
    queue,
    queue.ahead.reduce((now, step) => step(now), after),
  );

/** The time begins in which the held ball can be taken back. @param {Queue} queue */
export const hold = (queue) => {
  letGo(queue);
  queue.hold = new AbortController();
  after(HOLD, () => void release(queue), queue.hold.signal);
};

/** The time of the held ball ends here. @param {Queue} queue */
export const letGo = (queue) => queue.hold.abort();

/** The held ball goes. @param {Queue} queue */
export const release = async (queue) => {
  letGo(queue);
  if (heldOf(queue)) await owe(take(queue, released));
  void send(queue);
};

/** A person has said how it goes on. @param {Queue} queue @param {Step} step */
export const goOn = async (queue, step) => {
  await take(queue, step);
  queue.stop = null;
  void send(queue);
};

/** Sends what is not held, one at a time and in order. Each turn waits for an answer, or makes the queue shorter. @param {Queue} queue */
export const send = async (queue) => {
  if (queue.isSending) return;
  const isDue = due(queue).act !== "rest";
  queue.isSending = true;
  for (let wait = FIRST_WAIT; !queue.stop;) {
    const next = due(queue);
    if (next.act === "rest") break;
    if (next.act === "ask") stop(queue, { entry: next.entry, error: null });
    else if (next.act === "pass") await take(queue, passedOn);
    else {
      const went = await owe(attempt(queue, next));
      if (went === "went") wait = FIRST_WAIT;
      else {
        await waited(queue, wait, went === "away");
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
  }
  queue.isSending = false;
  if (isDue && isIdle(queue)) queue.hearer?.drained();
  redraw();
};

/**
 * Sends a request. `away`: no answer came. `busy`: it may be answered otherwise later.
 * @param {Queue} queue @param {Extract<import("./outbox.js").Due, {act: "send"}>} next @returns {Promise<"went" | "away" | "busy">}
 */
const attempt = async (queue, { entry, call, head }) => {
  if (!(await api.about().catch(() => null))) return "away";
  const token = (await keyOf(queue.match))?.scorer;
  if (entry.store && entry.store !== api.storeHere())
    return (stop(queue, { entry, error: null, isElsewhere: true }), "went");
  try {
    const takesBack = call.path.endsWith("/corrections") && !entry.chosen;
    const chosen = takesBack ? await (await books()).chosenFor(queue.match, call, FOR_EVER) : entry.chosen;
    const now = due(await take(queue, tried(entry.id, chosen)));
    // Another tab has taken it back, or has its answer.
    if (now.act !== "send" || now.call.key !== call.key || now.head !== head) return "went";
    queue.isAwaiting = true;
    const answer = await api.append(call.path, {
      body: call.body,
      key: call.key,
      token,
      ifMatch: head,
      signal: FOR_EVER,
    });
    queue.hearer?.answered(entry, answer);
    await take(queue, answered(entry.id, call.key, answer.head, answer.next.requests));
    return "went";
  } catch (error) {
    if (!(error instanceof api.Refused)) return error instanceof api.Unreadable ? "busy" : "away";
    if (error.isPassing) return "busy";
    // A link has brought another token meanwhile.
    if (error.isOfToken && (await keyOf(queue.match))?.scorer !== token) return "went";
    return await refused(queue, { entry, error, ...(token && { token }) });
  } finally {
    queue.isAwaiting = false;
    queue.hearer?.settled();
  }
};

/**
 * A request was refused: the log says how it goes on, or a person does.
 * @param {Queue} queue @param {Why} why @returns {Promise<"went" | "away" | "busy">}
 */
const refused = async (queue, why) => {
  const { entry, error } = why;
  if (!entry.head || !(error.isOfLog || error.isOfToken)) return (stop(queue, why), "went");
  const log = await books().catch(() => null);
  return log ? log.lookedUp(queue, why) : "away";
};

/** Goes on where another token has come than the one that was refused; returns whether it did. @param {Queue} queue @param {string | undefined} token */
export const goOnWith = async (queue, token) => {
  const { stop: at } = queue;
  if (!token || !at || !at.error?.isOfToken || at.token === token) return false;
  await goOn(queue, (kept) => kept);
  return true;
};

/** Nothing goes any more until a person says how. @param {Queue} queue @param {Stop} why */
export const stop = (queue, why) => {
  queue.stop = why;
  queue.hearer?.stopped(why.error);
  redraw();
};
