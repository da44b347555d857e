// Draws players with cards, a row each: the name, and a field for all that the card has.
import { html, repeat } from "../html.js";
import { t } from "../i18n.js";

/** @typedef {import("../cards.js").Fields} Fields */
/** @typedef {import("../cards.js").PlayerRow} PlayerRow */
/** @typedef {import("../options.js").Property} Property */
/** @typedef {{ row: (place: number, values: Record<string, unknown>) => void, paste: (place: number, text: string) => void }} Send paste: a list, from this row on. */

/** How many rows are drawn at most, whatever was pasted. */
const MOST = 30;

/** What a field can hold: its words, or the numbers within its limits. @param {Property} field @returns {(string | number)[]} */
const valuesOf = ({ enum: words, minimum = 0, maximum = minimum }) =>
  words ?? Array.from({ length: maximum - minimum + 1 }, (_, above) => minimum + above);

/** A field of a card. A value that it cannot hold stays until another one is chosen. @param {string} said @param {Property} field @param {unknown} value @param {(value: unknown) => void} choose */
const cardField = (said, field, value, choose) => {
  const values = valuesOf(field);
  const all = values.some((one) => one === value) ? values : [String(value ?? ""), ...values];
  return html`<select class=${field.enum ? "word" : "figure"} aria-label=${said} @change=${(
    /** @type {Event} */ event,
  ) => choose(all[/** @type {HTMLSelectElement} */ (event.target).selectedIndex])}>${repeat(
    all,
    (one) => one,
    (one) => html`<option .selected=${one === (all === values ? value : all[0])}>${one}</option>`,
  )}</select>`;
};

/** @param {PlayerRow} row @param {number} place @param {Fields} fields @param {string} side @param {Send} send */
const playerRow = (row, place, fields, side, send) => {
  const number = place + 1;
  const said = (/** @type {string} */ of) => t("side.player", { number, of });
  return html`<div class="player" data-player=${number}>
    <input type="text" dir="auto" autocomplete="off" maxlength="100" aria-label=${said(t("side.player.name"))} placeholder=${`${side} ${number}`} .value=${row.name}
      @input=${(/** @type {Event} */ event) => send.row(place, { name: /** @type {HTMLInputElement} */ (event.target).value })}
      @paste=${(/** @type {ClipboardEvent} */ event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        // A field of one line would make one name of them.
        if (!/[\n\t{]/.test(text.trim())) return;
        event.preventDefault();
        send.paste(place, text);
      }}>
    ${Object.entries(fields).map(([name, field]) =>
      cardField(said(field.title ?? name), field, row[name], (value) => send.row(place, { [name]: value })),
    )}</div>`;
};

/**
 * The rows of a side's players under the titles of their fields.
 * @param {{ rows: PlayerRow[], fields: Fields, side: string }} data `side`: its name, by which players without a name are numbered.
 * @param {Send} send
 */
export const playerRows = ({ rows, fields, side }, send) => html`<div class="players">
  <div class="player heads" aria-hidden="true"><span>${t("side.player.name")}</span>${Object.entries(
    fields,
  ).map(
    ([name, field]) => html`<span class=${field.enum ? "word" : "figure"}>${field.title ?? name}</span>`,
  )}</div>
  ${repeat(
    rows.slice(0, MOST),
    (_, place) => place,
    (row, place) => playerRow(row, place, fields, side, send),
  )}</div>`;
