/** The card of a match: both innings as tables. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { owe } from "../owed.js";
import { scorebox } from "../parts/scorebox.js";
import { follow, followed, refresh } from "../following.js";
import { cardOf, lostOf, OF_CARD } from "./beside.js";
import { places } from "../parts/foot.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @param {string} id @param {AbortSignal} signal */
export const card = (id, signal) => {
  const match = followed(id, signal);
  match.wants = () => OF_CARD;
  void owe(follow(match));
  return {
    title: () => (match.view ? `${match.view.home.name} v ${match.view.away.name}` : t("match")),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      return html`<div class="card">
        ${scorebox({ match: match.view, ...lostOf(match) }, { sync: () => void owe(refresh(match)) })}
        ${places(match.id, "card", match.token !== undefined)}
        <main>${cardOf(match)}</main>
      </div>`;
    },
  };
};
