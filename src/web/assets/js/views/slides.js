/** What the board shows for a moment when something has happened. It draws from the match as it stands, so that a correction tells only the new truth. */
import { lastBall } from "../following.js";
import { nothing } from "../html.js";
import { owe, redraw } from "../owed.js";
import { now, pagesOf, read } from "../service.js";
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
 * @typedef {{ kind: "wicket", ms: number, of: string } | { kind: "boundary", ms: number, of: string }
 *   | { kind: "over" | "innings", ms: number, of: string, ended: Schemas["EndedPart"], cells: Schemas["DeliveryCell"][] }
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

/** Whether a decision may be reviewed now. @param {Followed} match */
const isOpen = ({ view }) =>
  view?.next.requests.some(({ operation }) => operation === "review_decision") ?? false;

/** @param {Followed} match */
export const slidesOf = (match) => {
  /** @type {Slide[]} */
  let queue = [];
  /** The number of the last ball that was looked at; null until the match was told. @type {number | null} */
  let seen = null;
  /** The last event then. */
  let head = 0;
  /** The ball whose review is open. @type {number | null} */
  let reviewed = null;
  /** The score at which a review was asked for: it stands until the verdict. @type {Schemas["InningsScore"] | null} */
  let held = null;
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
    const { innings_ended: innings, over_ended: over, over: shown } = match.view?.situation ?? {};
    const ended = innings ?? over;
    // The next bowler may be named while it stands: it is of the ball that ended it.
    const kind = innings ? "innings" : "over";
    if (ended) slides.push({ kind, ms: MS[kind], of, ended, cells: shown?.deliveries ?? [] });
    return slides;
  };

  /** A review shows its steps, and then what the ball has come to. @param {number} delivery */
  const reviews = async (delivery) => {
    const { id, signal } = match;
    const of = ofBall(match);
    const call = (/** @type {number} */ from) => ({ of: { id }, query: { after: from }, signal });
    const told = await pagesOf((from) => read("/v1/matches/{id}/reviews", call(from))).catch(() => []);
    held = null;
    // The next ball may have been bowled meanwhile.
    if (of !== ofBall(match)) return;
    const all = told.flatMap((page) => page.reviews);
    const entry = all.filter((review) => review.delivery === delivery).at(-1);
    const steps = entry ? [0, 1, 2] : [];
    const stepped = steps.map(
      (step) => /** @type {Slide} */ ({ kind: "review", ms: MS.step, of, entry, step }),
    );
    shows([...stepped, ...ofLast()]);
  };

  return {
    /** The match has another head. */
    moved: () => {
      const last = lastBall(match);
      const isFirst = seen === null;
      // A correction records the balls behind it anew: they keep their numbers, or one that is put in moves them.
      const wasAt = head;
      head = match.view?.head.seq ?? 0;
      const isPutRight = match.corrected > wasAt && match.corrected <= head;
      const isNew = !isFirst && !isPutRight && last !== null && last.delivery > (seen ?? 0);
      seen = last?.delivery ?? 0;
      const before = reviewed;
      reviewed = isOpen(match) ? (last?.delivery ?? null) : null;
      const score = held;
      held = reviewed === null ? null : (match.view?.score.innings.at(-1) ?? null);
      if (isFirst || !last) return;
      if (before === last.delivery && reviewed === null) {
        held = score;
        return void owe(reviews(before));
      }
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
      if (held) return { ...none, before: held };
      const shown = queue[0];
      if (!shown || shown.of !== ofBall(match)) return none;
      if (shown.kind === "boundary") return { ...none, word: boundaryWord(last) };
      if (shown.kind === "wicket") return { ...none, slide: wicketSlide(view, last) };
      if (shown.kind === "review") {
        const { entry, step } = shown;
        return { ...none, slide: reviewSlide(view, entry, step), before: step < 2 ? entry.before : null };
      }
      return {
        ...none,
        slide: shown.kind === "over" ? overSlide(view, shown) : inningsSlide(view, shown.ended),
      };
    },
  };
};
