// Draws sides: the two of a new match, lists of those that can be taken, and the fields of one.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { textField, wrong } from "./fields.js";
import { icon } from "./icons.js";
import { playerRows } from "./players.js";

/** @typedef {import("../cards.js").Fields} Fields */
/** @typedef {import("../cards.js").PlayerRow} PlayerRow */
/** @typedef {{ names: string, rest?: string }} Summary The first names, which may be cut, and how many more there are. */

/** @param {Summary} summary */
const summary = ({ names, rest }) =>
  html`<span class="small quiet some"><span class="cut" dir="auto">${names}</span>${rest ? html`<span>${rest}</span>` : nothing}</span>`;

/**
 * The two sides of a new match: a tap opens the sheet of one.
 * @param {{ sides: { side: "home" | "away", name: string, players: Summary, wrong?: string | undefined }[] }} data @param {{ side: (side: "home" | "away") => void }} send
 */
export const sidesField = (
  { sides },
  send,
) => html`<div class="field"><span class="title">${t("new.sides")}</span>
  <div class="sides">${sides.map(
    ({ side, name, players }) => html`<button type="button" data-side=${side} @click=${() => send.side(side)}>
    <span class="lines"><span class="strong cut" dir="auto">${name}</span>${summary(players)}</span>${icon("onward")}</button>`,
  )}</div>
  ${sides.map(({ side, wrong: words }) => wrong(side, words))}</div>`;

/** @typedef {{ name: string, players?: Summary, text?: string }} Listed */

/**
 * Sides to be taken, under their title; with `edit` each can be edited as well.
 * @param {{ title: string, sides: Listed[], chosen?: string | null }} data @param {{ take: (place: number) => void, edit?: (place: number) => void }} send
 */
export const sideList = ({ title, sides, chosen = null }, { take, edit }) =>
  sides.length === 0
    ? nothing
    : html`<h3 class="section">${title}</h3><ul>${sides.map(
        ({ name, players, text }, place) => html`<li class=${edit ? "with-button" : nothing}>
  <button type="button" class="row" data-choice=${name} aria-pressed=${chosen === null ? nothing : String(chosen === name)} @click=${() => take(place)}>
    <span class="lines"><span class="strong cut" dir="auto">${name}</span>${players ? summary(players) : nothing}</span>
    ${text ? html`<span class="reason">${text}</span>` : nothing}${chosen === name ? icon("check") : nothing}</button>
  ${edit ? html`<button type="button" data-action="edit" aria-label=${t("side.edit.said", { name })} @click=${() => edit(place)}>${t("side.edit")}</button>` : nothing}</li>`,
      )}</ul>`;

/** The title of the players, with how many there are so far. @param {unknown} title @param {string} count */
const head = (title, count) =>
  html`<div class="players-head">${title}<span class="strong" data-count role="status">${count}</span></div>`;

/** How many lines are in sight at most, whatever was pasted. */
const MOST = 30;

/** A box of a line a player: all of them are in sight. @param {{ text: string, rows: number, described: string, isWrong: boolean }} data @param {{ text: (text: string) => void }} send */
const linesBox = ({ text, rows, described, isWrong }, send) =>
  html`<textarea id="side-names" dir="auto" spellcheck="false" autocomplete="off" rows=${Math.max(rows, Math.min(text.split("\n").length, MOST))} .value=${text} aria-invalid=${isWrong ? "true" : nothing}
    aria-describedby=${described} @input=${(/** @type {Event} */ event) => send.text(/** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea>`;

/**
 * The fields of a side: its name, and a line a player, or a row where players have cards.
 * @param {{ name: string, usual: string, text: string, players: number, hint: string, count: string, misses: string, wrong?: string | undefined, rows: PlayerRow[] | null, fields: Fields }} data `usual`: its name, if it is given none. `misses`: what the cards miss.
 * @param {{ name: (name: string) => void, text: (text: string) => void } & import("./players.js").Send} send
 */
export const sideFields = (data, send) => {
  const { name, usual, text, players, hint, count, misses, wrong: words, rows, fields } = data;
  const said = html`<p class="hint" id="side-names-hint">${hint}</p>`;
  const box = { text, rows: players, isWrong: words !== undefined };
  return html`
  ${textField({ id: "side-name", title: t("side.name"), value: name, placeholder: usual }, { input: send.name })}
  ${
    rows
      ? html`<div class="field">${head(html`<span>${t("side.players")}</span>`, count)}${said}
        ${playerRows({ rows, fields, side: name || usual }, send)}
        ${misses ? html`<p class="hint" data-misses>${misses}</p>` : nothing}${wrong("side-names", words)}</div>
      <details class="field"><summary class="link">${t("side.paste")}</summary>
        <label for="side-names">${t("side.paste.text")}</label>${linesBox({ ...box, described: "side-names-hint" }, send)}</details>`
      : html`<div class="field">${head(html`<label for="side-names">${t("side.players")}</label>`, count)}
        ${words ? wrong("side-names", words) : said}${linesBox({ ...box, described: words ? "side-names-wrong" : "side-names-hint" }, send)}</div>`
  }`;
};
