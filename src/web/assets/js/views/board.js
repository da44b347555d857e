/** The board: the match for whoever watches. A trial plays on while it is watched. */
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { follow, followed } from "../following.js";
import { keyOf } from "../keys.js";
import { owe } from "../owed.js";
import { dice } from "../parts/dice.js";
import { book } from "../parts/book.js";
import { lostOf, scorebox, scoreWords } from "../parts/scorebox.js";
import { placeWords, strip } from "../parts/strip.js";
import { places } from "../parts/tabs.js";
import { totals } from "../parts/totals.js";
import { missing, notThere, unknownMatch } from "./nowhere.js";
import { go } from "./go.js";
import { trial } from "./scripts.js";

/** @param {string} id @param {AbortSignal} signal */
export const board = (id, signal) => {
  const match = followed(id, signal);
  /** Asks again for the script of the trial, which has not come. @type {(() => void) | null} */
  let again = null;
  const play = async () => {
    again = null;
    if (!(await keyOf(id))?.trial) return;
    const found = await trial().catch(() => null);
    if (found) void found.playOn(id, signal);
    else again = () => void owe(play());
  };
  void owe(follow(match).then(play));
  return {
    title: () => (match.view ? scoreWords(match.view) : t("match")),
    render: () => draw(match, again),
    spoken: () => match.view?.situation?.last?.text ?? null,
  };
};

/** @param {import("../following.js").Followed} match @param {(() => void) | null} again */
const draw = (match, again) => {
  if (match.known === "unknown") return unknownMatch();
  const { view } = match;
  if (!view) return notThere(match.known === "away");
  const last = view.situation?.last;
  const open = () => go(`/m/${match.id}/card`);
  return html`<div class="board">
    ${scorebox({ match: view, size: "big", ...lostOf(match) }, { sync: open })}
    <main>
      ${again ? missing(again) : nothing}
      ${strip({ over: view.situation?.over }, { ball: open })}
      ${
        last
          ? html`<p class="last-ball"><span class="place">${placeWords(last.place, view.situation?.over.deliveries)}</span><span class="words" dir="auto">${ordered(last.text)}</span>
        ${dice(last.dice.map(({ value, sides }) => ({ value, sides })))}</p>`
          : nothing
      }
      ${view.result ? totals({ innings: view.score.innings, home: view.home.name, away: view.away.name }) : book({ match: view }, { open, card: open })}
    </main>
    ${places(match.id, "board", match.token !== undefined)}
  </div>`;
};
