/** A new match: the game, the sides, the dice, and the options folded away. */
import { about, read, Refused, send } from "../service.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { adminKey, keep, keepAdminKey } from "../keys.js";
import { owe, redraw } from "../owed.js";
import { fold, optionFields, optionsLine, sidesField, textField } from "../parts/fields.js";
import { playerName } from "../parts/names.js";
import { bar } from "../parts/scorebox.js";
import { ways } from "../parts/ways.js";
import { must } from "../must.js";
import { optionsOf } from "../options.js";
import { keepSetting, setting } from "../settings.js";
import { emptySide, filledUp, linesOf, remember, remembered, sideOf } from "../squads.js";
import { go } from "./go.js";
import { sideSheet } from "./side_sheet.js";

/** @typedef {import("../squads.js").SideDraft} SideDraft */
/** @typedef {"home" | "away"} Side */
/**
 * @typedef {object} Fresh
 * @property {import("../options.js").GameEntry[]} games
 * @property {string} game
 * @property {"table" | "seeded"} dice
 * @property {Record<Side, SideDraft>} sides
 * @property {Record<string, unknown>} rules
 * @property {Record<string, string>} errors By the field they are at.
 * @property {Side | null} open The side whose sheet is open.
 * @property {SideDraft[]} known
 * @property {boolean} needsKey
 * @property {string} key
 * @property {boolean} busy
 */

/** @param {string} _id @param {AbortSignal} signal */
export const fresh = (_id, signal) => {
  /** @type {Fresh} */
  const state = {
    games: [],
    game: "",
    dice: "table",
    sides: { home: emptySide(), away: emptySide() },
    rules: {},
    errors: {},
    open: null,
    known: [],
    needsKey: false,
    key: "",
    busy: false,
  };
  void owe(load(state, signal));
  return { title: () => t("new"), render: () => draw(state, signal) };
};

/** @param {Fresh} state @param {AbortSignal} signal */
const load = async (state, signal) => {
  try {
    const [{ games }, { create }] = await Promise.all([read("/v1/games", { signal }), about()]);
    const query = new URLSearchParams(location.search);
    const before = (await setting("new")) ?? {};
    Object.assign(state, before);
    Object.assign(state, {
      games,
      known: await remembered(),
      needsKey: create === "token" && !(await adminKey()),
    });
    const again = query.get("again");
    if (again && again !== before.match) await same(state, again, signal);
    const wanted = query.get("game") ?? state.game;
    state.game = must(games.find(({ id }) => id === wanted) ?? games[0], "a game").id;
    if (state.game !== before.game && !again) state.rules = {};
  } catch (error) {
    if (!signal.aborted) state.errors = { page: error instanceof Refused ? error.message : t("match.away") };
  }
  redraw();
};

/** The same match again, if it was made elsewhere. An option that follows from another one follows it again. @param {Fresh} state @param {string} id @param {AbortSignal} signal */
const same = async (state, id, signal) => {
  const match = await read("/v1/matches/{id}", { of: { id }, signal });
  const options = propertiesOf(state.games.find((game) => game.id === match.game));
  const rules = Object.fromEntries(
    Object.entries(match.rules).filter(([name]) => !options[name]?.["x-default-depends"]),
  );
  const side = (/** @type {import("../service.js").MatchView["home"]} */ { name, players }) => {
    const withCards = players.some((player) => typeof player !== "string");
    const lines = players.map((player) => (withCards ? JSON.stringify(player) : playerName(player)));
    return { name, team: null, text: lines.join("\n") };
  };
  Object.assign(state, {
    game: match.game,
    dice: match.dice,
    rules,
    sides: { home: side(match.home), away: side(match.away) },
  });
};

/** @param {Fresh} state @param {AbortSignal} signal */
const start = async (state, signal) => {
  const { game, dice, rules, sides } = state;
  Object.assign(state, { busy: true, errors: {} });
  redraw();
  try {
    if (state.key) await keepAdminKey(state.key);
    /** @type {import("../service.js").Sent<"/v1/matches">} */
    const body = {
      game: /** @type {import("../options.js").GameId} */ (game),
      dice,
      rules: ownRules(state),
      home: sideOf(playing(state, "home")),
      away: sideOf(playing(state, "away")),
    };
    const created = await send("/v1/matches", { body, signal, token: await adminKey() });
    await keep({ match: created.match.id, scorer: created.tokens.scorer });
    await remember([sides.home, sides.away]);
    await keepSetting("new", { game, dice, rules, sides, match: created.match.id });
    go(`/m/${created.match.id}/score`);
  } catch (error) {
    const errors = errorsOf(error);
    Object.assign(state, { errors, busy: false, needsKey: state.needsKey || "key" in errors });
    redraw();
    // What is wrong may stand below the button, or under options that were folded away.
    requestAnimationFrame(() =>
      document.querySelector(".wrong, [role=alert]")?.scrollIntoView({ block: "center" }),
    );
  }
};

/** @param {import("../options.js").GameEntry | undefined} game */
const propertiesOf = (game) => (game && optionsOf(game).properties) ?? {};

/** A side as it plays. @param {Fresh} state @param {Side} side */
const playing = ({ sides, games, game: id }, side) => {
  const game = games.find((one) => one.id === id);
  return game ? filledUp(sides[side], t(`side.default.${side}`), game) : sides[side];
};

/** The options that the game has. @param {Fresh} state */
const ownRules = ({ rules, games, game }) => {
  const has = propertiesOf(games.find(({ id }) => id === game));
  return Object.fromEntries(
    Object.entries(rules).filter(([name, value]) => name in has && value !== undefined),
  );
};

/** Each error of a problem, at the field that it is about. @param {unknown} error @returns {Record<string, string>} */
const errorsOf = (error) => {
  if (!(error instanceof Refused)) return { page: t("match.away") };
  if (error.isOfToken) return { key: t("new.key.wrong") };
  const placed = (error.problem.errors ?? []).map(({ location, message }) => {
    const [, first = "page", second = "", place] =
      /^body\.(\w+)(?:\.(\w+)(?:\[(\d+)\])?)?/.exec(location) ?? [];
    if (first !== "home" && first !== "away") return [first === "rules" ? second : first, message];
    const side = t(`new.${first}`);
    return [
      first,
      place
        ? t("new.wrong.line", { side, line: Number(place) + 1, message })
        : t("new.wrong", { side, message }),
    ];
  });
  return placed.length > 0 ? Object.fromEntries(placed.reverse()) : { page: error.message };
};

/** @param {Fresh} state @param {AbortSignal} signal */
const draw = (state, signal) => {
  const game = state.games.find(({ id }) => id === state.game);
  const change = (/** @type {Partial<Fresh>} */ values) => {
    Object.assign(state, values);
    redraw();
  };
  return html`<div class="new">${bar({ title: t("new"), back: "/" })}
    <main><form class="form" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${state.errors["page"] ? html`<p role="alert"><span class="label" dir="auto">${state.errors["page"]}</span></p>` : nothing}
      ${game ? fields(state, game, change) : nothing}
    </form></main>
    <div class="start"><button type="button" class="button" data-action="start" aria-disabled=${game && !state.busy ? nothing : "true"}
      @click=${() => game && !state.busy && void owe(start(state, signal))}>${t("new.start")}</button></div>
    ${
      state.open && game
        ? sideSheet(
            { draft: state.sides[state.open], side: state.open, game, known: state.known },
            {
              change: (draft) =>
                change({ errors: {}, sides: { ...state.sides, [state.open ?? "home"]: draft } }),
              close: () => change({ open: null }),
            },
          )
        : nothing
    }
  </div>`;
};

/** @param {Fresh} state @param {import("../options.js").GameEntry} game @param {(values: Partial<Fresh>) => void} change */
const fields = (state, game, change) => html`
  ${ways({ name: "game", title: t("new.game"), ways: state.games.map(({ id, title }) => ({ value: id, title })), chosen: game.id }, { choose: (/** @type {string} */ value) => change({ game: value, rules: {}, errors: {} }) })}
  ${sidesField({ sides: [sideLine(state, "home", game), sideLine(state, "away", game)] }, { side: (open) => change({ open }) })}
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
    { choose: (/** @type {Fresh["dice"]} */ dice) => change({ dice }) },
  )}
  ${fold({
    title: t("new.rules"),
    value: optionsLine({ schema: optionsOf(game), values: state.rules }) || t("new.rules.default"),
    open: Object.keys(state.errors).some((name) => name in propertiesOf(game)),
    body: optionFields(
      { schema: optionsOf(game), values: state.rules, errors: state.errors },
      { option: (name, value) => change({ rules: { ...state.rules, [name]: value } }) },
    ),
  })}
  <p class="small quiet">${t("new.names.stay")}</p>
  ${state.needsKey ? textField({ id: "key", title: t("new.key"), value: state.key, hint: t("new.key.text"), ...(state.errors["key"] ? { wrong: state.errors["key"] } : {}) }, { input: (key) => change({ key }) }) : nothing}`;

/** @param {Fresh} state @param {Side} side @param {import("../options.js").GameEntry} game */
const sideLine = ({ sides, errors }, side, game) => {
  const { name, text, team } = sides[side];
  const count = linesOf(text).length;
  const line = team
    ? t("new.team", { team })
    : count === 0
      ? t(game.sheet.card ? "new.enter" : "new.filled", {
          n: game.players,
          name: name || t(`side.default.${side}`),
        })
      : count < game.players && !game.sheet.card
        ? t("new.count.filled", { n: count, more: game.players - count })
        : t("new.count", { n: count });
  return {
    side,
    name: name || t(`side.default.${side}`),
    text: line,
    ...(errors[side] ? { wrong: errors[side] } : {}),
  };
};
