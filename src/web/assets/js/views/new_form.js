/** The form of a new match, drawn from what is entered. */
import { editionOf, gameOf, playing, propertiesOf } from "../fresh.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { optionsOf } from "../options.js";
import { editionField } from "../parts/edition.js";
import { textField } from "../parts/fields.js";
import { fold, optionFields, optionsLine } from "../parts/option_fields.js";
import { bar } from "../parts/scorebox.js";
import { sidesField } from "../parts/sides.js";
import { ways } from "../parts/ways.js";
import { withTeam } from "../squads.js";
import { keptSheet, sideSheet, summaryOf } from "./side_sheet.js";

/** @typedef {import("../fresh.js").Fresh} Fresh */
/** @typedef {import("../options.js").GameEntry} GameEntry */
/** @typedef {import("../squads.js").Side} Side */
/** @typedef {import("./new.js").Wishes} Wishes */

/** @param {Fresh} state @param {Wishes} send */
export const draw = (state, send) => {
  const game = gameOf(state);
  return html`<div class="new">${bar({ title: t("new"), back: "/" })}
    <main><form class="form" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${state.errors["page"] ? html`<p role="alert"><span class="label" dir="auto">${state.errors["page"]}</span></p>` : nothing}
      ${game ? fields(state, game, send) : nothing}
    </form></main>
    <footer class="start"><button type="button" class="button" data-action="start" aria-disabled=${game && !state.busy ? nothing : "true"}
      @click=${() => send.start()}>${t("new.start")}</button>
      <p class="small quiet">${t("new.names.stay")}</p></footer>
    ${game ? sheetOf(state, game, send) : nothing}
  </div>`;
};

/** @param {Fresh} state @param {GameEntry} game @param {Wishes} send */
const fields = (state, game, send) => html`
  ${ways({ name: "game", title: t("new.game"), ways: state.games.map(({ id, title }) => ({ value: id, title })), chosen: game.id }, { choose: (id) => send.game(String(id)) })}
  ${sidesField({ sides: [sideLine(state, "home", game), sideLine(state, "away", game)] }, { side: send.open })}
  ${ways(
    {
      name: "dice",
      title: t("new.dice"),
      ways: [
        { value: "table", title: t("new.dice.table") },
        { value: "seeded", title: t("new.dice.seeded") },
      ],
      chosen: state.dice,
    },
    { choose: (dice) => send.dice(dice === "seeded" ? dice : "table") },
  )}
  ${fold({
    title: t("new.rules"),
    value: optionsLine({ schema: optionsOf(game), values: state.rules }) || t("new.rules.default"),
    open: Object.keys(state.errors).some((name) => name in propertiesOf(game)),
    body: optionFields({ schema: optionsOf(game), values: state.rules, errors: state.errors }, send),
  })}
  ${game.editions.length === 0 ? nothing : editionField({ editions: game.editions, chosen: editionOf(game, state) ?? "", faults: state.faults, wrong: state.errors["edition"] }, { choose: send.edition, file: send.takeIn })}
  ${state.needsKey ? textField({ id: "key", title: t("new.key"), value: state.key, hint: t(state.isTable ? "new.key.text.table" : "new.key.text"), ...(state.errors["key"] ? { wrong: state.errors["key"] } : {}) }, { input: send.key }) : nothing}`;

/** The players of a side in one line. @param {Fresh} state @param {Side} side @param {GameEntry} game */
const playersLine = (state, side, game) => {
  const draft = withTeam(state.sides, side, game);
  if (draft.team !== null) return { names: t("new.team", { team: draft.team }) };
  if (draft.text.trim()) return summaryOf(draft, game);
  const { name } = playing(state, side);
  return { names: t("new.filled", { name, n: game.players }) };
};

/** @param {Fresh} state @param {Side} side @param {GameEntry} game */
const sideLine = (state, side, game) => ({
  side,
  name: playing(state, side).name,
  players: playersLine(state, side, game),
  wrong: state.errors[side],
});

/** The sheet that is open. @param {Fresh} state @param {GameEntry} game @param {Wishes} send */
const sheetOf = ({ sides, open, kept, edited, played, errors }, game, send) => {
  const draft = edited === null ? undefined : kept[edited];
  if (draft)
    return keptSheet({ draft, game }, { change: send.keptSide, drop: send.dropKept, close: send.closeKept });
  if (!open) return nothing;
  const { side, listsFirst } = open;
  const usual = t(`side.default.${side}`);
  return sideSheet(
    { draft: sides[side], usual, side, game, listsFirst, wrong: errors[side], kept, played },
    { ...send, change: send.side },
  );
};
