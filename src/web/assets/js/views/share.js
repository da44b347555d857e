/** The sheet by which a match is shared: the codes by which others watch it or go on scoring it, who writes, and links for programs. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { onceDrawn, owe } from "../owed.js";
import { codeOf } from "../parts/code.js";
import { sheet } from "../parts/sheet.js";
import * as ofHand from "./hand.js";
import * as ofTable from "./table.js";
import { televisionOf, televisionSheet } from "./television.js";
import { timeOf } from "../parts/names.js";
import { lastingOf } from "./lasting.js";
import { programs } from "./programs.js";
import * as ofState from "./share_state.js";
import { handing, saidAt, shown, tried } from "./share_state.js";
import { writersList } from "./writers.js";

export const handOf = ofHand.handOf;
export const handPanel = ofHand.handPanel;
export const scoresHere = ofHand.scoresHere;
export const shareOf = ofState.shareOf;
export const tableOf = ofTable.tableOf;
export const tablePanel = ofTable.tablePanel;

/** @typedef {import("./share_state.js").Share} Share */

/** Makes the invite of another phone. The same one is sent until it is answered. @param {Share} share */
const give = async (share) => {
  const { id, signal, token = "" } = share;
  const { freshSecret, offer } = await handing();
  share.invite ??= freshSecret("tui");
  const ends = await offer(id, share.invite, token, signal);
  share.score = { ...(await shown(share, `/score#invite=${share.invite}`)), ends };
  inSight();
};

/** The code that was asked for comes into sight, with the focus: another one stood there before. */
const inSight = () =>
  onceDrawn(() => {
    const field = document.querySelector("[data-link=score]");
    if (!(field instanceof HTMLElement)) return;
    field.focus({ preventScroll: true });
    field.closest("figure")?.scrollIntoView({ block: "center" });
  });

/** @param {Share} share */
const stop = async (share) => {
  const { id, signal, token = "" } = share;
  await (await handing()).stopOffer(id, token, signal);
  Object.assign(share, { invite: null, score: null });
};

/** The sheet. @param {Share} share @param {{close: () => void}} send */
export const shareSheet = (share, send) => {
  const close = () => {
    share.isClosed = true;
    send.close();
  };
  const { token, isOutdated, own, television } = share;
  if (television) return televisionSheet(television, { close });
  const body = html`<div class="block share">
    ${lastingOf(share)}
    ${saidAt(share, "watch")}
    ${isOutdated ? html`<p><span class="label" data-outdated>${t("share.outdated")}</span></p>` : nothing}
    ${lackOf(share)}
    ${own ? html`<h3 class="section">${t("share.own")}</h3><p>${t("share.own.text")}</p>${codeOf({ link: own, code: null }, "own")}` : nothing}
    ${token && share.score ? scoreOf(share) : nothing}
    ${watchOf(share)}
    ${televisionOf(share)}
    ${token && !share.score ? scoreOf(share) : nothing}
    ${writersList(share)}
    ${token ? programs(share) : nothing}</div>`;
  return sheet({ title: t("share"), key: "share", body }, { close });
};

/** Why others cannot come in from here, or why nothing is handed out here. @param {Share} share */
const lackOf = ({ watch, token, bases, isAround, isOutdated, tableKey }) => {
  if (!watch || isOutdated) return nothing;
  if (isAround && !tableKey && (!token || bases.length === 0))
    return html`<p data-keyless>${t("share.keyless")}</p>`;
  return bases.length === 0 ? html`<p>${t("share.alone")}</p>` : nothing;
};

/** Names that no other network knows. */
const OF_NETWORK = /^\[|^[\d.]+$|^[^.]+$|\.(local|lan|home|internal|home\.arpa|test)$/;

/** How far a link reaches: an address, or a name of this network alone, is of no use elsewhere. @param {string} link */
const reachOf = (link) =>
  OF_NETWORK.test(new URL(link).hostname) ? "share.watch.wifi" : "share.watch.served";

/** The code to watch. It folds away while there is one to score, so that nobody scans the wrong one. @param {Share} share */
const watchOf = ({ watch, score, bases }) => {
  const lasts = watch && bases.length > 0 ? html`<p>${t(reachOf(watch.link))}</p>` : nothing;
  const code = watch
    ? html`${lasts}${codeOf(watch, "watch")}`
    : html`<p class="quiet">${t("match.loading")}</p>`;
  return score
    ? html`<details class="programs"><summary class="link">${t("share.watch")}</summary>${code}</details>`
    : html`<h3 class="section">${t("share.watch")}</h3>${code}`;
};

/** @param {Share} share */
const scoreOf = (share) => {
  const { score, isTable, isScorer } = share;
  const words = !isTable ? "share.score.alone" : isScorer ? "share.score.text" : "share.score.key";
  const act = (/** @type {(share: Share) => Promise<void>} */ wish) => () =>
    void owe(tried(share, "score", () => wish(share)));
  return html`<h3 class="section">${t("share.score")}</h3>${saidAt(share, "score")}
  ${
    score
      ? html`${codeOf(score, "score")}<p>${t("share.ends", { time: timeOf(score.ends) })}</p>
    <button type="button" class="button other" data-action="stop" @click=${act(stop)}>${t("share.stop")}</button>`
      : html`<p>${t(words)}</p>
    <button type="button" class="button" data-action="give" @click=${act(give)}>${t("share.give")}</button>`
  }`;
};
