// Draws the rows of home: in play, waiting, finished.
import { html, nothing, repeat } from "../html.js";
import { ordered, t } from "../i18n.js";
import { icon } from "./icons.js";
import { spoken, whenOf, written } from "./names.js";
import { plates } from "./numerals.js";
import { cellAlone, deliveryWords } from "./strip.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchSummary"]} Listed */
/** @typedef {{ match: Listed, href: string, own?: boolean, allOut?: number | undefined, hidden?: boolean | undefined, stale?: boolean, hide?: (() => void) | undefined, share?: (() => void) | undefined }} Row `own`: this browser scores it. `allOut`: the wickets at which a side is all out. `hide`: the list is being cleared, and a tap hides it or shows it again. `share`: it is in play, and a tap opens what is shared of it. */

/** A match of the list. A name alone has its own direction; in a sentence it keeps that of the sentence. @param {Row} row @param {string} looks @param {unknown} body */
const item = ({ match, href, hidden, hide, share }, looks, body) => {
  const link = html`<a class=${looks} href=${href} data-match=${match.id}>${body}</a>`;
  const { action, act } = hide ? { action: "hide", act: hide } : { action: "share", act: share };
  if (!act) return html`<li>${link}</li>`;
  const words = t(!hide ? "share" : hidden ? "home.unhide" : "home.hide");
  return html`<li class="with-button">${link}<button type="button" data-action=${action} aria-label=${`${words}: ${t("row.sides", { home: match.home, away: match.away })}`} @click=${act}>${hide ? words : icon("link")}</button></li>`;
};

/** @param {boolean | undefined} own */
const tag = (own) => (own ? html` · <span class="tag">${t("row.own")}</span>` : nothing);

/** An over in little: only looked at. @param {Schemas["DeliveryCell"][]} deliveries */
const overLittle = (deliveries) =>
  deliveries.length === 0
    ? nothing
    : html`<span class="over-little" role="img"
  aria-label=${deliveries.map((one) => deliveryWords(one, deliveries)).join("; ")}>${deliveries.map(cellAlone)}</span>`;

/** A match in play: the side at bat, against whom; how it stands; this over; its plates. @param {Row} row */
export const playRow = (row) => {
  const { match, own, allOut, stale } = row;
  const { innings, target } = match.score;
  const shown = innings.at(-1) ?? { batting: "home", runs: 0, wickets: 0, overs: "" };
  const theirs = innings.filter(({ batting }) => batting !== shown.batting).at(-1);
  const [side, other] = shown.batting === "home" ? [match.home, match.away] : [match.away, match.home];
  const overs = shown.overs ? t("box.overs", { overs: shown.overs }) : "";
  const [stands, beside] = target || !overs ? [match.line, overs] : [overs, ""];
  return item(
    row,
    "row match",
    html`<span class="lines"><span class="strong cut" dir="auto">${side}</span>
      <span class="heard">${spoken(shown)}</span>
      <span class="small quiet cut">${t("row.against", { side: other })} ${theirs ? written(theirs, allOut) : nothing}<span class="game"> · ${match.title}</span></span></span>
    <span class="stands"><span class="small strong">${stands}${tag(own)}</span>${beside ? html`<span class="small quiet">${beside}</span>` : nothing}</span>
    <span class="last">${overLittle(match.over?.deliveries ?? [])}</span>
    ${plates({ runs: shown.runs, wickets: shown.wickets, size: "little", stale })}`,
  );
};

/** A match that is not begun. @param {Row} row */
export const waitRow = (row) =>
  item(
    row,
    "row",
    html`<span class="lines"><span class="strong cut">${t("row.sides", { home: row.match.home, away: row.match.away })}</span>
    <span class="small quiet cut">${row.match.line}${tag(row.own)} · ${row.match.title}</span></span>${icon("onward")}`,
  );

/** A match that is over: what came of it, the totals, when it ended. @param {Row} row @param {string} title @param {string} text */
const overRow = (row, title, text) => {
  const { match } = row;
  return item(
    row,
    "row over",
    html`<span class="lines"><span class="strong">${title}</span>
      ${text ? html`<span class="small quiet">${text}</span>` : nothing}</span>
    <span class="when small quiet"><span>${whenOf(new Date(match.last_at))}</span><span class="dot"> · </span><span>${match.title}</span></span>${icon("onward")}`,
  );
};

/** @param {Row} row */
const totals = ({ match, allOut }) =>
  match.score.innings.map((one) => `${ordered(match[one.batting])} ${written(one, allOut)}`).join(", ");

/** A finished match: the result. @param {Row} row */
export const doneRow = (row) => overRow(row, row.match.line, totals(row));

/** An abandoned match: its sides, and why. @param {Row} row */
export const goneRow = (row) => {
  const { home, away, line } = row.match;
  return overRow(row, t("row.sides", { home, away }), [line, totals(row)].filter(Boolean).join(" · "));
};

/**
 * A list under its heading; nothing where it is empty.
 * @param {string} title @param {Row[]} rows @param {(row: Row) => unknown} draw
 * @param {{ more?: string | undefined, find?: (() => void) | undefined, fields?: unknown }} below `more`: the address of those that were not read. `find`: a tap opens the fields in which one is looked for.
 */
export const section = (title, rows, draw, { more, find, fields }) =>
  rows.length === 0
    ? nothing
    : html`<section><div class="section-head"><h2 class="section">${title}</h2>${find ? html`<button type="button" class="link" data-action="find" @click=${find}>${t("home.find")}</button>` : nothing}</div>
      ${fields ?? nothing}<ul>${repeat(rows, ({ match }) => match.id, draw)}</ul>
      ${more ? html`<p class="list-foot"><a class="link" href=${more} data-action="older" aria-label=${`${t("home.more")}: ${title}`}>${t("home.more")}</a></p>` : nothing}</section>`;

/** Where a television shows what is played. @param {string} base The address of the service. */
export const watchAddress = (base) => html`<section class="watch"><h2 class="section">${t("home.watch")}</h2>
  <p class="small">${t("home.watch.text")}</p><p class="address" dir="ltr">${base.replace(/^http:\/\//u, "")}<wbr>/board</p></section>`;

/** What stands below the lists. @param {{ hiding: boolean }} data @param {{ hiding: () => void }} send */
export const listFoot = ({ hiding }, send) => html`<p class="list-foot">
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
