// Draws what this page does not ask.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";

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

/** A request that this page does not make. @param {{ title: string, path: string, body?: unknown }} request */
export const told = ({ title, path, body }) => notBuilt({ title, request: `POST ${path}`, body });
