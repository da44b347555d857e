/** Sharing a match: the codes by which others watch it or go on scoring it, and what a phone can do that scores no more. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keyOf } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { codeOf } from "../parts/code.js";
import { note } from "../parts/question.js";
import { sheet } from "../parts/sheet.js";
import * as ofTable from "./table.js";
import { timeOf } from "../parts/names.js";
import { sentence } from "./nowhere.js";
import { drawCode } from "../codes.js";
import { read, Refused } from "../service.js";

/** What makes tokens: a script that is loaded with this one. */
const handing = async () => (await import("../creating.js")).handover;

export const tableOf = ofTable.tableOf;
export const tablePanel = ofTable.tablePanel;

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../parts/code.js").Shown} Shown */
/**
 * What is shared of a match.
 * @typedef {object} Share
 * @property {string} id
 * @property {AbortSignal} signal
 * @property {string[]} bases Where this service is found by others; none where it listens to this machine alone.
 * @property {Shown | null} watch
 * @property {string | null} invite That of another phone, until it is stopped.
 * @property {(Shown & {ends: Date}) | null} score
 * @property {string | undefined} token The scorer's, or the table's key: with it the scoring is handed over.
 * @property {boolean} isTable Whether somebody at the table can always give the scoring back.
 * @property {Schemas["Writer"][]} writers
 * @property {string | null} said
 */

/** Whether an address leads only to the machine that it is opened on. @param {string} base */
const isLoopback = (base) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(base);

/** Reads what can be shared; the sheet draws it as it comes. @param {string} id @param {AbortSignal} signal */
export const shareOf = (id, signal) => {
  /** @type {Share} */
  const share = {
    id,
    signal,
    bases: [],
    watch: null,
    invite: null,
    score: null,
    token: undefined,
    isTable: false,
    writers: [],
    said: null,
  };
  void owe(load(share));
  return share;
};

/** @param {Share} share */
const load = async (share) => {
  const { id, signal } = share;
  try {
    const [admin, key] = [await adminKey(), await keyOf(id)];
    const told = await read("/v1/about", { signal, token: admin });
    const found = [...(told.addresses ?? []), location.origin].map((base) => base.replace(/\/$/, ""));
    share.bases = [...new Set(found)].filter((base) => !isLoopback(base));
    share.token = key?.scorer ?? admin;
    share.isTable = told.create === "token";
    share.watch = await shown(share, `/m/${id}/board`);
    share.writers = (await (await handing()).writersOf(id, share.token, signal)).writers;
  } catch (error) {
    if (!signal.aborted) share.said = sentence(error);
  }
  redraw();
};

/** @param {Share} share @param {string} path @returns {Promise<Shown>} */
const shown = async ({ bases, signal }, path) => {
  const link = `${bases[0] ?? location.origin}${path}`;
  const code = bases.length > 0 ? await drawCode(link, signal).catch(() => null) : null;
  return { link, code };
};

/** Makes the invite of another phone. The same one is sent until it is answered. @param {Share} share */
const give = async (share) => {
  const { id, signal, token = "" } = share;
  try {
    const { freshSecret, offer } = await handing();
    share.invite ??= freshSecret("tui");
    const ends = await offer(id, share.invite, token, signal);
    share.score = { ...(await shown(share, `/m/${id}/score#invite=${share.invite}`)), ends };
    share.said = null;
  } catch (error) {
    share.said = sentence(error);
  }
  redraw();
};

/** @param {Share} share */
const stop = async (share) => {
  const { id, signal, token = "" } = share;
  try {
    await (await handing()).stopOffer(id, token, signal);
    Object.assign(share, { invite: null, score: null });
  } catch (error) {
    share.said = sentence(error);
  }
  redraw();
};

/** The sheet. @param {Share} share @param {{close: () => void}} send */
export const shareSheet = (share, send) => {
  const { watch, score, token, isTable, said, writers, bases } = share;
  const body = html`<div class="block share">
    ${said ? html`<p role="alert"><span class="label" dir="auto">${said}</span></p>` : nothing}
    ${bases.length === 0 && watch ? html`<p>${t("share.alone")}</p>` : nothing}
    <h3 class="section">${t("share.watch")}</h3>
    ${watch ? codeOf(watch, "watch") : html`<p class="quiet">${t("match.loading")}</p>`}
    ${token ? scoreOf(share, score, isTable) : nothing}
    ${writers.length > 0 ? html`<h3 class="section">${t("share.writers")}</h3><ul>${writers.map(writerRow)}</ul>` : nothing}</div>`;
  return sheet({ title: t("share"), key: "share", body }, send);
};

/** @param {Share} share @param {Share["score"]} score @param {boolean} isTable */
const scoreOf = (share, score, isTable) => html`<h3 class="section">${t("share.score")}</h3>
  ${
    score
      ? html`${codeOf(score, "score")}<p>${t("share.ends", { time: timeOf(score.ends) })}</p>
    <button type="button" class="button other" data-action="stop" @click=${() => void owe(stop(share))}>${t("share.stop")}</button>`
      : html`<p>${t(isTable ? "share.score.text" : "share.score.alone")}</p>
    <button type="button" class="button" data-action="give" @click=${() => void owe(give(share))}>${t("share.give")}</button>`
  }`;

/** Who writes, and when last. @param {Schemas["Writer"]} writer */
const writerRow = ({ role, name, number, wrote }) => {
  const called = name ?? t("writer.phone", { number });
  const at = wrote ? t("writer.wrote", { time: timeOf(new Date(wrote)) }) : t("writer.none");
  return html`<li class="row"><span class="strong" dir="auto">${role === "scorer" ? called : t(`role.${role}`)}</span><span class="reason">${at}</span></li>`;
};

/**
 * What a phone without the scorer's token can do in a match.
 * @typedef {object} Hand
 * @property {import("../handover.js").Offer} offer
 * @property {Schemas["Writer"] | null} scorer Who scores now.
 * @property {string | null} said
 * @property {boolean} busy
 */

/** Looks what this phone can do. The way back ends with the first event of whoever scores now. @param {string} id @param {AbortSignal} signal @returns {Promise<Hand>} */
export const handOf = async (id, signal) => {
  const { dropReplaced, offerOf, writersOf } = await handing();
  const found = await offerOf(id);
  /** @type {Hand} */
  const hand = { offer: found, scorer: null, said: null, busy: false };
  if (found !== "back" && found !== "table") return hand;
  try {
    const token = found === "back" ? (await keyOf(id))?.replaced : await adminKey();
    const { writers, way_back: isOpen } = await writersOf(id, token, signal);
    hand.scorer = writers.find(({ role }) => role === "scorer") ?? null;
    if (found === "back" && !isOpen) {
      await dropReplaced(id);
      hand.offer = null;
    }
  } catch (error) {
    if (error instanceof Refused && error.isOfToken) {
      if (found === "back") await dropReplaced(id);
      hand.offer = null;
    }
  }
  return hand;
};

/** Scores on this phone: by the invite, or by the way back. @param {import("../match.js").Match} match @param {Hand} hand @param {() => Promise<void>} took Goes on with the new token. */
export const scoresHere = async ({ id, signal }, hand, took) => {
  hand.busy = true;
  redraw();
  try {
    const { claim, comeBack, takeByKey } = await handing();
    const ways = { claim, back: comeBack, table: takeByKey };
    if (hand.offer) await ways[hand.offer](id, signal);
    await took();
    Object.assign(hand, { offer: null, said: null });
  } catch (error) {
    hand.said = sentence(error);
    hand.offer = await (await handing()).offerOf(id);
  }
  hand.busy = false;
  redraw();
};

/** What stands where the keys would: who scores, and what this phone can do. @param {Hand} hand @param {() => void} take */
export const handPanel = ({ offer: found, scorer, said, busy }, take) => {
  const name = scorer?.name ?? t("writer.phone", { number: scorer?.number ?? 2 });
  const time = timeOf(new Date(scorer?.since ?? Date.now()));
  return html`${note({ icon: "eye", title: t(`hand.${found}`, { name, time }), text: t(`hand.${found}.text`) })}
    ${said ? html`<p class="block" role="alert"><span class="label" data-said dir="auto">${said}</span></p>` : nothing}
    <div class="actions"><button type="button" class="button" data-action=${found} aria-disabled=${busy ? "true" : nothing} @click=${() => {
      if (!busy) take();
    }}>${t(`hand.${found}.go`)}</button></div>`;
};
