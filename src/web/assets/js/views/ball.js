/** Reads a ball that was recorded. */
import { BESIDE } from "../following.js";
import { ordered } from "../i18n.js";
import { read } from "../service.js";

/** @typedef {import("../following.js").Followed} Followed */

/** A ball that was recorded: its words and its dice. @param {Followed} match @param {{delivery: number, seq: number}} ball */
export const ballOf = async ({ id, signal }, { delivery, seq }) => {
  const [commentary, event] = await Promise.all([
    read(BESIDE[1], { of: { id }, query: { after: seq - 1, limit: 1 }, signal }),
    read("/v1/matches/{id}/events/{seq}", { of: { id, seq }, signal }),
  ]);
  const line = commentary.lines.find((one) => one.delivery === delivery && one.seq === seq);
  const dice = event.kind === "ball" ? event.data.dice : [];
  return { text: ordered(line?.text ?? ""), dice: dice.map(({ value, sides }) => ({ value, sides })) };
};
