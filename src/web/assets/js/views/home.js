/** Home: the matches of this service, a new one, and one that plays itself. */
import { about, now, read, Refused } from "../service.js";
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { adminKey, asHeader, keepAdminKey, keys, mayCreate, takeFragment } from "../keys.js";
import { focusSoon, owe, redraw } from "../owed.js";
import { whole } from "../loading.js";
import { keepSetting, setting } from "../settings.js";
import { listen } from "../signal.js";
import { bar } from "../parts/scorebox.js";
import { go } from "./go.js";
import { finding, found, lists, offers } from "./home_lists.js";
import { later } from "./later.js";
import { among, askedOf, draftOf, readAgain, readAsked } from "./listing.js";
import { recall, recalled } from "./recalling.js";
import { shares, sharing } from "./sharing.js";
import { trial } from "./scripts.js";

/** What there is to see before the first match. */
const first = later(() => whole(import("./first.js"), { sheet: "first", words: "first" }));
/** How often the list is read anew while it is seen, as no stream tells of all matches. */
const AGAIN = 5000;
/** The form of an id: a link that was cut has none. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** How many of one's own matches are asked for, the last ones. */
const MOST = 100;

/** @typedef {import("../parts/matches.js").Listed} Listed */
/** @typedef {import("./listing.js").Asked} Asked */
/**
 * @typedef {object} Home
 * @property {Asked | null} asked What the address asks the list for; null where it asks for nothing.
 * @property {string[]} unknown What it asks for that the list does not have.
 * @property {Refused | null} refused Why the service does not answer what is asked.
 * @property {import("./listing.js").Listing | null} listing What was read of the list, where nothing is asked for.
 * @property {Map<string, Listed> | null} matches All that are shown, by their ids.
 * @property {string | null} next Where the next page of what is asked for begins.
 * @property {import("./listing.js").Draft} draft What is to be found.
 * @property {boolean} isFinding Whether its fields are open.
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
  const { asked, unknown } = askedOf(location.search);
  /** @type {Home} */
  const state = {
    asked,
    unknown,
    refused: null,
    listing: null,
    matches: null,
    next: null,
    draft: draftOf(asked),
    isFinding: asked !== null,
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
  const look = keepsReading(() => refresh(state, signal), signal);
  void owe((key ? takeKey(state, key, signal) : Promise.resolve()).then(look));
  const send = wishes(state, signal);
  return {
    title: () => t(state.asked ? "home.found" : "home.title"),
    render: () => draw(state, send, () => tableIn(state, signal)),
    spoken: () => (state.asked && state.matches ? counted("home.count", state.matches.size) : null),
    ahead: [() => recalled(({ keepHome }) => keepHome(state))],
  };
};

/** Reads every few seconds while the page is seen, and at once when it is seen again. @param {() => Promise<boolean>} turn Says whether to go on. @param {AbortSignal} signal */
const keepsReading = (turn, signal) => {
  let timer = 0;
  let isReading = false;
  const look = async () => {
    clearTimeout(timer);
    if (isReading || signal.aborted || document.visibilityState !== "visible") return;
    isReading = true;
    const goesOn = await owe(turn());
    isReading = false;
    if (goesOn && !signal.aborted) timer = setTimeout(() => void look(), AGAIN);
  };
  listen(document, "visibilitychange", () => void look(), signal);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return look;
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

/** Reads what is shown. Returns whether it is read again. @param {Home} state @param {AbortSignal} signal */
const refresh = async (state, signal) => {
  try {
    const games = state.isAway || state.games.length === 0 ? read("/v1/games", { signal }) : state;
    const [told, own, may] = await Promise.all([games, keys(), mayCreate()]);
    void owe(endTrial(signal));
    const ids = own.filter(({ trial, match }) => !trial && ID.test(match)).map(({ match }) => match);
    state.own = new Set(own.flatMap(({ scorer, match }) => (scorer ? [match] : [])));
    if (state.asked) Object.assign(state, await readAsked(state.asked, signal));
    else {
      state.listing = await readAgain(state.listing, ids.sort().slice(-MOST), signal);
      state.matches = state.listing.matches;
    }
    const hidden = new Set((await setting("hidden")) ?? []);
    Object.assign(state, { games: told.games, hidden, mayCreate: may, isAway: false, since: now() });
    recall.now(({ keepHome }) => keepHome(state));
    if (!state.table && (await adminKey())) void owe(findTable(state, signal));
  } catch (error) {
    if (signal.aborted) return false;
    if (state.asked && error instanceof Refused && !error.isPassing) state.refused = error;
    else await showOld(state);
  }
  redraw();
  return state.refused === null;
};

/** Shows what was told last, while the service is away. @param {Home} state */
const showOld = async (state) => {
  state.isAway = true;
  if (state.matches) return;
  const told = await recalled(({ homeOf }) => homeOf());
  if (!told?.matches || !state.asked) return void Object.assign(state, told);
  const matches = among(told.matches, state.asked);
  Object.assign(state, told, { matches: matches.size > 0 ? matches : null });
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
  return {
    show: () => void owe(show()),
    find: () => {
      state.isFinding = true;
      redraw();
      // Its field stands from the next frame on.
      void finding.soon(() => focusSoon("#find-side"));
    },
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
const draw = (state, send, table) =>
  html`<div class="home">${bar({ title: t("home.title"), own: true, links: [{ href: "/docs/", words: t("api") }] })}
    ${state.isAway ? away(state) : nothing}
    ${state.said ? html`<p class="block" role="alert"><span class="label" dir="auto">${state.said}</span></p>` : nothing}
    ${state.unknown.length > 0 ? html`<p class="block"><span class="label" dir="auto">${t("home.unknown", { names: state.unknown.join(", ") })}</span></p>` : nothing}
    ${body(state, send, table)}
    ${state.sharing?.draw() ?? nothing}
  </div>`;

/** @param {Home} state @param {Wishes} send @param {() => unknown} table */
const body = (state, send, table) => {
  const { asked, matches, refused } = state;
  if (asked && refused !== null)
    return html`<main>${finding.draw(({ refusedWords }) => refusedWords(refused))}</main>`;
  if (matches === null)
    return html`<main><p class="block">${state.isAway ? nothing : t("match.loading")}</p></main>`;
  if (asked) return found(state, asked, matches, send, table());
  return matches.size === 0 ? empty(state, send, table()) : lists(state, matches, send, table());
};

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
