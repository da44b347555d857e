/** A step of several choices on the pad, as the toss. */
import { html, nothing } from "../html.js";
import { question } from "../parts/question.js";
import { ways } from "../parts/ways.js";
import * as scoring from "../scoring.js";

/** @typedef {import("./pad.js").Drawn} Pad */

/** All choices of the step, and the button that sends them. @param {Pad} state @param {import("../draft.js").NextRequest} request */
export const formOf = ({ match, now }, request) => {
  const asks = request.asks.filter(({ required }) => required);
  const chosen = Object.fromEntries(now.draft.answers.map(({ at, value }) => [at, value]));
  const ready = asks.every(({ at }) => at in chosen) && now.isIdle;
  return html`${question({ title: request.title })}<div class="block">
    ${asks.map((ask) => ways({ name: `toss-${ask.at}`, title: ask.title, ways: ask.options ?? [], chosen: chosen[ask.at] }, { choose: (value) => scoring.set(match, request, ask.at, value) }))}
    ${match.said ? html`<p role="alert"><span class="label" dir="auto">${match.said}</span></p>` : nothing}
    <button type="button" class="button" data-action="toss" aria-disabled=${ready ? nothing : "true"} @click=${() => {
      if (ready) scoring.submit(match);
    }}>${request.title}</button></div>`;
};
