/** The choices of a ball that stand before its keys: all of them in sight as what will be logged. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { isOfFew, isShaped, valueWords } from "../kinds.js";
import { oval } from "../parts/oval.js";
import * as ofField from "../parts/field.js";
import { ways } from "../parts/ways.js";
import * as scoring from "../scoring.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("../match.js").Now["cells"][number]} Cell */

/** Names on places, on their sheet. */
export const fieldList = ofField.fieldList;

/** How many stand elsewhere, in words. @param {Record<string, unknown>} now @param {unknown} value */
const movedOn = (now, value) => {
  const at = /** @type {Record<string, unknown>} */ (Object(value));
  if (Object.keys(at).every((name) => at[name] === now[name])) return t("steps.stays");
  return counted("field.moved", Object.keys(at).filter((name) => at[name] !== now[name]).length);
};

/** A choice with what stands for it; its sheet has the others. @param {Cell} cell @param {Verbs} verbs */
const chip = ({ ask, value }, verbs) => {
  const stays = value === undefined || value === null;
  const moved = ask.places && movedOn(ask.places.now, value);
  const words = stays ? t("steps.stays") : (moved ?? valueWords(ask, value, t("steps.none")));
  const option = ask.options?.find((option) => option.value === value);
  return html`<button type="button" class="step" data-action=${`ask:${ask.at}`} data-value=${value ?? nothing} aria-haspopup="dialog" @click=${() => verbs.open(ask.at)}>
    <span class="what" dir="auto">${ask.title}</span><b dir="auto">${words}</b>${option?.text ? html`<span class="more" dir="auto">${option.text}</span>` : nothing}</button>`;
};

/** A choice on the oval. It leads on to what is asked next. @param {Pad} state @param {Cell} cell @param {Verbs} verbs */
const shaped = ({ match }, { ask, operation, value, isStale }, verbs) =>
  oval(
    {
      label: ask.title,
      parts: (ask.options ?? []).map((option) => ({
        value: option.value,
        shape: option.shape ?? "",
        lines: option.title.split(", "),
        note: isStale ? null : option.text,
        said: (isStale ? null : option.sentence) ?? option.title,
        chosen: option.value === value,
        shut: Boolean(option.why_not),
      })),
    },
    {
      take: (taken) => {
        if (taken !== value) scoring.choose(match, operation, ask.at, taken);
        verbs.step(true);
      },
    },
  );

/** What a question asks for: `Which over card?` is the over card. @param {string} title */
const nameOf = (title) => title.replace(/^Which (.)/u, (_, first) => first.toUpperCase()).replace(/\?$/u, "");

/**
 * The panel: chips, the oval, a bar of a few, and the key that leads on.
 * @param {Pad} state @param {Cell[]} steps @param {Verbs} verbs
 */
export const stepsOf = (state, steps, verbs) => {
  const { match, now } = state;
  const field = steps.find(({ ask }) => isShaped(ask));
  const own = steps.filter(({ operation }) => operation === now.due?.request.operation);
  const bar = own.filter((cell) => cell !== field && isOfFew(cell.ask)).at(-1);
  const chips = steps.filter((cell) => cell !== field && cell !== bar);
  return html`<div class="steps">
    ${chips.length > 0 ? html`<div class="step-row" role="group" aria-labelledby="question">${chips.map((cell) => chip(cell, verbs))}</div>` : nothing}
    ${field ? shaped(state, field, verbs) : nothing}
    <div class="step-on">${
      bar
        ? ways(
            {
              name: `step-${bar.ask.at}`,
              ways: (bar.ask.options ?? []).map(({ value, title }) => ({ value, title })),
              chosen: bar.value,
              label: bar.ask.title,
            },
            { choose: (value) => scoring.choose(match, bar.operation, bar.ask.at, value) },
          )
        : nothing
    }<button type="button" class="button" data-action="step" @click=${() => verbs.step(true)}><span dir="auto">${nameOf(now.due?.ask.title ?? "")}</span></button></div></div>`;
};
