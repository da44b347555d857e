/** What finds a match: the fields, the pages, and what is said where the list has no such match. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { redraw } from "../owed.js";
import { textField } from "../parts/fields.js";
import { go } from "./go.js";
import { addressOf, askedBy } from "./listing.js";

/** @typedef {import("./listing.js").Asked} Asked */
/** @typedef {import("./listing.js").Draft} Draft */
/** @typedef {{ value: string, title: string }} Way */

const STATUSES = ["in_play", "created", "completed", "abandoned"];
/** The words of a status are those of its section on Home. @type {Record<string, string>} */
const SECTIONS = { created: "home.waiting", completed: "home.finished" };

/** @param {{ id: string, title: string, value: string, ways: Way[] }} data @param {(value: string) => void} choose */
const choice = ({ id, title, value, ways }, choose) =>
  html`<div class="field"><label for=${id}>${title}</label><select id=${id} .value=${value}
    @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
    ${ways.map((way) => html`<option value=${way.value} .selected=${way.value === value}>${way.title}</option>`)}</select></div>`;

/** A side as the list has it: who types its name need not mind capitals. @param {string} typed @param {string[]} names */
const sideOf = (typed, names) => {
  const name = typed.trim();
  const isAlike = (/** @type {string} */ other) => other.toLowerCase() === name.toLowerCase();
  return names.includes(name) ? name : (names.find(isAlike) ?? name);
};

/** The fields in which a match is looked for. @param {{ draft: Draft, games: { id: string, title: string }[], names: string[] }} data `names`: of the sides that were read. */
export const findForm = ({ draft, games, names }) => {
  const change = (/** @type {keyof Draft} */ name) => (/** @type {string} */ value) => {
    draft[name] = value;
    redraw();
  };
  const find = (/** @type {Event} */ event) => {
    event.preventDefault();
    go(addressOf(askedBy({ ...draft, team: sideOf(draft.team, names) })));
  };
  const all = { value: "", title: t("finding.all") };
  const ofGames = games.map(({ id, title }) => ({ value: id, title }));
  const ofStatuses = STATUSES.map((value) => ({ value, title: t(SECTIONS[value] ?? `home.${value}`) }));
  return html`<form class="find" role="search" @submit=${find}>
    ${textField({ id: "find-side", title: t("finding.side"), value: draft.team, list: names, hint: t("finding.side.hint") }, { input: change("team") })}
    ${choice({ id: "find-game", title: t("finding.game"), value: draft.game, ways: [all, ...ofGames] }, change("game"))}
    ${choice({ id: "find-status", title: t("finding.status"), value: draft.status, ways: [all, ...ofStatuses] }, change("status"))}
    <div class="field"><label for="find-until">${t("finding.until")}</label><input id="find-until" type="date" max="9999-12-30" .value=${draft.until}
      @input=${(/** @type {Event} */ event) => change("until")(/** @type {HTMLInputElement} */ (event.target).value)}></div>
    <button class="button other low" data-action="finds">${t("finding.find")}</button></form>`;
};

/** What leads on from a page: to the next, to the first, to all matches. @param {{ asked: Asked, next: string | null, isEmpty: boolean }} data */
export const pageFoot = ({ asked, next, isEmpty }) => {
  const { cursor, ...rest } = asked;
  const nobody = cursor ? "finding.end" : asked["team"] ? "finding.no_side" : "finding.none";
  return html`${isEmpty ? html`<p class="block" data-none>${t(nobody)}</p>` : nothing}<p class="list-foot">
    ${next ? html`<a class="link" href=${addressOf({ ...rest, cursor: [next] })} data-action="older">${t("finding.older")}</a>` : nothing}
    ${cursor ? html`<a class="link" href=${addressOf(rest)} data-action="newest">${t("finding.newest")}</a>` : nothing}
    <a class="link" href="/" data-action="home">${t("home.go")}</a></p>`;
};

/** Why the list is not asked for this. @param {import("../service.js").Refused} refused */
export const refusedWords = ({ message, problem }) => {
  const isPage = problem.type === "/problems/bad-cursor";
  const words = isPage ? t("finding.no_page") : t("finding.refused", { words: message });
  return html`<div class="block"><p role="alert" dir="auto">${words}</p>
  <p><a class="link" href="/" data-action="home">${t("home.go")}</a></p></div>`;
};
