/** The card of a match: both innings as tables. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { owe } from "../owed.js";
import { scorebox } from "../parts/scorebox.js";
import { Sending } from "../sending.js";
import { cardOf } from "./beside.js";
import { places } from "./board.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @param {string} id @param {AbortSignal} signal */
export const card = (id, signal) => {
  // What was not sent when the pad was left goes from here.
  const match = new Sending(id, signal);
  const innings = cardOf(match);
  void owe(match.open());
  return {
    title: () => (match.view ? `${match.view.home.name} v ${match.view.away.name}` : t("match")),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      return html`<div class="card">
        ${scorebox({ match: match.view }, {})}
        ${places(match.id, "card", match.token !== undefined)}
        <main>${innings()}</main>
      </div>`;
    },
  };
};
