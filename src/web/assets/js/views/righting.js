/** A correction of a ball while it is made: what it would come to, what that asks, and the tap that sends it. It draws nothing. */
import { t } from "../i18n.js";
import { bodyOf } from "../draft.js";
import { refresh, tookAnswer } from "../following.js";
import { kindOf } from "../kinds.js";
import { freshId } from "../must.js";
import { onceDrawn, owe, redraw } from "../owed.js";
import { append, ofMatch, Refused, send } from "../service.js";
import { ballWords, withShortNames, written } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";
import { sentence } from "./nowhere.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("./delivery.js").BallPage} BallPage */
/** @typedef {import("../parts/delivery.js").Delivery} Delivery */
/** What is asked next; `later` or `missing` names the ball, where it is not this one. @typedef {Schemas["UnfinishedBody"]} Unfinished */
/** What it comes to. @typedef {Schemas["SupposedBody"]} Supposed */
/** @typedef {Record<string, unknown>} Body */

/**
 * @typedef {object} Right
 * @property {"face" | "player" | "missing" | "never" | "back" | "again"} way What was tapped.
 * @property {number} place The place of the die that was tapped; -1 where it was none.
 * @property {Body} body The correction as far as it is answered.
 * @property {string} words What the key that sends it says.
 * @property {Unfinished | null} unfinished
 * @property {Supposed | null} supposed
 * @property {string} lead What changes first, in words; empty where that is what the ball becomes.
 * @property {string} becomes What the ball becomes, in words.
 * @property {string} sentence What changes, in a sentence.
 * @property {string} reason
 * @property {boolean} isOwn Whether the reason is given in words of one's own.
 * @property {string} key The idempotency key: a second tap sends the same again.
 * @property {number} answered How many questions of later balls were answered.
 * @property {boolean} isBusy Whether the service is asked.
 * @property {string | null} said What is refused, in words.
 */

const CORRECTIONS = "/v1/matches/{id}/corrections";

/** The faces of the ball as they stand. @param {BallPage} page */
export const facesOf = ({ delivery }) => (delivery?.now?.dice ?? []).map(({ value }) => value);

/** What a body would come to. @param {BallPage} page @param {Body} body */
export const tried = async ({ match }, body) => {
  const { token, signal } = match;
  const query = { dry_run: "true" };
  const sent = /** @type {Schemas["CorrectionBody"]} */ (body);
  const answer = await send(CORRECTIONS, { of: { id: match.id }, query, signal, token, body: sent });
  return /** @type {Unfinished | Supposed} */ (/** @type {unknown} */ (answer));
};

/** The first thing that is asked. @param {Unfinished} unfinished */
export const askIn = ({ next: { requests } }) => {
  const request = requests[0];
  const ask = request?.asks.find(({ required }) => required);
  return request && ask ? { request, ask } : null;
};

/** The place of a die of this ball: 1 for `dice[1]`. @param {string} at */
const placeIn = (at) => Number(/^dice\[(\d+)\]$/.exec(at)?.[1] ?? -1);

/** Leads the eye, and the focus of a reader, to what has come. @param {string} place @param {string} heading */
const leadTo = (place, heading) =>
  onceDrawn(() => {
    document.querySelector(/** @type {"h2"} */ (heading))?.focus({ preventScroll: true });
    document.querySelector(place)?.scrollIntoView({ block: "nearest" });
  });

/**
 * Begins a correction, unless another is being asked about: what it would come to is asked.
 * @param {BallPage} page @param {Pick<Right, "way" | "body" | "words"> & Partial<Right>} members
 */
export const begin = (page, members) => {
  if (page.right?.isBusy) return;
  /** @type {Right} */
  const right = {
    ...{ place: -1, lead: "", becomes: "", sentence: "", reason: "", isOwn: false, key: freshId() },
    ...{ unfinished: null, supposed: null, answered: 0, isBusy: false, said: null },
    ...members,
  };
  page.right = right;
  if (right.way !== "player") page.tapped = null;
  void owe(look(page, right));
};

/** @param {BallPage} page */
export const leave = (page) => {
  Object.assign(page, { right: null, tapped: null });
  redraw();
};

/** Asks what the body comes to, and answers with the dice of the ball what they answer as before. @param {BallPage} page @param {Right} right */
const look = async (page, right) => {
  Object.assign(right, { isBusy: true, said: null });
  redraw();
  try {
    for (;;) {
      const found = await tried(page, right.body);
      const unfinished = "done" in found ? found : null;
      Object.assign(right, { unfinished, supposed: unfinished ? null : found });
      const again = unfinished && (await keptAnswer(page, right, unfinished));
      if (!again) break;
      take(right, again.value, again.option);
    }
    right.sentence = right.supposed ? changes(page, right) : "";
  } catch (error) {
    Object.assign(right, { said: sentence(error), supposed: null });
  }
  right.isBusy = false;
  redraw();
  leadTo(".delivery .right", ".right [tabindex='-1']");
};

/** The die of the ball that answers what is asked now, where the same was asked of it before. @param {BallPage} page @param {Right} right @param {Unfinished} unfinished */
const keptAnswer = async (page, right, unfinished) => {
  if (right.way !== "face") return null;
  const asked = askIn(unfinished)?.ask;
  const place = unfinished.later || !asked ? -1 : placeIn(asked.at);
  const value = facesOf(page)[place];
  if (!asked || place <= right.place || value === undefined) return null;
  const before = await tried(page, { ...right.body, dice: facesOf(page).slice(0, place) });
  const ask = "done" in before && !before.later ? askIn(before)?.ask : null;
  const isSame = ask?.title === asked.title && ask.options?.length === asked.options?.length;
  const option = asked.options?.find((one) => one.value === value);
  return isSame && option ? { value, option } : null;
};

/** A correction with what the service says of it: that leaves the dice out, which were answered here. @param {Body} fixed @param {Body} own @returns {Body} */
const merged = (fixed, own) => {
  const answered = /** @type {Body[]} */ (own["later"] ?? []);
  const later = /** @type {Body[] | undefined} */ (fixed["later"] ?? undefined);
  return {
    ...fixed,
    ...own,
    ...(later && { later: later.map((one, place) => ({ ...one, ...answered[place] })) }),
    // Of a missing ball it says the dice as well.
    ...("missing" in fixed && { missing: fixed["missing"] }),
  };
};

/** Puts an answer into the body. @param {Right} right @param {unknown} value @param {Schemas["AskOption"] | undefined} option */
const take = (right, value, option) => {
  const asked = right.unfinished && askIn(right.unfinished);
  if (!asked) return;
  const { request, ask } = asked;
  const isOfAnother = right.unfinished?.later ?? right.unfinished?.missing;
  if (isOfAnother) right.answered += 1;
  else if (option) right.becomes = option.sentence || option.title;
  const body = merged(request.body, right.body);
  right.body = bodyOf({ ...request, body }, [{ at: ask.at, value, sides: 0 }]);
};

/** A key was pressed. @param {BallPage} page @param {Right} right @param {unknown} value */
export const answer = (page, right, value) => {
  const ask = right.unfinished && askIn(right.unfinished)?.ask;
  if (!ask || right.isBusy) return;
  take(right, value, kindOf(ask).option(ask, value));
  void owe(look(page, right));
};

/** What is asked has another answer: another request. @param {BallPage} page @param {Right} right @param {Schemas["NextRequest"]} request */
export const answerOther = (page, right, request) => {
  if (right.isBusy) return;
  right.answered += 1;
  right.body = merged(request.body, right.body);
  void owe(look(page, right));
};

/** What the ball is, in a few words. @param {MatchView} view @param {Delivery} delivery */
export const stood = (view, { now }) => {
  if (!now) return "";
  const { wicket, boundary, runs, cell } = now;
  if (wicket) return t("right.out", { name: withShortNames(view, wicket.player_out), how: wicket.kind });
  return ballWords({ boundary: boundary ?? null, runs: runs.total, cell });
};

/** What changes first, in a sentence: the ball itself. @param {BallPage} page @param {Right} right */
export const firstOf = ({ match, delivery }, { way, lead, becomes }) => {
  if (!match.view || !delivery) return "";
  const at = placeWords(delivery.place);
  if (way === "missing") return t("missing.lead", { at, ball: becomes });
  return lead || t("right.ball", { at, before: stood(match.view, delivery), after: becomes });
};

/** What changes, in a sentence: the ball, and the score of each innings. @param {BallPage} page @param {Right} right */
const changes = (page, right) => {
  const { view } = page.match;
  const { supposed, body } = right;
  if (!view || !supposed) return "";
  const ball = firstOf(page, right);
  const scores = supposed.before.innings.flatMap((was) => {
    const is = supposed.after.innings.find(({ number }) => number === was.number);
    const [from, to] = [written(was), is ? written(is) : t("right.not_begun")];
    return from === to ? [] : t("right.score", { side: view[was.batting].name, from, to });
  });
  return [ball, ...(scores.length > 0 ? scores : [t("right.same")]), ...added(body)].join(" ");
};

/** What was said of balls that an innings misses, where that is no dice. @param {Body} body */
const added = (body) =>
  /** @type {{innings: number, unknown?: boolean, ended?: boolean}[]} */ (body["missing"] ?? []).flatMap(
    ({ innings, unknown, ended }) =>
      unknown || ended ? t(unknown ? "right.unknown" : "right.ended", { n: innings }) : [],
  );

/** Sends it. Where the match has moved on, it is looked at again. @param {BallPage} page @param {Right} right */
export const confirm = async (page, right) => {
  const { match } = page;
  const { supposed, isBusy, key } = right;
  const reason = right.reason.trim();
  if (!supposed || isBusy || !reason || !match.view) return;
  Object.assign(right, { isBusy: true, said: null });
  redraw();
  try {
    const call = { signal: match.signal, token: match.token, key, ifMatch: supposed.head.hash };
    const path = ofMatch(match.id, "/corrections");
    const told = await append(path, { ...call, body: { ...right.body, reason } });
    leave(page);
    // The link to this page was made before.
    Object.assign(page, { known: told.head.seq, moved: null });
    tookAnswer(match, match.view, told);
    leadTo(".delivery .result", ".result h2");
  } catch (error) {
    right.isBusy = false;
    if (error instanceof Refused && error.status === 412) {
      await refresh(match);
      await look(page, right);
      right.said ??= t("right.moved");
    } else right.said = sentence(error);
    // A body that was refused is another request when it is sent again.
    if (error instanceof Refused && !error.isPassing) right.key = freshId();
    redraw();
  }
};
