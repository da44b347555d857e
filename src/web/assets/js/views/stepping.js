/** The choices of a ball that stand on the pad before its keys, and where Undo leads. */
import { nameOf } from "../places.js";
import { lastBall } from "../following.js";
import { t } from "../i18n.js";
import { calledBy, isShaped, kindOf, numbersOf } from "../kinds.js";
import { types, undoable, unreadOf } from "../match.js";
import { heldOf } from "../outbox.js";
import { cellOf } from "../parts/book.js";
import { ballWords } from "../parts/names.js";
import { offerOf } from "./scripts.js";

/** @typedef {import("./pad.js").Drawn} Drawn */

/**
 * The choices that stand on the pad before what is asked: those of a ball that begins, but for who bats and bowls,
 * which the book has. Where dice or numbers are asked, and no part of a field, the keys stand there at once.
 * @param {import("../match.js").Now} now
 */
const stepsOf = ({ due, cells, draft }) => {
  if (!due || due.request.operation !== "bowl_ball" || draft.answers.length > 0) return [];
  const rest = cells.filter(({ ask }) => cellOf(ask) === null && numbersOf(ask).length === 0);
  const own = rest.filter(({ operation }) => operation === due.request.operation);
  const isLed = own.some(({ ask }) => isShaped(ask)) || (own.length > 0 && !kindOf(due.ask).keepsKeys);
  // What an over begins with, a ball of it does not ask again.
  const begins = rest.filter(({ operation }) => operation !== due.request.operation);
  const ofOver = begins.map(({ ask }) => nameOf(ask.at));
  return isLed ? [...own.filter(({ ask }) => !ofOver.includes(nameOf(ask.at))), ...begins] : [];
};

/** `before`: those choices. `isPassed`: they have led on to the first key. @typedef {{before: ReturnType<typeof stepsOf>, isPassed: boolean}} Stepping */

/** @param {import("./pad.js").Pad} pad @param {import("../match.js").Now} now @returns {Stepping} */
export const steppingOf = ({ passed }, now) => {
  const before = stepsOf(now);
  return { before, isPassed: before.length > 0 && passed === now.question };
};

/** Whether a side lays its order unseen: not on a phone that may not score, nor where something has to be decided first. @param {import("./pad.js").Pad} pad */
export const isSecret = ({ match, secret }) => secret !== null && types(match) && !match.queue.stop;

/** Whether a side can put in order what the service has dealt, by the token of this phone. @param {import("../match.js").Match} match */
export const hasDealt = ({ view }) => Boolean(view?.own && view.next.requests?.some(({ secret }) => secret));

/** The first two of them by their titles: `Bowl, stroke`; a question stands alone. @param {Stepping["before"]} all */
export const stepsTitle = (all) =>
  all
    .slice(0, all[0]?.ask.title.endsWith("?") ? 1 : 2)
    .map(({ ask }, i) => (i === 0 ? ask.title : ask.title.toLowerCase()))
    .join(", ");

/** Where Undo leads back to: the part of the field, else the first of them. @param {Stepping["before"]} all */
const stepBack = (all) => (all.find(({ ask }) => isShaped(ask)) ?? all[0])?.ask.title.toLowerCase() ?? "";

/** What Undo takes back, in words. @param {Drawn} state */
export const undoWords = ({ match, now, before, isPassed }) => {
  if (isPassed) return { words: t("undo.back", { what: stepBack(before) }) };
  const [undone, held, last] = [undoable(match), heldOf(match.queue), lastBall(match)];
  if (undone === "draft") {
    const taken = now.draft.answers.slice(-1);
    // A number is named; a die is in sight.
    return { words: t(`undo.${calledBy(taken)}`, { what: String(taken[0]?.value) }) };
  }
  const what = held?.title.toLowerCase() ?? "";
  if (held) return { words: t("undo.what", { what }), solid: true, said: t("undo.held", { what }) };
  if (!match.token) return { why: "" };
  if (match.queue.stop) return { why: t("sync.stopped") };
  if (!now.isIdle) return { why: t(match.isFresh ? "undo.sending" : "strip.kept") };
  if (unreadOf(match, match.queue)) return { why: t(match.isFresh ? "undo.sending" : "sync.lost") };
  if (match.view?.status === "abandoned")
    return match.view.dice === "seeded" ? { why: t("undo.seeded") } : { words: t("undo.abandoned") };
  if (!last && match.view?.situation) return { words: t("undo.toss") };
  // Behind a correction it is looked up what can come again, before its key is asked for.
  const brought = Number(match.view?.head.seq) > (last?.seq ?? 4) + 1 && offerOf(match);
  if (!last) return brought ? { words: brought.words } : { why: t("undo.none") };
  if (now.isOver && match.view?.dice === "seeded") return { why: t("undo.seeded") };
  return { words: t("undo.why", { what: ballWords(last) }) };
};
