// Draws a ball that was bowled: its result, the rules that decided it, the score beside it, what was corrected.
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { dice } from "./dice.js";
import { whenOf, withShortNames, wordOf, written } from "./names.js";
import { placeWords } from "./strip.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["DeliveryView"]} Delivery */
/** @typedef {Schemas["MatchView"]} MatchView */

/** A sentence of a ball, in short names and without the score behind it. @param {MatchView} match @param {string | null | undefined} text */
export const saying = (match, text) => ordered(withShortNames(match, (text ?? "").replace(/; \d+\/\d+/, "")));

/** Whether nobody knew the ball any more. @param {Pick<Delivery, "rulings">} delivery */
export const isUnknown = ({ rulings }) => rulings.some(({ id }) => id === "not_known");

/** The result in a word, and the ball in a sentence. @param {MatchView} match @param {Delivery} delivery */
export const outcome = (match, { now, text, rulings }) => {
  if (!now) return html`<p class="word">${t("delivery.void")}</p>`;
  if (isUnknown({ rulings }))
    return html`<p class="word">${t("delivery.unknown")}</p><p dir="auto">${saying(match, text)}</p>`;
  const { wicket, boundary, runs, cell } = now;
  const looks = wicket ? "word red" : boundary ? "word gold" : "word";
  return html`<p class=${looks}>${wordOf({ wicket, boundary: boundary ?? null, runs: runs.total, cell })}</p>
    <p dir="auto">${saying(match, text)}</p>`;
};

/** @param {MatchView} match @param {Schemas["ScoreBeside"]} beside @param {string} words */
const beside = (match, { score, striker, non_striker: other }, words) => {
  const names = [striker, other].flatMap((name) => (name ? withShortNames(match, name) : []));
  return html`<div><dt>${words}</dt><dd><b>${written(score)}</b>${
    names.length > 0 ? html`<span class="small quiet" dir="auto">${names.join(", ")}</span>` : nothing
  }</dd></div>`;
};

/** The score before and after. @param {MatchView} match @param {Delivery} delivery */
export const scores = (match, { before, after }) =>
  before && after
    ? html`<dl class="beside">${beside(match, before, t("delivery.before"))}${beside(match, after, t("delivery.after"))}</dl>`
    : nothing;

/** @param {MatchView} match @param {Schemas["RollTold"]} roll */
const roll = (match, { dice: shown, text }) =>
  html`<span class="roll">${dice(shown)}${text ? html`<span class="small quiet" dir="auto">${saying(match, text)}</span>` : nothing}</span>`;

/** Whether the rulings before this one were read with the same dice. @param {Schemas["RulingTold"][]} rulings @param {number} place */
const isRepeated = (rulings, place) =>
  JSON.stringify(rulings[place]?.rolls) === JSON.stringify(rulings[place - 1]?.rolls);

/** The rolls of a ball in their order, each with the places of its dice among all of the ball. @param {Delivery} delivery */
export const ballRolls = ({ rulings }) => {
  let count = 0;
  return rulings
    .flatMap(({ rolls }, place) => (isRepeated(rulings, place) ? [] : rolls))
    .map(({ dice: { length }, text }) => {
      count += length;
      return { text, places: Array.from({ length }, (_, i) => count - length + i) };
    });
};

/**
 * The rules that decided the ball, each with the dice that led to it; rules that were read at once have them once.
 * @param {MatchView} match @param {Delivery} delivery
 */
export const ruled = (match, { rulings, as_stood: agreed }) => {
  if (rulings.length === 0) return nothing;
  return html`<section><h2 class="section">${t("delivery.rules")}</h2>
    ${agreed ? html`<p class="block" dir="auto">${t("delivery.agreed", { reason: agreed.reason })}</p>` : nothing}
    <ol class="ruled">${rulings.map(
      ({ text, rolls }, place) =>
        html`<li>${isRepeated(rulings, place) ? nothing : rolls.map((one) => roll(match, one))}<p dir="auto">${text}</p></li>`,
    )}</ol>
    <details class="block small"><summary>${t("delivery.numbers")}</summary><ul class="ids">${rulings.map(({ id }) => html`<li>${id}</li>`)}</ul></details></section>`;
};

/**
 * What a correction has changed, and below it who made it, when and why.
 * @param {MatchView} match @param {Pick<Schemas["CorrectionEntry"], "actor" | "at" | "reason" | "difference">} correction
 */
const whyOf = (match, { actor, at, reason, difference }) => {
  const who = actor === "home" || actor === "away" ? match[actor].name : t(`why.${actor}`);
  const said = { who, reason, when: at ? whenOf(new Date(at)) : "" };
  return html`${difference ? html`<span dir="auto">${saying(match, difference)}</span>` : nothing}
      <span class="small quiet" dir="auto">${t("why", said)}</span>`;
};

/** What stood before, the last first, without what a correction of another ball has left as it was. @param {Delivery} delivery */
const changesOf = ({ earlier, text, now, choices }) => {
  const told = (/** @type {{text?: string | null, dice: unknown, choices: unknown}} */ ball) =>
    JSON.stringify([ball.text, ball.dice, ball.choices]);
  let after = now ? told({ text: text ?? null, dice: now.dice, choices }) : "";
  return [...earlier]
    .sort((one, other) => other.correction.number - one.correction.number)
    .filter((was) => {
      const isOther = told(was) !== after;
      after = told(was);
      return isOther;
    });
};

/**
 * What stood for the ball before, each with the correction that changed it.
 * @param {MatchView} match @param {Delivery} delivery @param {Schemas["CorrectionEntry"][]} corrections Those that are known.
 */
export const corrected = (match, delivery, corrections) => {
  const { text, now } = delivery;
  const earlier = changesOf(delivery);
  return earlier.length === 0
    ? nothing
    : html`<section><h2 class="section">${t("delivery.corrected")}</h2><ol class="earlier">
    ${now ? html`<li><span class="small quiet">${t("delivery.now")}</span><span dir="auto">${saying(match, text)}</span>${dice(now.dice)}</li>` : nothing}
    ${earlier.map(
      ({ text: was, dice: shown, correction }) =>
        html`<li><span class="small quiet">${t("delivery.was")}</span><span dir="auto">${saying(match, was)}</span>${dice(shown)}
      ${whyOf(match, corrections.find(({ number }) => number === correction.number) ?? correction)}</li>`,
    )}</ol></section>`;
};

/** What a correction that is proposed would do, in words. @param {Schemas["CorrectionEntry"]} entry */
const wouldDo = ({ restores, amends, voids_from: from, place }) => {
  if (restores) return t("proposed.again");
  if (!place) return t("proposed");
  return t(amends ? "proposed.right" : from ? "proposed.back" : "proposed", { at: placeWords(place) });
};

/** A correction that is proposed, and which sides have to consent before it is made. @param {MatchView} match */
export const proposal = (match) => {
  const { proposed, home, away } = match;
  if (!proposed) return nothing;
  const consented = proposed.consents ?? [];
  const [one, other] = [
    consented.includes("home") ? [] : home.name,
    consented.includes("away") ? [] : away.name,
  ].flat();
  const who = one && other ? t("proposed.both", { one, other }) : one ? t("proposed.one", { one }) : "";
  return html`<section class="result" data-proposed><p class="label" role="status" dir="auto">${wouldDo(proposed)}</p>
    <p dir="auto">${t("proposed.not_made")} ${who}</p>
    <p class="small quiet" dir="auto">${t("proposed.reason", { reason: proposed.reason })}</p></section>`;
};
