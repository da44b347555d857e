// Draws the score box: the side, the sync words, the plates, what is needed, overs and rate; and a page's title bar.
import { html, nothing } from "../html.js";
import { counted, ordered, t } from "../i18n.js";
import { icon, mark } from "./icons.js";
import { resultWords, spoken } from "./names.js";
import { plates } from "./numerals.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */
/** @typedef {"saved" | "kept" | "sending" | "watching" | "lost" | "stopped" | "finished"} SyncState */
/** @typedef {{ state: SyncState, kept?: number, since?: string }} Sync What is kept here, and since when; in words how long ago, where it is watched. */

const SYNC_ICONS = /** @type {const} */ ({
  saved: "check",
  finished: "check",
  kept: "file",
  sending: "sending",
  watching: "eye",
  lost: "lost",
  stopped: "stop",
});

/**
 * What the score box of a page that only reads says of the connection. `since`: how long ago the last ball was, or since
 * when there is no connection.
 * @param {{ isFresh: boolean }} match @param {string} since @returns {{ stale?: boolean, sync?: Sync }}
 */
export const standing = ({ isFresh }, since) =>
  isFresh && !since ? {} : { stale: !isFresh, sync: { state: isFresh ? "watching" : "lost", since } };

/** The words of a sync state. @param {Sync} sync */
export const syncText = ({ state, kept = 0, since = "" }) => {
  if (state === "lost")
    return kept > 0
      ? t("sync.lost.kept", { kept })
      : since
        ? t("sync.lost.since", { since })
        : t("sync.lost");
  if (state === "kept" && kept > 1) return t("sync.kept.several", { kept });
  return state === "watching" && since ? since : t(`sync.${state}`);
};

/** The sync words: a tap tells what is kept, since when, and the next try. @param {Sync} sync @param {{ sync?: () => void }} send */
export const syncWords = (sync, send) => {
  const grave = sync.state === "lost" || sync.state === "stopped";
  return html`<button type="button" class=${grave ? "sync grave" : "sync"} data-action="sync" data-sync=${sync.state} @click=${() => send.sync?.()}><span>
    ${icon(SYNC_ICONS[sync.state])}<span>${syncText(sync)}</span></span></button>`;
};

/** The innings that the box shows, with its side. @param {MatchView} match */
export const inningsShown = (match) => {
  const last = match.score.innings.at(-1);
  const now = match.situation;
  const begins = now && now.innings > (last?.number ?? 0);
  const innings =
    begins || !last
      ? { number: now?.innings ?? 1, batting: now?.batting ?? "home", runs: 0, wickets: 0, overs: "0.0" }
      : last;
  const sides = { home: match.home.name, away: match.away.name };
  return { ...innings, team: last || now ? sides[innings.batting] : t("row.sides", sides) };
};

/**
 * What is needed, or how far it is, or the result: the large line and the small one. `said`: what a reader hears
 * after the overs, where that is not the large line.
 * @param {MatchView} match @returns {{ need: string, rate: string, said?: string }}
 */
const tells = (match) => {
  const { overs, number } = inningsShown(match);
  const now = match.situation;
  const oversWords = t("box.overs", { overs });
  const result = resultWords(match);
  if (result) return { need: result, rate: oversWords };
  if (match.score.innings.length === 0 && !now) return { need: t("box.not_begun"), rate: "" };
  if (now?.need) {
    return {
      need: now.need.text,
      rate: now.required_rate ? `${oversWords} · ${t("box.rate", { rate: now.required_rate })}` : oversWords,
    };
  }
  const rate =
    now?.current_rate && now.current_rate !== "0.00"
      ? t("box.rate", { rate: now.current_rate })
      : t("box.innings", { number });
  return {
    need: now?.balls_limit ? counted("box.overs_of", now.balls_limit / 6, { overs }) : oversWords,
    rate,
    said: rate,
  };
};

/** The score in words: the h1 and the page's title. @param {MatchView} match */
export const scoreWords = (match) => {
  const shown = inningsShown(match);
  const { need, said = need } = tells(match);
  return `${t("score.title", { side: shown.team, score: spoken(shown), overs: shown.overs })} ${said}.`;
};

/**
 * The score box of a match.
 * @param {{ match: MatchView, sync?: Sync, stale?: boolean, size?: "big" }} data
 * @param {{ sync?: () => void }} send
 */
export const scorebox = ({ match, sync, stale, size }, send) => {
  const shown = inningsShown(match);
  const { need, rate } = tells(match);
  // The plates of a long innings leave less room: the rate goes first.
  const digits = `${shown.runs}${shown.wickets}`.length;
  const line = digits > 4 ? rate.split(" · ")[0] : rate;
  return html`<header class="box">
    <div class="top">
      <h1 class="team cut" tabindex="-1"><span aria-hidden="true" dir="auto">${shown.team}</span><span class="heard">${scoreWords(match)}</span></h1>
      ${sync ? syncWords(sync, send) : nothing}
    </div>
    <div class="score">
      ${plates({ runs: shown.runs, wickets: shown.wickets, size, stale })}
      <div class="tell">
        <p class=${need.length + 2 * digits > 21 ? "need long" : "need"} aria-hidden="true">${ordered(need)}</p>
        ${line ? html`<p class="rate">${line.split(" · ").map((words, place) => html`<span>${place > 0 ? "\u00a0· " : ""}${words}</span>`)}</p>` : nothing}
      </div>
    </div>
  </header>`;
};

/**
 * The title bar of a page without a score.
 * @param {{ title: string, back?: string, own?: boolean, links?: { href: string, words: string }[] }} data
 */
export const bar = ({ title, back, own, links = [] }) => html`<header class="bar">
  ${back ? html`<a class="square back" href=${back} data-action="back" aria-label=${t("back")}>${icon("back")}</a>` : nothing}
  <h1 tabindex="-1">${own ? html`<span class="word">${mark()}<span>${title}</span></span>` : html`<span dir="auto">${title}</span>`}</h1>
  ${links.map(({ href, words }) => html`<a class="link" href=${href}>${words}</a>`)}
</header>`;
