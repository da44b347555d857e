/** What the pad, its keys and its sheets say alike. */
import { counted, t } from "../i18n.js";

/** @param {import("../match.js").Match} match */
export const isOver = (match) => ["completed", "abandoned"].includes(match.view?.status ?? "") && match.outbox.isIdle;

/** `18:31`. @param {Date} time */
export const timeOf = (time) => time.toTimeString().slice(0, 5);

/** A ball in a word or two. @param {{wicket?: unknown, boundary?: number | null, runs: number}} ball */
export const ballWords = ({ wicket, boundary, runs }) => {
  if (wicket) return t("ball.wicket");
  if (boundary) return t(boundary === 4 ? "ball.four" : "ball.six");
  return runs === 0 ? t("ball.dot") : counted("ball.runs", runs);
};

/** A ball in the word of a key: a wicket says OUT. @param {Parameters<typeof ballWords>[0]} ball */
export const wordOf = (ball) => (ball.wicket ? t("ball.out") : ballWords(ball));
