// Draws charts from series: axes from 0, at most four lines of a grid, labels at the ends of lines, and a shape beside
// each colour. What a chart says stands above it in words, and its numbers in a table behind it.
import { html, nothing, svg } from "../html.js";
import { t } from "../i18n.js";
import { lineThrough, movedApart, scale, ticksTo } from "./scales.js";

/** The room of a chart, and what its axis and the labels of its lines take of it. */
export const WIDE = 328;
export const LEFT = 34;
export const RIGHT = 124;
export const HIGH = 200;

/** @typedef {{ head: string[], rows: (string | number)[][] }} Table */

/**
 * A chart with its question, its answer in words, and its numbers.
 * @param {{ id: string, title: string, answer?: string, drawing: unknown, table: Table, note?: string }} data
 */
export const figure = ({ id, title, answer, drawing, table, note }) => html`<figure class="chart" id=${id}>
  <figcaption><h3>${title}</h3>${answer ? html`<p class="small quiet" dir="auto">${answer}</p>` : nothing}</figcaption>
  ${drawing}${note ? html`<p class="small quiet">${note}</p>` : nothing}
  <details><summary class="link">${t("chart.numbers")}</summary><div class="wide" tabindex="0" role="region" aria-label=${title}><table class="table"><thead><tr>${table.head.map((words) => html`<th scope="col" dir="auto">${words}</th>`)}</tr></thead>
  <tbody>${table.rows.map((row) => html`<tr>${row.map((cell, place) => (place === 0 ? html`<th scope="row" dir="auto">${cell}</th>` : html`<td>${cell}</td>`))}</tr>`)}</tbody></table></div></details></figure>`;

/** @param {{ high?: number, label: string }} size @param {unknown} inside */
export const drawing = ({ high = HIGH, label }, inside) =>
  html`<svg viewBox=${`0 0 ${WIDE} ${high}`} role="img" aria-label=${label}>${inside}</svg>`;

/** The lines of a grid with their values at the left. @param {import("./scales.js").Scale} y @param {number[]} ticks @param {number} right */
export const grid = (y, ticks, right) =>
  ticks.map(
    (tick) => svg`<path class=${tick === 0 ? "axis" : "grid"} d=${`M${LEFT} ${y(tick)}H${right}`}></path>
    <text class="end" x=${LEFT - 8} y=${y(tick) + 5}>${Math.abs(tick)}</text>`,
  );

/** Overs below an axis. @param {import("./scales.js").Scale} x @param {number} most @param {number} y */
export const overs = (x, most, y) =>
  ticksTo(most, 5)
    .filter((tick) => tick <= most)
    .map((tick) => svg`<text class="middle" x=${x(tick)} y=${y}>${tick}</text>`);

/** A name where there is little room. @param {string} name */
export const short = (name) => ([...name].length > 9 ? `${[...name].slice(0, 8).join("")}…` : name);

/**
 * How innings grew, ball by ball. The first is dashed; wickets are dots.
 * @param {{ label: string, most: number, lines: { name: string, side: string, points: { balls: number, total: number, wicket: unknown }[] }[], isFar?: boolean }} data `most`: the overs of the axis. `isFar`: it is read from afar, so its letters are large, and the totals stand elsewhere.
 */
export const worm = ({ label, most, lines, isFar = false }) => {
  const [high, right] = isFar ? [128, WIDE - 112] : [HIGH, WIDE - RIGHT];
  const ticks = ticksTo(Math.max(1, ...lines.map(({ points }) => points.at(-1)?.total ?? 0)));
  const x = scale([0, most], [LEFT, right]);
  const y = scale([0, ticks.at(-1) ?? 1], [high - 24, 12]);
  const ends = movedApart(
    lines.map(({ points }) => y(points.at(-1)?.total ?? 0)),
    isFar ? 20 : 17,
  );
  return drawing({ high, label }, [
    grid(y, ticks, right),
    overs(x, most, high - 4),
    lines.map(
      ({ side, points }, place) =>
        svg`<path class=${`line ${side} ${place === 0 ? "dashed" : ""}`} d=${lineThrough(points.map(({ balls, total }) => [x(balls / 6), y(total)]))}></path>`,
    ),
    lines.map(({ points }) =>
      points
        .filter(({ wicket }) => wicket)
        .map(
          ({ balls, total }) => svg`<circle class="wicket" cx=${x(balls / 6)} cy=${y(total)} r="4"></circle>`,
        ),
    ),
    lines.map(
      ({ name, side, points }, place) =>
        svg`<text class=${`name ${side}`} x=${Math.min(right, x((points.at(-1)?.balls ?? 0) / 6)) + 8} y=${(ends[place] ?? 0) + 5}>${short(name)} ${isFar ? "" : (points.at(-1)?.total ?? 0)}</text>`,
    ),
  ]);
};

/**
 * How far the second innings was ahead at the same ball: bars up for it, down for the first.
 * @param {{ label: string, most: number, leads: { ball: number, lead: number }[], names: string[], sides: string[] }} data
 */
export const leadBars = ({ label, most, leads, names, sides }) => {
  const [high, right] = [110, WIDE - RIGHT];
  const ticks = ticksTo(Math.max(1, ...leads.map(({ lead }) => Math.abs(lead))), 1);
  const top = ticks.at(-1) ?? 1;
  const x = scale([0, most], [LEFT, right]);
  const y = scale([-top, top], [high - 10, 10]);
  const wide = Math.max(1, (x(1) - x(0)) / 6 - 1);
  return drawing({ high, label }, [
    grid(y, [-top, 0, top], right),
    leads.map(
      ({ ball, lead }) =>
        svg`<rect class=${`bar ${sides[lead > 0 ? 1 : 0]}`} x=${x((ball - 1) / 6)} y=${Math.min(y(lead), y(0))} width=${wide} height=${Math.abs(y(lead) - y(0))}></rect>`,
    ),
    [1, 0].map(
      (place, at) =>
        svg`<text class=${`name ${sides[place]}`} x=${right + 8} y=${at === 0 ? 26 : high - 26}>${short(names[place] ?? "")}</text>`,
    ),
    [1, 0].map(
      (_, at) => svg`<text x=${right + 8} y=${at === 0 ? 42 : high - 10}>${t("chart.ahead")}</text>`,
    ),
  ]);
};

/**
 * The runs of each over by their kind, one on the other; a dot a wicket above.
 * @param {{ label: string, most: number, sums: import("../series.js").OverSum[], top: number }} data `top`: the greatest over of all innings, so that all have one scale.
 */
export const manhattan = ({ label, most, sums, top }) => {
  const [high, right] = [170, WIDE - 8];
  const ticks = ticksTo(top, 3);
  const x = scale([0, most], [LEFT, right]);
  const y = scale([0, ticks.at(-1) ?? 1], [high - 24, 34]);
  const wide = Math.max(2, (x(1) - x(0)) * 0.8);
  const kinds = /** @type {const} */ (["runs", "boundaries", "extras"]);
  return drawing({ high, label }, [
    svg`<defs><pattern id="extras" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5"></path></pattern></defs>`,
    grid(y, ticks, right),
    sums.map((sum) => {
      const at = x(sum.over - 1) + (x(1) - x(0) - wide) / 2;
      let below = 0;
      const parts = kinds.map((kind) => {
        const from = below;
        below += sum[kind];
        return sum[kind] > 0
          ? svg`<rect class=${`part ${kind}`} x=${at} y=${y(below)} width=${wide} height=${y(from) - y(below)}></rect>`
          : nothing;
      });
      const dots = Array.from(
        { length: sum.wickets },
        (_, place) =>
          svg`<circle class="wicket" cx=${at + wide / 2 + (place - (sum.wickets - 1) / 2) * 8} cy=${y(below) - 9} r="3.5"></circle>`,
      );
      return [parts, dots];
    }),
    overs(x, most, high - 4).slice(1),
  ]);
};

/** What the parts of an over are. */
export const legend = () =>
  html`<p class="legend small">${["runs", "boundaries", "extras", "wicket"].map((kind) => html`<span><i class=${`sign ${kind}`}></i>${t(`chart.${kind}`)}</span>`)}</p>`;

/**
 * Partnerships as bars from a middle line: a batter a side.
 * @param {{ side: string, stands: import("../series.js").Stand[], nameOf: (name: string) => string }} data
 */
export const standBars = ({ side, stands, nameOf }) => {
  const most = Math.max(1, ...stands.flatMap(({ made }) => made));
  return html`<ol class="stands">${stands.map(({ names, made, runs, unbroken }) => {
    const [one = 0, other = 0] = made;
    const parts = [
      [50 - (50 * one) / most, (50 * one) / most],
      [50, (50 * other) / most],
    ];
    return html`<li><span class="cut" dir="auto">${nameOf(names[0] ?? "")} ${one}</span><b>${runs}${unbroken ? "*" : ""}</b><span class="cut far" dir="auto">${other} ${nameOf(names[1] ?? "")}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${parts.map(([x, width]) => svg`<rect class=${`bar ${side}`} x=${x} y="0" width=${width} height="6"></rect>`)}<path class="axis" d="M50 0V6"></path></svg></li>`;
  })}</ol>`;
};

/**
 * A chase: what was scored an over, and what was needed.
 * @param {{ label: string, most: number, points: { balls: number, scored: number, needed: number | null }[], side: string }} data
 */
export const chaseLines = ({ label, most, points, side }) => {
  const right = WIDE - RIGHT;
  const needed = points.flatMap(({ balls, needed: rate }) => (rate === null ? [] : [{ balls, rate }]));
  // The rates of the first and of the last balls say little, and are cut.
  const top = Math.min(
    36,
    Math.max(6, ...points.slice(5).map(({ scored }) => scored), ...needed.map(({ rate }) => rate)),
  );
  const ticks = ticksTo(top);
  const x = scale([0, most], [LEFT, right]);
  const y = scale([0, ticks.at(-1) ?? 1], [HIGH - 24, 12]);
  const at = (/** @type {number} */ rate) => Math.max(12, y(rate));
  const lines = [
    {
      words: t("chart.scored"),
      looks: side,
      places: points.map(({ balls, scored }) => /** @type {[number, number]} */ ([x(balls / 6), at(scored)])),
    },
    {
      words: t("chart.needed"),
      looks: "needed",
      places: needed.map(({ balls, rate }) => /** @type {[number, number]} */ ([x(balls / 6), at(rate)])),
    },
  ];
  const ends = movedApart(
    lines.map(({ places }) => places.at(-1)?.[1] ?? HIGH / 2),
    17,
  );
  return drawing({ label }, [
    grid(y, ticks, right),
    overs(x, most, HIGH - 4),
    lines.map(({ looks, places }) => svg`<path class=${`line ${looks}`} d=${lineThrough(places)}></path>`),
    lines.map(({ words, looks, places }, place) =>
      places.length > 0
        ? svg`<text class=${`name ${looks}`} x=${(places.at(-1)?.[0] ?? right) + 8} y=${(ends[place] ?? 0) + 5}>${words}</text>`
        : nothing,
    ),
  ]);
};
