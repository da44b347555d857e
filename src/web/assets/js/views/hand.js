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

/** Whether the way is open that is offered, with who scores now. The way back ends with the first event of whoever that is. @param {string} id @param {Hand} hand @param {AbortSignal} signal */
const isOpen = async (id, hand, signal) => {
  if (hand.offer === "claim") return true;
  const isBack = hand.offer === "back";
  try {
    const token = isBack ? (await keyOf(id))?.replaced : await adminKey();
    const { writers, way_back: isWayBack } = await (await handing()).writersOf(id, token, signal);
    hand.scorer = writers.find(({ role }) => role === "scorer") ?? null;
    return !isBack || isWayBack === true;
  } catch (error) {
    if (error instanceof Refused && error.isOfToken) return false;
    throw error;
  }
};

/**
 * Looks what this phone can do.
 * @param {string} id @param {AbortSignal} signal @param {() => Promise<void>} took Goes on with a token that turned out to work. @returns {Promise<Hand>}
 */
export const handOf = async (id, signal, took) => {
  const { dropReplaced, offerOf, regained } = await handing();
  /** @type {Hand} */
  const hand = { offer: await offerOf(id), scorer: null, said: null, busy: false };
  if (!hand.offer) return hand;
  try {
    const closed = !(await isOpen(id, hand, signal));
    // The answer to a token that was made here may have been lost: it is looked for before anything is let go.
    if ((closed || (await keyOf(id))?.made) && (await regained(id, signal))) {
      hand.offer = null;
      await took();
    } else if (closed) {
      if (hand.offer === "back") await dropReplaced(id);
      hand.offer = null;
    }
  } catch {
    // Without an answer it is offered as before.
  }
  return hand;
};

/** Scores on this phone, in the way that is offered, unless it scores already. @param {import("../match.js").Match} match @param {Hand} hand @param {() => Promise<void>} took Goes on with the new token. */
export const scoresHere = async ({ id, signal }, hand, took) => {
  hand.busy = true;
  redraw();
  const { claim, comeBack, offerOf, takeByKey } = await handing();
  const ways = { claim, back: comeBack, table: takeByKey };
  try {
    if (hand.offer && hand.offer === (await offerOf(id))) await ways[hand.offer](id, signal);
    await took();
    hand.said = null;
  } catch (error) {
    hand.said = sentence(error);
  }
  hand.offer = await offerOf(id);
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
