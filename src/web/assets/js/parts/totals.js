// Draws the totals of all innings.
import { html } from "../html.js";
import { t } from "../i18n.js";
import { plates } from "./numerals.js";

/** The totals of all innings, with their plates. @param {{ innings: { batting: "home" | "away", runs: number, wickets: number, overs: string }[], home: string, away: string }} data */
export const totals = ({ innings, home, away }) =>
  html`<dl class="totals">${innings.map(
    ({
      batting,
      runs,
      wickets,
      overs,
    }) => html`<div><dt class="team cut" dir="auto">${batting === "home" ? home : away}</dt>
  <dd>${plates({ runs, wickets, size: "little" })}<span class="heard">${t("score.spoken", { runs, wickets })}</span><span class="small">${t("card.overs", { overs })}</span></dd></div>`,
  )}</dl>`;
