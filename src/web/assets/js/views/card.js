/** The card of a match: both innings as tables; and what stands beside a pad where there is room. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { owe } from "../owed.js";
import { scorebox, standing } from "../parts/scorebox.js";
import { BESIDE, follow, followed, refresh } from "../following.js";
import { places } from "../parts/tabs.js";
import { ballsOf, cardOf, correctedOf } from "./beside.js";
import { oldScore, recalling, sinceOf } from "./recalling.js";
import { sharing } from "./sharing.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @param {string} id @param {AbortSignal} signal */
export const card = (id, signal) => {
  const match = followed(id, signal);
  const shared = sharing(id, signal);
  const keeps = recalling(match);
  match.wants = () => [BESIDE[0]];
  void owe(follow(match));
  return {
    ahead: [keeps],
    title: () => (match.view ? `${match.view.home.name} v ${match.view.away.name}` : t("match")),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      return html`<div class="card">
        ${scorebox({ match: match.view, ...standing(match, sinceOf(match)) }, { sync: () => void owe(refresh(match)) })}
        ${places(match.id, "card", match.token !== undefined, shared.open)}
        <main>${oldScore(match)}${cardOf(match)}${correctedOf(match)}</main>
      </div>${shared.draw()}`;
    },
  };
};

/** The card and the balls beside a pad. @param {import("../following.js").Followed} match */
export const asidesOf = (
  match,
) => html`<aside class="aside card" tabindex="0" aria-label=${t("card")}>${cardOf(match, { newestFirst: true })}</aside>
  <aside class="aside" tabindex="0" aria-label=${t("balls")}>${ballsOf(match)}</aside>`;
