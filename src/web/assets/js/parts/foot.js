// Draws the foot: Undo, which names what goes; Card and More.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { shortcut } from "../looks.js";
import { icon } from "./icons.js";

/**
 * Undo. `solid`: a ball is held, and this takes it back. Without anything to take back, `why` stands there.
 * @param {{ words?: string, said?: string, solid?: boolean, why?: string }} data @param {{ undo: () => void }} send
 */
export const undo = ({ words, said, solid, why }, send) =>
  words
    ? html`<button type="button" class=${solid ? "undo solid" : "undo"} data-action="undo" aria-keyshortcuts=${shortcut("U")} aria-label=${said ?? nothing} @click=${() => send.undo()}>${icon("undo")}<span dir="auto">${words}</span></button>`
    : html`<p class="undo-none">${why ?? nothing}</p>`;

/**
 * Card and More.
 * @param {{ card: string }} data the card's address @param {{ more: () => void }} send
 */
export const foot = ({ card }, send) => html`<nav class="foot" aria-label=${t("foot")}>
  <a href=${card} data-action="card" aria-keyshortcuts=${shortcut("C")}>${icon("card")}<span>${t("card")}</span></a>
  <button type="button" data-action="more" aria-keyshortcuts=${shortcut("M")} aria-haspopup="dialog" @click=${() => send.more()}>${icon("more")}<span>${t("more")}</span></button>
</nav>`;
