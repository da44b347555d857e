/** What a person wishes after a stop, and what takes back a ball that was sent. It is seldom, and comes with what draws it. */
import { leftOut, remade } from "./decided.js";
import { emptyDraft } from "./draft.js";
import { lastEvent } from "./events.js";
import { lastBall, refresh, tryBrought } from "./following.js";
import { t } from "./i18n.js";
import { bring, keyOf } from "./keys.js";
import { change, draftOf, inTurn, judgedAll, questionOf, readUnread, unreadOf } from "./match.js";
import { freshId } from "./must.js";
import { newestOf } from "./outbox.js";
import { owe } from "./owed.js";
import { again, goOnWithKey, post } from "./scoring.js";
import { goOn } from "./sending.js";
import { ofMatch } from "./service.js";

/** @typedef {import("./match.js").Match} Match */

/** The token in a link of a match, or a token alone. @param {string} text @returns {string | undefined} */
const tokenIn = (text) => {
  const [link, fragment] = text.trim().split("#");
  const found =
    new URLSearchParams(fragment ?? "").get("scorer") ?? (fragment === undefined ? link : undefined);
  return found && /^[\w.~+/=-]+$/.test(found) ? found : undefined;
};

/** Goes on after a stop: what was not sent is left out, or goes after what the service has now. @param {Match} match @param {"theirs" | "mine"} whose */
export const decide = (match, whose) => {
  const seen = match.queue.stop?.entry.id;
  void inTurn(match, async () => {
    const { stop } = match.queue;
    // A second tap is for what the first one has decided, and not for the stop behind it.
    if (!stop || stop.entry.id !== seen) return;
    const next = emptyDraft(match.id);
    const head = match.view?.head.hash ?? null;
    const key = stop.error?.isOfKey ? freshId() : undefined;
    await goOn(
      match.queue,
      whose === "theirs" ? leftOut(stop.entry.id, next) : remade(stop.entry.id, head, next, key),
    );
    change(match, { preview: null });
  });
};

/** Goes on with the token of a link, where the one that this browser has was refused. @param {Match} match @param {string} link */
export const enterLink = (match, link) =>
  void inTurn(match, async () => {
    const token = tokenIn(link);
    if (!token) return change(match, { said: t("key.no_link") });
    await bring(match.id, token);
    await tryBrought(match);
    if (!(await goOnWithKey(match)) && !match.said) change(match, { said: t("key.refused.none") });
  });

/** Whether nothing is typed or kept, which a correction would take with it. @param {Match} match */
const isFree = (match) => !draftOf(match).request && !newestOf(match.queue);

/** Tells later whether a correction still takes back what it would take back now. @param {Match} match */
const staying = (match) => {
  const [last, status] = [lastBall(match)?.seq, match.view?.status];
  return () => isFree(match) && lastBall(match)?.seq === last && match.view?.status === status;
};

/**
 * Sends a correction as a ball is sent, unless the match has gone on when its turn comes, as by another tab.
 * @param {Match} match @param {{reason: string} & Record<string, unknown>} body @param {string} title
 */
export const sendCorrection = (match, body, title, isStill = staying(match)) => {
  const calls = () => [{ path: ofMatch(match.id, "/corrections"), body, key: freshId() }];
  post(match, questionOf(match), title, calls, async () => {
    await readUnread(match);
    if (isStill() && !unreadOf(match, match.queue)) return true;
    change(match, { said: t("undo.elsewhere") });
    return false;
  });
};

/** Abandons the match, once what is kept here has gone. @param {Match} match @param {string} reason */
export const abandon = (match, reason) =>
  post(match, questionOf(match), t("abandon"), () => [
    { path: ofMatch(match.id, "/abandonment"), body: { reason }, key: freshId() },
  ]);

/** Takes the last ball back that was sent, or the toss before the first one, or the abandonment of the match. What was typed behind it meanwhile would go as well: it stays, and that one too. @param {Match} match @param {string} reason */
export const correct = (match, reason) => {
  const last = lastBall(match);
  if (match.view?.status === "abandoned") void owe(takeEventBack(match, "match_abandoned", reason));
  else if (!last) void owe(takeEventBack(match, "toss", reason));
  else if (isFree(match)) sendCorrection(match, { voids_from: last.delivery, reason }, t("undone"));
  else change(match, { said: t("undo.first") });
};

/** Takes back from the last event of a kind on, unless something is typed or kept. @param {Match} match @param {string} of @param {string} reason */
const takeEventBack = async (match, of, reason) => {
  const isStill = staying(match);
  const before = Number(match.view?.head.seq) + 1;
  const event = await lastEvent(match, before, ({ kind }) => kind === of).catch(() => null);
  if (!event) return change(match, { said: t("match.away") });
  if (isFree(match)) sendCorrection(match, { voids_from_seq: event.seq, reason }, t("undone"), isStill);
  else change(match, { said: t("undo.first") });
};

/** Goes on with the token that this browser has taken, and with what it has kept. @param {Match} match */
export const takeUp = async (match) => {
  if (!(await goOnWithKey(match))) change(match, { token: (await keyOf(match.id))?.scorer, said: null });
  await refresh(match);
  judgedAll(match);
  again(match);
};
