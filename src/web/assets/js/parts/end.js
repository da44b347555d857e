// Draws the end of a match: the result, the totals, the same again, the card as text, the log as a file.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { icon } from "./icons.js";
import { endWords } from "./names.js";
import { totals } from "./totals.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */

/** All of the card, as a tap on it wishes. */
const select = () => document.querySelector("textarea")?.select();

/**
 * `text`: the card as text, once it was asked for; it stands in a field that can be selected, as a page without TLS has no clipboard.
 * @param {{ match: Schemas["MatchView"], card: string, log: string, text?: string | null }} data
 * @param {{ again: () => void, copy: () => void }} send
 */
export const endPanel = (
  { match, card, log, text },
  send,
) => html`<section class="end" aria-labelledby="question">
  <h2 class="heard" id="question" tabindex="-1">${endWords(match)}</h2>
  ${totals({ innings: match.score.innings, home: match.home.name, away: match.away.name })}
  <div class="actions">
    <button type="button" class="button" data-action="again" @click=${() => send.again()}>${t("again")}</button>
    <div class="pair">
      <button type="button" class="button other low" data-action="copy" @click=${() => send.copy()}>${icon("card")}<span>${t("end.copy")}</span></button>
      <a class="button other low" href=${log} download data-action="log">${icon("file")}<span>${t("end.log")}</span></a>
    </div>
    <a class="link" href=${card} data-action="card">${t("end.card")}</a>
  </div>
  ${
    text
      ? html`<label class="heard" for="card-text">${t("end.text")}</label><textarea id="card-text" readonly .value=${text} @focus=${select} @click=${select}></textarea>
    <button type="button" class="button other low" data-action="clipboard" @click=${() => {
      select();
      void navigator.clipboard?.writeText(text);
    }}>${t(navigator.clipboard ? "end.clipboard" : "end.select")}</button>`
      : nothing
  }
</section>`;
