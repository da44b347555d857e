/** What the board shows for a moment when something has happened. It draws from the match as it stands, so that a correction tells only the new truth. */
import { lastBall } from "../following.js";
import { nothing } from "../html.js";
import { owe, redraw } from "../owed.js";
import { now, read } from "../service.js";
import { after } from "../signal.js";
import {
  appealSlide,
  boundaryWord,
  inningsSlide,
  overSlide,
  reviewSlide,
  wicketSlide,
} from "../parts/slide.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../service.js").Schemas} Schemas */
/**
 * A slide, how long it stands, and what it is of: it goes as soon as that is no more so.
 * @typedef {{ kind: "wicket" | "boundary" | "over" | "innings", ms: number, of: string }
 *   | { kind: "review", ms: number, of: string, entry: Schemas["ReviewEntry"], step: number }} Slide
 */

const MS = { wicket: 8000, boundary: 2000, over: 6000, innings: 8000, step: 3000 };
/** A ball that is older was bowled while nobody told this board. */
const RECENT = 60_000;

/** What a slide of a ball is of. @param {Followed} match */
const ofBall = (match) => {
  const last = lastBall(match);
  return last ? JSON.stringify([last.seq, last.runs, last.boundary, last.wicket]) : "";
};
/** @param {Followed} match @param {"over_ended" | "innings_ended"} part */
const ofPart = ({ view }, part) => {
  const ended = view?.situation?.[part];
  return ended ? JSON.stringify([part, ended.number, ended.runs, ended.wickets]) : "";
};

/** Whether a decision may be reviewed now. @param {Followed} match */
const isOpen = ({ view }) =>
  view?.next.requests.some(({ operation }) => operation === "review_decision") ?? false;

/** @param {Followed} match */
export const slidesOf = (match) => {
  /** @type {Slide[]} */
  let queue = [];
  /** The last ball that was looked at; null until the match was told. @type {number | null} */
  let seen = null;
  /** The ball whose review is open. @type {number | null} */
  let reviewed = null;
  let turn = 0;

  const shows = (/** @type {Slide[]} */ slides) => {
    queue = slides;
    turn += 1;
    const own = turn;
    const next = () => {
      if (own !== turn) return;
      queue = queue.slice(1);
      redraw();
      waits();
    };
    const waits = () => queue[0] && after(queue[0].ms, next, match.signal);
    waits();
    redraw();
  };

  /** What the last ball has brought. @returns {Slide[]} */
  const ofLast = () => {
    const last = lastBall(match);
    const of = ofBall(match);
    /** @type {Slide[]} */
    const slides = [];
    if (last?.wicket) slides.push({ kind: "wicket", ms: MS.wicket, of });
    else if (last?.boundary) slides.push({ kind: "boundary", ms: MS.boundary, of });
    const part = ofPart(match, "innings_ended") ? "innings_ended" : "over_ended";
    const kind = part === "over_ended" ? "over" : "innings";
    if (ofPart(match, part)) slides.push({ kind, ms: MS[kind], of: ofPart(match, part) });
    return slides;
  };

  /** A review shows its steps, and then what the ball has come to. @param {number} delivery */
  const reviews = async (delivery) => {
    const { id, signal } = match;
    const told = await read("/v1/matches/{id}/reviews", { of: { id }, signal }).catch(() => null);
    const entry = told?.reviews.filter((review) => review.delivery === delivery).at(-1);
    const of = ofBall(match);
    const steps = entry ? [0, 1, 2] : [];
    const all = steps.map((step) => /** @type {Slide} */ ({ kind: "review", ms: MS.step, of, entry, step }));
    shows([...all, ...ofLast()]);
  };

  const isSo = (/** @type {Slide} */ { kind, of }) => {
    if (kind === "over") return of === ofPart(match, "over_ended");
    if (kind === "innings") return of === ofPart(match, "innings_ended");
    return of === ofBall(match);
  };

  return {
    /** The match has another head. */
    moved: () => {
      const last = lastBall(match);
      const isFirst = seen === null;
      const isNew = !isFirst && last !== null && last.seq > (seen ?? 0);
      seen = last?.seq ?? 0;
      const before = reviewed;
      reviewed = isOpen(match) ? (last?.delivery ?? null) : null;
      if (isFirst || !last) return;
      if (before === last.delivery && reviewed === null) return void owe(reviews(before));
      if (!isNew) return;
      const isRecent = now().getTime() - Date.parse(last.at) < RECENT;
      shows(isRecent && reviewed === null ? ofLast() : []);
    },
    /** The slide that stands, the word over the plates, and the score until a review is told to its end. */
    draw: () => {
      /** @type {{ slide: unknown, word: unknown, before: Schemas["InningsScore"] | null }} */
      const none = { slide: nothing, word: nothing, before: null };
      const { view, isFresh } = match;
      const last = lastBall(match);
      if (!view || !isFresh || !last) return none;
      if (isOpen(match)) return { ...none, slide: appealSlide(view, last) };
      const shown = queue[0];
      if (!shown || !isSo(shown)) return none;
      const { over_ended: over, innings_ended: innings } = view.situation ?? {};
      if (shown.kind === "boundary") return { ...none, word: boundaryWord(last) };
      if (shown.kind === "wicket") return { ...none, slide: wicketSlide(view, last) };
      if (shown.kind === "review") {
        const { entry, step } = shown;
        return { ...none, slide: reviewSlide(view, entry, step), before: step < 2 ? entry.before : null };
      }
      if (shown.kind === "over") return over ? { ...none, slide: overSlide(view, over) } : none;
      return innings ? { ...none, slide: inningsSlide(view, innings) } : none;
    },
  };
};
