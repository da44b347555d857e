// Draws two or three ways as one bar of radio buttons; more of them, or long ones, as chips that wrap.
import { html, nothing, repeat } from "../html.js";

/** @typedef {{ value?: unknown, title: string, text?: string | null }} Way */

/**
 * @param {{ name: string, title?: string, ways: Way[], chosen?: unknown, described?: string, label?: string }} data `name`: the group's, unique in the page.
 * @param {{ choose(value: unknown): void }} send
 */
export const ways = ({ name, title, ways: all, chosen, described, label }, send) => {
  const chips = all.length > 3 || all.some((way) => way.title.length > 22);
  return html`<fieldset class="ways" aria-label=${label ?? nothing} aria-describedby=${described ?? nothing}>${title ? html`<legend dir="auto">${title}</legend>` : nothing}
    <div class=${chips ? "chips" : "way-bar"}>${repeat(
      all,
      ({ value }) => String(value),
      ({ value, title: words, text }) => html`<label class="way" data-choice=${String(value)}>
      <input type="radio" name=${name} value=${String(value)} .checked=${value === chosen} @change=${() => send.choose(value)}>
      <span><span dir="auto">${words}</span>${text ? html`<small>${text}</small>` : nothing}</span></label>`,
    )}</div>
  </fieldset>`;
};
