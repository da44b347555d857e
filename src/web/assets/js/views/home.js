/** Home: the matches of this service, a new one, and one that plays itself. */
import { read } from "../service.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { keys } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { after, listen } from "../signal.js";
import { doneRow, noMatch, playRow, section, showMe, waitRow } from "../parts/matches.js";
import { bar } from "../parts/scorebox.js";
import { begin, mayCreate } from "../trial.js";
import { go } from "./go.js";

/** How often the list is read anew, as no stream tells of all matches. */
const AGAIN = 10_000;

/** @typedef {import("../parts/matches.js").Listed} Listed */
/** @typedef {{matches: Listed[] | null, games: import("../service.js").Schemas["GameEntry"][], own: Set<string>, mayCreate: boolean, isAway: boolean, busy: boolean, said: string | null}} Home */

/** @param {string} _id @param {AbortSignal} signal */
export const home = (_id, signal) => {
  /** @type {Home} */
  const state = {
    matches: null,
    games: [],
    own: new Set(),
    mayCreate: false,
    isAway: false,
    busy: false,
    said: null,
  };
  void owe(refresh(state, signal));
  listen(
    document,
    "visibilitychange",
    () => document.visibilityState === "visible" && void refresh(state, signal),
    signal,
  );
  return { title: () => t("home.title"), render: () => draw(state, signal) };
};

/** @param {Home} state @param {AbortSignal} signal */
const refresh = async (state, signal) => {
  try {
    const [{ matches }, { games }, own, may] = await Promise.all([
      read("/v1/matches", { query: { limit: 50, order: "changed" }, signal }),
      read("/v1/games", { signal }),
      keys(),
      mayCreate(),
    ]);
    Object.assign(state, { matches, games, mayCreate: may, isAway: false });
    state.own = new Set(own.filter(({ trial }) => !trial).map(({ match }) => match));
  } catch {
    if (signal.aborted) return;
    state.isAway = true;
  }
  after(AGAIN, () => document.visibilityState === "visible" && void refresh(state, signal), signal);
  redraw();
};

/** @param {Home} state @param {AbortSignal} signal */
const show = async (state, signal) => {
  state.busy = true;
  redraw();
  try {
    go(`/m/${await begin(signal)}/board`);
  } catch (error) {
    Object.assign(state, { busy: false, said: error instanceof Error ? error.message : String(error) });
    redraw();
  }
};

/** @param {Home} state @param {AbortSignal} signal */
const draw = (state, signal) => {
  const { matches } = state;
  const verbs = { show: () => void owe(show(state, signal)) };
  return html`<div class="home">${bar({ title: t("home.title"), own: true, links: [{ href: "/docs/", words: t("api") }] })}
    ${state.isAway ? html`<p class="block"><span class="label">${t("match.away")}</span></p>` : nothing}
    ${state.said ? html`<p class="block" role="alert"><span class="label" dir="auto">${state.said}</span></p>` : nothing}
    ${matches === null ? html`<main><p class="block">${state.isAway ? nothing : t("match.loading")}</p></main>` : matches.length === 0 ? empty(state, verbs) : lists(state, matches, verbs)}
  </div>`;
};

/** @param {Home} state @param {{show: () => void}} verbs */
const empty = (state, verbs) => {
  const games = state.games.map(({ id, title, summary }) => ({
    id,
    title,
    text: summary,
    href: `/new?game=${id}`,
  }));
  return html`<main>${noMatch({ games, offer: state.mayCreate, busy: state.busy }, verbs)}</main>`;
};

/** @param {Home} state @param {Listed[]} matches @param {{show: () => void}} verbs */
const lists = (state, matches, verbs) => {
  const row = (/** @type {Listed} */ match) => ({
    match,
    href: `/m/${match.id}`,
    own: state.own.has(match.id),
  });
  const of = (/** @type {string[]} */ ...statuses) =>
    matches.filter(({ status }) => statuses.includes(status));
  return html`<main class="with-side"><aside>
      <div class="start"><a class="button" href="/new" data-action="new">${t("home.new")}</a></div>
      ${state.mayCreate ? showMe({ busy: state.busy }, verbs) : nothing}</aside>
    <div class="lists">
      ${section(
        t("home.in_play"),
        of("in_play").map((match) => playRow(row(match))),
      )}
      ${section(
        t("home.waiting"),
        of("created").map((match) => waitRow(row(match))),
      )}
      ${section(
        t("home.finished"),
        of("completed", "abandoned").map((match) => doneRow(row(match))),
      )}
    </div></main>`;
};
