// Draws what every form has: a line of text, and what is wrong with a field.
import { html, nothing } from "../html.js";

/** What is wrong with a field. @param {string} id @param {string | undefined} words */
export const wrong = (id, words) =>
  words ? html`<p class="label wrong" id=${`${id}-wrong`} data-error=${id} dir="auto">${words}</p>` : nothing;

/** A line of text. @param {{ id: string, title: string, value: string, wrong?: string, hint?: string, list?: string[], maxlength?: number, placeholder?: string }} data @param {{ input: (value: string) => void }} send */
export const textField = (
  { id, title, value, wrong: words, hint, list, maxlength = 100, placeholder },
  send,
) => html`<div class="field"><label for=${id}>${title}</label>
  <input id=${id} type="text" dir="auto" autocomplete="off" maxlength=${maxlength} placeholder=${placeholder ?? nothing} .value=${value} list=${list?.length ? `${id}-list` : nothing}
    aria-invalid=${words ? "true" : nothing} aria-describedby=${words ? `${id}-wrong` : hint ? `${id}-hint` : nothing}
    @input=${(/** @type {Event} */ event) => send.input(/** @type {HTMLInputElement} */ (event.target).value)}>
  ${list?.length ? html`<datalist id=${`${id}-list`}>${list.map((name) => html`<option value=${name}></option>`)}</datalist>` : nothing}
  ${hint ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : nothing}${wrong(id, words)}</div>`;
