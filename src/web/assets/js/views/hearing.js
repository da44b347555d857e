/** What a reader hears of a pad, one sentence at a time. */
import { asked } from "../draft.js";
import { alternatives } from "../kinds.js";
import { draftOf, requestsOf } from "../match.js";

/** @typedef {import("../match.js").Match} Match */

/** What is asked, in words. @param {import("../match.js").Now["requests"]} requests */
export const askedIn = (requests) => {
  const ways = alternatives(requests ?? []);
  return ways.length > 0
    ? ways.map(({ title }) => title).join(", ")
    : (asked(requests ?? [])?.ask.title ?? "");
};

/** What a reader hears: a ball with the next question; inside a ball the question alone, or what was asked for. @param {Match} match */
export const spokenOf = (match) => {
  const { spoken, hasAnswered } = match;
  const question = askedIn(requestsOf(match));
  if (draftOf(match).answers.length > 0) return spoken ?? (question || null);
  if (spoken === null) return (hasAnswered && question) || null;
  return [spoken, question].filter(Boolean).join(". ");
};
