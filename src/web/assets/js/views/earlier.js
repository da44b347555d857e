/** The balls of a match in overs, the newest first, each a link to its page. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { rowsOf } from "../rows.js";
import { written } from "../parts/names.js";
import { sheet } from "../parts/sheet.js";
import { cellLink } from "../parts/strip.js";

/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../rows.js").Row} Row */
/** What was read, at which head; `rows` is null until it has come, and where it does not come. @typedef {{head: string, rows: Row[] | null, isAway: boolean}} Found */

/** @type {WeakMap<Followed, Found>} */
const found = new WeakMap();

/** What was read of a match, at its head. What was read last stands until that has come. @param {Followed} match @returns {Found} */
const foundOf = (match) => {
  const head = match.view?.head.hash ?? "";
  const last = found.get(match);
  if (last?.head === head) return last;
  const next = { head, rows: last?.rows ?? null, isAway: false };
  found.set(match, next);
  const come = (/** @type {Partial<Found>} */ told) => {
    Object.assign(next, told);
    redraw();
  };
  void owe(
    rowsOf(match, 1).then(
      (rows) => come({ rows }),
      () => come({ isAway: true, head: "" }),
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

/** An over: its number, its balls, and the score after it. @param {Row[]} balls @param {number} over @param {MatchView} view */
const overRow = (balls, over, view) => {
  const last = balls.at(-1);
  return html`<li class="over-row"><span class="small quiet">${t("earlier.over", { over })} <b class="figures">${last ? `${last.total}/${last.wickets}` : nothing}</b></span>
    <ol>${balls.map((ball) => html`<li>${cellLink(ball, `/m/${view.id}/ball/${ball.delivery}?known=${view.head.seq}`)}</li>`)}</ol></li>`;
};

/** The sheet of all balls. @param {Followed} match @param {{close: () => void}} send */
export const earlierSheet = (match, send) => {
  const { view } = match;
  const { rows, isAway } = foundOf(match);
  const innings = grouped(rows ?? [], ({ innings }) => innings);
  const said = isAway ? "match.away" : !rows ? "match.loading" : rows.length === 0 ? "earlier.none" : null;
  const body = html`${said ? html`<p class="block">${t(said)}</p>` : nothing}${
    view
      ? innings.map(([number, balls]) => {
          const score = view.score.innings.find((one) => one.number === number);
          return html`<h3 class="section" dir="auto">${score ? `${view[score.batting].name} ${written(score)}` : nothing}</h3>
      <ol class="overs">${grouped(balls, ({ place }) => place.over).map(([over, own]) => overRow(own, over, view))}</ol>`;
        })
      : nothing
  }`;
  return sheet({ title: t("earlier"), key: "earlier", body }, send);
};
