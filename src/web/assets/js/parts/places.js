// Draws names on places as a plain list: who stands where. It changes nothing.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */

/** @param {{ places: Schemas["Places"] }} data */
export const placesList = ({ places }) => {
  const titles = new Map(places.places.map(({ id, title }) => [id, title]));
  return html`<ul tabindex="0" aria-labelledby="sheet-title">${places.names.map(
    (name) => html`<li class="row"><span class="name" dir="auto">${name}</span>
      <span class="reason">${titles.get(String(places.now[name] ?? "")) ?? t("places.none")}</span></li>`,
  )}</ul>
    ${[...new Set(places.at_most.map(({ text }) => text))].map((text) => html`<p class="under">${text}</p>`)}`;
};

/**
 * What this page does not ask: it is said, with the request that answers it.
 * @param {{ title: string, request: string, body?: unknown, at?: string }} data `at`: the place in the body.
 */
export const notBuilt = ({
  title,
  request,
  body,
  at,
}) => html`<div class="block" data-not-built><p><b dir="auto">${title}.</b> ${t(at ? "not_built.at" : "not_built", { at: at ?? "" })}</p>
  <pre tabindex="0"><code>${request}${body === undefined ? nothing : html`<br>${JSON.stringify(body, null, 1)}`}</code></pre></div>`;
