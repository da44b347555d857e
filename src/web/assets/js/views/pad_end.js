/** The end of a match on its pad, and its card as text. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { redraw } from "../owed.js";
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
    { again: () => go(`/new?again=${match.id}`), copy: () => void copy(state) },
  );
};

/** @param {Pad} state */
const copy = async (state) => {
  const signal = state.match.signal;
  const lines = await read("/v1/matches/{id}/scorecard", { of: { id: state.match.id }, signal }).catch(
    () => null,
  );
  const { view } = state.match;
  state.cardText = lines && view ? cardText(lines, view) : t("match.away");
  redraw();
};

/** A batter's row. One that is wide goes on in a line of its own, so that nobody's name has to be cut. @param {string} player @param {string} how @param {string} figures */
const row = (player, how, figures) => {
  const line = `  ${player}  ${how}  ${figures}`;
  return line.length > 64 ? `  ${player}  ${figures}\n    ${how}` : line;
};

/** The card as plain text, to be copied. @param {import("../service.js").Schemas["Scorecard"]} card @param {import("../service.js").MatchView} match */
const cardText = (card, match) => {
  const innings = card.innings.map((one) =>
    [
      `${card[one.batting]} ${one.total.runs}/${one.total.wickets} (${one.total.overs})`,
      ...one.batters
        .filter(({ status }) => status !== "did not bat")
        .map((line) => row(line.player, line.how_out ?? line.status, `${line.runs} (${line.balls})`)),
      `  Extras ${one.extras.total}`,
      ...one.bowlers.map(
        (line) => `  ${line.player}  ${line.overs}-${line.maidens}-${line.runs}-${line.wickets}`,
      ),
    ].join("\n"),
  );
  const title = t("row.sides", { home: match.home.name, away: match.away.name });
  return [`${title}\n${resultWords(match)}`, ...innings].join("\n\n");
};
