/** What the score box and the cells of this over say on a pad, with what is typed here. */
import { diceOf } from "../draft.js";
import { types } from "../match.js";
import { heldOf } from "../outbox.js";
import { sinceOf } from "./recalling.js";

/** @typedef {import("./pad.js").Drawn} Drawn */
/** @typedef {import("./pad.js").Match} Match */

/** What the sync words say. @param {Drawn} state @returns {import("../parts/scorebox.js").Sync} */
export const syncOf = ({ match, now }) => {
  const { queue } = match;
  const kept = queue.entries.length;
  const state = queue.stop
    ? "stopped"
    : !match.isFresh
      ? "lost"
      : heldOf(queue) || (types(match) && now.draft.answers.length > 0)
        ? "kept"
        : kept > 0
          ? "sending"
          : !match.token
            ? "watching"
            : now.isOver
              ? "finished"
              : "saved";
  return { state, kept, since: ["watching", "lost"].includes(state) ? sinceOf(match) : "" };
};

/**
 * This over, with the ball that was typed here: its cell once it is known what it comes to, its dice until then and
 * without a connection. Where the over has no cell of it, the innings has ended with it, and no ball comes after it.
 * @param {Match} match @param {import("../match.js").Now} now
 */
export const overOf = ({ isFresh, view }, { shown, typed }) => {
  const held = typed?.state === "held";
  const over = shown?.situation?.over;
  const ball = typed?.preview?.ball;
  const isIn = ball && over?.deliveries.some(({ delivery }) => delivery === ball.delivery);
  if (typed?.draft.request?.operation !== "bowl_ball" || (isIn && isFresh)) return { over, held };
  const before = view?.situation?.over;
  const [deliveries, left] = before?.legal_left ? [before.deliveries, before.legal_left] : [[], 6];
  if (ball && isFresh) return { over: { legal_left: 0, deliveries: [...deliveries, ball] }, held };
  return {
    over: { legal_left: ball && !isIn ? 1 : left, deliveries },
    kept: diceOf(typed.draft.answers),
  };
};
