/** What a pad can do whose phone scores no more, or not yet. It is seldom, and comes with the sheets. */
import { diceOf, emptyDraft } from "../draft.js";
import { keepInAddress } from "../keys.js";
import { draftOf } from "../match.js";
import { owe, redraw } from "../owed.js";
import { takeUp } from "../stopping.js";
import { after } from "../signal.js";
import { write } from "../weighing.js";
import { shares } from "./sharing.js";

/** @typedef {import("./pad.js").Pad} Pad */

/** How long another phone is given to say its name. */
const NAMED_SOON = 400;

/** Whether who scores may be a phone that scores again: its name of before comes behind the taking over, as no event. @param {import("../service.js").Schemas["Writer"]} scorer */
const mayBeNamedSoon = ({ number, name, wrote }) => number > 2 && !name && !wrote;

/** Finds what it can do; nothing where this phone scores. @param {Pad} state @param {boolean} isThere */
export const lookAt = async (state, isThere) => {
  const { id, signal } = state.match;
  const module = isThere ? await shares.ahead().catch(() => null) : null;
  const took = () => takeUp(state.match);
  const { hand } = state;
  state.hand = module && (await module.handOf(id, signal, took, hand).catch(() => hand));
  await letGoOfBall(state, hand);
  const scorer = state.hand?.scorer;
  if (scorer && mayBeNamedSoon(scorer) && hand?.scorer?.number !== scorer.number)
    after(NAMED_SOON, () => void owe(lookAt(state, isThere).then(redraw)), signal);
};

/** A ball that was not finished here goes once the scoring has left for good, and its dice are told. @param {Pad} state @param {import("./hand.js").Hand | null} before */
const letGoOfBall = async ({ match, hand }, before) => {
  if (!hand || match.token || !(hand.left || hand.offer === "table")) return;
  const dice = diceOf(draftOf(match).answers).map(({ value }) => value);
  if (dice.length > 0) await write(match, () => emptyDraft(match.id));
  hand.unsent = dice.join(", ") || before?.unsent;
};

/** This phone scores from now on, where the service lets it. @param {Pad} state */
export const takeOver = async ({ match, hand }) => {
  const { scoresHere } = await shares.ahead();
  if (hand) await scoresHere(match, hand, () => takeUp(match));
  await keepInAddress(match.id);
};
