/** Links for programs: the token of a side or of the umpire. A link is shown once, and a new one ends the one before. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { owe } from "../owed.js";
import { codeOf } from "../parts/code.js";
import { Refused } from "../service.js";
import { handing, linkOf, readWriters, saidAt, tried } from "./share_state.js";

/** @typedef {import("./share_state.js").Share} Share */
/** What was made for a role: the same goes until it is answered; then it stands in a link. @typedef {{made: import("../keys.js").Made, link: string | null}} Given */

/** Makes a link. The token of before ends with the answer. @param {Share} share @param {string} role */
const make = async (share, role) => {
  const { giveRole, freshMade } = await handing();
  const before = share.given[role];
  /** @type {Given} */
  const given = before?.link === null ? before : { made: freshMade(), link: null };
  share.given[role] = given;
  try {
    await giveRole(share.id, role, given.made, share.tableKey ?? share.token, share.signal);
  } catch (error) {
    if (error instanceof Refused && !error.isPassing) delete share.given[role];
    throw error;
  }
  given.link = linkOf(share, `#${role}=${given.made.token}`);
  await readWriters(share);
};

/** A role with its link. @param {Share} share @param {string} role */
const roleOf = (share, role) => {
  const link = share.given[role]?.link;
  const isMade = link || share.writers.some((writer) => writer.role === role);
  return html`<div class="program" data-role=${role}><p class="strong">${t(`role.${role}`)}</p>${saidAt(share, role)}
    ${link ? codeOf({ link, code: null }, role) : nothing}
    <button type="button" class="button other low" data-action="program" aria-label=${`${t(`role.${role}`)}: ${t(isMade ? "program.anew" : "program.make")}`}
      @click=${() => void owe(tried(share, role, () => make(share, role)))}>${t(isMade ? "program.anew" : "program.make")}</button></div>`;
};

/** A side has a link where it was claimed, or where this browser has its invite. @param {Share} share */
export const programs = (share) => {
  const isThere = (/** @type {string} */ role) =>
    role === "umpire" || share.invites.includes(role) || share.writers.some((writer) => writer.role === role);
  return html`<details class="programs"><summary class="link">${t("program")}</summary>
    <p class="small quiet">${t("program.text")}</p>
    ${["home", "away", "umpire"].filter(isThere).map((role) => roleOf(share, role))}</details>`;
};
