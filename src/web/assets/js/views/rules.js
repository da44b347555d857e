/** The rules behind a question, in the sentences of the game's rulings. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { redraw } from "../owed.js";
import { sheet } from "../parts/sheet.js";
import { read } from "../service.js";

/** A question with the ids of its rulings. @typedef {{title: string, rulings: string[]}} Asked */

/** The sentences of the games that were asked for, by the ids of their rulings; null where they have not come. @type {Map<string, Promise<Map<string, string> | null>>} */
const asked = new Map();
/** Those that have come. @type {Map<string, Map<string, string> | null>} */
const known = new Map();

/** Reads the rulings of a game, once. @param {string} game @param {AbortSignal} signal */
export const readRules = (game, signal) => {
  const before = asked.get(game);
  if (before) return before;
  const reading = read("/v1/games/{game}/rulings", { of: { game }, signal }).then(
    ({ rulings }) => new Map(rulings.map(({ id, text }) => [id, text])),
    () => null,
  );
  asked.set(game, reading);
  void reading.then((found) => {
    if (!signal.aborted || found) known.set(game, found);
    // What has not come is asked for with the next look at a rule.
    if (!found) asked.delete(game);
    redraw();
  });
  return reading;
};

/** @param {import("../match.js").Match} match @param {{of: Asked[]}} open @param {{close: () => void}} send */
export const rulesSheet = ({ view }, { of }, send) => {
  const game = view?.game ?? "";
  const sentences = known.get(game);
  const words = known.has(game) ? t("rules.away") : t("match.loading");
  const body = sentences
    ? of.map(
        ({ title, rulings }) =>
          html`${of.length > 1 ? html`<h3 class="section" dir="auto">${title}</h3>` : nothing}<ul>${rulings.map((id) => html`<li class="row rule-text" dir="auto">${sentences.get(id) ?? id}</li>`)}</ul>`,
      )
    : html`<p class="block">${words}</p>`;
  return sheet({ title: of.length === 1 ? (of[0]?.title ?? "") : t("rules"), key: "rules", body }, send);
};
