/** What stands beside a pad or on a page of its own: the card of a match, and its balls in words. It reads; it changes nothing. */
import { ofMatch, read } from "../service.js";
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { inningsCard } from "../parts/card.js";
import { placeWords } from "../parts/strip.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../followed.js").Followed} Followed */

/** What is read below a match again whenever its head has moved; null until then. @template T @param {Followed} match @param {string} below @returns {() => T | null} */
const latest = (match, below) => {
  /** @type {{seq: number, found: T | null}} */
  const state = { seq: 0, found: null };
  const refresh = async () => {
    state.found = await read(ofMatch(match.id, below), { signal: match.signal }).catch(() => state.found);
    redraw();
  };
  return () => {
    if (match.view && match.view.head.seq !== state.seq) {
      state.seq = match.view.head.seq;
      void owe(refresh());
    }
    return state.found;
  };
};

/** The innings of the card. @param {Followed} match @param {{newestFirst?: boolean}} [how] */
export const cardOf = (match, { newestFirst = false } = {}) => {
  const card = latest(match, "/scorecard");
  return () => {
    const found = /** @type {Schemas["Scorecard"] | null} */ (card());
    if (!match.view || !found) return nothing;
    const names = { home: match.view.home.name, away: match.view.away.name };
    if (found.innings.length === 0) return html`<p class="quiet">${t("card.none")}</p>`;
    const all = newestFirst ? [...found.innings].reverse() : found.innings;
    return all.map((innings) => inningsCard({ innings, batting: names[innings.batting], bowling: names[innings.batting === "home" ? "away" : "home"] }));
  };
};

/** The balls of the innings in words, the newest first. @param {Followed} match */
export const ballsOf = (match) => {
  const commentary = latest(match, "/commentary");
  return () => {
    const lines = (/** @type {Schemas["Commentary"] | null} */ (commentary())?.lines ?? []).filter(({ ball, void: isVoid }) => ball && !isVoid);
    const innings = lines.at(-1)?.innings;
    return html`<h2>${t("balls")}</h2><ol class="balls">${lines.filter((line) => line.innings === innings).reverse().map(({ place, text }) => html`<li class="row"><span class="small quiet">${place ? placeWords(place) : nothing}</span><span dir="auto">${ordered(text)}</span></li>`)}</ol>`;
  };
};

/** A ball that was recorded: its words and its dice. @param {Followed} match @param {{delivery: number, seq: number}} ball */
export const ballOf = async ({ id, signal }, { delivery, seq }) => {
  const [commentary, event] = await Promise.all([read(ofMatch(id, "/commentary"), { signal }), read(ofMatch(id, `/events/${seq}`), { signal })]);
  const line = /** @type {Schemas["Commentary"]} */ (commentary).lines.find((one) => one.delivery === delivery && one.seq === seq);
  return { text: ordered(line?.text ?? ""), dice: /** @type {{value: number, sides: number}[]} */ (event.data?.dice ?? []) };
};
