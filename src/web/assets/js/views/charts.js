/** The charts of a match, and its overs ball by ball: from the rows of its deliveries. They are a script of their own. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { whole } from "../loading.js";
import { chaseLines, figure, leadBars, legend, manhattan, standBars, worm } from "../parts/charts.js";
import { shortNamesOf } from "../parts/names.js";
import { cellLink } from "../parts/strip.js";
import { chase, growth, inningsOf, leads, overSums, stands } from "../series.js";
import { later } from "./later.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../series.js").Rows} Rows */
/** @typedef {import("../series.js").Innings} Innings */
/** What is drawn: the match, its card and its rows, and how the dice fell once that is told. @typedef {{ view: Schemas["MatchView"], card: Schemas["Scorecard"], rows: Rows, luck: Schemas["Luck"] | null }} Data */

const luck = later(() => whole(import("./luck.js"), { sheet: "luck", words: "luck" }));

/** What draws how the dice fell, once it is there. */
export const diceAhead = luck.ahead;

/** The overs of the axis: those of the limit, or as many as were bowled. @param {Innings[]} all */
const mostOvers = (all) =>
  Math.max(
    1,
    ...all.map(({ rows, balls_limit: limit }) => {
      const bowled = Math.ceil((rows.at(-1)?.balls ?? 0) / 6);
      return limit && limit / 6 <= 2 * bowled ? limit / 6 : bowled;
    }),
  );

/** The innings in words: its side, with its number where a side has two. @param {Data["view"]} view @param {Innings[]} all @param {Innings} innings */
const titleOf = (view, all, { batting, number }) =>
  all.length > 2 ? t("chart.innings", { side: view[batting].name, n: number }) : view[batting].name;

/** What was drawn of rows changes only with them and the card. @type {WeakMap<Rows, { card: Data["card"], drawn: unknown[] }>} */
const drawn = new WeakMap();

/** The innings that there is something to draw for. @param {Rows} rows */
const begunOf = (rows) => inningsOf(rows).filter((innings) => innings.rows.length > 0);

/** The charts, and the overs ball by ball. @param {Data} data */
const drawnOf = (data) => {
  const all = begunOf(data.rows);
  const draw = () => (all.length === 0 ? [nothing, nothing] : [drawCharts(data, all), drawOvers(data, all)]);
  const found = drawn.get(data.rows);
  if (found?.card === data.card) return found.drawn;
  const anew = draw();
  drawn.set(data.rows, { card: data.card, drawn: anew });
  return anew;
};

/** The charts. @param {Data} data */
export const chartsOf = (data) => drawnOf(data)[0];

/** How the dice fell. @param {Data} data */
export const diceOf = ({ view, rows, luck: told }) =>
  told
    ? luck.draw((script) => script.luckOf({ view, rows, luck: told }))
    : html`<p class="block">${t("match.loading")}</p>`;

/** Every ball as a cell that leads to its page, an over a row. @param {Data} data */
export const oversOf = (data) => drawnOf(data)[1];

/** How the innings grew, drawn alone, as a board has it. @param {Pick<Data, "view" | "rows">} data */
export const growthOf = ({ view, rows }) => {
  const all = begunOf(rows);
  const lines = linesOf(view, all);
  return worm({ label: `${t("chart.worm")} ${totalWords(lines)}`, most: mostOvers(all), lines, isFar: true });
};

/** @param {Data["view"]} view @param {Innings[]} all */
const linesOf = (view, all) =>
  all.map((innings) => ({
    name: titleOf(view, all, innings),
    side: innings.batting,
    points: growth(innings),
  }));

/** @param {ReturnType<typeof linesOf>} lines */
const totalWords = (lines) =>
  lines.map(({ name, points }) => `${name} ${points.at(-1)?.total ?? 0}`).join(", ");

/** @param {Data} data @param {Innings[]} all */
const drawCharts = ({ view, card }, all) => {
  const most = mostOvers(all);
  return html`<section class="charts"><h2>${t("charts")}</h2>
    ${wormOf(view, all, most)}${runsOf(view, all, most)}${standsOf(view, card, all)}${chaseOf(view, all, most)}</section>`;
};

/** @param {Data["view"]} view @param {Innings[]} all @param {number} most */
const wormOf = (view, all, most) => {
  const lines = linesOf(view, all);
  const [first, second] = all;
  const ahead = first && second && all.length === 2 ? leads(first, second) : [];
  const names = all.map((innings) => view[innings.batting].name);
  const answer = ahead.length > 0 ? leadWords(ahead, names) : totalWords(lines);
  const label = `${t("chart.worm")} ${answer}`;
  const overs = Array.from(
    { length: Math.ceil(Math.max(...all.map(({ rows }) => rows.at(-1)?.balls ?? 0)) / 6) },
    (_, place) => place + 1,
  );
  return figure({
    id: "worm",
    title: t("chart.worm"),
    answer,
    drawing: html`${worm({ label, most, lines })}${ahead.length > 0 ? leadBars({ label: t("chart.lead"), most, leads: ahead, names, sides: all.map(({ batting }) => batting) }) : nothing}`,
    ...(ahead.length > 0 && { note: t("chart.worm.note") }),
    table: {
      head: [t("chart.over"), ...lines.map(({ name }) => name)],
      rows: overs.map((over) => [
        over,
        ...all.map(({ rows }) => rows.filter((row) => row.place.over <= over).at(-1)?.total ?? 0),
      ]),
    },
  });
};

/** Who was ahead at how many balls. @param {{ lead: number }[]} all @param {string[]} names */
const leadWords = (all, [first = "", second = ""]) => {
  const count = (/** @type {(lead: number) => boolean} */ is) => all.filter(({ lead }) => is(lead)).length;
  return t("chart.lead.words", {
    first,
    second,
    one: counted(
      "chart.balls",
      count((lead) => lead < 0),
    ),
    other: counted(
      "chart.balls",
      count((lead) => lead > 0),
    ),
    level: count((lead) => lead === 0),
  });
};

/** @param {Data["view"]} view @param {Innings[]} all @param {number} most */
const runsOf = (view, all, most) => {
  const each = all.map((innings) => {
    const sums = overSums(innings);
    const total = (/** @type {"runs" | "boundaries" | "extras"} */ kind) =>
      sums.reduce((sum, over) => sum + over[kind], 0);
    const title = titleOf(view, all, innings);
    const from = { runs: total("runs"), boundaries: total("boundaries"), extras: total("extras") };
    return { title, sums, words: `${title}: ${t("chart.runs.words", from)}` };
  });
  const heights = each.flatMap(({ sums }) => sums.map((over) => over.runs + over.boundaries + over.extras));
  const top = Math.max(1, ...heights);
  return figure({
    id: "runs",
    title: t("chart.runs.title"),
    drawing: html`${each.map(({ sums, words }) => html`<p class="small quiet" dir="auto">${words}</p>${manhattan({ label: words, most, sums, top })}`)}${legend()}`,
    table: {
      head: ["over", "runs", "boundaries", "extras", "wickets"].map((kind) => t(`chart.${kind}`)),
      rows: each.flatMap(({ title, sums }) =>
        sums.map(({ over, runs, boundaries, extras, wickets }) => [
          `${title}, ${over}`,
          runs,
          boundaries,
          extras,
          wickets,
        ]),
      ),
    },
  });
};

/** @param {Data["view"]} view @param {Data["card"]} card @param {Innings[]} all */
const standsOf = (view, card, all) => {
  const nameOf = shortNamesOf(view);
  const each = all.map((innings) => {
    const found = card.innings.find(({ number }) => number === innings.number);
    return { innings, own: stands(innings, found?.partnerships ?? []) };
  });
  return figure({
    id: "stands",
    title: t("chart.stands"),
    drawing: each.map(
      ({ innings, own }) =>
        html`<p class="small quiet" dir="auto">${titleOf(view, all, innings)}</p>${standBars({ side: innings.batting, stands: own, nameOf })}`,
    ),
    table: {
      head: [t("chart.stand"), t("chart.total"), t("chart.faced")],
      rows: each.flatMap(({ own }) =>
        own.map(({ names, made, runs, balls, unbroken }) => [
          names.map((name, place) => `${nameOf(name)} ${made[place] ?? 0}`).join(", "),
          `${runs}${unbroken ? "*" : ""}`,
          balls,
        ]),
      ),
    },
  });
};

/** @param {Data["view"]} view @param {Innings[]} all @param {number} most */
const chaseOf = (view, all, most) => {
  const chased = all.find(({ target, balls_limit: limit }) => target && limit);
  if (!chased) return nothing;
  const points = chase(chased);
  if (points.length < 2) return nothing;
  const needed = points.flatMap(({ needed: rate }) => (rate === null ? [] : [rate]));
  const answer = t("chart.chase.words", {
    side: view[chased.batting].name,
    target: String(chased.target),
    scored: (points.at(-1)?.scored ?? 0).toFixed(2),
    most: Math.max(0, ...needed).toFixed(2),
  });
  return figure({
    id: "chase",
    title: t("chart.chase"),
    answer,
    drawing: chaseLines({ label: `${t("chart.chase")} ${answer}`, most, points, side: chased.batting }),
    table: {
      head: [t("chart.ball"), t("chart.scored"), t("chart.needed")],
      rows: points.map(({ at, scored, needed: rate }) => [
        at,
        scored.toFixed(2),
        rate === null ? "–" : rate.toFixed(2),
      ]),
    },
  });
};

/** @param {Data} data @param {Innings[]} all */
const drawOvers = ({ view, card }, all) =>
  html`<section class="overs"><h2>${t("chart.overs")}</h2>${all.map(
    (innings) => html`<div><h3 class="section" dir="auto">${titleOf(view, all, innings)}</h3>
    <ol class="over-rows">${overSums(innings).map(({ over }) => {
      const own = innings.rows.filter((row) => row.place.over === over);
      return html`<li><span class="nth small quiet">${over}</span><span class="cells">${own.map((row) => cellLink(row, `/m/${card.match}/ball/${row.delivery}?known=${card.at_seq}`))}</span></li>`;
    })}</ol></div>`,
  )}</section>`;
