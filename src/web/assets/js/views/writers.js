/** Who writes in a match, and when last. The phone that looks can be named; with the table's key the right of each can be ended. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { onceDrawn, owe, redraw } from "../owed.js";
import { textField } from "../parts/fields.js";
import { timeOf } from "../parts/names.js";
import { handing, readWriters, saidAt, tried } from "./share_state.js";

/** @typedef {import("./share_state.js").Share} Share */
/** @typedef {import("../service.js").Schemas["Writer"]} Writer */
/** What is being changed of a writer: its name, where there is one, or its right. @typedef {{role: string, name?: string}} Change */

/** How a writer is called. @param {Pick<Writer, "role" | "name" | "number">} writer */
export const calledOf = ({ role, name, number }) =>
  role === "scorer" ? (name ?? t("writer.phone", { number })) : t(`role.${role}`);

/** Ends a token: the one in its place is made here, and kept nowhere. @param {Share} share @param {string} role */
const end = async (share, role) => {
  const { endRole } = await handing();
  await endRole(share.id, role, share.tableKey, share.signal);
  // Its own right was ended: the table's key is left.
  if (share.isScorer && role === "scorer") Object.assign(share, { isScorer: false, token: share.tableKey });
  await changed(share, role);
};

/** Names this phone for the others. @param {Share} share @param {string} role @param {string} name */
const rename = async (share, role, name) => {
  const { nameWriter } = await handing();
  await nameWriter(share.id, name, share.token, share.signal);
  await changed(share, role);
};

/** What was wished is done. @param {Share} share @param {string} role */
const changed = async (share, role) => {
  await readWriters(share);
  changes(share, role, null)();
};

/** @param {Share} share @param {Change | null} change */
const show = (share, change) => {
  Object.assign(share, { change, said: null });
  redraw();
};

/** A button that changes what stands in a row, which takes the focus. @param {Share} share @param {string} role @param {Change | null} change */
const changes = (share, role, change) => () => {
  show(share, change);
  onceDrawn(() => focusIn(role));
};

/** @param {string} role */
const focusIn = (role) => {
  const targets = ["input", ...["keep", "rename", "end"].map((action) => `[data-action=${action}]`)];
  const found = document.querySelector(`.writer[data-role="${role}"] :is(${targets})`);
  if (found instanceof HTMLElement) found.focus();
};

/** The row of a right that was ended. @param {Writer} writer */
const nobodyRow = ({ role }) =>
  html`<li class="writer" data-role=${role}><div class="row"><span class="lines">${role === "scorer" ? nothing : html`<span class="strong">${t(`role.${role}`)}</span>`}<span>${t(role === "scorer" ? "writer.nobody.scorer" : "writer.nobody")}</span></span></div></li>`;

/** @param {Share} share @param {Writer} writer */
const writerRow = (share, writer) => {
  if (writer.nobody) return nobodyRow(writer);
  const { role, name, wrote } = writer;
  const called = calledOf(writer);
  const at = wrote ? t("writer.wrote", { time: timeOf(new Date(wrote)) }) : t("writer.none");
  const change = share.change?.role === role ? share.change : null;
  const button = (/** @type {{action: string, next: Change}} */ { action, next }) =>
    html`<button type="button" class="link" data-action=${action} aria-label=${`${t(`writer.${action}`)}: ${called}`} @click=${changes(share, role, next)}>${t(`writer.${action}`)}</button>`;
  const isOwn = role === "scorer" && share.isScorer;
  return html`<li class="writer" data-role=${role}><div class="row"><span class="lines"><span class="strong" dir="auto">${called}${isOwn ? html` · <span class="tag">${t("writer.own")}</span>` : nothing}</span><span class="small quiet">${at}</span></span>
      ${isOwn && !change ? button({ action: "rename", next: { role, name: name ?? "" } }) : nothing}
      ${share.tableKey && !change ? button({ action: "end", next: { role } }) : nothing}</div>
    ${!change ? nothing : change.name === undefined ? ending(share, role, called) : naming(share, role, change.name)}</li>`;
};

/** @param {Share} share @param {string} role @param {string} called */
const ending = (share, role, called) => html`${saidAt(share, "end")}
  <p class="small">${t(`writer.ends.${role === "scorer" ? "scorer" : "other"}`, { name: called })}</p>
  <div class="two">
    <button type="button" class="button other low" data-action="ends" @click=${() => void owe(tried(share, "end", () => end(share, role)))}>${t("writer.ends")}</button>
    <button type="button" class="button other low" data-action="keep" @click=${changes(share, role, null)}>${t("writer.keep")}</button></div>`;

/** What is wrong with a name stands at its field. @param {Share} share @param {string} role @param {string} name */
const naming = (share, role, name) => html`${textField(
  {
    id: "writer-name",
    title: t("writer.name"),
    hint: t("writer.name.text"),
    value: name,
    ...(share.said?.at === "name" && { wrong: share.said.words }),
  },
  { input: (value) => show(share, { role, name: value }) },
)}<div class="two">
    <button type="button" class="button other low" data-action="name" @click=${() => void owe(tried(share, "name", () => rename(share, role, name)))}>${t("writer.name.go")}</button>
    <button type="button" class="button other low" data-action="keep" @click=${changes(share, role, null)}>${t("writer.keep")}</button></div>`;

/** @param {Share} share */
export const writersList = (share) =>
  share.writers.length === 0
    ? nothing
    : html`<h3 class="section">${t("share.writers")}</h3><ul>${share.writers.map((writer) => writerRow(share, writer))}</ul>`;
