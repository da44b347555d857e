/** Reads a ball of this over, for its sheet. */
import { diceOf } from "../draft.js";
import { BESIDE } from "../following.js";
import { ordered, t } from "../i18n.js";
import { read } from "../service.js";
import { placeWords } from "../parts/strip.js";

/** @typedef {import("../match.js").Match} Match */
/** @typedef {import("../service.js").Schemas["DeliveryCell"]} DeliveryCell */

/** A ball that was recorded: its words and its dice. @param {Match} match @param {DeliveryCell} ball */
const recorded = async ({ id, signal }, { delivery, seq }) => {
  const [commentary, event] = await Promise.all([
    read(BESIDE[1], { of: { id }, query: { after: seq - 1, limit: 1 }, signal }),
    read("/v1/matches/{id}/events/{seq}", { of: { id, seq }, signal }),
  ]);
  const line = commentary.lines.find((one) => one.delivery === delivery && one.seq === seq);
  const dice = event.kind === "ball" ? event.data.dice : [];
  return { text: ordered(line?.text ?? ""), dice: dice.map(({ value, sides }) => ({ value, sides })) };
};

/**
 * The sheet of a ball of this over: that was recorded, or is on its way.
 * @param {Match} match @param {number} delivery @param {DeliveryCell[]} [deliveries] @returns {Promise<import("./pad_sheets.js").Sheet | null>}
 */
export const ballOf = async (match, delivery, deliveries = []) => {
  const ball = deliveries.find((other) => other.delivery === delivery);
  if (!ball) return null;
  const ahead = match.queue.entries.find(
    ({ preview, draft }) => preview?.ball?.delivery === delivery && draft.request?.operation === "bowl_ball",
  );
  const found = ahead
    ? { text: ahead.preview?.text ?? "", dice: diceOf(ahead.draft.answers) }
    : await recorded(match, ball).catch(() => ({ text: t("match.away"), dice: [] }));
  return { kind: "ball", ball, at: placeWords(ball.place, deliveries), ...found };
};
