/** The board: the match for whoever watches. A trial plays on while it is watched. */
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { BESIDE, follow, followed, lastBall } from "../following.js";
import { keyOf } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { read } from "../service.js";
import { after, endedBy } from "../signal.js";
import { best, boardHead, lastOut, turned } from "../parts/board.js";
import { dice } from "../parts/dice.js";
import { book } from "../parts/book.js";
import { withShortNames } from "../parts/names.js";
import { scoreWords, standing, syncText } from "../parts/scorebox.js";
import { placeWords, strip } from "../parts/strip.js";
import { places } from "../parts/tabs.js";
import { totals } from "../parts/totals.js";
import { whole } from "../loading.js";
import { lastOutOf, rowsOf } from "./board_rows.js";
import { later } from "./later.js";
import { missing, notThere, unknownMatch } from "./nowhere.js";
import { oldScore, recalled, recalling, sinceOf } from "./recalling.js";
import { go } from "./go.js";
import { sharing } from "./sharing.js";
import { trial } from "./scripts.js";
import { slidesOf } from "./slides.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/**
 * What the page has besides the match.
 * @typedef {object} BoardPage
 * @property {import("../following.js").Followed} match
 * @property {ReturnType<typeof rowsOf>} rows
 * @property {ReturnType<typeof slidesOf>} slides
 * @property {import("./sharing.js").Sharing} shared
 */

const [CARD] = BESIDE;

const charts = later(() => whole(import("./charts.js"), { sheet: "charts", words: "charts" }));

/** The score; since when there is none, where it is old. @param {import("../following.js").Followed} match */
const titleOf = (match) => {
  if (!match.view) return t("match");
  return match.isFresh ? scoreWords(match.view) : syncText({ state: "lost", since: sinceOf(match) });
};

/** @param {string} id @param {AbortSignal} signal */
export const board = (id, signal) => {
  const match = followed(id, signal);
  const [rows, slides] = [rowsOf(match), slidesOf(match)];
  // Who made most is told once nobody bowls any more.
  match.wants = () => (match.view?.result ? [CARD] : []);
  match.moved = () => {
    slides.moved();
    rows.read();
  };
  match.returned = rows.read;
  const keeps = recalling(match);
  /** Asks again for the script of the trial, which has not come. @type {(() => void) | null} */
  let again = null;
  const play = async () => {
    again = null;
    if (!(await keyOf(id))?.trial) return;
    const found = await trial().catch(() => null);
    if (found) void found.playOn(id, signal);
    else again = () => void owe(play());
    redraw();
  };
  void owe(follow(match).then(play));
  const page = { match, rows, slides, shared: sharing(id, signal) };
  return {
    title: () => titleOf(match),
    render: () => draw(page, again),
    spoken: () => lastBall(match)?.text ?? null,
    ahead: [keeps],
  };
};

/** How often a short board looks which match is on it. */
const LOOK = 5000;

/**
 * The board under its short address, for a television: the match that is played. It stays with a match until that
 * has been over for a while.
 * @param {string} _id @param {AbortSignal} signal
 */
export const shortBoard = (_id, signal) => {
  /** @type {{id: string, view: ReturnType<typeof board>, left: AbortController} | null} */
  let shown = null;
  let isAway = false;
  const show = (/** @type {string | null} */ id) => {
    if (id === (shown?.id ?? null)) return;
    shown?.left.abort();
    const left = endedBy(signal);
    shown = id ? { id, view: board(id, left.signal), left } : null;
  };
  const look = async () => {
    try {
      const query = /** @type {Record<string, string>} */ (shown ? { showing: shown.id } : {});
      const { match: id } = await read("/v1/board", { query, signal });
      isAway = false;
      show(id ?? null);
      void recalled(({ keepBoard }) => keepBoard(id ?? null));
    } catch {
      if (signal.aborted) return;
      isAway = true;
      const before = shown ? null : await recalled(({ boardOf }) => boardOf());
      if (before && !signal.aborted) show(before);
    }
    after(LOOK, () => void look(), signal);
    redraw();
  };
  void owe(look());
  return {
    title: () => shown?.view.title() ?? t("board"),
    render: () =>
      shown?.view.render() ??
      html`<div class="board"><main><p class="waits quiet">${t(isAway ? "match.away" : "board.waits")}</p></main></div>`,
    spoken: () => shown?.view.spoken() ?? null,
    ahead: [async () => shown?.view.ahead.forEach((keeps) => void keeps())],
  };
};

/** @param {BoardPage} page @param {(() => void) | null} again */
const draw = (page, again) => {
  const { match, slides, shared } = page;
  if (match.known === "unknown") return unknownMatch();
  const { view } = match;
  if (!view) return notThere(match.known === "away");
  const open = () => go(`/m/${match.id}/card`);
  const { slide, word, before } = slides.draw();
  const looks = ["board", slide !== nothing && "slid", !match.isFresh && "old", view.result && "ended"];
  return html`<div class=${looks.filter(Boolean).join(" ")}>
    ${boardHead({ match: view, word, before, ...standing(match, sinceOf(match)) }, { sync: open })}
    <main>
      ${again ? missing(again) : nothing}
      ${slide === nothing ? stands(page, view, open) : slide}
      ${oldScore(match)}
    </main>
    ${places(match.id, "board", match.token !== undefined, shared.open)}
  </div>${shared.draw()}`;
};

/** The board where no slide lies over it. @param {BoardPage} page @param {Schemas["MatchView"]} view @param {() => void} open */
const stands = ({ match, rows }, view, open) => {
  const found = rows.rows();
  const out = lastOutOf(found, view.situation?.innings);
  return html`<div class="beside">
      ${view.result ? html`${totals({ innings: view.score.innings, home: view.home.name, away: view.away.name })}${bestOf(match, view)}` : book({ match: view }, { open, card: open })}
      ${lastOut(view, out)}
      ${found && found.deliveries.length > 0 ? html`<div class="chart">${charts.draw((script) => script.growthOf({ view, rows: found }))}</div>` : nothing}
    </div>
    ${strip({ over: view.situation?.over }, { ball: open })}
    ${lastOf(match, view)}${turned(view, rows.luck())}`;
};

/** @param {import("../following.js").Followed} match @param {Schemas["MatchView"]} view */
const bestOf = ({ beside }, view) => {
  const card = /** @type {Schemas["Scorecard"] | null} */ (beside[CARD]?.body ?? null);
  return card ? best(view, card) : nothing;
};

/** The last ball in words, with its dice. @param {import("../following.js").Followed} match @param {Schemas["MatchView"]} view */
const lastOf = (match, view) => {
  const last = lastBall(match);
  if (!last) return nothing;
  const place = placeWords(last.place, view.situation?.over.deliveries);
  const words = withShortNames(view, last.text);
  return html`<p class="last-ball"><a class="link place" href=${`/m/${match.id}/ball/${last.delivery}?known=${view.head.seq}`}>${place}</a><span class=${words.length > 56 ? "words lengthy" : "words"}>${ordered(words)}</span>
    ${dice(last.dice.map(({ value, sides }) => ({ value, sides })))}</p>`;
};
