/** The board: the match for whoever watches. A trial plays on while it is watched. */
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { follow, followed } from "../following.js";
import { keyOf } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { read } from "../service.js";
import { after, endedBy } from "../signal.js";
import { dice } from "../parts/dice.js";
import { book } from "../parts/book.js";
import { scorebox, scoreWords, standing } from "../parts/scorebox.js";
import { placeWords, strip } from "../parts/strip.js";
import { places } from "../parts/tabs.js";
import { totals } from "../parts/totals.js";
import { missing, notThere, unknownMatch } from "./nowhere.js";
import { oldScore, recalled, recalling, sinceOf } from "./recalling.js";
import { go } from "./go.js";
import { sharing } from "./sharing.js";
import { trial } from "./scripts.js";

/** @param {string} id @param {AbortSignal} signal */
export const board = (id, signal) => {
  const match = followed(id, signal);
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
  const shared = sharing(id, signal);
  return {
    title: () => (match.view ? scoreWords(match.view) : t("match")),
    render: () => draw(match, again, shared),
    spoken: () => match.view?.situation?.last?.text ?? null,
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

/** @param {import("../following.js").Followed} match @param {(() => void) | null} again @param {import("./sharing.js").Sharing} shared */
const draw = (match, again, shared) => {
  if (match.known === "unknown") return unknownMatch();
  const { view } = match;
  if (!view) return notThere(match.known === "away");
  const last = view.situation?.last;
  const open = () => go(`/m/${match.id}/card`);
  return html`<div class="board">
    ${scorebox({ match: view, size: "big", ...standing(match, sinceOf(match)) }, { sync: open })}
    <main>
      ${again ? missing(again) : nothing}
      ${strip({ over: view.situation?.over }, { ball: open })}
      ${oldScore(match)}
      ${
        last
          ? html`<p class="last-ball"><a class="link place" href=${`/m/${match.id}/ball/${last.delivery}?known=${view.head.seq}`}>${placeWords(last.place, view.situation?.over.deliveries)}</a><span class="words" dir="auto">${ordered(last.text)}</span>
        ${dice(last.dice.map(({ value, sides }) => ({ value, sides })))}</p>`
          : nothing
      }
      ${view.result ? totals({ innings: view.score.innings, home: view.home.name, away: view.away.name }) : book({ match: view }, { open, card: open })}
    </main>
    ${places(match.id, "board", match.token !== undefined, shared.open)}
  </div>${shared.draw()}`;
};
