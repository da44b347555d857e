/** Home's lists: the matches of each status, what stands beside them, and what the address asks for. */
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { whole } from "../loading.js";
import {
  doneRow,
  goneRow,
  listFoot,
  playRow,
  section,
  showMe,
  waitRow,
  watchAddress,
} from "../parts/matches.js";
import { later } from "./later.js";
import { addressOf } from "./listing.js";

/** @typedef {import("./home.js").Home} Home */
/** @typedef {import("./home.js").Wishes} Wishes */
/** @typedef {import("./listing.js").Asked} Asked */
/** @typedef {import("../parts/matches.js").Listed} Listed */

/** What finds a match, and what is said of what an address asks for. */
export const finding = later(() => whole(import("./finding.js"), { words: "finding" }));
/** The addresses at which this machine alone finds the service. */
const LOOPBACK = /^(localhost|127\.|\[::1\])/u;

/** Whether a match may be made here: a key that the table refuses is none. @param {Home} state */
export const offers = ({ mayCreate, table }) => mayCreate && !table?.isOutdated;

/** The signs that turn round what stands after them. A name of an earlier version may have some. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A match whose names turn no figure round. @param {Listed} match @returns {Listed} */
const readable = (match) => {
  const [home, away, line] = [match.home, match.away, match.line].map((text) => text.replace(TURNS, ""));
  return { ...match, home: home ?? "", away: away ?? "", line: ordered(line ?? "") };
};

/** What draws the matches of a status, in an order that no ball changes; while none has ended one's own stand before the others. @param {Home} state @param {Map<string, Listed>} matches @param {Wishes} send */
const rowsIn = (state, matches, send) => {
  const { asked, own, hidden, hiding, games, isAway } = state;
  // The last batter has no partner.
  const allOut = new Map(games.map(({ id, players }) => [id, players - 1]));
  const row = (/** @type {Listed} */ match) => ({
    match: readable(match),
    href: `/m/${match.id}`,
    own: own.has(match.id),
    allOut: allOut.get(match.game),
    hidden: hidden.has(match.id),
    stale: isAway,
    hide: hiding ? () => send.hide(match.id) : undefined,
    share: match.status === "in_play" ? () => send.share(match.id) : undefined,
  });
  const rank = (/** @type {Listed} */ { id }) => (own.has(id) ? 0 : 1);
  return (/** @type {string} */ status) => {
    const found = [...matches.values()].filter(
      (match) => match.status === status && (hiding || asked || !hidden.has(match.id)),
    );
    const isOver = status === "completed" || status === "abandoned";
    return found
      .sort((one, other) =>
        isOver
          ? other.last_at.localeCompare(one.last_at)
          : rank(one) - rank(other) || other.created_at.localeCompare(one.created_at),
      )
      .map(row);
  };
};

/** The sections from which a match is looked for: the first of them that there is. */
const FINDS = ["completed", "abandoned", "created", "in_play"];

/** The matches in their sections: in play, waiting, finished, abandoned. @param {Home} state @param {Map<string, Listed>} matches @param {Wishes} send */
const sections = (state, matches, send) => {
  const rows = rowsIn(state, matches, send);
  const finds = state.asked ? undefined : FINDS.find((status) => rows(status).length > 0);
  const of = (/** @type {string} */ status, /** @type {string} */ title, draw = doneRow) => {
    const cursor = state.listing?.more[status];
    const more = cursor === undefined ? undefined : addressOf({ status: [status], cursor: [cursor] });
    const find = status !== finds || state.isFinding ? undefined : send.find;
    const fields = status === finds && state.isFinding ? fieldsIn(state, matches) : undefined;
    return section(title, rows(status), draw, { more, find, fields });
  };
  const playing = of("in_play", t("home.in_play"), playRow);
  const rest = [
    of("created", t("home.waiting"), waitRow),
    of("completed", t("home.finished")),
    of("abandoned", t("home.abandoned"), goneRow),
  ];
  const isBoth = playing !== nothing && rest.some((one) => one !== nothing);
  return html`<div class=${isBoth ? "sections both" : "sections"}><div>${playing}</div><div>${rest}</div></div>`;
};

/** The fields in which a match is looked for. @param {Home} state @param {Map<string, Listed>} matches */
const fieldsIn = ({ draft, games }, matches) =>
  finding.draw(({ findForm }) => {
    const names = new Set([...matches.values()].flatMap(({ home, away }) => [home, away]));
    return findForm({ draft, games, names: [...names].sort() });
  });

/** What begins a match. @param {Home} state @param {Wishes} send */
const begin = (state, send) => html`<div class="begin">
    ${state.table?.isOutdated ? nothing : html`<div class="start"><a class="button" href="/new" data-action="new">${t("home.new")}</a></div>`}
    ${offers(state) ? showMe({ busy: state.busy }, send) : nothing}</div>`;

/** How the matches come to other screens. @param {Home} state @param {unknown} table */
const around = (state, table) => {
  const { origin, hostname } = location;
  const base = state.table?.link?.replace(/\/$/u, "") ?? (LOOPBACK.test(hostname) ? null : origin);
  return html`<aside>${base ? watchAddress(base) : nothing}${table}</aside>`;
};

/** @param {Home} state @param {Map<string, Listed>} matches @param {Wishes} send @param {unknown} table */
export const lists = (state, matches, send, table) => html`<main class="with-side">${begin(state, send)}
    <div class="lists">${sections(state, matches, send)}${listFoot({ hiding: state.hiding }, send)}</div>${around(state, table)}</main>`;

/** What the address asks for. @param {Home} state @param {Asked} asked @param {Map<string, Listed>} matches @param {Wishes} send @param {unknown} table */
export const found = (
  state,
  asked,
  matches,
  send,
  table,
) => html`<main class="with-side found">${begin(state, send)}
    <div class="lists">${fieldsIn(state, matches)}${sections(state, matches, send)}
      ${finding.draw(
        ({ pageFoot }) => pageFoot({ asked, next: state.next, isEmpty: matches.size === 0 }),
        () => nothing,
      )}</div>${around(state, table)}</main>`;
