// Says of a correction what it has changed, by whom it was made, when and why.
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { whenOf, withShortNames } from "./names.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Pick<Schemas["CorrectionEntry"], "actor" | "at" | "reason" | "difference">} Correction */

/** Its sentence, and below it who, when and why. @param {{ home: { name: string }, away: { name: string } }} match @param {Correction} correction */
export const why = (match, { actor, at, reason, difference }) => {
  const who = actor === "home" || actor === "away" ? match[actor].name : t(`why.${actor}`);
  const said = { who, reason, when: at ? whenOf(new Date(at)) : "" };
  return html`${difference ? html`<span dir="auto">${ordered(withShortNames(match, difference))}</span>` : nothing}
      <span class="small quiet" dir="auto">${t("why", said)}</span>`;
};
