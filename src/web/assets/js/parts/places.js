// Draws names on places as a plain list: who stands where. It changes nothing.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";

/** @typedef {import("../api.d.ts").components["schemas"]} Schemas */

/** @param {{ places: Schemas["Places"], request?: string }} data `request`: the one that changes it, as this sheet does not. */
export const placesList = ({ places, request }) => {
  const titles = new Map(places.places.map(({ id, title }) => [id, title]));
  return html`<ul tabindex="0" aria-labelledby="sheet-title">${places.names.map((name) => html`<li class="row"><span class="name" dir="auto">${name}</span>
      <span class="reason">${titles.get(String(places.now[name] ?? "")) ?? t("places.none")}</span></li>`)}</ul>
    ${[...new Set(places.at_most.map(({ text }) => text))].map((text) => html`<p class="under">${text}</p>`)}
    ${request ? html`<p class="under">${t("not_built")} <code>${request}</code></p>` : nothing}`;
};

/** An ask whose sheet is not built: it is said, with the request that answers it. @param {{ ask: Schemas["Ask"], request: string }} data */
export const notBuilt = ({ ask, request }) => html`<div class="block"><p class="lead"><b dir="auto">${ask.title}</b> ${t("not_built")}</p><p><code>${request} · ${ask.at}</code></p></div>`;
