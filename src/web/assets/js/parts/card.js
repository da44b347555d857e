// Draws the plain tables of a card: batting, extras, bowling, the fall of wickets.
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { battingIn, timeOf, withShortNames } from "./names.js";
import { placeWords } from "./strip.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["InningsCard"]} Innings */

const DASH = "–";
/** @param {number} count */
const orDash = (count) => (count === 0 ? DASH : String(count));

/** @param {Schemas["BatterLine"]} line @param {string | undefined} keeper Who kept wicket for this side first. */
const batter = (
  { player, status, how_out: howOut, runs, balls, fours, sixes, strike_rate: rate },
  keeper,
) => {
  const isIn = status === "not out";
  const dagger = player === keeper ? html` <abbr title=${t("card.keeper")}>†</abbr>` : nothing;
  return html`<tr><th scope="row" class=${isIn ? "in" : nothing}><span dir="auto">${player}</span>${dagger}<span class="how" dir="auto">${howOut ?? t(isIn ? "card.not_out" : "card.other")}</span></th>
    <td class="figure">${runs}${isIn ? "*" : ""}</td><td>${balls}</td><td class="second">${orDash(fours)}</td><td class="second">${orDash(sixes)}</td><td class="third">${rate}</td></tr>`;
};

/** @param {Innings["extras"]} extras */
const extrasWords = ({ byes, leg_byes: legByes, wides, no_balls: noBalls, penalty }) =>
  [
    ["b", byes],
    ["lb", legByes],
    ["w", wides],
    ["nb", noBalls],
    ["p", penalty],
  ]
    .filter(([, count]) => count)
    .map(([sign, count]) => `${sign} ${count}`)
    .join(", ");

/** Who batted. @param {Innings} innings @param {string} [keeper] */
export const battingTable = ({ batters, extras, total, run_rate: rate }, keeper) => html`<table class="table">
  <caption class="heard">${t("card.batting")}</caption>
  <thead><tr><th scope="col">${t("card.batting")}</th><th scope="col">R</th><th scope="col">B</th><th scope="col" class="second">4s</th><th scope="col" class="second">6s</th><th scope="col" class="third">SR</th></tr></thead>
  <tbody>${batters.filter(({ status }) => status !== "did not bat").map((line) => batter(line, keeper))}
    <tr><th scope="row">${t("card.extras")}<span class="how">${extrasWords(extras) || nothing}</span></th><td class="figure">${extras.total}</td><td></td><td class="second"></td><td class="second"></td><td class="third"></td></tr>
    <tr class="sum"><th scope="row">${t("card.total")}<span class="how">${t(total.wickets === 1 ? "card.total.text.one" : "card.total.text.other", { wickets: total.wickets, overs: total.overs, rate: rate ?? "0.00" })}</span></th><td>${total.runs}</td><td></td><td class="second"></td><td class="second"></td><td class="third"></td></tr>
  </tbody></table>`;

/** @param {Schemas["BowlerLine"]} line */
const bowler = ({
  player,
  overs,
  maidens,
  runs,
  wickets,
  wides,
  no_balls: noBalls,
  economy,
}) => html`<tr><th scope="row"><span dir="auto">${player}</span></th>
  <td>${overs}</td><td>${maidens}</td><td>${runs}</td><td class="figure">${wickets}</td><td class="second">${economy}</td><td class="third">${wides}</td><td class="third">${noBalls}</td></tr>`;

/** Who bowled. @param {{ innings: Innings, side: string }} data */
export const bowlingTable = ({ innings, side }) => html`<table class="table">
  <caption class="heard">${t("card.bowling")}</caption>
  <thead><tr><th scope="col"><span dir="auto">${t("card.side_bowling", { side })}</span></th><th scope="col">O</th><th scope="col">M</th><th scope="col">R</th><th scope="col">W</th><th scope="col" class="second">Econ</th><th scope="col" class="third">wd</th><th scope="col" class="third">nb</th></tr></thead>
  <tbody>${innings.bowlers.map(bowler)}</tbody></table>`;

/** What leads to a ball. `known`: the event up to which its number holds. @param {{ match: string, known: number }} of @param {number} delivery @param {string} words */
const ballLink = ({ match, known }, delivery, words) =>
  html`<a class="small link" href=${`/m/${match}/ball/${delivery}?known=${known}`}>${words}</a>`;

/** When the wickets fell; each leads to its ball. `known`: the event up to which the card tells. @param {{ match: string, known: number, innings: Innings }} data */
export const fall = ({ match, known, innings: { fall_of_wickets: wickets } }) =>
  wickets.length === 0
    ? nothing
    : html`<h3 class="section">${t("card.fall")}</h3>
  <ol class="fall">${wickets.map(({ wicket, runs, player, over, delivery }) => html`<li><span class="nth small quiet">${wicket}</span><b>${runs}</b><span class="cut small" dir="auto">${player}</span>${ballLink({ match, known }, delivery, over)}</li>`)}</ol>`;

/** Who batted together; each pair that was parted leads to the ball that parted it. @param {{ match: string, known: number, innings: Innings }} data */
const partnerships = ({ match, known, innings }) => {
  const pairs = innings.partnerships.map(({ batters, runs, balls, unbroken, delivery, place }) => {
    const parted = delivery && place ? ballLink({ match, known }, delivery, place.text) : nothing;
    const names = batters.join(", ");
    return html`<li><b>${runs}${unbroken ? "*" : ""}</b><span class="small quiet">${balls}</span><span class="cut small" dir="auto">${names}</span>${parted}</li>`;
  });
  return pairs.length === 0
    ? nothing
    : html`<h3 class="section">${t("card.partnerships")}</h3><ol class="fall pairs">${pairs}</ol>`;
};

/** `24 Nov 2026, 18:31`: a card is kept, so it says the year. @param {Date} time */
const whenOf = (time) => {
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  return `${day}, ${timeOf(time)}`;
};

/** @param {Schemas["MatchView"]} view @param {Schemas["CorrectionEntry"]} correction */
const correction = (view, { actor, at, reason, difference }) => {
  const who = actor === "home" || actor === "away" ? view[actor].name : t(`card.by.${actor}`);
  const said = { who, reason, when: at ? whenOf(new Date(at)) : "" };
  return html`${difference ? html`<span dir="auto">${ordered(withShortNames(view, difference))}</span>` : nothing}
    <span class="small quiet" dir="auto">${t("card.corrected", said)}</span>`;
};

/**
 * What was corrected, the first first; each leads to its ball.
 * @param {{ view: Schemas["MatchView"], card: Schemas["Scorecard"] }} data
 */
export const corrections = ({
  view,
  card: { match, corrections: some = [], corrections_total: all = 0 },
}) => {
  const made = some.filter(({ status }) => status === "made");
  // Its number is the one of that time.
  const ball = (
    /** @type {Schemas["CorrectionEntry"]} */ { amends, inserts, voids_from: from, place, seq },
  ) => {
    const number = amends ?? inserts ?? from;
    return place && number
      ? ballLink(
          { match, known: seq },
          number,
          t("card.ball", {
            at: placeWords(place),
            side: view[battingIn(view, place.innings) ?? "home"].name,
          }),
        )
      : nothing;
  };
  return made.length === 0
    ? nothing
    : html`<section class="innings"><h2>${t("card.corrections")}</h2>
  <ol class="corrections">${made.map((one) => html`<li>${correction(view, one)}${ball(one)}</li>`)}</ol>
  ${all > some.length ? html`<p class="small quiet">${t("card.corrections.more", { n: some.length, all })}</p>` : nothing}</section>`;
};

/** Those who kept wicket, where that changed. @param {Innings} innings */
const keepersOf = ({ keepers = [] }) =>
  keepers.length < 2
    ? nothing
    : html`<p class="quiet small" dir="auto">${t("card.keepers", { names: keepers.map(({ player, from_over: over }, place) => (place === 0 ? player : t("card.keeper.from", { player, over }))).join(", ") })}</p>`;

/** A review in words: what was decided, and what became of it. @param {Schemas["ReviewEntry"]} review */
const review = ({ side, verdict, umpires_call: call, original, revised }) =>
  t(verdict === "upheld" ? "card.review.upheld" : call ? "card.review.call" : "card.review.lost", {
    side,
    was: original.words,
    is: revised.words,
  });

/** Balls with what is told of each; each leads to its ball. @param {{ of: { match: string, known: number }, title: string, balls: { told: string, delivery: number, place: Parameters<typeof placeWords>[0] }[] }} data */
const ballsTold = ({ of, title, balls }) =>
  html`<h2>${title}</h2><ol class="corrections">${balls.map(({ told, delivery, place }) => html`<li><span dir="auto">${told}</span>${ballLink(of, delivery, placeWords(place))}</li>`)}</ol>`;

/** The reviews of a match. @param {{ match: string, known: number, reviews: Schemas["ReviewEntry"][] }} data */
export const reviewsOf = ({ reviews, ...of }) => {
  const balls = reviews.map((one) => ({ ...one, told: review(one) }));
  return balls.length === 0
    ? nothing
    : html`<section class="innings" data-reviews>${ballsTold({ of, title: t("card.reviews"), balls })}</section>`;
};

/** The balls whose outcome the table agreed on, with why. @param {Schemas["Scorecard"]} card */
export const agreed = ({ match, at_seq: known, exceptions = [] }) => {
  const balls = exceptions.map((one) => ({ ...one, told: one.reason }));
  return balls.length === 0
    ? nothing
    : html`<section class="innings" data-agreed>${ballsTold({ of: { match, known }, title: t("card.agreed"), balls })}</section>`;
};

/** By what the card can be checked by anybody: the hash of its last event. @param {Schemas["Scorecard"]} card */
export const checkMark = ({ match, head: { hash, seq } }) =>
  html`<p class="check small"><b>${t("card.mark", { mark: `${hash.slice(0, 4)} … ${hash.slice(-4)}`, seq })}</b> ${t("card.mark.how", { file: `${match}.ndjson` })}</p>`;

/** An innings whole. `lasts`: it is in play. `keeper`: who kept for the side that bats. @param {{ match: string, known: number, innings: Innings, batting: string, bowling: string, lasts: boolean, keeper?: string | undefined }} data */
export const inningsCard = ({
  match,
  known,
  innings,
  batting,
  bowling,
  lasts,
  keeper,
}) => html`<section class="innings"><h2 dir="auto">${batting}</h2>
  <div>${battingTable(innings, keeper)}${notBatted(innings, lasts)}</div><div>${bowlingTable({ innings, side: bowling })}${keepersOf(innings)}${fall({ match, known, innings })}${partnerships({ match, known, innings })}</div></section>`;

/** @param {Innings} innings @param {boolean} lasts */
const notBatted = ({ batters }, lasts) => {
  const names = batters.filter(({ status }) => status === "did not bat").map(({ player }) => player);
  return names.length === 0
    ? nothing
    : html`<p class="quiet small" dir="auto">${t(lasts ? "card.yet_to_bat" : "card.did_not_bat", { names: names.join(", ") })}</p>`;
};
