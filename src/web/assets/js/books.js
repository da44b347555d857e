/** Where two books differ: a request was refused for its head or its token. The log says how its entry goes on, or a person does. */
import * as log from "./log.js";
import * as kept from "./kept.js";
import { change } from "./match.js";
import { rebased, recorded } from "./agreed.js";
import { due, isIdle } from "./outbox.js";
import { stop, take } from "./sending.js";
import { Refused } from "./service.js";

export const chosenFor = log.chosenFor;

/** It ends with the page. */
const FOR_EVER = new AbortController().signal;

/** @param {import("./sending.js").Queue} queue @param {import("./sending.js").Why} why @returns {Promise<"went" | "away">} */
export const lookedUp = async (queue, why) => {
  const { entry, error } = why;
  const events = await log
    .eventsBehind(queue.match, entry.head ?? "", FOR_EVER)
    .catch((fault) => (fault instanceof Refused && !fault.isPassing ? [] : undefined));
  if (events === undefined) return "away";
  const now = due(await take(queue, (kept) => kept)); // Another tab may have gone on with it.
  if (now.act !== "send" || now.entry.id !== entry.id || now.head !== entry.head) return "went";
  const found = events && log.between(entry, events);
  if (found?.is === "recorded") {
    const offered = now.entry.chosen && (await log.stepNow(queue.match, FOR_EVER).catch(() => null));
    if (offered === null) return "away";
    await take(queue, recorded(entry.id, found.head, offered));
    queue.hearer?.found(entry);
    if (error.isOfToken) queue.hearer?.stopped(error);
  } else if (found?.is === "moved" && error.status === 412)
    await take(queue, rebased(entry.id, found.head.hash));
  else if (found?.is === "differs" && error.isOfLog) {
    const theirs = await log.wordsOf(queue.match, found.theirs, FOR_EVER).catch(() => null);
    stop(queue, { ...why, ...(theirs && { theirs }) });
  } else stop(queue, { ...why, isForgotten: !found });
  return "went";
};

/**
 * Looks whether the events that this page was not told by an answer are another phone's. The log is read before the
 * store: what any tab of this browser had sent by then is in the store, as an entry, or as the head of its answer.
 * @param {import("./match.js").Match} match
 */
export const lookForStrangers = async (match) => {
  const { id, judged, signal } = match;
  if (!judged) return;
  const found = await log.scoredBehind(id, judged.seq, signal).catch(() => null);
  const here = await kept.read(id);
  if (!found?.last || !isIdle(here) || match.judged !== judged) return;
  match.judged = { seq: found.last.seq, hash: found.last.hash };
  const answered = here.draft?.after?.seq ?? 0;
  const strange = found.scored.filter(({ seq }) => seq > answered).pop();
  const told = strange && (await log.wordsOf(id, strange, signal).catch(() => null));
  if (told) change(match, { stranger: told });
};
