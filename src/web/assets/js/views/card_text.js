/** The card of a match as plain text, which goes where no page does. */
import { t } from "../i18n.js";
import { endWords } from "../parts/names.js";

/** A batter's row. One that is wide goes on in a line of its own, so that nobody's name has to be cut. @param {string} player @param {string} how @param {string} figures */
const row = (player, how, figures) => {
  const line = `  ${player}  ${how}  ${figures}`;
  return line.length > 64 ? `  ${player}  ${figures}\n    ${how}` : line;
};

/** The card as plain text. @param {import("../service.js").Schemas["Scorecard"]} card @param {import("../service.js").MatchView} match */
export const cardText = (card, match) => {
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
  const { hash, seq } = card.head;
  const mark = t("text.mark", { mark: `${hash.slice(0, 4)} … ${hash.slice(-4)}`, seq });
  return [[title, endWords(match)].filter(Boolean).join("\n"), ...innings, mark].join("\n\n");
};
