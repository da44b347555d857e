// Draws what bowls a ball that asks nothing: the last one large, Bowl, and Bowl the over.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { dice } from "./dice.js";

/** @typedef {import("./dice.js").Shown} Shown */

/**
 * The last ball of dice of the service: the dice large, the word, whose ball it was.
 * @param {{ dice: Shown[], word: string, text: string, boundary?: unknown, wicket?: unknown }} data
 */
export const seededBall = ({ dice: shown, word, text, boundary, wicket }) => html`<div class="seeded">
  ${dice(shown, "large")}
  <p class=${`word ${wicket ? "red" : boundary ? "gold" : ""}`}>${word}</p>
  <p class="small quiet" dir="auto">${text}</p>
</div>`;

/**
 * Bowl, and Bowl the over beside it.
 * @param {{ over: boolean, closed: boolean, words: string }} data @param {{ bowl: () => void, over: () => void }} send
 */
export const bowlKeys = (
  { over, closed, words },
  send,
) => html`<div class="bowl-keys" role="group" aria-label=${t("bowl")}>
  ${
    over
      ? html`<button type="button" class="button other" data-action="over" aria-disabled=${closed ? "true" : nothing}
    @click=${() => {
      if (!closed) send.over();
    }}>${t("bowl.over")}</button>`
      : nothing
  }
  <button type="button" class="button main" data-action="bowl" aria-disabled=${closed ? "true" : nothing}
    @click=${() => {
      if (!closed) send.bowl();
    }}>${words}</button>
</div>`;
