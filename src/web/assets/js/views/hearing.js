/** What a reader hears of a pad: one sentence at a time. */
import { asked } from "../draft.js";
import { alternatives } from "../kinds.js";
import { draftOf, nowOf, requestsOf } from "../match.js";
import { nextWords } from "../parts/book.js";
import { scoreWords } from "../parts/scorebox.js";

/** @typedef {import("../match.js").Match} Match */

/** How the match stands, and who bats and bowls. @param {Match} match */
export const standsOf = (match) => {
  const { shown, cells } = nowOf(match);
  return shown && [scoreWords(shown), nextWords({ match: shown, cells })].filter(Boolean).join(" ");
};

/** What is asked, in words. @param {import("../match.js").Now["requests"]} requests */
const askedIn = (requests) => {
  const ways = alternatives(requests ?? []);
  return ways.length > 0
    ? ways.map(({ title }) => title).join(", ")
    : (asked(requests ?? [])?.ask.title ?? "");
};

/** What a reader hears: a ball with the next question; inside a ball the question alone, or what was asked for. @param {Match} match */
export const spokenOf = (match) => {
  const { spoken } = match;
  const question = askedIn(requestsOf(match));
  if (draftOf(match).answers.length > 0) return spoken ?? (question || null);
  return spoken === null ? null : [spoken, question].filter(Boolean).join(". ");
};
