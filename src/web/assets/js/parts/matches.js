// Draws the rows of home: in play, waiting, finished.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { icon } from "./icons.js";
import { spoken, whenOf, written } from "./names.js";
import { plates } from "./numerals.js";
import { overLittle } from "./strip.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchSummary"]} Listed */
/** @typedef {{ match: Listed, href: string, own?: boolean, allOut?: number | undefined, hidden?: boolean | undefined, stale?: boolean, hide?: (() => void) | undefined, share?: () => void }} Row `own`: this browser scores it. `allOut`: the wickets at which a side is all out. `hide`: the list is being cleared, and a tap hides it or shows it again. `share`: it is in play, and a tap opens what is shared of it. */

/** A match of the list. @param {Row} row @param {string} looks @param {unknown} body */
const item = ({ match, href, hidden, hide, share }, looks, body) => {
  const link = html`<a class=${looks} href=${href} data-match=${match.id}>${body}</a>`;
  const { action, act } = hide ? { action: "hide", act: hide } : { action: "share", act: share };
  if (!act) return html`<li>${link}</li>`;
  const words = t(!hide ? "share" : hidden ? "home.unhide" : "home.hide");
  return html`<li class="with-button">${link}<button type="button" data-action=${action} aria-label=${`${words}: ${t("row.sides", { home: match.home, away: match.away })}`} @click=${act}>${hide ? words : icon("link")}</button></li>`;
};

/** @param {boolean | undefined} own */
const tag = (own) => (own ? html` · <span class="tag">${t("row.own")}</span>` : nothing);

/** A match in play: the side at bat, against whom, how it stands; its plates. @param {Row} row */
export const playRow = (row) => {
  const { match, own, allOut, stale } = row;
  const { innings } = match.score;
  const shown = innings.at(-1) ?? { batting: "home", runs: 0, wickets: 0, overs: "" };
  const theirs = innings.filter(({ batting }) => batting !== shown.batting).at(-1);
  const [side, other] = shown.batting === "home" ? [match.home, match.away] : [match.away, match.home];
  return item(
    row,
    "row match",
    html`<span class="lines"><span class="strong cut" dir="auto">${side}</span>
      <span class="heard">${spoken(shown)}</span>
      <span class="small quiet cut"><span dir="auto">${t("row.against", { side: other })}</span> ${theirs ? written(theirs, allOut) : nothing} · ${match.title}</span>
      <span class="small strong">${match.score.target || !shown.overs ? match.line : t("box.overs", { overs: shown.overs })}${tag(own)}</span></span>
    <span class="last">${overLittle(match.over?.deliveries ?? [])}</span>
    ${plates({ runs: shown.runs, wickets: shown.wickets, size: "little", stale })}`,
  );
};

/** A match that is not begun. @param {Row} row */
export const waitRow = (row) =>
  item(
    row,
    "row",
    html`<span class="lines"><span class="strong cut" dir="auto">${t("row.sides", { home: row.match.home, away: row.match.away })}</span>
    <span class="small quiet cut">${row.match.line}${tag(row.own)} · ${row.match.title}</span></span>${icon("onward")}`,
  );

/** A finished match: the result, when it ended, the totals. @param {Row} row */
export const doneRow = (row) => {
  const { match, allOut } = row;
  const totals = match.score.innings.map((one) => `${match[one.batting]} ${written(one, allOut)}`).join(", ");
  const words = [whenOf(new Date(match.last_at)), totals, match.title].filter(Boolean).join(" · ");
  return item(
    row,
    "row",
    html`<span class="lines"><span class="strong cut" dir="auto">${match.line}</span>
      <span class="small quiet cut" dir="auto">${words}</span></span>${icon("onward")}`,
  );
};

/** A list under its heading; nothing where it is empty. @param {string} title @param {unknown[]} rows */
export const section = (title, rows) =>
  rows.length === 0 ? nothing : html`<section><h2 class="section">${title}</h2><ul>${rows}</ul></section>`;

/** What stands below the lists. @param {{ more: boolean, hiding: boolean }} data `more`: there are matches that were not read. @param {{ more: () => void, hiding: () => void }} send */
export const listFoot = ({ more, hiding }, send) => html`<p class="list-foot">
  ${more ? html`<button type="button" class="link" data-action="older" @click=${() => send.more()}>${t("home.more")}</button>` : nothing}
  <button type="button" class="link" data-action="hiding" @click=${() => send.hiding()}>${t(hiding ? "home.hiding.done" : "home.hiding")}</button>
  <a class="link" href="/settings" data-action="settings">${t("home.settings")}</a></p>`;

/** A match that plays itself. @param {{ busy?: boolean }} data @param {{ show: () => void }} send */
export const showMe = (
  { busy },
  send,
) => html`<div class="start"><button type="button" class="button other" data-action="show" aria-disabled=${busy ? "true" : nothing}
  @click=${() => {
    if (!busy) send.show();
  }}>${icon("play")}<span>${t(busy ? "home.showing" : "home.show")}</span></button></div>`;
