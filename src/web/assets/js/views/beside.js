/** What stands beside a pad or on a page of its own: the card of a match, and its balls in words. It reads; it changes nothing. */
import { read } from "../service.js";
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { inningsCard } from "../parts/card.js";
import { timeOf, withShortNames, written } from "../parts/names.js";
import { cellAlone, placeWords } from "../parts/strip.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../following.js").Followed} Followed */

const CARD = "/v1/matches/{id}/scorecard";
const BALLS = "/v1/matches/{id}/commentary";
/** What a page reads beside the match that shows both. @type {import("../following.js").Below[]} */
export const BESIDE = [CARD, BALLS];
/** What the page of the card reads. @type {import("../following.js").Below[]} */
export const OF_CARD = [CARD];

/** What the score box of a page that only reads says of the connection: nothing while there is one. @param {Followed} match @returns {{stale?: boolean, sync?: import("../parts/scorebox.js").Sync}} */
export const lostOf = ({ isFresh, since }) =>
  isFresh ? {} : { stale: true, sync: { state: "lost", since: timeOf(since) } };

/** What was drawn of an answer changes only with the answer. @type {WeakMap<object, unknown[]>} */
const drawn = new WeakMap();
/** @param {object} answer @param {() => unknown[]} draw */
const once = (answer, draw) => {
  const found = drawn.get(answer) ?? draw();
  drawn.set(answer, found);
  return found;
};

/** The innings of the card. @param {Followed} match @param {{newestFirst?: boolean}} [how] */
export const cardOf = ({ view, beside, isFresh }, { newestFirst = false } = {}) => {
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
        innings,
        batting: names[innings.batting],
        bowling: names[innings.batting === "home" ? "away" : "home"],
        lasts: innings.number === found.situation?.innings,
      }),
    ),
  );
  return [away, newestFirst ? [...cards].reverse() : cards];
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
      ({ place, cell = "", boundary, wicket, text, score }) =>
        html`<li class="row"><span class="at small quiet">${place ? placeWords(place) : nothing}</span>${cellAlone({ cell: cell ?? "", boundary, wicket })}
          <span class="words" dir="auto">${ordered(withShortNames(view, text.replace(/; \d+\/\d+/, "")))}</span><span class="small quiet">${score ? written(score) : nothing}</span></li>`,
    )}</ol>`;
};

/** A ball that was recorded: its words and its dice. @param {Followed} match @param {{delivery: number, seq: number}} ball */
export const ballOf = async ({ id, signal }, { delivery, seq }) => {
  const [commentary, event] = await Promise.all([
    read(BALLS, { of: { id }, query: { after: seq - 1, limit: 1 }, signal }),
    read("/v1/matches/{id}/events/{seq}", { of: { id, seq }, signal }),
  ]);
  const line = commentary.lines.find((one) => one.delivery === delivery && one.seq === seq);
  const dice = event.kind === "ball" ? event.data.dice : [];
  return { text: ordered(line?.text ?? ""), dice: dice.map(({ value, sides }) => ({ value, sides })) };
};
