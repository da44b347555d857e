/** The page of a ball: what it came to, by which rules, and what was corrected. The scorer puts it right here. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { change, follow, followed, refresh } from "../following.js";
import { owe, redraw } from "../owed.js";
import { Refused, read } from "../service.js";
import { listen } from "../signal.js";
import { corrected, outcome, proposal, ruled, scores } from "../parts/delivery.js";
import { dice } from "../parts/dice.js";
import { battingIn } from "../parts/names.js";
import { scorebox, standing } from "../parts/scorebox.js";
import { placeWords } from "../parts/strip.js";
import { places } from "../parts/tabs.js";
import { go } from "./go.js";
import { notThere, unknownMatch } from "./nowhere.js";
import { movedSince } from "./moved.js";
import { broughtBack, mayCorrect, mayTakeBack, putRight, takenBack } from "./put_right.js";
import { recalling, sinceOf } from "./recalling.js";
import { offerOf } from "./scripts.js";
import { sharing } from "./sharing.js";

/** @typedef {import("../parts/delivery.js").Delivery} Delivery */

/**
 * @typedef {object} BallPage
 * @property {import("../following.js").Followed} match
 * @property {number} n The number of the delivery in the address.
 * @property {Delivery | null} delivery
 * @property {import("../service.js").Schemas["CorrectionEntry"][]} corrections Those that changed it, as far as they were read.
 * @property {boolean} isNone Whether no such ball was ever bowled.
 * @property {number} known The last event of the match when the link to this page was made; 0 where it does not say.
 * @property {import("./moved.js").Moved | null} moved Where the ball is now, whose number this was then.
 * @property {import("./players.js").Tapped | null} tapped The player that was tapped.
 * @property {import("./righting.js").Right | null} right What is put right of it.
 */

/** @param {string} id @param {AbortSignal} signal */
export const delivery = (id, signal) => {
  const match = followed(id, signal);
  const n = Number(/\/ball\/(\d+)/.exec(location.pathname)?.[1]);
  const known = Number(new URLSearchParams(location.search).get("known")) || 0;
  /** @type {BallPage} */
  const page = {
    ...{ match, n, delivery: null, corrections: [], isNone: false },
    ...{ known, moved: null, tapped: null, right: null },
  };
  const keeps = recalling(match);
  const shared = sharing(id, signal);
  const reads = () => void owe(readBall(page));
  Object.assign(match, { moved: reads, returned: reads });
  void owe(follow(match));
  listen(document, "keydown", (event) => event instanceof KeyboardEvent && pressed(page, event), signal);
  return {
    ahead: [keeps],
    title: () => (match.view && page.delivery ? titleOf(match.view, page.delivery) : t("match")),
    render: () => draw(page, shared),
    spoken: () => page.right?.sentence || page.tapped?.text || (page.delivery?.text ?? null),
    mayLeave: () => page.right === null,
  };
};

/** Which ball it is, of which innings: `Ball 4.3, Harbour Road`. @param {NonNullable<BallPage["match"]["view"]>} view @param {Delivery} delivery */
const titleOf = (view, { place }) => {
  const batting = battingIn(view, place.innings);
  const said = { at: placeWords(place), side: view[batting ?? "home"].name, n: place.innings };
  if (!batting) return t("delivery.title", said);
  return t(view.score.innings.length > 2 ? "delivery.innings" : "delivery.side", said);
};

/** Reads the ball; an answer that was overtaken is left. @param {BallPage} page */
const readBall = async (page) => {
  const { match, n } = page;
  try {
    const path = "/v1/matches/{id}/deliveries/{n}";
    const found = await read(path, { of: { id: match.id, n }, signal: match.signal });
    if (found.head.seq >= (page.delivery?.head.seq ?? 0))
      Object.assign(page, { delivery: found, isNone: false });
    if (found.earlier.length > 0) page.corrections = await correctionsOf(match, found);
  } catch (error) {
    if (match.signal.aborted) return;
    if (error instanceof Refused && [400, 404].includes(error.status)) page.isNone = true;
    else change(match, { isFresh: false });
  }
  redraw();
  await readMoved(page);
};

/** Looks whether the number of the ball has moved since the link to it was made. @param {BallPage} page */
const readMoved = async (page) => {
  const { match, n, known } = page;
  if (known <= 0 || known >= (match.view?.head.seq ?? 0)) return;
  try {
    page.moved = await movedSince(match, n, known);
  } catch {
    // Without an answer the page says nothing of it.
  }
  redraw();
};

/** The corrections that changed a ball. @param {BallPage["match"]} match @param {Delivery} delivery */
const correctionsOf = async ({ id, signal }, { earlier }) => {
  const numbers = earlier.map(({ correction }) => correction.number);
  const query = { after: Math.min(...numbers) - 1 };
  return (await read("/v1/matches/{id}/corrections", { of: { id }, query, signal })).corrections;
};

/** The addresses of the balls beside this one. @param {BallPage} page */
const ways = ({ match, delivery: shown }) => {
  const to = (/** @type {number | null | undefined} */ n) =>
    n && shown ? `/m/${match.id}/ball/${n}?known=${shown.head.seq}` : null;
  return { before: to(shown?.previous), next: to(shown?.next), wicket: to(shown?.next_wicket) };
};

/** Arrows lead to the balls beside this one, W to the next wicket, and a digit presses the key of its die; not while something is typed. @param {BallPage} page @param {KeyboardEvent} event */
const pressed = (page, { key, target, repeat, metaKey, ctrlKey, altKey }) => {
  const isTyped = target instanceof Element && target.closest("input, dialog");
  if (isTyped || repeat || metaKey || ctrlKey || altKey) return;
  const { before, next, wicket } = ways(page);
  const path = { ArrowLeft: before, ArrowRight: next, w: wicket, W: wicket }[key];
  if (path) go(path);
  if (/^\d$/.test(key))
    document.querySelector(/** @type {"button"} */ (`.right [data-die="${key}"]`))?.click();
};

/** @param {BallPage} page @param {import("./sharing.js").Sharing} shared */
const draw = (page, shared) => {
  const { match, delivery: shown, n } = page;
  if (match.known === "unknown") return unknownMatch();
  if (!match.view) return notThere(match.known === "away");
  return html`<div class="delivery">
    ${scorebox({ match: match.view, ...standing(match, sinceOf(match)) }, { sync: () => void owe(refresh(match)) })}
    ${places(match.id, "ball", match.token !== undefined, shared.open)}
    <main>${page.moved ? elsewhere(page, page.moved) : nothing}${
      shown
        ? ballOf(page, match.view, shown)
        : html`<p class="block">${t(page.isNone ? "delivery.none" : match.isFresh ? "match.loading" : "match.away", { n })}</p>`
    }</main>
  </div>${shared.draw()}`;
};

/** The ball of the link has another number now, or none. @param {BallPage} page @param {import("./moved.js").Moved} moved */
const elsewhere = ({ match }, { now }) => {
  const at = now ? placeWords(now.place) : "";
  const href = `/m/${match.id}/ball/${now?.delivery}?known=${match.view?.head.seq}`;
  return html`<div class="moved"><p class="label">${t(now ? "moved" : "moved.gone")}</p>
    ${now ? html`<a class="link" href=${href}>${t("moved.go", { at })}</a>` : nothing}</div>`;
};

/** @param {BallPage} page @param {NonNullable<BallPage["match"]["view"]>} view @param {Delivery} shown */
const ballOf = (page, view, shown) => {
  const { before, next, wicket } = ways(page);
  const way = (/** @type {string | null} */ href, /** @type {string} */ words) =>
    href ? html`<a class="link" href=${href}>${t(words)}</a>` : nothing;
  return html`<div>${proposal(view)}<section class="result"><h2 class="small quiet" tabindex="-1" dir="auto">${titleOf(view, shown)}</h2>
      ${outcome(view, shown)}
      ${mayCorrect(page) ? putRight(page, view, shown) : shown.now ? dice(shown.now.dice) : nothing}</section>
    <nav class="ways-on" aria-label=${t("delivery.ways")}>${way(before, "delivery.previous")}${way(next, "delivery.next")}${way(wicket, "delivery.wicket")}</nav>
    ${scores(view, shown)}
    ${broughtBack(page, view, offerOf(page.match))}
    ${mayTakeBack(page) ? takenBack(page, view) : nothing}</div>
    <div>${ruled(view, shown)}
    ${corrected(view, shown, page.corrections)}</div>`;
};
