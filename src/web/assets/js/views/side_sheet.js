/** The sheets of sides: of a side of the match, and of a side that this browser keeps. */
import { fieldsOf, miscounted, pastedOver, rowsOf, textOf } from "../cards.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { shortNames, whenOf } from "../parts/names.js";
import { sheet } from "../parts/sheet.js";
import { sideFields, sideList } from "../parts/sides.js";
import { faultOf, hasCards, namesOf } from "../squads.js";

/** @typedef {import("../options.js").GameEntry} GameEntry */
/** @typedef {import("../squads.js").SideDraft} SideDraft */
/** @typedef {import("../squads.js").PlayedSide} PlayedSide */
/** @typedef {import("../cards.js").PlayerRow} PlayerRow */
/** What a wish makes of a side as it is by then: two of them may come before the next drawing. @typedef {(act: (draft: SideDraft) => SideDraft) => void} Change */

/** What is wrong with the players of a side, in words. @param {SideDraft} draft @param {GameEntry} game */
export const faultWords = (draft, game) => {
  const fault = draft.team === null ? faultOf(namesOf(draft, game), game) : null;
  return fault ? t(`side.${fault.words}`, fault.values) : undefined;
};

/** The first players of a side, and how many more there are. @param {SideDraft} draft @param {GameEntry} game */
export const summaryOf = (draft, game) => {
  const names = namesOf(draft, game);
  const rest = Math.max(names.length, game.players) - Math.min(names.length, 2);
  const more = t(names.length > 2 ? "side.more" : "side.by_number", { n: rest });
  return { names: names.slice(0, 2).map(shortNames(names)).join(", "), rest: rest > 0 ? more : "" };
};

/** What the cards of a side miss. @param {SideDraft} draft @param {GameEntry} game */
const missesOf = (draft, game) => {
  const fields = fieldsOf(game);
  if (!fields || !draft.text.trim()) return "";
  return miscounted(rowsOf(draft.text, game), fields)
    .map((one) => t("side.misses", one))
    .join(" ");
};

/** The fields of a side, with the wishes that change it. @param {SideDraft} draft @param {string} usual @param {GameEntry} game @param {string | undefined} wrong @param {Change} change */
const fieldsFor = (draft, usual, game, wrong, change) => {
  const fields = fieldsOf(game);
  const hint = t(fields ? "side.rows" : "side.each");
  const changeRows = (/** @type {(rows: PlayerRow[]) => PlayerRow[]} */ act) =>
    change((now) => ({ ...now, team: null, text: textOf(act(rowsOf(now.text, game))) }));
  return sideFields(
    {
      name: draft.name,
      usual,
      text: draft.text,
      players: game.players,
      hint: game.sheet.rule ? `${game.sheet.rule} ${hint}` : hint,
      count: t("side.count", { n: namesOf(draft, game).length, players: game.players }),
      misses: missesOf(draft, game),
      wrong: faultWords(draft, game) ?? wrong,
      rows: fields && rowsOf(draft.text, game),
      fields: fields ?? {},
    },
    {
      name: (name) => change((now) => ({ ...now, name })),
      text: (text) => change((now) => ({ ...now, text, team: null })),
      row: (at, values) =>
        changeRows((rows) => rows.map((row, place) => (place === at ? { ...row, ...values } : row))),
      paste: (at, text) => changeRows((rows) => pastedOver(rows, at, text, game)),
    },
  );
};

/** @param {() => void} close */
const done = (close) =>
  html`<button type="button" class="button" data-action="confirm" @click=${close}>${t("side.done")}</button>`;

/** The sides that can be taken: teams of the edition, kept ones, and those of finished matches. @param {Data} data @param {Send} send */
const lists = ({ draft, game, kept, played }, send) => {
  const teams = teamsOf(game);
  const alike = keptFor(game, kept);
  const at =
    (/** @type {SideDraft[]} */ sides, /** @type {(side: SideDraft) => void} */ act) =>
    (/** @type {number} */ place) => {
      const side = sides[place];
      if (side) act(side);
    };
  return html`${sideList(
    { title: t("side.teams"), sides: teams.map((name) => ({ name })), chosen: draft.team ?? "" },
    { take: (place) => send.take({ name: "", text: "", team: teams[place] ?? null }) },
  )}
  ${sideList(
    {
      title: t("side.kept"),
      sides: alike.map((side) => ({ name: side.name, players: summaryOf(side, game) })),
    },
    { take: at(alike, send.take), edit: at(alike, send.edit) },
  )}
  ${played ? playedList(played, send) : html`<div class="block"><button type="button" class="button other low" data-action="played" @click=${send.findPlayed}>${t("side.played.find")}</button></div>`}`;
};

/** @param {PlayedSide[]} played @param {Send} send */
const playedList = (played, send) => {
  const sides = played.map(({ name, at }) => ({ name, text: whenOf(new Date(at)) }));
  const take = (/** @type {number} */ place) => {
    const side = played[place];
    if (side) send.takePlayed(side);
  };
  return sides.length > 0
    ? sideList({ title: t("side.played"), sides }, { take })
    : html`<p class="block small quiet">${t("side.played.none")}</p>`;
};

/** @param {GameEntry} game */
const teamsOf = (game) => game.sheet.teams.flatMap(({ teams }) => teams);
/** @param {GameEntry} game @param {SideDraft[]} kept */
const keptFor = (game, kept) => kept.filter((side) => hasCards(side) === Boolean(game.sheet.card));

/**
 * @typedef {object} Data
 * @property {SideDraft} draft
 * @property {string} usual The side's name, if it is given none.
 * @property {"home" | "away"} side
 * @property {GameEntry} game
 * @property {boolean} listsFirst Whether nothing was entered yet.
 * @property {string | undefined} wrong
 * @property {SideDraft[]} kept
 * @property {PlayedSide[] | null} played The sides of finished matches, once they were asked for.
 */
/**
 * @typedef {object} Send
 * @property {Change} change
 * @property {(draft: SideDraft) => void} take
 * @property {(kept: SideDraft) => void} edit
 * @property {() => void} findPlayed
 * @property {(played: PlayedSide) => void} takePlayed
 * @property {() => void} close
 */

/** The sheet of a side of the match: what it is, and what it can be instead. @param {Data} data @param {Send} send */
export const sideSheet = (data, send) => {
  const { draft, usual, side, game, listsFirst, wrong, kept } = data;
  const entered = html`<div class="block">${fieldsFor(draft, usual, game, wrong, send.change)}
    ${done(send.close)}</div>`;
  const isThere = teamsOf(game).length + keptFor(game, kept).length > 0;
  const body =
    listsFirst && isThere
      ? [lists(data, send), html`<h3 class="section">${t("side.own")}</h3>`, entered]
      : [entered, lists(data, send)];
  return sheet({ title: t(`new.${side}`), key: `side-${side}`, body }, send);
};

/**
 * The sheet of a side that this browser keeps.
 * @param {{ draft: SideDraft, game: GameEntry }} data @param {{ change: Change, drop: () => void, close: () => void }} send
 */
export const keptSheet = ({ draft, game }, send) => {
  const body = html`<div class="block">${fieldsFor(draft, draft.name, game, undefined, send.change)}
    ${done(send.close)}
    <button type="button" class="button other low" data-action="delete" @click=${send.drop}>${t("side.delete")}</button></div>`;
  return sheet({ title: t("side.kept.one"), key: "kept", body }, send);
};
