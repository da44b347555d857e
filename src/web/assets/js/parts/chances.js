// Draws how the chances of a match moved: a line a side, from 0 to 100, with each wicket and each six on the line of the
// side that bats.
import { svg } from "../html.js";
import { drawing, grid, HIGH, LEFT, RIGHT, short, WIDE } from "./charts.js";
import { lineThrough, movedApart, scale, ticksTo } from "./scales.js";

/**
 * A point of the lines: after a delivery, and before the first. `over` goes on through both innings.
 * @typedef {{ over: number, home: number, away: number, batting: "home" | "away", mark: "wicket" | "six" | null }} Point
 */

const SIDES = /** @type {const} */ (["home", "away"]);

/** @param {{ label: string, points: Point[], parts: { name: string, from: number, overs: number }[], names: Record<"home" | "away", string> }} data `parts`: the innings, each with the over that it begins at. */
export const chanceLines = ({ label, points, parts, names }) => {
  const right = WIDE - RIGHT;
  const most = Math.max(1, (parts.at(-1)?.from ?? 0) + (parts.at(-1)?.overs ?? 0));
  const ticks = ticksTo(Math.max(1, ...parts.map(({ overs }) => overs)));
  const x = scale([0, most], [LEFT, right]);
  const y = scale([0, 100], [HIGH - 24, 12]);
  const last = points.at(-1);
  const ends = movedApart(
    SIDES.map((side) => y(last?.[side] ?? 50)),
    17,
  );
  return drawing({ high: HIGH + 18, label }, [
    grid(y, [0, 25, 50, 75, 100], right),
    parts.map(({ name, from, overs: all }) => [
      from > 0 ? svg`<path class="grid" d=${`M${x(from)} 12V${HIGH - 24}`}></path>` : [],
      ticks
        // Where the innings change there is one number: none of the first, none of the second.
        .filter((tick) => tick < all || (tick === all && from + all === most))
        .filter((tick) => tick > 0 || from === 0)
        .map((tick) => svg`<text class="middle" x=${x(from + tick)} y=${HIGH - 6}>${tick}</text>`),
      svg`<text class="middle" x=${x(from + all / 2)} y=${HIGH + 12}>${short(name)}</text>`,
    ]),
    SIDES.map(
      (side, place) =>
        svg`<path class=${`line ${side} ${place === 0 ? "dashed" : ""}`} d=${lineThrough(points.map((point) => [x(point.over), y(point[side])]))}></path>`,
    ),
    points.map((point) => {
      const [at, high] = [x(point.over), y(point[point.batting])];
      if (point.mark === "wicket") return svg`<circle class="wicket" cx=${at} cy=${high} r="4"></circle>`;
      return point.mark === "six"
        ? svg`<path class="six" d=${`M${at} ${high - 5}L${at + 5} ${high}L${at} ${high + 5}L${at - 5} ${high}Z`}></path>`
        : [];
    }),
    SIDES.map(
      (side, place) =>
        svg`<text class=${`name ${side}`} x=${right + 8} y=${(ends[place] ?? 0) + 5}>${short(names[side])}</text>`,
    ),
  ]);
};
