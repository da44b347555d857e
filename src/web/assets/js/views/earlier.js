/** The balls of a match in overs, the newest first, each a link to its page. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { rowsOf } from "../rows.js";
import { after } from "../signal.js";
import { written } from "../parts/names.js";
import { sheet } from "../parts/sheet.js";
import { cellLink } from "../parts/strip.js";

/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../rows.js").Row} Row */
/** What was read, for which head; `known` is its event. `rows` is null until it has come. `again`: it did not come, and is asked for anew. @typedef {{head: string, known: number, rows: Row[] | null, isAway: boolean, again: boolean}} Found */

/** How soon what did not come is asked for again. */
const AGAIN = 3000;

/** @type {WeakMap<Followed, Found>} */
const found = new WeakMap();

/** What was read of a match, at its head. What was read last stands until that has come. @param {Followed} match @returns {Found} */
const foundOf = (match) => {
  const { hash = "", seq = 0 } = match.view?.head ?? {};
  const last = found.get(match);
  if (last?.head === hash && !last.again) return last;
  const before = last ?? { known: 0, rows: null, isAway: false };
  const next = { ...before, head: hash, again: false };
  found.set(match, next);
  const come = (/** @type {Partial<Found>} */ told) => {
    Object.assign(next, told);
    redraw();
  };
  void owe(
    rowsOf(match, 1).then(
      (rows) => come({ rows, known: seq, isAway: false }),
      () => {
        come({ isAway: true });
        after(AGAIN, () => come({ again: true }), match.signal);
      },
    ),
  );
  return next;
};

/** Rows by a number of theirs, the highest first. @param {Row[]} rows @param {(row: Row) => number} number */
const grouped = (rows, number) => {
  /** @type {Map<number, Row[]>} */
  const groups = new Map();
  for (const row of rows) groups.set(number(row), [...(groups.get(number(row)) ?? []), row]);
  return [...groups].reverse();
};

/** An over: its number, its balls, and the score after it. @param {Row[]} balls @param {number} over @param {MatchView} view @param {number} known */
const overRow = (balls, over, view, known) => {
  const last = balls.at(-1);
  return html`<li class="over-row"><span class="small quiet">${t("earlier.over", { over })} <b class="figures">${last ? `${last.total}/${last.wickets}` : nothing}</b></span>
    <ol>${balls.map((ball) => html`<li>${cellLink(ball, `/m/${view.id}/ball/${ball.delivery}?known=${known}`)}</li>`)}</ol></li>`;
};

/** The sheet of all balls. @param {Followed} match @param {{close: () => void}} send */
export const earlierSheet = (match, send) => {
  const { view } = match;
  const { rows, isAway, known } = foundOf(match);
  const innings = grouped(rows ?? [], ({ innings }) => innings);
  const said = isAway ? "match.away" : !rows ? "match.loading" : rows.length === 0 ? "earlier.none" : null;
  const body = html`${said ? html`<p class="block">${t(said)}</p>` : nothing}${
    view
      ? innings.map(([number, balls]) => {
          const score = view.score.innings.find((one) => one.number === number);
          return html`<h3 class="section" dir="auto">${score ? `${view[score.batting].name} ${written(score)}` : nothing}</h3>
      <ol class="overs">${grouped(balls, ({ place }) => place.over).map(([over, own]) => overRow(own, over, view, known))}</ol>`;
        })
      : nothing
  }`;
  return sheet({ title: t("earlier"), key: "earlier", body }, send);
};
