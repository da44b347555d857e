// Draws the frame of a sheet. It needs the element `sheet-box`, which shows it and gives focus back.
import { html, repeat } from "../html.js";
import { t } from "../i18n.js";
import "../elements/sheet-box.js";
import { icon } from "./icons.js";

/** @typedef {{ close: () => void }} Close close: the sheet is wished away. */

/**
 * A sheet around whatever it holds. `key` names what it is about, so that another sheet is another element.
 * @param {{ title: string, body: unknown, key?: string }} data @param {Close} send
 */
export const sheet = ({ title, body, key = "sheet" }, send) =>
  html`${repeat(
    [key],
    (name) => name,
    () => html`<sheet-box @close-sheet=${() => send.close()}>
  <dialog class="sheet" aria-labelledby="sheet-title" data-sheet=${key}>
    <div class="sheet-head"><h2 id="sheet-title" dir="auto">${title}</h2>
      <button type="button" class="square" data-action="close" aria-label=${t("close")} @click=${() => send.close()}>${icon("close")}</button></div>
    <div class="sheet-body">${body}</div>
  </dialog></sheet-box>`,
  )}`;
