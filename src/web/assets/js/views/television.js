/** The sheet that puts a match on a television: the short address in large letters, its code, and how. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { drawCode } from "../codes.js";
import { owe, redraw } from "../owed.js";
import { codeOf } from "../parts/code.js";
import { sheet } from "../parts/sheet.js";

/** @typedef {import("./share_state.js").Share} Share */

/** The address under which a television shows what is played, where others find this service. @param {Share} share */
const addressOf = ({ bases: [base] }) => (base === undefined ? null : `${base}/board`);

/** @param {Share} share */
const open = async (share) => {
  const link = addressOf(share);
  if (link === null) return;
  share.television = { link, code: null };
  redraw();
  const code = await drawCode(link, share.signal).catch(() => null);
  // It may have been closed meanwhile.
  if (share.television) share.television = { link, code };
  redraw();
};

/** What leads to the sheet, where there is an address for others. @param {Share} share */
export const televisionOf = (share) =>
  addressOf(share) === null
    ? nothing
    : html`<button type="button" class="button other" data-action="television" @click=${() => void owe(open(share))}>${t("television")}</button>`;

/** @param {import("../parts/code.js").Shown} shown @param {{ close: () => void }} send */
export const televisionSheet = (shown, send) => {
  const lines = ["wifi", "type", "stays"].map((line) => html`<li>${t(`television.${line}`)}</li>`);
  const body = html`<div class="block television"><p class="address" dir="ltr">${shown.link.replace(/^http:\/\/|\/board$/g, "")}<wbr>/board</p>
    <ol>${lines}</ol>${codeOf(shown, "television")}</div>`;
  return sheet({ title: t("television"), key: "television", body }, send);
};
