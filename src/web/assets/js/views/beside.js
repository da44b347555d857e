/** What stands beside a pad or on a page of its own: the card of a match, and its balls in words. It changes nothing. */
import { BESIDE } from "../following.js";
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { corrections, inningsCard } from "../parts/card.js";
import { withShortNames, written } from "../parts/names.js";
import { cellAlone, placeWords } from "../parts/strip.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../following.js").Followed} Followed */

const [CARD, BALLS] = BESIDE;

/** What was drawn of an answer changes only with the answer. @type {WeakMap<object, unknown[]>} */
const drawn = new WeakMap();
/** @param {object} answer @param {() => unknown[]} draw */
export const once = (answer, draw) => {
  const found = drawn.get(answer) ?? draw();
  drawn.set(answer, found);
  return found;
};

/** The innings of the card; `around`: what stands around each. @param {Pick<Followed, "view" | "beside" | "isFresh">} match @param {{newestFirst?: boolean, around?: (innings: number, card: unknown) => unknown}} [how] */
export const cardOf = (
  { view, beside, isFresh },
  { newestFirst = false, around = (_, card) => card } = {},
) => {
  if (!view) return nothing;
  const { seq, body } = beside[CARD] ?? {};
  const found = /** @type {Schemas["Scorecard"] | null} */ (body ?? null);
  const isOld = seq === 0 || (!isFresh && seq !== view.head.seq);
  const away = isOld ? html`<p class="quiet">${t("match.away")}</p>` : nothing;
  if (!found) return away;
  const names = { home: view.home.name, away: view.away.name };
  if (found.innings.length === 0) return html`<p class="quiet">${t("card.none")}</p>`;
  const cards = once(found, () =>
    found.innings.map((innings) =>
      inningsCard({
        match: found.match,
        known: found.at_seq,
        innings,
        batting: names[innings.batting],
        bowling: names[innings.batting === "home" ? "away" : "home"],
        lasts: innings.number === found.situation?.innings,
        keeper: found.innings.find(({ bowling }) => bowling === innings.batting)?.keepers?.[0]?.player,
      }),
    ),
  );
  const all = cards.map((card, place) => around(place + 1, card));
  return [away, newestFirst ? all.reverse() : all];
};

/** The corrections that the card tells of. @param {Pick<Followed, "view" | "beside">} match */
export const correctedOf = ({ view, beside }) => {
  const card = /** @type {Schemas["Scorecard"] | null} */ (beside[CARD]?.body ?? null);
  return view && card ? corrections({ view, card }) : nothing;
};

/** The balls of the innings, the newest first: each as a cell, in words, and the score after it. @param {Followed} match */
export const ballsOf = ({ view, beside }) => {
  const commentary = /** @type {Schemas["Commentary"] | null} */ (beside[BALLS]?.body ?? null);
  return html`<h2>${t("balls")}</h2>${view && commentary ? once(commentary, () => [ballList(view, commentary)]) : nothing}`;
};

/** @param {NonNullable<Followed["view"]>} view @param {Schemas["Commentary"]} commentary */
const ballList = (view, commentary) => {
  const lines = commentary.lines.filter(({ cell, void: isVoid }) => cell && !isVoid);
  const innings = lines.at(-1)?.innings;
  return html`<ol class="balls">${lines
    .filter((line) => line.innings === innings)
    .reverse()
    .map(
      ({ delivery, place, cell = "", boundary, wicket, text, score }) =>
        html`<li class="row"><a class="at small link" href=${`/m/${commentary.match}/ball/${delivery}?known=${commentary.at_seq}`}>${place ? placeWords(place) : nothing}</a>${cellAlone({ cell: cell ?? "", boundary, wicket })}
          <span class="words" dir="auto">${ordered(withShortNames(view, text.replace(/; \d+\/\d+/, "")))}</span><span class="small quiet">${score ? written(score) : nothing}</span></li>`,
    )}</ol>`;
};
