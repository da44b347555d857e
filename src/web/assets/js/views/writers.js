/** Who writes in a match, and when last. With the table's key the right of each can be ended. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { timeOf } from "../parts/names.js";
import { handing, readWriters, saidAt, tried } from "./share_state.js";

/** @typedef {import("./share_state.js").Share} Share */
/** @typedef {import("../service.js").Schemas["Writer"]} Writer */
/** A writer whose right is to be ended. @typedef {{role: string}} Change */

/** How a writer is called. @param {Pick<Writer, "role" | "name" | "number">} writer */
export const calledOf = ({ role, name, number }) =>
  role === "scorer" ? (name ?? t("writer.phone", { number })) : t(`role.${role}`);

/** Ends a token: the one in its place is made here, and kept nowhere. @param {Share} share @param {string} role */
const end = async (share, role) => {
  const { endRole } = await handing();
  await endRole(share.id, role, share.tableKey, share.signal);
  share.change = null;
  await readWriters(share);
};

/** @param {Share} share @param {Change | null} change */
const changes = (share, change) => () => {
  Object.assign(share, { change, said: null });
  redraw();
};

/** @param {Share} share @param {Writer} writer */
const writerRow = (share, writer) => {
  const { role, wrote } = writer;
  const name = calledOf(writer);
  const at = wrote ? t("writer.wrote", { time: timeOf(new Date(wrote)) }) : t("writer.none");
  const isEnding = share.change?.role === role;
  return html`<li class="writer" data-role=${role}><div class="row"><span class="lines"><span class="strong" dir="auto">${name}</span><span class="small quiet">${at}</span></span>
      ${share.tableKey && !isEnding ? html`<button type="button" class="link" data-action="end" aria-label=${`${t("writer.end")}: ${name}`} @click=${changes(share, { role })}>${t("writer.end")}</button>` : nothing}</div>
    ${saidAt(share, `end ${role}`)}
    ${
      isEnding
        ? html`<p class="small">${t(`writer.ends.${role === "scorer" ? "scorer" : "other"}`, { name })}</p><div class="two">
      <button type="button" class="button other low" data-action="ends" @click=${() => void owe(tried(share, `end ${role}`, () => end(share, role)))}>${t("writer.ends")}</button>
      <button type="button" class="button other low" data-action="keep" @click=${changes(share, null)}>${t("writer.keep")}</button></div>`
        : nothing
    }</li>`;
};

/** @param {Share} share */
export const writersList = (share) =>
  share.writers.length === 0
    ? nothing
    : html`<h3 class="section">${t("share.writers")}</h3><ul>${share.writers.map((writer) => writerRow(share, writer))}</ul>`;
