/** What stands at an address that has no page, no match, or no script yet. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { bar } from "../parts/scorebox.js";
import { Refused } from "../service.js";

export const nowhere = () => ({
  title: () => t("nowhere"),
  render: () =>
    html`${bar({ title: t("nowhere"), back: "/" })}<main><p class="block">${t("nowhere.text")}</p></main>`,
});

/** Why something was not done, in words. @param {unknown} error */
export const sentence = (error) => (error instanceof Refused ? error.message : t("match.away"));

/** The page whose script is on its way. @param {string} title */
export const opening = (title) => ({
  title: () => t(title),
  render: () => html`<main><p class="block">${t("match.loading")}</p></main>`,
});

/** What stands where a script has not come. @param {() => void} again */
export const missing = (again) => html`<div class="block"><p role="alert">${t("script.failed")}</p>
  <button type="button" class="button" data-action="again" @click=${again}>${t("script.again")}</button></div>`;

/** The page whose script has not come. @param {() => void} again */
export const failed = (again) => ({
  title: () => t("home.title"),
  render: () => html`${bar({ title: t("home.title"), own: true })}<main>${missing(again)}</main>`,
});

/** What stands below a page that is of another version than the service, though it was loaded anew. */
export const leftBehind = () => html`<p class="block" role="status">${t("version.left")}</p>`;

/** The page that cannot be drawn. */
export const broken = () => html`<main><p class="block" role="alert">${t("broken")}</p></main>`;

/** The page of a match that the service does not know. */
export const unknownMatch = () => html`${bar({ title: t("unknown"), back: "/" })}
  <main><div class="block"><p>${t("unknown.text")}</p><p><a class="link" href="/">${t("home.go")}</a></p></div></main>`;

/** The page of a match that is not here yet. @param {boolean} isAway */
export const notThere = (isAway) => html`${bar({ title: t("match"), back: "/" })}
  <main><p class="block">${isAway ? t("match.away") : t("match.loading")}</p></main>`;
