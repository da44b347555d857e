/** The sheet of a side: one that is known here, a team of the edition, or names in one box. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { boxField, textField } from "../parts/fields.js";
import { sheet } from "../parts/sheet.js";

/** @typedef {import("../squads.js").SideDraft} SideDraft */

/**
 * @param {{draft: SideDraft, side: "home" | "away", game: import("../options.js").GameEntry, known: SideDraft[]}} data
 * @param {{change: (draft: SideDraft) => void, close: () => void}} send
 */
export const sideSheet = ({ draft, side, game, known }, send) => {
  const take = (/** @type {SideDraft} */ chosen) => {
    send.change(chosen);
    send.close();
  };
  const teams = game.sheet.teams.flatMap((of) => of.teams);
  return sheet(
    {
      title: t(`new.${side}`),
      key: `side-${side}`,
      body: html`${list(
        t("side.teams"),
        teams.map((team) => ({ name: team, text: "", team })),
        take,
      )}
      ${list(
        t("side.known"),
        known.filter(({ team, text }) => team === null && text.includes("{") === Boolean(game.sheet.card)),
        take,
      )}
      <div class="block">
        ${textField({ id: "side-name", title: t("side.name"), value: draft.name }, { input: (name) => send.change({ ...draft, name }) })}
        ${boxField({ id: "side-names", title: t("side.names", { n: game.players }), value: draft.text, hint: hintOf(game) }, { input: (text) => send.change({ ...draft, text, team: null }) })}
        <button type="button" class="button" data-action="confirm" @click=${() => send.close()}>${t("side.done")}</button>
      </div>`,
    },
    send,
  );
};

/** @param {import("../options.js").GameEntry} game */
const hintOf = (game) => {
  if (game.sheet.card)
    return `${game.sheet.rule ?? ""} ${t("side.cards")} {"name":"Marsh","role":"pace","confidence":1}`;
  return `${game.sheet.rule ?? ""} ${t("side.each")}`.trim();
};

/** @param {string} title @param {SideDraft[]} sides @param {(side: SideDraft) => void} take */
const list = (title, sides, take) =>
  sides.length === 0
    ? nothing
    : html`<h3 class="section">${title}</h3><ul>${sides.map(
        (side) => html`<li>
  <button type="button" class="row" data-choice=${side.name} @click=${() => take(side)}><span class="name" dir="auto">${side.name}</span></button></li>`,
      )}</ul>`;
