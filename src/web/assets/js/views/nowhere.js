/** There is nothing at this address. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { bar } from "../parts/scorebox.js";

export const nowhere = () => ({
  title: () => t("nowhere"),
  render: () => html`${bar({ title: t("nowhere"), back: "/" })}<main><p class="block">${t("nowhere.text")}</p></main>`,
});

/** The page of a match that the service does not know. */
export const unknownMatch = () => html`${bar({ title: t("unknown"), back: "/" })}
  <main><div class="block"><p>${t("unknown.text")}</p><p><a class="link" href="/">${t("home.go")}</a></p></div></main>`;

/** The page of a match that is not here yet. @param {boolean} isAway */
export const notThere = (isAway) => html`${bar({ title: t("match"), back: "/" })}
  <main><p class="block">${isAway ? t("match.away") : t("match.loading")}</p></main>`;
