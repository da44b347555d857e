// Draws the addresses of a match, at the foot or the head of a page.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";

/** Addresses at the foot or head of a page; the one that is shown is marked. @param {{ href: string, words: string, here?: boolean }[]} tabs @param {() => void} share */
const tabs = (tabs, share) =>
  html`<nav class="tabs" aria-label=${t("foot")}>${tabs.map(({ href, words, here }) => html`<a href=${href} aria-current=${here ? "page" : nothing}>${words}</a>`)}
  <button type="button" data-action="share" @click=${share}>${t("share")}</button></nav>`;

/** The addresses of a match. @param {string} id @param {string} here @param {boolean} isScorer @param {() => void} share Opens the sheet by which it is shared. */
export const places = (id, here, isScorer, share) =>
  tabs(
    [
      ...(isScorer ? [{ href: `/m/${id}/score`, words: t("pad"), here: here === "score" }] : []),
      { href: `/m/${id}/board`, words: t("board"), here: here === "board" },
      { href: `/m/${id}/card`, words: t("card"), here: here === "card" },
      { href: "/", words: t("home"), here: false },
    ],
    share,
  );
