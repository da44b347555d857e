/** Draws the result of a match as one picture: the score, each innings in two lines with its top bat and bowler, the throw that turned the match, the check mark. */
import { ordered, t } from "../i18n.js";
import { must } from "../must.js";
import { inningsShown } from "../parts/scorebox.js";
import { endWords, written } from "../parts/names.js";
import { read } from "../service.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** `words`: what the picture says, for who does not see it. @typedef {{ href: string, blob: Blob, words: string }} Picture */
/** How a text is drawn: its size, its weight, and the most that it may take. @typedef {{ size: number, weight?: number, colour?: string, most: number, end?: boolean }} Looks */

/** The picture is as wide as it is high, so that no chat cuts it. */
const SIDE = 1080;
const MARGIN = 72;
const ROOM = SIDE - 2 * MARGIN;

/** A text from left to right, kept from turning what stands beside it; what is from right to left in it stays so. @param {string} text */
const own = (text) => `\u2066${text}\u2069`;

/** What draws texts in the colours and the type of the page. */
const pen = (/** @type {CanvasRenderingContext2D} */ ctx) => {
  const style = getComputedStyle(document.documentElement);
  const role = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const fit = (/** @type {string} */ text, /** @type {number} */ most) => {
    if (ctx.measureText(text).width <= most) return text;
    const letters = [...text];
    while (letters.length > 1 && ctx.measureText(`${letters.join("")}…`).width > most) letters.pop();
    return `${letters.join("").trimEnd()}…`;
  };
  /** Draws a text on its line: smaller where it has no room, and cut where that is not enough. Returns how wide it is. @param {string} text @param {number} y @param {Looks} looks */
  const line = (text, y, { size, weight = 600, colour = "cream", most, end }) => {
    const font = (/** @type {number} */ px) => (ctx.font = `${weight} ${px}px ${role("sans")}`);
    font(size);
    font(Math.floor(Math.max(0.7, Math.min(1, most / Math.max(1, ctx.measureText(text).width))) * size));
    const fitted = fit(text, most);
    const width = ctx.measureText(fitted).width;
    ctx.fillStyle = role(colour);
    ctx.textAlign = "left";
    ctx.fillText(own(fitted), end ? SIDE - MARGIN - width : MARGIN, y);
    return width;
  };
  const wide = (/** @type {string} */ text, /** @type {Looks} */ { size, weight = 600 }) => {
    ctx.font = `${weight} ${size}px ${role("sans")}`;
    return ctx.measureText(text).width;
  };
  return { role, line, wide };
};

/** A sentence in two lines: its last three words are the second, which says how. @param {string} text */
const halves = (text) => {
  const words = text.split(" ");
  return [words.slice(0, -3).join(" "), words.slice(-3).join(" ")];
};

/** The best of some by its figures, the first that decides first. @template T @param {T[]} all @param {(one: T) => number[]} figures */
const best = (all, figures) =>
  all.reduce((/** @type {T | null} */ top, one) => {
    if (!top) return one;
    const [mine, its] = [figures(one), figures(top)];
    const at = mine.findIndex((figure, place) => figure !== its[place]);
    return at >= 0 && (mine[at] ?? 0) > (its[at] ?? 0) ? one : top;
  }, null);

/** The top bat and bowler of an innings, in words. `side`: who bowls; a side that bowls in its own name has no top. @param {Schemas["InningsCard"]} innings @param {string} side */
const topOf = ({ batters, bowlers }, side) => {
  const bat = best(batters, ({ runs, balls }) => [runs, -balls]);
  const bowler = best(bowlers, ({ wickets, runs }) => [wickets, -runs]);
  return [
    bat && bat.balls > 0
      ? `${own(bat.player)} ${bat.runs}${bat.status === "not out" ? "*" : ""} (${bat.balls})`
      : "",
    bowler && bowler.wickets > 0 && bowler.player !== side
      ? `${own(bowler.player)} ${bowler.wickets}/${bowler.runs}`
      : "",
  ].filter(Boolean);
};

/** The throw that turned the match, in words; empty where none did. @param {Schemas["MatchView"]} view @param {AbortSignal} signal */
const turnOf = async ({ id, head: { seq }, result, ...sides }, signal) => {
  const call = { of: { id }, query: { at: seq, as_known_at: seq, limit: 1 }, signal };
  if (!result?.winner || !(await read("/v1/matches/{id}/deliveries", call)).dice_alone) return "";
  const { turn } = await read("/v1/matches/{id}/luck", call);
  if (!turn) return "";
  return t("picture.turn", {
    value: turn.thrown.value,
    die: turn.thrown.for,
    at: turn.place.text,
    batting: sides[turn.batting].name,
    n: Math.round(100 * turn.swing),
    side: sides[result.winner].name,
  });
};

/** What the picture says, line by line. @param {Schemas["MatchView"]} view @param {Schemas["Scorecard"]} card @param {string} turn */
const said = (view, card, turn) => {
  const { hash, seq } = card.head;
  const shown = inningsShown(view);
  return {
    sides: t("row.sides", { home: view.home.name, away: view.away.name }),
    result:
      ordered(endWords(view)) ||
      view.situation?.need?.text ||
      (card.innings.length > 0
        ? t("picture.in_play", { side: shown.team, score: written(shown) })
        : t("picture.not_begun")),
    innings: card.innings.map((innings) => ({
      side: view[innings.batting].name,
      score: written(innings.total),
      overs: t("card.overs", { overs: innings.total.overs }),
      top: topOf(innings, view[innings.bowling].name).join(", "),
    })),
    turn,
    day: new Date(view.created_at).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      year: "numeric",
    }),
    mark: t("picture.mark", { mark: `${hash.slice(0, 4)} … ${hash.slice(-4)}`, seq }),
  };
};

/** @param {CanvasRenderingContext2D} ctx @param {ReturnType<typeof said>} told */
const draw = (ctx, told) => {
  const { role, line, wide } = pen(ctx);
  const rule = (/** @type {number} */ y) => {
    ctx.fillStyle = role("plate-edge");
    ctx.fillRect(MARGIN, y, ROOM, 3);
  };
  ctx.fillStyle = role("board");
  ctx.fillRect(0, 0, SIDE, SIDE);
  line(told.sides, 128, { size: 44, colour: "cream2", most: ROOM });
  const large = { size: 68, weight: 700, most: ROOM };
  if (wide(told.result, large) <= ROOM / 0.7) line(told.result, 220, large);
  else halves(told.result).forEach((part, place) => line(part, 190 + 58 * place, { ...large, size: 48 }));
  rule(272);
  const high = Math.min(310, 640 / Math.max(1, told.innings.length));
  const size = Math.min(96, high * 0.42);
  told.innings.forEach(({ side, score, overs, top }, place) => {
    const y = 272 + place * high + high * 0.5;
    const wide = line(score, y, { size, weight: 700, most: ROOM / 2, end: true });
    line(side, y, { size: size * 0.6, weight: 700, most: ROOM - wide - 32 });
    const small = { size: Math.max(26, size * 0.37), colour: "cream2" };
    const taken = line(overs, y + high * 0.26, { ...small, most: ROOM / 4, end: true });
    line(top, y + high * 0.26, { ...small, most: ROOM - taken - 32 });
  });
  if (told.turn) line(told.turn, 918, { size: 30, colour: "cream2", most: ROOM });
  rule(948);
  const day = line(told.day, 1016, { size: 28, colour: "cream2", most: ROOM / 2 });
  line(told.mark, 1016, { size: 28, colour: "cream2", most: ROOM - day - 32, end: true });
};

/** The result of a match as a picture. @param {string} id @param {AbortSignal} signal @returns {Promise<Picture>} */
export const cardPicture = async (id, signal) => {
  const of = { id };
  const view = await read("/v1/matches/{id}", { of, signal });
  const { seq } = view.head;
  const card = await read("/v1/matches/{id}/scorecard", { of, query: { at: seq, as_known_at: seq }, signal });
  // A picture without the throw that turned the match is better than none.
  const turn = await turnOf(view, signal).catch(() => "");
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const told = said(view, card, turn);
  draw(must(canvas.getContext("2d"), "a canvas"), told);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const innings = told.innings.map(({ side, score, top }) =>
    [`${side} ${score}`, top].filter(Boolean).join(": "),
  );
  const words = [told.sides, told.result, ...innings, told.turn, told.day, told.mark]
    .filter(Boolean)
    .join(". ");
  return { href: canvas.toDataURL("image/png"), blob: must(blob, "a picture"), words };
};
