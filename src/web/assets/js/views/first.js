/** What Home shows while there is no match: what this is, and the games. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { die } from "../parts/dice.js";
import { showMe } from "../parts/matches.js";
import { numeral } from "../parts/numerals.js";

/** What a game is played with, as a picture. A game that has none of these pictures has none. */
const DRAWINGS = /** @type {Record<string, () => unknown>} */ ({
  howzat: () => [die({ value: 3 }), die({ value: 6 })],
  cuberoots: () => ["4", "7"].map((digit) => html`<span class="plate">${numeral(digit)}</span>`),
  "cricket-the-game": () =>
    html`<svg class="icon" viewBox="0 0 56 40" aria-hidden="true"><path d="M2 20a26 18 0 1 0 52 0a26 18 0 1 0 -52 0ZM12 20a16 10 0 1 0 32 0a16 10 0 1 0 -32 0ZM20 17h16v6h-16Z"></path></svg>`,
});

/** @typedef {{ id: string, title: string, text?: string, href: string }} Game */

/** A game to begin: a picture, a sentence. @param {Game} game */
const gameRow = ({ id, title, text, href }) => html`<a class="game" href=${href} data-game=${id}>
  <span class="drawing" aria-hidden="true">${DRAWINGS[id]?.() ?? nothing}</span>
  <span class="lines"><span class="strong">${title}</span>${text ? html`<span>${text}</span>` : nothing}</span></a>`;

/**
 * No match yet: what this is, a match that plays itself, the games.
 * @param {{ games: Game[], offer: boolean, busy?: boolean }} data `offer`: Show me a match. @param {{ show: () => void }} send
 */
export const noMatch = (
  { games, offer, busy },
  send,
) => html`<div class="first"><h2>${t("home.none")}</h2><p>${t("home.none.text")}</p></div>
  ${offer ? showMe({ busy }, send) : nothing}
  <div class="games">${games.map(gameRow)}</div>`;
