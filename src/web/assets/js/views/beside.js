/** What stands beside a pad or on a page of its own: the card of a match, and its balls in words. It reads; it changes nothing. */
import { ofMatch, read } from "../service.js";
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { inningsCard } from "../parts/card.js";
import { placeWords } from "../parts/strip.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../followed.js").Followed} Followed */

/** The commentary on a match, page after page. @param {Followed} match @returns {Promise<Schemas["CommentaryLine"][]>} */
const commentaryOf = async ({ id, signal }) => {
  /** @type {Schemas["CommentaryLine"][]} */
  let lines = [];
  for (let rest = "/commentary"; rest; ) {
    const page = /** @type {Schemas["Commentary"]} */ (await read(ofMatch(id, rest), { signal }));
    lines = lines.concat(page.lines);
    rest = page.next_after ? `/commentary?after=${page.next_after}` : "";
  }
  return lines;
};

/** What is read of a match again whenever its head has moved; null until then. @template T @param {Followed} match @param {(match: Followed) => Promise<T>} readAgain @returns {() => T | null} */
const latest = (match, readAgain) => {
  /** @type {{seq: number, found: T | null}} */
  const state = { seq: 0, found: null };
  const refresh = async () => {
    state.found = await readAgain(match).catch(() => state.found);
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
  const card = latest(match, ({ id, signal }) => /** @type {Promise<Schemas["Scorecard"]>} */ (read(ofMatch(id, "/scorecard"), { signal })));
  return () => {
    const found = card();
    if (!match.view || !found) return nothing;
    const names = { home: match.view.home.name, away: match.view.away.name };
    if (found.innings.length === 0) return html`<p class="quiet">${t("card.none")}</p>`;
    const all = newestFirst ? [...found.innings].reverse() : found.innings;
    return all.map((innings) => inningsCard({ innings, batting: names[innings.batting], bowling: names[innings.batting === "home" ? "away" : "home"] }));
  };
};

/** The balls of the innings in words, the newest first. @param {Followed} match */
export const ballsOf = (match) => {
  const commentary = latest(match, commentaryOf);
  return () => {
    const lines = (commentary() ?? []).filter(({ ball, void: isVoid }) => ball && !isVoid);
    const innings = lines.at(-1)?.innings;
    return html`<h2>${t("balls")}</h2><ol class="balls">${lines.filter((line) => line.innings === innings).reverse().map(({ place, text }) => html`<li class="row"><span class="small quiet">${place ? placeWords(place) : nothing}</span><span dir="auto">${ordered(text)}</span></li>`)}</ol>`;
  };
};

/** A ball that was recorded: its words and its dice. @param {Followed} match @param {{delivery: number, seq: number}} ball */
export const ballOf = async ({ id, signal }, { delivery, seq }) => {
  const [commentary, event] = await Promise.all([read(ofMatch(id, `/commentary?after=${seq - 1}&limit=1`), { signal }), read(ofMatch(id, `/events/${seq}`), { signal })]);
  const line = /** @type {Schemas["Commentary"]} */ (commentary).lines.find((one) => one.delivery === delivery && one.seq === seq);
  return { text: ordered(line?.text ?? ""), dice: /** @type {{value: number, sides: number}[]} */ (event.data?.dice ?? []) };
};
