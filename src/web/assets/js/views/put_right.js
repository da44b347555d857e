/** Puts a ball right: another face of a die, what that asks and changes, and the tap that sends it. Nothing is kept here. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { bodyOf } from "../draft.js";
import { refresh, tookAnswer } from "../following.js";
import { kindOf } from "../kinds.js";
import { freshId } from "../must.js";
import { owe, redraw } from "../owed.js";
import { append, ofMatch, Refused, send } from "../service.js";
import { die } from "../parts/dice.js";
import { ballWords, withShortNames, written } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";
import { sentence } from "./nowhere.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("./delivery.js").BallPage} BallPage */
/** @typedef {import("../parts/delivery.js").Delivery} Delivery */
/** What is asked next; `later` names the ball, where it is not this one. @typedef {Schemas["UnfinishedBody"]} Unfinished */
/** What it comes to. @typedef {Schemas["SupposedBody"]} Supposed */
/** @typedef {Record<string, unknown>} Body */

/**
 * @typedef {object} Right
 * @property {number} place The place of the die that was tapped.
 * @property {Body} body The correction as far as it is answered.
 * @property {Unfinished | null} unfinished
 * @property {Supposed | null} supposed
 * @property {string} becomes What the ball becomes, in words.
 * @property {string} sentence What changes, in a sentence.
 * @property {string} reason
 * @property {string} key The idempotency key: a second tap sends the same again.
 * @property {boolean} isBusy Whether the service is asked.
 * @property {string | null} said What is refused, in words.
 */

const CORRECTIONS = "/v1/matches/{id}/corrections";

/** Whether this browser may put the ball right: with the scorer's token, and where the dice are the table's. @param {BallPage} page */
export const mayPutRight = ({ match, delivery }) =>
  match.token !== undefined && delivery?.dice_from === "table" && Boolean(delivery.now);

/** The faces of the ball as they stand. @param {BallPage} page */
const facesOf = ({ delivery }) => (delivery?.now?.dice ?? []).map(({ value }) => value);

/** What a body would come to. @param {BallPage} page @param {Body} body */
const tried = async ({ match }, body) => {
  const { token, signal } = match;
  const query = { dry_run: "true" };
  const sent = /** @type {Schemas["CorrectionBody"]} */ (body);
  const answer = await send(CORRECTIONS, { of: { id: match.id }, query, signal, token, body: sent });
  return /** @type {Unfinished | Supposed} */ (/** @type {unknown} */ (answer));
};

/** The first thing that is asked. @param {Unfinished} unfinished */
const askIn = ({ next: { requests } }) => {
  const request = requests[0];
  const ask = request?.asks.find(({ required }) => required);
  return request && ask ? { request, ask } : null;
};

/** The place of a die of this ball: 1 for `dice[1]`. @param {string} at */
const placeIn = (at) => Number(/^dice\[(\d+)\]$/.exec(at)?.[1] ?? -1);

/** A die was tapped: its question is asked. @param {BallPage} page @param {number} place */
const pick = (page, place) => {
  if (page.right?.isBusy) return;
  if (page.right?.place === place) return leave(page);
  const dice = facesOf(page).slice(0, place);
  const reason = t("reason.misread");
  const body = { amends: page.n, dice, cascade: "refit", reason };
  page.right = {
    ...{ place, body, reason, key: freshId(), becomes: "", sentence: "" },
    ...{ unfinished: null, supposed: null, isBusy: false, said: null },
  };
  void owe(look(page, page.right));
};

/** @param {BallPage} page */
const leave = (page) => {
  page.right = null;
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
    right.said = sentence(error);
  }
  right.isBusy = false;
  redraw();
};

/** The die of the ball that answers what is asked now, where the same was asked of it before. @param {BallPage} page @param {Right} right @param {Unfinished} unfinished */
const keptAnswer = async (page, right, unfinished) => {
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
  };
};

/** Puts an answer into the body. @param {Right} right @param {unknown} value @param {Schemas["AskOption"] | undefined} option */
const take = (right, value, option) => {
  const asked = right.unfinished && askIn(right.unfinished);
  if (!asked) return;
  const { request, ask } = asked;
  if (!right.unfinished?.later && option) right.becomes = option.sentence || option.title;
  const body = merged(request.body, right.body);
  right.body = bodyOf({ ...request, body }, [{ at: ask.at, value, sides: 0 }]);
};

/** A key was pressed. @param {BallPage} page @param {Right} right @param {unknown} value */
const answer = (page, right, value) => {
  const ask = right.unfinished && askIn(right.unfinished)?.ask;
  if (!ask || right.isBusy) return;
  take(right, value, kindOf(ask).option(ask, value));
  void owe(look(page, right));
};

/** What the ball is, in a few words. @param {MatchView} view @param {Delivery} delivery */
const stood = (view, { now }) => {
  if (!now) return "";
  const { wicket, boundary, runs, cell } = now;
  if (wicket) return t("right.out", { name: withShortNames(view, wicket.player_out), how: wicket.kind });
  return ballWords({ boundary: boundary ?? null, runs: runs.total, cell });
};

/** What changes, in a sentence: the ball, and the score of each innings. @param {BallPage} page @param {Right} right */
const changes = ({ match, delivery }, { supposed, becomes }) => {
  const { view } = match;
  if (!view || !delivery || !supposed) return "";
  const before = stood(view, delivery);
  const ball = t("right.ball", { at: placeWords(delivery.place), before, after: becomes });
  const scores = supposed.before.innings.flatMap((was) => {
    const is = supposed.after.innings.find(({ number }) => number === was.number);
    const [from, to] = [written(was), is ? written(is) : t("right.not_begun")];
    return from === to ? [] : t("right.score", { side: view[was.batting].name, from, to });
  });
  return [ball, ...(scores.length > 0 ? scores : [t("right.same")])].join(" ");
};

/** The figures of players that move, in words. @param {MatchView} view @param {Supposed} supposed */
const figures = (view, { difference }) =>
  difference.flatMap(({ field, before, after }) => {
    const [, list, player, what] = /(batters|bowlers)\["(.*)"\]\.(runs|wickets)$/.exec(field) ?? [];
    if (!player || before === undefined || after === undefined) return [];
    const name = withShortNames(view, player);
    return t(`right.${list}.${what}`, { name, before: String(before), after: String(after) });
  });

/** Sends it. Where the match has moved on, it is looked at again. @param {BallPage} page @param {Right} right */
const confirm = async (page, right) => {
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
    tookAnswer(match, match.view, told);
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

/** The dice of the ball as keys, and below them what is put right. @param {BallPage} page @param {MatchView} view @param {Delivery} shown */
export const putRight = (page, view, shown) => {
  const { right } = page;
  const [all, at] = [shown.now?.dice ?? [], placeWords(shown.place)];
  return html`<div class="tapped" role="group" aria-label=${t("right.dice")}>${all.map(
    (one, place) =>
      html`<button type="button" data-place=${place} aria-pressed=${String(right?.place === place)}
      @click=${() => pick(page, place)}><span class="heard">${t("right.die", { n: place + 1 })} </span>${die(one)}</button>`,
  )}</div>
  ${right ? html`<div class="right">${right.said ? html`<p class="label" data-said role="alert" dir="auto">${right.said}</p>` : nothing}${stepOf(page, right, view, at)}</div>` : html`<p class="small quiet">${t("right.hint")}</p>`}`;
};

/** What is asked, or what changes. @param {BallPage} page @param {Right} right @param {MatchView} view @param {string} at */
const stepOf = (page, right, view, at) => {
  const asked = right.unfinished && askIn(right.unfinished);
  if (right.supposed) return differenceOf(page, right, right.supposed, view, at);
  if (!asked || !right.unfinished)
    return html`<p class="quiet">${right.isBusy ? t("match.loading") : nothing}</p>`;
  const { later, so_far: soFar } = right.unfinished;
  const { ask } = asked;
  const title = later?.place ? t("right.later", { at: placeWords(later.place), what: ask.title }) : ask.title;
  const put = (/** @type {unknown} */ value) => answer(page, right, value);
  const elsewhere = () => html`<p class="under">${t("right.elsewhere")}</p>`;
  const state = { ask, pressed: null, missed: null, closed: false, elsewhere };
  return html`<h3 id="question" dir="auto">${title}</h3>
    ${soFar ? html`<p class="small quiet" dir="auto">${soFar}</p>` : nothing}
    ${kindOf(ask).keys(state, { die: put, choose: put })}
    ${leaveKey(page)}`;
};

/** @param {BallPage} page */
const leaveKey = (page) =>
  html`<button type="button" class="link" data-action="close" @click=${() => leave(page)}>${t("right.leave")}</button>`;

/** @param {BallPage} page @param {Right} right @param {Supposed} supposed @param {MatchView} view @param {string} at */
const differenceOf = (page, right, supposed, view, at) => {
  const lines = figures(view, supposed);
  const notes = supposed.notes ?? [];
  const isReady = right.reason.trim() !== "" && !right.isBusy;
  const list = (/** @type {string[]} */ all, /** @type {string} */ looks) =>
    all.length > 0
      ? html`<ul class=${looks}>${all.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`
      : nothing;
  return html`<p class="sentence" dir="auto">${right.sentence}</p>
    ${supposed.result && supposed.result.text !== view.result?.text ? html`<p dir="auto">${t("right.result", { result: supposed.result.text })}</p>` : nothing}
    ${list(lines, "figures small")}
    ${notes.length > 0 ? html`<p class="small strong">${t("right.goes")}</p>` : nothing}${list(
      notes.map(({ text }) => withShortNames(view, text)),
      "goes small",
    )}
    <div class="field"><label for="right-reason">${t("right.reason")}</label>
      <input id="right-reason" type="text" maxlength="200" dir="auto" .value=${right.reason} @input=${(
        /** @type {Event} */ event,
      ) => {
        right.reason = /** @type {HTMLInputElement} */ (event.target).value;
        redraw();
      }}></div>
    <button type="button" class="button main" data-action="confirm" aria-disabled=${isReady ? nothing : "true"} @click=${() => void owe(confirm(page, right))}>${t("right.confirm", { at })}</button>
    ${leaveKey(page)}`;
};
