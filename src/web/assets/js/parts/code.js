// Draws a code that a phone scans, and its link to be copied.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";

/** A link with its code; without one where the service drew none. @typedef {{link: string, code: string | null}} Shown */

/** @param {Shown} shown @param {string} what Its words are `share.WHAT`. */
export const codeOf = ({ link, code }, what) => html`<figure class="code">
  ${code ? html`<img src=${`data:image/svg+xml,${encodeURIComponent(code)}`} alt=${t(`share.${what}`)} width="232" height="232">` : nothing}
  <figcaption><input type="text" readonly data-link=${what} aria-label=${t(`share.${what}`)} .value=${link} @focus=${(
    /** @type {Event} */ event,
  ) => /** @type {HTMLInputElement} */ (event.target).select()}></figcaption></figure>`;
