/** The end of a match on its pad, and its card as text. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { owe, redraw } from "../owed.js";
import { endPanel } from "../parts/end.js";
import { resultWords } from "../parts/names.js";
import { totals } from "../parts/totals.js";
import { read } from "../service.js";
import { go } from "./go.js";

/** @typedef {import("./pad.js").Pad} Pad */

/** The totals, as long as the ball that ends the match is held. @param {import("../service.js").MatchView} shown */
export const totalsOf = ({ score, home, away }) =>
  html`<div class="end">${totals({ innings: score.innings, home: home.name, away: away.name })}</div>`;

/** The end of the match. @param {Pad} state */
export const endOf = (state) => {
  const { match } = state;
  if (!match.view) return nothing;
  return endPanel(
    {
      match: match.view,
      card: `/m/${match.id}/card`,
      log: `/v1/matches/${match.id}/log`,
      text: state.cardText,
    },
    { again: () => go(`/new?again=${match.id}`), copy: () => void owe(copy(state)) },
  );
};

/** @param {Pad} state */
const copy = async (state) => {
  const signal = state.match.signal;
  const { view, id } = state.match;
  state.cardText = await Promise.all([
    whole(import("./card_text.js"), { words: "card_text" }),
    read("/v1/matches/{id}/scorecard", { of: { id }, signal }),
  ]).then(
    ([{ cardText }, card]) => (view ? cardText(card, view) : null),
    () => t("match.away"),
  );
  redraw();
};
