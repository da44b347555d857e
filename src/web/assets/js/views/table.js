/** The table that serves: how other devices come to it, and what to look at while none has come. Only for who holds its key. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { codeOf } from "../parts/code.js";
import { drawCode } from "../codes.js";
import { read, Refused } from "../service.js";
import { after } from "../signal.js";

/** How often it is looked whether somebody has come, or the table has moved. */
const LOOK = 3000;
/** After how long without another device there is a list of what to look at. */
const PATIENCE = 30_000;

/**
 * @typedef {object} AtTable
 * @property {string | null} link Where other devices find it; null while it is in no network.
 * @property {string | null} code
 * @property {boolean} isOutdated Whether this browser has a key that was replaced.
 * @property {boolean} hasMoved Whether it was found elsewhere before.
 * @property {boolean} isVisited
 * @property {string} firewall The command that opens the firewall.
 * @property {boolean} isLate Whether nobody has come for a while.
 * @property {import("../parts/code.js").Shown | null} making The code with the right to make matches, once it was asked for.
 */

/** @param {AbortSignal} signal */
export const tableOf = (signal) => {
  /** @type {AtTable} */
  const table = {
    link: null,
    code: null,
    isOutdated: false,
    hasMoved: false,
    isVisited: true,
    firewall: "",
    isLate: false,
    making: null,
  };
  after(PATIENCE, () => ((table.isLate = true), redraw()), signal);
  void owe(look(table, signal));
  return table;
};

/** @param {AtTable} table @param {AbortSignal} signal */
const look = async (table, signal) => {
  try {
    const { addresses, visited, firewall } = await read("/v1/about", { signal, token: await adminKey() });
    const link = addresses?.[0] ?? null;
    Object.assign(table, { isOutdated: false, isVisited: visited ?? true, firewall: firewall ?? "" });
    if (link !== table.link) {
      const code = link && (await drawCode(link, signal));
      Object.assign(table, { hasMoved: table.link !== null, link, code, making: null });
    }
  } catch (error) {
    if (signal.aborted) return;
    table.isOutdated = error instanceof Refused && error.isOfToken;
  }
  redraw();
  after(LOOK, () => void look(table, signal), signal);
};

/** Shows the code with the right to make matches. @param {AtTable} table @param {AbortSignal} signal */
const show = async (table, signal) => {
  const link = `${table.link}#key=${encodeURIComponent((await adminKey()) ?? "")}`;
  table.making = { link, code: await drawCode(link, signal).catch(() => null) };
  redraw();
};

/** @param {AtTable} table @param {AbortSignal} signal */
export const tablePanel = (table, signal) => {
  const { link, code, hasMoved, isVisited, isLate, firewall, making, isOutdated } = table;
  if (isOutdated) return html`<div class="at-table"><p data-outdated>${t("share.outdated")}</p></div>`;
  if (!link) return html`<div class="at-table"><p>${t("table.alone")}</p></div>`;
  return html`<div class="at-table">
    <h3>${t(hasMoved ? "table.moved" : "share.open")}</h3>
    ${codeOf({ link, code }, "open")}
    ${isVisited ? nothing : html`<p role="status" data-visited="no">${t("table.nobody")}</p>`}
    ${
      !isVisited && isLate
        ? html`<ul class="small">${["wifi", "guests", "mobile", "firewall", "sleep", "hotspot"].map((line) => html`<li>${t(`table.${line}`, { firewall })}</li>`)}</ul>`
        : nothing
    }
    ${
      making
        ? html`<h3>${t("share.making")}</h3>${codeOf(making, "making")}<p class="small">${t("table.making.text")}</p>`
        : html`<button type="button" class="button other low" data-action="making" @click=${() => void owe(show(table, signal))}>${t("share.making")}</button>`
    }</div>`;
};
