/** The settings of this browser: how the pages look and are used, and what it keeps, which it can forget. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { keptHere } from "./holdings.js";
import { looks, wish } from "../looks.js";
import { focusSoon, owe, redraw } from "../owed.js";
import { bar } from "../parts/scorebox.js";
import { ways } from "../parts/ways.js";

/** The wishes, each with the values that it can have besides the usual one. @type {[keyof import("../looks.js").Looks, string[]][]} */
const WISHES = [
  ["theme", ["light", "dark"]],
  ["dots", ["0"]],
  ["hand", ["left"]],
  ["keys", ["top"]],
  ["shortcuts", ["off"]],
  ["answers", ["typed"]],
];

/** @typedef {import("./holdings.js").Holding} Holding */
/**
 * @typedef {object} Settings
 * @property {Holding[] | null} held What the browser keeps; null until it was read.
 * @property {string | null} asks The one of which it is asked whether it is to be forgotten.
 */

/** @param {string} _id @param {AbortSignal} signal */
export const settings = (_id, signal) => {
  /** @type {Settings} */
  const state = { held: null, asks: null };
  const look = async () => {
    const held = await keptHere(signal);
    if (signal.aborted) return;
    Object.assign(state, { held, asks: null });
    redraw();
  };
  void owe(look());
  const send = {
    asks: (/** @type {string | null} */ asks, /** @type {string} */ id) => {
      // What is lost is looked up when it is asked for.
      const asked = look().then(() => {
        state.asks = asks;
        // The button that was pressed is there no more.
        focusSoon(`[data-kept="${id}"] button`);
      });
      void owe(asked);
    },
    forgets: (/** @type {Holding} */ held) => void owe(held.forget().then(look)),
  };
  // A pad that leads here is led back to.
  const back = new URLSearchParams(location.search).get("match");
  return {
    title: () => t("settings"),
    render: () =>
      html`<div class="settings">${bar({ title: t("settings"), back: back ? `/m/${encodeURIComponent(back)}/score` : "/" })}
        <main><h2 class="section">${t("settings.looks")}</h2>
          <div class="block">${WISHES.map(wishOf)}</div>
          <h2 class="section">${t("settings.kept")}</h2>
          ${state.held === null ? html`<p class="block">${t("match.loading")}</p>` : state.held.length === 0 ? html`<p class="block">${t("settings.nothing")}</p>` : html`<ul>${state.held.map((held) => row(state, held, send))}</ul>`}
        </main></div>`,
  };
};

/** @param {(typeof WISHES)[number]} wish */
const wishOf = ([name, values]) => {
  const all = [undefined, ...values].map((value) => ({
    value,
    title: t(`settings.${name}.${value ?? "usual"}`),
  }));
  return html`<div class="field">${ways(
    { name, title: t(`settings.${name}`), ways: all, chosen: looks()[name], described: `${name}-hint` },
    { choose: (value) => void owe(wish(name, /** @type {string | undefined} */ (value)).then(redraw)) },
  )}<p class="hint" id=${`${name}-hint`}>${t(`settings.${name}.text`)}</p></div>`;
};

/** @param {Settings} state @param {Holding} held @param {{ asks: (asks: string | null, id: string) => void, forgets: (held: Holding) => void }} send */
const row = ({ asks }, held, send) => {
  const { id, title, what } = held;
  return html`<li class="row kept-here" data-kept=${id}><span class="lines"><span class="strong" dir="auto">${title}</span><span class="small quiet">${what}</span></span>
    ${asks === id && held.warning ? html`<p class="small" role="alert">${held.warning}</p>` : nothing}
    ${
      asks === id
        ? html`<div class="two"><button type="button" class="button other low" data-action="keeps" @click=${() => send.asks(null, id)}>${t("settings.keep")}</button><button type="button" class="button other low" data-action="forgets" @click=${() => send.forgets(held)}>${t("settings.forget.now")}</button></div>`
        : html`<button type="button" class="link" data-action="forget" aria-label=${`${t("settings.forget")}: ${title}`} @click=${() => send.asks(id, id)}>${t("settings.forget")}</button>`
    }</li>`;
};
