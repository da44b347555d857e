/** How the dice fell, where dice alone decide a match: how the chances moved, which throw turned it, whom the dice helped, how often each face fell. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { chanceLines } from "../parts/chances.js";
import { figure } from "../parts/charts.js";
import { die } from "../parts/dice.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../parts/chances.js").Point} Point */
/** The luck of a match, all its deliveries. @typedef {Schemas["Luck"]} Luck */
/** What is drawn: the match, its rows, and how their dice fell. @typedef {{ view: Schemas["MatchView"], rows: import("../series.js").Rows, luck: Luck }} Data */

const SIDES = /** @type {const} */ (["home", "away"]);

/** A chance in words: nothing that play can still change is 0 or 100. @param {number} chance */
const inHundred = (chance) => {
  if (chance < 0.01) return t("luck.under");
  return chance > 0.99 ? t("luck.over") : t("luck.in", { n: Math.round(100 * chance) });
};

/** A swing in words, with its sign. @param {number} swing */
const swingWords = (swing) => {
  const n = Math.round(100 * swing);
  return t("luck.in", { n: n > 0 ? `+${n}` : String(n).replace("-", "−") });
};

/** What was drawn changes only with the answer. @type {WeakMap<Luck, unknown>} */
const drawn = new WeakMap();

/** @param {Data} data */
export const luckOf = (data) => {
  const found = drawn.get(data.luck) ?? draw(data);
  drawn.set(data.luck, found);
  return found;
};

/** @param {Data} data */
const draw = (data) =>
  data.luck.deliveries.length === 0
    ? nothing
    : html`<section class="charts luck"><h2>${t("luck")}</h2>
    ${chancesOf(data)}${turnOf(data)}${helpOf(data)}${facesOf(data)}</section>`;

/** The lines of the chances: before the first ball, and after each. @param {Data} data @returns {{ points: Point[], parts: { name: string, from: number, overs: number }[] }} */
const linesOf = ({ view, rows: { innings, deliveries }, luck }) => {
  let from = 0;
  const parts = innings.map(({ number, batting }) => {
    const balls = deliveries.filter((row) => row.innings === number).at(-1)?.balls ?? 0;
    const part = { name: view[batting].name, from, overs: Math.ceil(balls / 6), number, batting };
    from += part.overs;
    return part;
  });
  const told = new Map(luck.deliveries.map((delivery) => [delivery.delivery, delivery.after]));
  const { home, away } = luck.start;
  /** @type {Point[]} */
  const points = [
    { over: 0, home: 100 * home, away: 100 * away, batting: parts[0]?.batting ?? "home", mark: null },
  ];
  for (const { delivery, innings: number, balls, wicket, boundary } of deliveries) {
    const [part, after] = [parts.find((own) => own.number === number), told.get(delivery)];
    if (!part || !after) continue;
    const mark = wicket ? "wicket" : boundary === 6 ? "six" : null;
    points.push({
      over: part.from + balls / 6,
      home: 100 * after.home,
      away: 100 * after.away,
      batting: part.batting,
      mark,
    });
  }
  return { points, parts };
};

/** A chance of 100, to a tenth: nothing that play can still change is 0 or 100. @param {number} chance @param {boolean} isOver */
const tenths = (chance, isOver) => {
  if (!isOver && chance < 0.001) return "<0.1";
  return !isOver && chance > 0.999 ? ">99.9" : (100 * chance).toFixed(1);
};

/** @param {Data} data */
const chancesOf = (data) => {
  const { view, rows, luck } = data;
  const isLast = (/** @type {number} */ place) => luck.result != null && place === luck.deliveries.length - 1;
  const { points, parts } = linesOf(data);
  const names = { home: view.home.name, away: view.away.name };
  const answer = chanceWords(data);
  const places = new Map(rows.deliveries.map((row) => [row.delivery, row]));
  return figure({
    id: "chances",
    title: t("luck.chances"),
    answer,
    drawing: html`${chanceLines({ label: `${t("luck.chances")} ${answer}`, points, parts, names })}
    <p class="legend small">${["wicket", "six"].map((kind) => html`<span><i class=${`sign ${kind}`}></i>${t(`luck.${kind}`)}</span>`)}</p>`,
    note: t("luck.chances.note"),
    table: {
      head: [t("luck.ball"), t("luck.fell"), names.home, names.away, t("luck.tie")],
      rows: luck.deliveries.map(({ delivery, place, after }, at) => [
        `${place.innings}: ${place.text}`,
        places.get(delivery)?.cell ?? "",
        ...[after.home, after.away, after.tie].map((chance) => tenths(chance, isLast(at))),
      ]),
    },
  });
};

/** How the chances stand; at an end from how little the winner came. @param {Data} data */
const chanceWords = ({ view, luck }) => {
  const winner = luck.result?.winner;
  if (winner) {
    const all = [luck.start, ...luck.deliveries.map(({ after }) => after)];
    const least = Math.min(...all.map((chances) => chances[winner]));
    return t("luck.won", { side: view[winner].name, chance: inHundred(least) });
  }
  const { home, away, tie } = luck.deliveries.at(-1)?.after ?? luck.start;
  const values = {
    home: view.home.name,
    away: view.away.name,
    one: inHundred(home),
    other: inHundred(away),
    tie: inHundred(tie),
  };
  if (luck.status === "abandoned") return t("luck.abandoned", values);
  return luck.result ? t("luck.tied") : t("luck.now", values);
};

/** @param {Data} data */
const turnOf = ({ view, luck: { match, at_seq: known, result, turn } }) => {
  const winner = result?.winner;
  if (!winner) return nothing;
  const words = turn
    ? html`<p class="turn">${die(turn.thrown)} <span dir="auto">${t("luck.turn.words", { value: turn.thrown.value, die: turn.thrown.for, n: Math.round(100 * turn.swing), side: view[winner].name })}</span></p>
      <p><a class="link" href=${`/m/${match}/ball/${turn.delivery}?known=${known}`}>${t("luck.turn.ball", { at: turn.place.text, side: view[turn.batting].name })}</a></p>`
    : html`<p>${t("luck.turn.none")}</p>`;
  return html`<div class="chart" id="turn"><h3>${t("luck.turn")}</h3>${words}</div>`;
};

/** A share of simulated matches in words. @param {number} share */
const moreThan = (share) => {
  const [ten, hundred] = [Math.floor(10 * share), Math.floor(100 * share)];
  if (hundred > 98) return t("luck.most");
  if (hundred < 1) return t("luck.least");
  return ten > 0 ? t("luck.more", { n: ten, of: 10 }) : t("luck.more", { n: hundred, of: 100 });
};

/** @param {Data} data */
const helpOf = ({ view, luck: { by_thrower: thrown, deliveries } }) => {
  const agreed = deliveries.filter((delivery) => delivery.agreed).length;
  return html`<div class="chart" id="help"><h3>${t("luck.help")}</h3><p class="small quiet">${t("luck.help.what")}</p>
    <table class="table"><thead><tr><th scope="col">${t("luck.dice")}</th><th scope="col">${t("luck.swing")}</th></tr></thead>
    <tbody>${SIDES.flatMap((side) =>
      /** @type {const} */ (["batting", "bowling"]).map((kind) => {
        const { sum, more_than: share } = thrown[side][kind];
        const how = share === null || share === undefined ? nothing : moreThan(share);
        return html`<tr><th scope="row"><span dir="auto">${t(`luck.${kind}`, { side: view[side].name })}</span><span class="how">${how}</span></th><td>${swingWords(sum)}</td></tr>`;
      }),
    )}</tbody></table>
    ${agreed > 0 ? html`<p class="small quiet">${counted("luck.agreed", agreed)}</p>` : nothing}</div>`;
};

/** @param {Data} data */
const facesOf = ({ view, luck: { faces } }) => {
  const cell = (/** @type {Schemas["FaceSeen"] | undefined} */ found) => {
    const range = found?.high ? html` <span class="small quiet">${found.low}–${found.high}</span>` : nothing;
    return html`<td>${found?.seen ?? 0}${range}</td>`;
  };
  return html`<div class="chart" id="faces"><h3>${t("luck.faces")}</h3>
    <table class="table"><thead><tr><th scope="col">${t("luck.face")}</th>${SIDES.map((side) => html`<th scope="col" dir="auto">${view[side].name}</th>`)}</tr></thead>
    <tbody>${faces.home.map((found, place) => html`<tr><th scope="row">${die({ value: found.face, sides: faces.home.length })}</th>${cell(found)}${cell(faces.away[place])}</tr>`)}</tbody></table>
    ${faces.p === null || faces.p === undefined ? nothing : html`<p>${t("luck.p", { n: shareWords(faces.p) })} ${t("luck.range")}</p>`}
    <p class="small quiet">${view.dice === "table" ? `${t("luck.typed")} ` : ""}${t("luck.few")}</p></div>`;
};

/** A share of 10,000 matches, of 100. @param {number} share */
const shareWords = (share) => {
  const n = Math.round(100 * share);
  return n < 1 ? t("luck.p.under") : t("luck.p.of", { n });
};
