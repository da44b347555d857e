/** Home: the matches of this service, a new one, and one that plays itself. */
import { about, now, read, Refused } from "../service.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, asHeader, keepAdminKey, keys, mayCreate, takeFragment } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { whole } from "../loading.js";
import { keepSetting, setting } from "../settings.js";
import { after, listen } from "../signal.js";
import { doneRow, listFoot, playRow, section, showMe, waitRow } from "../parts/matches.js";
import { bar } from "../parts/scorebox.js";
import { go } from "./go.js";
import { later } from "./later.js";
import { recall, recalled } from "./recalling.js";
import { shares, sharing } from "./sharing.js";
import { trial } from "./scripts.js";

/** What there is to see before the first match. */
const first = later(() => whole(import("./first.js"), { sheet: "first", words: "first" }));

/** How often the list is read anew, as no stream tells of all matches. */
const AGAIN = 10_000;
/** The form of an id: a link that was cut has none. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** The most matches of a page of the API. */
const MOST = 100;

/** @typedef {import("../parts/matches.js").Listed} Listed */
/**
 * @typedef {object} Home
 * @property {Map<string, Listed> | null} matches All that were read, by their ids.
 * @property {string | null} cursor Where the matches begin that were not read.
 * @property {boolean} isOlder Whether more was read than the first page.
 * @property {import("../service.js").Schemas["GameEntry"][]} games
 * @property {Set<string>} own The matches that this browser scores.
 * @property {Set<string>} hidden
 * @property {boolean} hiding Whether matches are being hidden.
 * @property {import("./table.js").AtTable | null} table How others come to this table, for who holds its key.
 * @property {import("./sharing.js").Sharing | null} sharing What is shared of the match whose row was tapped last.
 * @property {boolean} mayCreate
 * @property {boolean} isAway
 * @property {Date} since When the service has told them last.
 * @property {boolean} busy
 * @property {string | null} said
 */
/** @typedef {ReturnType<typeof wishes>} Wishes */

/** @param {string} _id @param {AbortSignal} signal */
export const home = (_id, signal) => {
  /** @type {Home} */
  const state = {
    matches: null,
    cursor: null,
    isOlder: false,
    games: [],
    own: new Set(),
    hidden: new Set(),
    hiding: false,
    mayCreate: false,
    table: null,
    sharing: null,
    isAway: false,
    since: now(),
    busy: false,
    said: null,
  };
  const { key } = takeFragment();
  void owe((key ? takeKey(state, key, signal) : Promise.resolve()).then(() => refresh(state, signal)));
  listen(
    document,
    "visibilitychange",
    () => document.visibilityState === "visible" && void owe(refresh(state, signal)),
    signal,
  );
  const send = wishes(state, signal);
  return {
    title: () => t("home.title"),
    render: () => draw(state, send, () => tableIn(state, signal)),
    ahead: [() => recalled(({ keepHome }) => keepHome(state))],
  };
};

/**
 * Keeps the key that the address has brought. One that the service refuses, as that of a link that was cut, leaves the
 * key that this browser has.
 * @param {Home} state @param {string} key @param {AbortSignal} signal
 */
const takeKey = async (state, key, signal) => {
  const isRefused = () =>
    read("/v1/about", { signal, token: asHeader(key) }).then(
      () => false,
      (error) => error instanceof Refused && error.isOfToken,
    );
  if ((await adminKey()) !== undefined && (await isRefused())) state.said = t("home.key");
  else await keepAdminKey(key);
};

/** @param {Home} state @param {AbortSignal} signal */
const refresh = async (state, signal) => {
  try {
    const [{ games }, own, may] = await Promise.all([read("/v1/games", { signal }), keys(), mayCreate()]);
    void owe(endTrial(signal));
    const ids = own.filter(({ trial, match }) => !trial && ID.test(match)).map(({ match }) => match);
    state.own = new Set(own.flatMap(({ scorer, match }) => (scorer ? [match] : [])));
    await readList(state, ids.sort().slice(-MOST), signal);
    const hidden = new Set((await setting("hidden")) ?? []);
    Object.assign(state, { games, hidden, mayCreate: may, isAway: false, since: now() });
    recall.now(({ keepHome }) => keepHome(state));
    if (!state.table && (await adminKey())) void owe(findTable(state, signal));
  } catch {
    if (signal.aborted) return;
    state.isAway = true;
    if (!state.matches) Object.assign(state, await recalled(({ homeOf }) => homeOf()));
  }
  after(AGAIN, () => document.visibilityState === "visible" && void owe(refresh(state, signal)), signal);
  redraw();
};

/** Looks whether the service is a table. @param {Home} state @param {AbortSignal} signal */
const findTable = async (state, signal) => {
  if (!(await about()).table) return;
  const module = await shares.ahead().catch(() => null);
  state.table ??= module && module.tableOf(signal);
  redraw();
};

/** @param {Home} state @param {AbortSignal} signal */
const tableIn = ({ table }, signal) =>
  table ? shares.draw((module) => module.tablePanel(table, signal)) : nothing;

/** Ends the trial that nobody watches any more. A script that does not come is asked for with the next reading. @param {AbortSignal} signal */
const endTrial = async (signal) => {
  if (await setting("trial")) await (await trial().catch(() => null))?.endLeft(signal);
};

/** Reads the matches that changed last; where there are more, also those in play and one's own. @param {Home} state @param {string[]} own @param {AbortSignal} signal */
const readList = async (state, own, signal) => {
  const page = (/** @type {Record<string, string | number | string[]>} */ query) =>
    read("/v1/matches", { query: { order: "changed", ...query }, signal });
  const last = await page({ limit: 50 });
  const others = last.next_cursor === null ? [] : [page({ status: "in_play", limit: MOST })];
  if (last.next_cursor !== null && own.length > 0) others.push(page({ id: own, limit: MOST }));
  const found = new Map([last, ...(await Promise.all(others))].flatMap(byId));
  // A match that no answer has as in play any more has ended, behind those that changed since.
  const before = [...(state.matches ?? [])].filter(([, { status }]) => status !== "in_play");
  state.matches = new Map([...before, ...found]);
  if (!state.isOlder) state.cursor = last.next_cursor ?? null;
};

/** @param {{ matches: Listed[] }} page @returns {[string, Listed][]} */
const byId = ({ matches }) => matches.map((match) => [match.id, match]);

/** What a person can do. @param {Home} state @param {AbortSignal} signal */
const wishes = (state, signal) => {
  const tried = (/** @type {() => Promise<void>} */ act) => async () => {
    Object.assign(state, { busy: true, said: null });
    redraw();
    try {
      await act();
      state.busy = false;
    } catch (error) {
      Object.assign(state, { busy: false, said: error instanceof Error ? error.message : String(error) });
    }
    redraw();
  };
  const show = tried(async () => go(`/m/${await (await trial()).begin(signal)}/board`));
  const more = tried(async () => {
    const query = { order: "changed", limit: 50, cursor: state.cursor ?? "" };
    const page = await read("/v1/matches", { query, signal });
    // What was read since stands on an earlier page by now.
    state.matches = new Map([...byId(page), ...(state.matches ?? [])]);
    Object.assign(state, { cursor: page.next_cursor ?? null, isOlder: true });
  });
  return {
    show: () => void owe(show()),
    more: () => void owe(more()),
    hiding: () => {
      state.hiding = !state.hiding;
      redraw();
    },
    share: (/** @type {string} */ id) => {
      state.sharing = sharing(id, signal);
      state.sharing.open();
    },
    hide: (/** @type {string} */ id) => {
      if (!state.hidden.delete(id)) state.hidden.add(id);
      redraw();
      void owe(keepSetting("hidden", [...state.hidden]));
    },
  };
};

/** @param {Home} state @param {Wishes} send @param {() => unknown} table Draws how others come to this table. */
const draw = (state, send, table) => {
  const { matches } = state;
  return html`<div class="home">${bar({ title: t("home.title"), own: true, links: [{ href: "/docs/", words: t("api") }] })}
    ${state.isAway ? away(state) : nothing}
    ${state.said ? html`<p class="block" role="alert"><span class="label" dir="auto">${state.said}</span></p>` : nothing}
    ${matches === null ? html`<main><p class="block">${state.isAway ? nothing : t("match.loading")}</p></main>` : matches.size === 0 ? empty(state, send, table()) : lists(state, matches, send, table())}
    ${state.sharing?.draw() ?? nothing}
  </div>`;
};

/** Whether a match may be made here: a key that the table refuses is none. @param {Home} state */
const offers = ({ mayCreate, table }) => mayCreate && !table?.isOutdated;

/** @param {Home} state */
const away = ({ matches, since }) =>
  recall.draw(
    ({ oldList }) => oldList(matches && since),
    () => html`<p class="block"><span class="label">${t("match.away")}</span></p>`,
  );

/** @param {Home} state @param {Wishes} send @param {unknown} table */
const empty = (state, send, table) => {
  const games = state.games.map(({ id, title, summary }) => ({
    id,
    title,
    text: summary,
    href: `/new?game=${id}`,
  }));
  return html`<main>${first.draw(({ noMatch }) => noMatch({ games, offer: offers(state), busy: state.busy }, send))}${table}</main>`;
};

/** The matches with these statuses, the last changed first; while none has ended one's own stand before the others. @param {Home} state @param {Map<string, Listed>} matches @param {string[]} statuses @param {boolean} ownFirst */
const listed = ({ own, hidden, hiding }, matches, statuses, ownFirst) => {
  const rank = (/** @type {Listed} */ { id }) => (ownFirst && own.has(id) ? 0 : 1);
  return [...matches.values()]
    .filter(({ id, status }) => statuses.includes(status) && (hiding || !hidden.has(id)))
    .sort((one, other) => rank(one) - rank(other) || other.last_at.localeCompare(one.last_at));
};

/** @param {Home} state @param {Map<string, Listed>} matches @param {Wishes} send @param {unknown} table */
const lists = (state, matches, send, table) => {
  // The last batter has no partner.
  const allOut = new Map(state.games.map(({ id, players }) => [id, players - 1]));
  const row = (/** @type {Listed} */ match) => ({
    match,
    href: `/m/${match.id}`,
    own: state.own.has(match.id),
    allOut: allOut.get(match.game),
    hidden: state.hidden.has(match.id),
    stale: state.isAway,
    hide: state.hiding ? () => send.hide(match.id) : undefined,
  });
  const of = (/** @type {string[]} */ statuses, ownFirst = true) =>
    listed(state, matches, statuses, ownFirst).map(row);
  return html`<main class="with-side"><aside>
      ${state.table?.isOutdated ? nothing : html`<div class="start"><a class="button" href="/new" data-action="new">${t("home.new")}</a></div>`}
      ${offers(state) ? showMe({ busy: state.busy }, send) : nothing}${table}</aside>
    <div class="lists">
      ${section(
        t("home.in_play"),
        of(["in_play"]).map((row) => playRow({ ...row, share: () => send.share(row.match.id) })),
      )}
      ${section(t("home.waiting"), of(["created"]).map(waitRow))}
      ${section(t("home.finished"), of(["completed", "abandoned"], false).map(doneRow))}
      ${listFoot({ more: state.cursor !== null, hiding: state.hiding }, send)}
    </div></main>`;
};
