/** The card of a match: its innings as tables, its balls, its charts; and what stands beside a pad where there is room. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { owe, redraw } from "../owed.js";
import { after } from "../signal.js";
import { agreed, checkMark, reviewsOf } from "../parts/card.js";
import { endWords } from "../parts/names.js";
import { bar, scorebox, standing } from "../parts/scorebox.js";
import { BESIDE, follow, followed, refresh } from "../following.js";
import { places } from "../parts/tabs.js";
import { totals } from "../parts/totals.js";
import { pagesOf, read, Refused } from "../service.js";
import { ballsOf, cardOf, correctedOf } from "./beside.js";
import { later } from "./later.js";
import { oldScore, recalling, sinceOf } from "./recalling.js";
import { sharing } from "./sharing.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../service.js").Schemas} Schemas */
/** As of which event the card is, and what was known then: as the address says. @typedef {Partial<Record<"at" | "as_known_at", string>>} Past */
/**
 * What a card is drawn from.
 * @typedef {object} Drawn
 * @property {Pick<Followed, "view" | "beside" | "isFresh">} match
 * @property {import("../series.js").Rows | null} rows
 * @property {Schemas["Luck"] | null} luck How the dice fell; null where other things than dice decide.
 * @property {Schemas["ReviewEntry"][]} reviews
 * @property {string} part What is in sight where there is little room: an innings by its number, `charts`, `dice`, `balls`, or `all`.
 */
/**
 * What the page has read beside the match.
 * @typedef {object} ReadBeside
 * @property {Followed} match
 * @property {Past} past
 * @property {number} readTo The event up to which all was read.
 * @property {string | null} wrong Why the card of another time is not there.
 */
/** @typedef {Drawn & ReadBeside} CardPage */

const charts = later(() => whole(import("./charts.js"), { sheet: "charts", words: "charts" }));

const [CARD] = BESIDE;

/** How long the page waits where the service had no room to answer. */
const AGAIN = 3000;

/** @returns {Past} */
const pastOf = () => {
  const query = new URLSearchParams(location.search);
  const given = /** @type {const} */ (["at", "as_known_at"]).flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
};

/** Whether the card is of another time than now. @param {CardPage} page */
const isPast = ({ past }) => Object.keys(past).length > 0;

/** @param {string} id @param {AbortSignal} signal */
export const card = (id, signal) => {
  const match = followed(id, signal);
  const shared = sharing(id, signal);
  const keeps = recalling(match);
  /** @type {CardPage} */
  const page = {
    match,
    past: pastOf(),
    rows: null,
    luck: null,
    reviews: [],
    readTo: 0,
    wrong: null,
    part: "1",
  };
  match.wants = () => (isPast(page) ? [] : [CARD]);
  const reads = () => void owe(readAll(page));
  Object.assign(match, { moved: reads, returned: reads });
  void owe(follow(match));
  return {
    ahead: [keeps, charts.ahead],
    title: () => (match.view ? `${match.view.home.name} v ${match.view.away.name}` : t("match")),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      return html`<div class="card">
        ${isPast(page) ? bar({ title: `${match.view.home.name} v ${match.view.away.name}` }) : scorebox({ match: match.view, ...standing(match, sinceOf(match)) }, { sync: () => void owe(refresh(match)) })}
        ${places(match.id, "card", match.token !== undefined, shared.open)}
        ${partsOf(page)}
        <main>${oldScore(match)}${bannerOf(page)}${isPast(page) ? nothing : whyOf(match.view)}${totalsOf(page)}${inningsOf(page)}${restOf(page)}${markOf(page)}</main>
      </div>${shared.draw()}`;
    },
  };
};

/** Why the match was abandoned, if it was. @param {import("../service.js").MatchView} view */
const whyOf = (view) =>
  view.abandoned_for ? html`<p class="all why strong" dir="auto">${endWords(view)}</p>` : nothing;

/** Reads what the card has beside its tables, once for each event. @param {CardPage} page */
const readAll = async (page) => {
  const { match, past } = page;
  const { id, signal, view } = match;
  const seq = view?.head.seq ?? 0;
  if (page.readTo === seq || (isPast(page) && page.readTo > 0)) return;
  page.readTo = seq;
  const of = { id };
  try {
    if (isPast(page)) match.beside[CARD] = { seq: -1, body: await read(CARD, { of, query: past, signal }) };
    const rows = await rowsAsOf(id, past, signal);
    const reviews = await reviewsAsOf(id, past, signal);
    if (page.readTo !== seq) return; // A later read was begun meanwhile.
    Object.assign(page, { rows, reviews });
    page.wrong = null;
    redraw();
    const luck = isOfDice(page) ? await luckAsOf(id, past, signal) : null;
    if (page.readTo === seq) page.luck = luck;
  } catch (error) {
    if (page.readTo !== seq) return;
    // It is read again with the next event, or once the service is there again.
    page.readTo = 0;
    if (error instanceof Refused && error.isPassing) after(AGAIN, () => void owe(readAll(page)), signal);
    if (error instanceof Refused && isPast(page)) page.wrong = error.problem.detail ?? error.message;
  }
  redraw();
};

/** A read of a match as of another time, in pages; an empty one is of now. @typedef {Record<string, string | number>} AsOf */

/** What is asked for a page. @param {string} id @param {AsOf} past @param {AbortSignal} signal */
const callOf = (id, past, signal) => (/** @type {number} */ from) => ({
  of: { id },
  query: { ...past, after: from },
  signal,
});

/** The deliveries of a match, all of them. @param {string} id @param {AsOf} past @param {AbortSignal} signal @returns {Promise<import("../series.js").Rows>} */
export const rowsAsOf = async (id, past, signal) => {
  const call = callOf(id, past, signal);
  const told = await pagesOf((from) => read("/v1/matches/{id}/deliveries", call(from)));
  const { innings = [], dice_alone = false } = told.at(-1) ?? {};
  return { innings, dice_alone, deliveries: told.flatMap(({ deliveries }) => deliveries) };
};

/** The reviews of a match, all of them. @param {string} id @param {AsOf} past @param {AbortSignal} signal */
export const reviewsAsOf = async (id, past, signal) => {
  const call = callOf(id, past, signal);
  const told = await pagesOf((from) => read("/v1/matches/{id}/reviews", call(from)));
  return told.flatMap(({ reviews }) => reviews);
};

/** How the dice of a match fell, to its last delivery. @param {string} id @param {AsOf} past @param {AbortSignal} signal @returns {Promise<Schemas["Luck"] | null>} */
export const luckAsOf = async (id, past, signal) => {
  const call = callOf(id, past, signal);
  const told = await pagesOf((from) => read("/v1/matches/{id}/luck", call(from)));
  const last = told.at(-1);
  return last ? { ...last, deliveries: told.flatMap(({ deliveries }) => deliveries) } : null;
};

/** @param {Drawn} page @returns {Schemas["Scorecard"] | null} */
const found = ({ match }) => /** @type {Schemas["Scorecard"] | null} */ (match.beside[CARD]?.body ?? null);

/** Whether dice alone decide the match, so that how they fell is told. @param {Drawn} page */
const isOfDice = ({ rows }) => rows !== null && rows.dice_alone && rows.deliveries.length > 0;

/** What leads to the parts of the card where they do not stand beside each other. @param {CardPage} page */
const partsOf = (page) => {
  const { view } = page.match;
  const innings = found(page)?.innings ?? [];
  if (!view || innings.length === 0) return nothing;
  const parts = [
    ...innings.map(({ number, batting }) => ({
      part: String(number),
      words: innings.length > 2 ? `${number} ${view[batting].name}` : view[batting].name,
    })),
    { part: "charts", words: t("card.part.charts") },
    ...(isOfDice(page) ? [{ part: "dice", words: t("card.part.dice") }] : []),
    { part: "balls", words: t("card.part.balls") },
  ];
  const show = (/** @type {string} */ part) => {
    page.part = part;
    redraw();
  };
  return html`<nav class="tabs parts" aria-label=${t("card.parts")}>${parts.map(
    ({ part, words }) =>
      html`<button type="button" class="cut" data-part=${part} aria-pressed=${String(part === page.part)} @click=${() => show(part)} dir="auto">${words}</button>`,
  )}</nav>`;
};

/** A part of the card, which is in sight where it was chosen, or where all are. @param {Drawn} page @param {string} part @param {unknown} body */
const partOf = (page, part, body) => {
  const isShown = [part, "all"].includes(page.part);
  return html`<div class=${isShown ? "part" : "part other"} data-of=${part}>${body}</div>`;
};

/** Says that the card is of another time, with a way to the one of now. @param {CardPage} page */
const bannerOf = ({ match, past, wrong }) => {
  const { at, as_known_at: known } = past;
  if (at === undefined && known === undefined) return nothing;
  const words = [
    ...(at === undefined ? [] : [t("card.at", { at })]),
    ...(known === undefined ? [] : [t("card.known", { known })]),
  ];
  return html`<p class="note banner" data-past><span dir="auto">${wrong ?? words.join(" ")}</span> <a class="link" href=${`/m/${match.id}/card`}>${t("card.now")}</a></p>`;
};

/** The totals of all innings, where there is more than one: as of the card. @param {Drawn} page */
const totalsOf = (page) => {
  const [body, view] = [found(page), page.match.view];
  if (!body || !view || body.innings.length < 2) return nothing;
  const innings = body.innings.map(({ batting, total }) => ({ batting, ...total }));
  return html`<div class="all">${totals({ innings, home: view.home.name, away: view.away.name })}</div>`;
};

/** @param {Drawn} page */
const inningsOf = (page) =>
  cardOf(page.match, { around: (number, body) => partOf(page, String(number), body) });

/** @param {Drawn} page */
const restOf = (page) => {
  const { match, rows, luck, reviews } = page;
  const { view } = match;
  const body = found(page);
  if (!view || !body) return nothing;
  const data = rows && { view, card: body, rows, luck };
  const drawn = (/** @type {"oversOf" | "chartsOf" | "diceOf"} */ what) =>
    data ? charts.draw((script) => script[what](data)) : html`<p class="block">${t("match.loading")}</p>`;
  return html`${partOf(page, "charts", drawn("chartsOf"))}${isOfDice(page) ? partOf(page, "dice", drawn("diceOf")) : nothing}${partOf(page, "balls", drawn("oversOf"))}
    ${reviewsOf({ match: body.match, known: body.at_seq, reviews })}${agreed(body)}${correctedOf(match)}`;
};

/** @param {Drawn} page */
const markOf = (page) => {
  const body = found(page);
  return body ? checkMark(body) : nothing;
};

/** What a whole card tells, as it was read at one event. @typedef {{ view: NonNullable<Followed["view"]>, card: Schemas["Scorecard"], rows: import("../series.js").Rows, luck: Schemas["Luck"] | null, reviews: Schemas["ReviewEntry"][] }} Told */

/** All of a card, each part in sight, and by what it is checked: for who draws it once. @param {Told} told */
export const wholeCard = async ({ view, card: body, rows, luck, reviews }) => {
  await charts.ahead();
  if (luck) await charts.now((script) => script.diceAhead());
  const beside = { [CARD]: { seq: view.head.seq, body } };
  const page = { match: { view, beside, isFresh: true }, rows, luck, reviews, part: "all" };
  return { parts: html`${whyOf(view)}${inningsOf(page)}${restOf(page)}`, mark: markOf(page) };
};

/** The card and the balls beside a pad. @param {Followed} match */
export const asidesOf = (
  match,
) => html`<aside class="aside card" tabindex="0" aria-label=${t("card")}>${cardOf(match, { newestFirst: true })}</aside>
  <aside class="aside" tabindex="0" aria-label=${t("balls")}>${ballsOf(match)}</aside>`;
