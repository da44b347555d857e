/** Puts a ball right: another face of a die, another player, or all from the ball on taken back. It draws what that asks and changes. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { lastBall } from "../following.js";
import { kindOf } from "../kinds.js";
import { owe, redraw } from "../owed.js";
import { isUnknown } from "../parts/delivery.js";
import { dice, die } from "../parts/dice.js";
import { withShortNames, written } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";
import { ways } from "../parts/ways.js";
import { decided, players } from "./players.js";
import * as righting from "./righting.js";

/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("./delivery.js").BallPage} BallPage */
/** @typedef {import("../parts/delivery.js").Delivery} Delivery */
/** @typedef {righting.Right} Right */
/** @typedef {righting.Supposed} Supposed */

/** How many questions of later balls are asked before it is said that those can be taken back instead. */
const MANY = 5;
/** The reasons that are offered, by their words. */
const REASONS = ["misread", "key", "player", "rule"];
const OWN = "other";
/** What stands in a section of its own. @type {Right["way"][]} */
const APART = ["back", "again"];

/** What tells by itself why. @type {Right["way"][]} */
const GIVEN = ["again", "missing", "never"];

/** Whether this browser may put the ball right. @param {BallPage} page */
export const mayCorrect = ({ match, delivery }) => match.token !== undefined && Boolean(delivery?.now);

/** Whether it may take balls back. Once the seeds of a match are open, all that was played stands. @param {BallPage} page */
export const mayTakeBack = (page) =>
  mayCorrect(page) && !(page.delivery?.dice_from === "seeded" && page.match.view?.status === "complete");

/** A die was tapped: its question is asked. @param {BallPage} page @param {number} place */
const pick = (page, place) => {
  if (page.right?.isBusy) return;
  if (page.right?.place === place) return righting.leave(page);
  const faces = righting.facesOf(page).slice(0, place);
  const reason = t("reason.misread");
  const body = { amends: page.n, dice: faces, cascade: "refit", reason };
  const words = t("right.confirm", { at: placeOf(page) });
  righting.begin(page, { way: "face", place, body, reason, words });
};

/** @param {BallPage} page */
const placeOf = ({ delivery }) => (delivery ? placeWords(delivery.place) : "");

/** How many balls go with this one. @param {BallPage} page */
const goes = ({ match, n }) => Math.max(1, (lastBall(match)?.delivery ?? n) - n + 1);

/** What the key says that takes the ball back, and those after it. @param {BallPage} page */
const backWords = (page) => counted("back", goes(page), { at: placeOf(page) });

/** This ball and all after it are to be taken back. @param {BallPage} page */
const takeBack = (page) => {
  // A look needs a reason; that of the correction is given before it is sent.
  const body = { voids_from: page.n, reason: t("delivery.void") };
  const lead = counted("back.lead", goes(page), { at: placeOf(page) });
  righting.begin(page, { way: "back", body, lead, words: backWords(page) });
};

/** A ball was missed before this one: what its dice are is asked. @param {BallPage} page */
const putIn = (page) => {
  const reason = t("missing.reason");
  const body = { inserts: { before: page.n, dice: [] }, reason };
  righting.begin(page, { way: "missing", body, reason, words: t("missing.confirm", { at: placeOf(page) }) });
};

/** This ball was never bowled. @param {BallPage} page @param {MatchView} view @param {Delivery} shown */
const takeOut = (page, view, shown) => {
  const [reason, at] = [t("never.reason"), placeOf(page)];
  const lead = t("never.lead", { at, ball: righting.stood(view, shown).replace(/,$/u, "") });
  const words = t("never.confirm", { at });
  righting.begin(page, { way: "never", body: { removes: page.n, reason }, reason, lead, words });
};

/** The figures that are told where they move. */
const TOLD = { batters: ["how_out", "runs"], bowlers: ["runs", "wickets"] };

/** The figures of players that move, in words. A player who was not there had none. @param {MatchView} view @param {Supposed} supposed */
const figures = (view, { difference }) =>
  difference.flatMap(({ field, before, after }) => {
    const [, list, player = "", what] = /\.(batters|bowlers)\["(.*)"\](?:\.(\w+))?$/.exec(field) ?? [];
    const told = TOLD[/** @type {keyof typeof TOLD} */ (list)] ?? [];
    const name = withShortNames(view, player);
    return told
      .filter((one) => what === undefined || what === one)
      .flatMap((one) => {
        const none = one === "how_out" ? t("right.not_out") : 0;
        const figureOf = (/** @type {unknown} */ side) =>
          withShortNames(view, String((what ? side : Object(side)[one]) ?? none));
        const said = { name, before: figureOf(before), after: figureOf(after) };
        return said.before === said.after ? [] : t(`right.${list}.${one}`, said);
      });
  });

/** The dice and the players of the ball as keys, and below them what is put right. @param {BallPage} page @param {MatchView} view @param {Delivery} shown */
export const putRight = (page, view, shown) => {
  const { right, tapped } = page;
  const all = shown.now?.dice ?? [];
  // The seed gives its dice: none of them was misread.
  const isTable = shown.dice_from === "table" && all.length > 0;
  const keys = (/** @type {number[]} */ places) => diceKeys(page, all, places);
  const own = right && !APART.includes(right.way) ? right : null;
  const isIdle = !tapped && !own;
  return html`${isTable ? keys([...all.keys()]) : dice(all)}
  ${players(page, view, shown)}
  ${isIdle ? html`<p class="small quiet">${t(isTable ? "right.hint" : "right.hint.players")}</p>` : nothing}
  ${tapped && !right ? html`<div class="right">${decided(page, tapped, (places) => (isTable ? keys(places) : nothing))}${leaveKey(page)}</div>` : nothing}
  ${isIdle && shown.dice_from === "table" ? oneBall(page, view, shown) : nothing}
  ${own ? rightOf(page, own, view) : nothing}`;
};

/** A ball that is known after all, and a ball more or less: one that was missed, or this one. @param {BallPage} page @param {MatchView} view @param {Delivery} shown */
const oneBall = (page, view, shown) =>
  html`${isUnknown(shown) ? html`<button type="button" class="button other low" data-action="know" @click=${() => pick(page, 0)}>${t("known.key")}</button>` : nothing}
  <button type="button" class="button other low" data-action="put-in" @click=${() => putIn(page)}>${t("missing.key")}</button>
  <button type="button" class="button other low" data-action="take-out" @click=${() => takeOut(page, view, shown)}>${t("never.key")}</button>`;

/** Some dice of the ball, each a key. @param {BallPage} page @param {import("../parts/dice.js").Shown[]} all @param {number[]} places */
const diceKeys = (page, all, places) =>
  html`<div class="tapped" role="group" aria-label=${t("right.dice")}>${places.flatMap((place) => {
    const one = all[place];
    return one
      ? html`<button type="button" data-place=${place} aria-pressed=${String(page.right?.place === place)}
      @click=${() => pick(page, place)}><span class="heard">${t("right.die", { n: place + 1 })} </span>${die(one)}</button>`
      : [];
  })}</div>`;

/** Takes back this ball and all after it; it stands apart. @param {BallPage} page @param {MatchView} view */
export const takenBack = (page, view) => {
  const { right } = page;
  return html`<section class="result"><h2 class="small quiet">${t("back.title")}</h2>${
    right?.way === "back" ? rightOf(page, right, view) : backKey(page)
  }</section>`;
};

/** Offers what the last correction has taken away or changed. @param {BallPage} page @param {MatchView} view @param {import("./brought.js").Offer | null} offer */
export const broughtBack = (page, view, offer) => {
  const { right } = page;
  const begin = () => {
    if (!offer) return;
    const { words, lead, body } = offer;
    righting.begin(page, { way: "again", body: { ...body }, reason: body.reason, words, lead });
  };
  const isOpen = right?.way === "again";
  if (!isOpen && !offer) return nothing;
  return html`<section class="result"><h2 class="small quiet">${t("again.title")}</h2>${
    isOpen
      ? rightOf(page, right, view)
      : html`<button type="button" class="button other low" data-action="bring" @click=${begin}>${offer?.words}</button>`
  }</section>`;
};

/** @param {BallPage} page */
const backKey = (page) =>
  html`<button type="button" class="button other low" data-action="take-back" @click=${() => takeBack(page)}>${backWords(page)}</button>`;

/** What is put right: what is asked, or what changes. @param {BallPage} page @param {Right} right @param {MatchView} view */
const rightOf = (page, right, view) =>
  html`<div class="right">${right.said ? html`<p class="label" data-said role="alert" dir="auto">${right.said}</p>` : nothing}${stepOf(page, right, view)}
    ${leaveKey(page)}</div>`;

/** What is asked, or what changes. @param {BallPage} page @param {Right} right @param {MatchView} view */
const stepOf = (page, right, view) => {
  const asked = right.unfinished && righting.askIn(right.unfinished);
  if (right.supposed) return differenceOf(page, right, right.supposed, view);
  if (!asked || !right.unfinished)
    return html`<p class="quiet">${right.isBusy ? t("match.loading") : nothing}</p>`;
  const { later, missing, so_far: soFar, next } = right.unfinished;
  const { ask } = asked;
  const title = later?.place ? t("right.later", { at: placeWords(later.place), what: ask.title }) : ask.title;
  // The face that stands is marked, and changes nothing.
  const standing =
    right.way === "face" &&
    !later &&
    !missing &&
    /** @type {number[]} */ (right.body["dice"] ?? []).length === right.place
      ? righting.facesOf(page)[right.place]
      : undefined;
  const put = (/** @type {unknown} */ value) =>
    value === standing ? righting.leave(page) : righting.answer(page, right, value);
  const elsewhere = () => html`<p class="under">${t("right.elsewhere")}</p>`;
  const state = { ask, pressed: standing ?? null, missed: null, closed: false, elsewhere };
  const others = missing ? next.requests.slice(1) : [];
  const isOwn = right.way === "missing" && !later && !missing;
  return html`${missing ? html`<p dir="auto">${righting.firstOf(page, right)} ${goesOn(missing, view)}</p>` : nothing}${
    isOwn ? html`<p>${t("missing.asked", { at: placeOf(page) })}</p>` : nothing
  }<h3 id="question" tabindex="-1" dir="auto">${title}</h3>
    ${soFar ? html`<p class="small quiet" dir="auto">${soFar}</p>` : nothing}
    ${kindOf(ask).keys(state, { die: put, choose: put })}
    ${others.map(
      (request, nth) =>
        html`<button type="button" class="button other low" data-action="other" data-nth=${nth} @click=${() => righting.answerOther(page, right, request)}>${request.title}</button>`,
    )}
    ${right.answered >= MANY ? html`<p class="small quiet">${t("right.many")}</p>${backKey(page)}` : nothing}`;
};

/** That an innings goes on, and how far it is. @param {import("../service.js").Schemas["MissingUnfinished"]} missing @param {MatchView} view */
const goesOn = ({ innings, after }, view) => {
  const score = after.innings.find(({ number }) => number === innings);
  return score ? t("right.goes_on", { side: view[score.batting].name, score: written(score) }) : "";
};

/** @param {BallPage} page */
const leaveKey = (page) =>
  html`<button type="button" class="link" data-action="close" @click=${() => righting.leave(page)}>${t("right.leave")}</button>`;

/** Why: a reason that is often given, or words of one's own. @param {Right} right */
const reasonOf = (right) => {
  const give = (/** @type {string} */ reason) => {
    right.reason = reason;
    redraw();
  };
  const choose = (/** @type {unknown} */ value) => {
    right.isOwn = value === OWN;
    give(right.isOwn ? "" : t(`reason.${value}`));
  };
  const all = [...REASONS, OWN].map((value) => ({ value, title: t(`reason.${value}`) }));
  const chosen = right.isOwn ? OWN : REASONS.find((one) => t(`reason.${one}`) === right.reason);
  return html`${ways({ name: "reason", title: t("right.reason"), ways: all, chosen }, { choose })}
    ${
      right.isOwn
        ? html`<div class="field"><label for="right-reason">${t("right.own")}</label>
      <input id="right-reason" type="text" maxlength="200" dir="auto" .value=${right.reason} @input=${(
        /** @type {Event} */ event,
      ) => give(/** @type {HTMLInputElement} */ (event.target).value)}></div>`
        : nothing
    }`;
};

/** @param {BallPage} page @param {Right} right @param {Supposed} supposed @param {MatchView} view */
const differenceOf = (page, right, supposed, view) => {
  const lines = figures(view, supposed);
  const notes = supposed.notes ?? [];
  const isReady = right.reason.trim() !== "" && !right.isBusy;
  const list = (/** @type {string[]} */ all, /** @type {string} */ looks) =>
    all.length > 0
      ? html`<ul class=${looks}>${all.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`
      : nothing;
  const [was, is] = [view.result?.text, supposed.result?.text];
  const { before, after, need } = supposed;
  const batting = after.innings.at(-1)?.batting ?? "home";
  const result = t(was ? "right.result.other" : "right.result", { result: is ?? "", before: was ?? "" });
  const over = is ? result : t("right.no_result");
  const open = need ? t("right.not_over", { side: view[batting].name, need: need.text }) : over;
  const target = { before: before.target ?? "", after: after.target ?? "" };
  return html`<p class="sentence" tabindex="-1" dir="auto">${right.sentence}</p>
    ${target.before && target.after && target.before !== target.after ? html`<p>${t("right.target", target)}</p>` : nothing}
    ${is === was ? nothing : html`<p dir="auto">${is ? over : open}</p>`}
    ${list(lines, "figures small")}
    ${notes.length > 0 ? html`<p class="small strong">${t("right.goes")}</p>` : nothing}${list(
      notes.map(({ text }) => withShortNames(view, text)),
      "goes small",
    )}
    ${GIVEN.includes(right.way) ? nothing : reasonOf(right)}
    ${right.reason.trim() ? nothing : html`<p class="small quiet">${t("right.say_why")}</p>`}
    <button type="button" class="button main" data-action="confirm" aria-disabled=${isReady ? nothing : "true"} @click=${() => void owe(righting.confirm(page, right))}>${view.remote ? t("right.propose", { what: right.words }) : right.words}</button>`;
};
