// Draws what the board shows for a moment: a wicket, a boundary, the end of an over or an innings, a review.
import { html, nothing } from "../html.js";
import { counted, ordered, t } from "../i18n.js";
import { die } from "./dice.js";
import { withShortNames } from "./names.js";
import { cellAlone } from "./strip.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */
/** @typedef {Schemas["LastDelivery"]} Last */

/** Dice with what each was for. @param {Schemas["Die"][]} all */
const namedDice = (all) =>
  html`<p class="thrown">${all.map((one) => html`<span>${die({ value: one.value, sides: one.sides })} ${one.for}</span>`)}</p>`;

/** A panel with a word on it, and what is told beside it. @param {{ looks: string, word: string, lines: unknown[], beside: unknown }} data */
const slide = ({ looks, word, lines, beside }) => html`<section class=${`slide ${looks}`}>
  <div class="panel"><p class="word">${word}</p>${lines.map((line, place) => html`<p class=${place === 0 ? "name" : "more"}>${typeof line === "string" ? ordered(line) : line}</p>`)}</div>
  <div class="how">${beside}</div></section>`;

/** @param {MatchView} match @param {string} text */
const said = (match, text) => html`<p>${ordered(withShortNames(match, text))}</p>`;

/** @param {MatchView} match */
const needOf = ({ situation }) =>
  situation?.need ? html`<p class="strong">${situation.need.text}</p>` : nothing;

/** @param {MatchView} match @param {Last} last */
export const wicketSlide = (match, last) =>
  slide({
    looks: "wicket",
    word: t("ball.out"),
    lines: [last.wicket?.player_out, last.wicket?.kind],
    beside: html`${namedDice(last.dice)}${said(match, last.text)}${needOf(match)}`,
  });

/** The word that lies over the plates. @param {Last} last */
export const boundaryWord = ({ boundary }) =>
  html`<p class="burst" aria-hidden="true"><span>${t(boundary === 4 ? "board.four" : "board.six")}</span></p>`;

/** Wickets in words, where any fell. @param {{ wickets: number }} part */
const fell = ({ wickets }) => (wickets > 0 ? [counted("over.wickets", wickets)] : []);

/** An over that has ended, with its cells; and who bowls the next, once that is said. @param {MatchView} match @param {{ ended: Schemas["EndedPart"], cells: Schemas["DeliveryCell"][] }} of */
export const overSlide = (match, { ended, cells }) => {
  const { bowler, over_ended: isBetween } = match.situation ?? {};
  return slide({
    looks: "over",
    word: counted("ball.runs", ended.runs),
    lines: [t("board.over", { number: ended.number }), ...fell(ended)],
    beside: html`<p class="cells">${cells.map(cellAlone)}</p>${bowler && !isBetween ? html`<p>${t("book.bowls", { name: bowler.player })}</p>` : nothing}${needOf(match)}`,
  });
};

/** @param {MatchView} match @param {Schemas["EndedPart"]} ended */
export const inningsSlide = (match, ended) =>
  slide({
    looks: "over",
    word: counted("ball.runs", ended.runs),
    lines: [t("box.innings", { number: ended.number }), ...fell(ended)],
    beside: needOf(match),
  });

/** A decision that a side may have reviewed. @param {MatchView} match @param {Last} last */
export const appealSlide = (match, last) => {
  const bodies = match.next.requests.map(({ body }) => /** @type {{ by?: "home" | "away" }} */ (body));
  const side = bodies.find(({ by }) => by)?.by;
  return slide({
    looks: "review",
    word: t("board.review"),
    lines: [last.wicket?.player_out ?? "", last.wicket?.kind ?? ""],
    beside: html`${namedDice(last.dice)}${said(match, last.text)}${side ? html`<p class="strong">${t("board.may", { side: match[side].name })}</p>` : nothing}`,
  });
};

/** A review as it went: 0 is the appeal, 1 the die, 2 the verdict. @param {MatchView} match @param {Schemas["ReviewEntry"]} entry @param {number} step */
export const reviewSlide = (match, entry, step) => {
  const stands = t(entry.umpires_call ? "board.call" : "board.stands");
  const verdict = entry.verdict === "upheld" ? t("board.upheld") : stands;
  return slide({
    looks: "review",
    word: t("board.review"),
    lines: [entry.side, entry.original.words],
    beside: [
      step > 0 ? namedDice(entry.dice) : nothing,
      step > 1
        ? html`<p class="strong">${verdict}</p>${said(match, entry.revised.words)}<p>${t(entry.retained ? "board.kept" : "board.lost")}</p>`
        : nothing,
    ],
  });
};
