/** What a phone can do that scores no more: take over by an invite, score here again, or take the scoring by the table's key. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keyOf } from "../keys.js";
import { redraw } from "../owed.js";
import { timeOf } from "../parts/names.js";
import { note } from "../parts/question.js";
import { read } from "../service.js";
import { pause } from "../signal.js";
import { sentence } from "./nowhere.js";
import { calledIn, handing, withFirst } from "./share_state.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** How many events are looked at. */
const RECENT = 100;
/** How long the keys wait for the name of a phone that scores again. */
const NAMING = 2000;

/**
 * What a phone without the scorer's token can do in a match, and what became of its scoring.
 * @typedef {object} Hand
 * @property {import("../handover.js").Offer} offer
 * @property {Schemas["Writer"] | null} scorer Who scores now.
 * @property {Left | null} left How the scoring has left this phone, where it can do nothing.
 * @property {string | null} said
 * @property {string | undefined} [unsent] The dice of a ball that was not finished here before the scoring left.
 * @property {boolean} busy
 */
/** `again`: the phone that gave it has taken it back. `ended`: by the table's key. `used`: the code that was scanned works no more. @typedef {"again" | "now" | "ended" | "used"} Left */

/**
 * Looks what this phone can do, and who scores. The way back ends with the first event of whoever scores now. The answer
 * to a token that was made here may have been lost: it is looked for before anything is let go.
 * @param {string} id @param {AbortSignal} signal @param {() => Promise<void>} took Goes on with a token that turned out to work.
 * @param {Hand | null} [before] What was found before. @returns {Promise<Hand>}
 */
export const handOf = async (id, signal, took, before = null) => {
  const { offerOf, regained } = await handing();
  const [found, key] = [await offerOf(id), await keyOf(id)];
  /** @type {Hand} */
  const hand = { offer: found, scorer: null, left: null, said: null, busy: false };
  if (!found && before?.left === "used") return before;
  if (!(found || key?.scored)) return hand;
  try {
    if (key?.made && (await regained(id, signal))) return await gone(hand, took);
    return found === "claim" ? hand : await toldOf(id, signal, hand, took, before);
  } catch {
    // Without an answer it is offered all the same.
    return before?.offer === found ? before : hand;
  }
};

/** Goes on with a token that works. @param {Hand} hand @param {() => Promise<void>} took */
const gone = async (hand, took) => {
  await took();
  return { ...hand, offer: null };
};

/** What the service tells of it. @param {string} id @param {AbortSignal} signal @param {Hand} hand @param {() => Promise<void>} took @param {Hand | null} before @returns {Promise<Hand>} */
const toldOf = async (id, signal, hand, took, before) => {
  const { dropReplaced, regained, writersOf } = await handing();
  const [found, key] = [hand.offer, await keyOf(id)];
  const shown = { claim: undefined, back: key?.replaced, table: await adminKey() }[found ?? "table"];
  const { token, told } = await withFirst([shown], (token) => writersOf(id, token, signal));
  if (found === "back" && !told.way_back) {
    // With a token that was made here, it was looked for just before.
    if (!key?.made && (await regained(id, signal))) return gone(hand, took);
    await dropReplaced(id, token ? "given" : "ended");
    return handOf(id, signal, took, before);
  }
  hand.scorer = told.writers.find(({ role }) => role === "scorer") ?? null;
  // The key of the table was replaced.
  if (!token) hand.offer = null;
  if (hand.offer === null && key?.scored) {
    const isSame = before?.left && before.scorer?.number === hand.scorer?.number;
    hand.left = isSame ? before.left : await leftOf(id, key, told.head.seq, signal);
  }
  return hand;
};

/** How the scoring has left this phone, as the log has it behind the event that gave it. @param {string} id @param {import("../keys.js").Key} key @param {number} head @param {AbortSignal} signal @returns {Promise<Left>} */
const leftOf = async (id, { issued, scored }, head, signal) => {
  const query = { after: issued ?? Math.max(0, head - RECENT), limit: RECENT };
  const { events } = await read("/v1/matches/{id}/events", { of: { id }, query, signal });
  const isRotation = (/** @type {Schemas["Event"]} */ { kind, data }) =>
    kind === "token_rotated" && /** @type {{role?: string}} */ (data).role === "scorer";
  const rotations = events.filter(isRotation);
  if (rotations.at(-1)?.actor === "admin") return "ended";
  const first = events.findIndex(isRotation);
  const hasWritten = events.slice(0, first).some(({ actor }) => actor === "scorer");
  return issued && scored === "ended" && rotations.length === 1 && !hasWritten ? "again" : "now";
};

/** Scores on this phone, in the way that is offered, unless it scores already. @param {import("../match.js").Match} match @param {Hand} hand @param {() => Promise<void>} took Goes on with the new token. */
export const scoresHere = async ({ id, signal }, hand, took) => {
  hand.busy = true;
  redraw();
  const { claim, comeBack, offerOf, takeByKey } = await handing();
  const ways = { claim, back: comeBack, table: takeByKey };
  try {
    const before = await keyOf(id);
    const takes = hand.offer && hand.offer === (await offerOf(id)) ? ways[hand.offer] : null;
    await takes?.(id, signal);
    // It scores, whatever becomes of its name.
    const named = takes ? calledAgain(id, before, signal).catch(() => {}) : null;
    await Promise.race([named, pause(NAMING, signal).done]);
    await took();
    Object.assign(hand, { left: null, said: null, unsent: undefined });
  } catch (error) {
    hand.said = sentence(error);
  }
  const claimed = hand.offer;
  hand.offer = await offerOf(id);
  // Such an invite was used, has run out or was stopped, or its code was cut off.
  if (claimed === "claim" && hand.said && hand.offer !== "claim")
    Object.assign(hand, hand.offer ? { said: t("hand.used") } : { left: "used", said: null });
  hand.busy = false;
  redraw();
};

/** A phone that scores again is called as before: a match is made by the first one. @param {string} id @param {import("../keys.js").Key | undefined} before @param {AbortSignal} signal */
const calledAgain = async (id, before, signal) => {
  const { keepCalled, nameWriter, writersOf } = await handing();
  const token = (await keyOf(id))?.scorer;
  const first = before?.issued === 1 ? t("writer.phone", { number: 1 }) : undefined;
  const called = before?.called ?? first;
  if (called !== undefined) return nameWriter(id, called, token, signal);
  await keepCalled(id, calledIn((await writersOf(id, token, signal)).writers));
};

/** What stands where the keys would: who scores, and what this phone can do. @param {string} id @param {Hand} hand @param {() => void} take */
export const handPanel = (id, { offer: found, scorer, left, said, busy, unsent }, take) => {
  const { number = 2, since = Date.now() } = scorer ?? {};
  // The token of before the one that was taken back is that of the phone that gave it.
  const own = t("writer.phone", { number: left === "again" ? number - 2 : number });
  // Nobody scores where the right was ended by the key of the table.
  const what = found ?? left;
  const words =
    scorer?.nobody && (what === "table" || what === "ended") ? `hand.nobody.${what}` : `hand.${what}`;
  return html`${note({ icon: "eye", title: t(words, { name: scorer?.name ?? own, time: timeOf(new Date(since)) }), text: t(`${words}.text`) })}
    ${said ? html`<p class="block" role="alert"><span class="label" data-said dir="auto">${said}</span></p>` : nothing}
    ${unsent ? html`<p class="block" data-unsent>${t("hand.unsent", { dice: unsent })}</p>` : nothing}
    <div class="actions">${
      found
        ? html`<button type="button" class="button" data-action=${found} aria-disabled=${busy ? "true" : nothing} @click=${() => {
            if (!busy) take();
          }}>${t(`hand.${found}.go`)}</button>`
        : html`<a class="button" href=${`/m/${id}/board`} data-action="board">${t("board.go")}</a>`
    }</div>`;
};
