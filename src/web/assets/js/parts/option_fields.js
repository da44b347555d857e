// Draws the options of a game from their JSON Schema, and folds them away under one line.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";
import { EMPTIED, withForm } from "../options.js";
import { wrong } from "./fields.js";
import { icon } from "./icons.js";
import { ways } from "./ways.js";

/** @typedef {import("../options.js").Property} Property */
/** @typedef {import("../options.js").Schema} Schema */
/** @typedef {Record<string, string>} Errors The sentence of an error, by the name of its field. */

/** A tick. @param {{ id: string, title: string, value: boolean }} data @param {{ input: (value: boolean) => void }} send */
export const tickField = (
  { id, title, value },
  send,
) => html`<label class="tick"><input id=${id} type="checkbox" .checked=${value}
  @change=${(/** @type {Event} */ event) => send.input(/** @type {HTMLInputElement} */ (event.target).checked)}><span>${title}</span></label>`;

/** What stands for an option; a field that was emptied is empty until it is left. @param {Property} property @param {unknown} value */
const valueOr = (property, value) => (value === undefined ? property.default : value);

/** @param {Event} event */
const field = ({ target }) => /** @type {HTMLInputElement} */ (target);

/** The number in a field. @param {Event} event */
const typedIn = (event) => (field(event).value === "" ? EMPTIED : Number(field(event).value));

/** @param {string} name @param {Property} property @param {unknown} value @param {string | undefined} words @param {{ option(name: string, value: unknown): void }} send */
const optionField = (name, property, value, words, send) => {
  const id = `option-${name}`;
  const title = property.title ?? name;
  const taken = valueOr(property, value);
  const depends = [property["x-default-depends"], property["x-limits-depend"]].filter(Boolean).join(" ");
  if (property.oneOf) {
    const all = property.oneOf.map((one) => ({ value: one.const, title: one.title }));
    return html`<div class="field">${ways({ name: id, title, ways: all, chosen: taken, described: depends ? `${id}-hint` : undefined }, { choose: (chosen) => send.option(name, chosen) })}
      ${depends ? html`<p class="hint" id=${`${id}-hint`}>${depends}</p>` : nothing}${wrong(id, words)}</div>`;
  }
  if (property.type === "boolean")
    return html`<div class="field">${tickField({ id, title, value: taken === true }, { input: (chosen) => send.option(name, chosen) })}${wrong(id, words)}</div>`;
  return html`<div class="field"><label for=${id}>${title}</label>
    <input id=${id} type="number" inputmode="numeric" min=${property.minimum ?? nothing} max=${property.maximum ?? nothing} .value=${taken === undefined || taken === null ? "" : String(taken)}
      aria-invalid=${words ? "true" : nothing} aria-describedby=${words ? `${id}-wrong` : `${id}-hint`}
      @input=${(/** @type {Event} */ event) => send.option(name, typedIn(event))} @click=${(/** @type {Event} */ event) => field(event).select()}
      @change=${(/** @type {Event} */ event) => send.option(name, typedIn(event) === EMPTIED ? undefined : typedIn(event))}>
    <p class="hint" id=${`${id}-hint`}>${depends || property.description}</p>${wrong(id, words)}</div>`;
};

/**
 * The options of a game, built from their JSON Schema.
 * @param {{ schema: Schema, values: Record<string, unknown>, errors?: Errors }} data @param {{ option(name: string, value: unknown): void }} send
 */
export const optionFields = ({ schema, values, errors = {} }, send) =>
  repeat(
    withForm(schema),
    ([name]) => name,
    ([name, property]) => optionField(name, property, values[name], errors[name], send),
  );

/** The longest words of an option that still go into one line beside others. */
const SHORT = 26;

/** What a number counts, by a title as `Overs a bowler`: one is `1 over a bowler`. @param {number} count @param {string} title */
const titleFor = (count, title) =>
  count === 1 ? title.toLowerCase().replace(/s\b/u, "") : title.toLowerCase();

/** The options in one line: the numbers first, then what is said in few words. @param {{ schema: Schema, values: Record<string, unknown> }} data */
export const optionsLine = ({ schema, values }) =>
  withForm(schema)
    .sort(([, one], [, other]) => Number(Boolean(one.oneOf)) - Number(Boolean(other.oneOf)))
    .map(([name, property]) => {
      const taken = valueOr(property, values[name]);
      if (property.oneOf) return property.oneOf.find((one) => one.const === taken)?.title ?? "";
      if (typeof taken === "boolean") return taken ? (property.title ?? "") : "";
      return taken === undefined || taken === null || taken === EMPTIED
        ? ""
        : t("rules.count", { count: Number(taken), of: titleFor(Number(taken), property.title ?? name) });
    })
    .filter((words) => words !== "" && words.length <= SHORT)
    .slice(0, 3)
    .join(", ");

/** What is folded away under one line. @param {{ title: string, value: string, open?: boolean, body: unknown }} data */
export const fold = ({
  title,
  value,
  open,
  body,
}) => html`<details class="fold" ?open=${open} @toggle=${(/** @type {Event} */ event) => /** @type {Element} */ (event.target).scrollIntoView()}><summary><span class="title">${title}</span><span class="value" dir="auto">${value}</span>${icon("down")}</summary>
  <div class="inside">${body}</div></details>`;
