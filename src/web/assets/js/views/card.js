/** The card of a match: both innings as tables. */
import { ofMatch, read } from "../service.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { Match } from "../match.js";
import { owe, redraw } from "../owed.js";
import { inningsCard } from "../parts/card.js";
import { scorebox } from "../parts/scorebox.js";
import { places } from "./board.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("../service.js").Schemas["Scorecard"]} Scorecard */

/** @param {string} id @param {AbortSignal} signal */
export const card = (id, signal) => {
  const match = new Match(id, signal);
  /** @type {{card: Scorecard | null, seq: number}} */
  const state = { card: null, seq: 0 };
  const refresh = async () => {
    state.card = await read(ofMatch(id, "/scorecard"), { signal }).catch(() => state.card);
    redraw();
  };
  void owe(match.open());
  return {
    title: () => (match.view ? `${match.view.home.name} v ${match.view.away.name}` : t("match")),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      if (match.view.head.seq !== state.seq) {
        state.seq = match.view.head.seq;
        void owe(refresh());
      }
      return draw(match, match.view, state.card);
    },
  };
};

/** @param {Match} match @param {import("../service.js").MatchView} view @param {Scorecard | null} card */
const draw = (match, view, card) => {
  const names = { home: view.home.name, away: view.away.name };
  return html`<div class="card">
    ${scorebox({ match: view }, {})}
    ${places(match.id, "card", match.token !== undefined)}
    <main>${card ? card.innings.map((innings) => inningsCard({ innings, batting: names[innings.batting], bowling: names[innings.batting === "home" ? "away" : "home"] })) : nothing}
      ${card && card.innings.length === 0 ? html`<p class="quiet">${t("card.none")}</p>` : nothing}</main>
  </div>`;
};
