/** What a phone can do that scores no more: take over by an invite, score here again, or take the scoring by the table's key. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keyOf } from "../keys.js";
import { redraw } from "../owed.js";
import { timeOf } from "../parts/names.js";
import { note } from "../parts/question.js";
import { Refused } from "../service.js";
import { sentence } from "./nowhere.js";
import { handing } from "./share_state.js";

/** @typedef {import("../service.js").Schemas} Schemas */
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
