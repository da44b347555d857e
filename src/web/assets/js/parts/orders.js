// Draws the orders of an over: a row a side, a cell a number.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";

/** @typedef {{ name: string, values: unknown[] }} Row The numbers of a side; one that is not typed yet is undefined. */

/**
 * `due`: how many are typed, over all rows. `isTurned`: how many balls are played, each with a number of every row.
 * @param {{ rows: Row[], due: number, isTurned?: boolean }} data
 */
export const orderRows = ({ rows, due, isTurned = false }) => {
  let before = 0;
  return html`<div class=${isTurned ? "orders turned" : "orders"}>${repeat(
    rows,
    (_, place) => place,
    ({ name, values }) => {
      const next = isTurned ? due : due - before;
      before += values.length;
      return html`<div class="order"><h3 class="small quiet cut" dir="auto">${name}</h3>
        <ol aria-label=${name}>${values.map(
          (value, place) =>
            html`<li class=${`cell ${place === next ? "next" : isTurned && place < next ? "played" : ""}`} aria-current=${place === next ? "true" : nothing}>${value === undefined ? html`<span class="heard">${t("orders.open")}</span>` : String(value)}</li>`,
        )}</ol></div>`;
    },
  )}</div>`;
};
