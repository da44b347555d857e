/** A match in detail: the game with its options, where its dice come from, and all rules that it is played by. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { follow, followed, refresh } from "../following.js";
import { optionsOf, withForm } from "../options.js";
import { owe, redraw } from "../owed.js";
import { whenOf } from "../parts/names.js";
import { scorebox, standing } from "../parts/scorebox.js";
import { places } from "../parts/tabs.js";
import { read } from "../service.js";
import { oldScore, recalling, sinceOf } from "./recalling.js";
import { sharing } from "./sharing.js";
import { notThere, unknownMatch } from "./nowhere.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** What the service says of the game. @typedef {{game: Schemas["GameEntry"] | undefined, rulings: {id: string, text: string}[]}} Game */

/** @param {string} id @param {AbortSignal} signal */
export const details = (id, signal) => {
  const match = followed(id, signal);
  const shared = sharing(id, signal);
  const keeps = recalling(match);
  /** @type {Game | null} */
  let game = null;
  let isAway = false;
  const look = async () => {
    const of = match.view?.game;
    if (!of || game) return;
    isAway = false;
    try {
      const [{ games }, { rulings }] = await Promise.all([
        read("/v1/games", { signal }),
        read("/v1/games/{game}/rulings", { of: { game: of }, signal }),
      ]);
      game = { game: games.find(({ id }) => id === of), rulings };
    } catch {
      isAway = true;
    }
    redraw();
  };
  // What has not come is asked for again with the next answer of the service.
  match.moved = () => void owe(look());
  match.returned = match.moved;
  void owe(follow(match).then(look));
  return {
    ahead: [keeps],
    title: () => t("details"),
    render: () => {
      if (match.known === "unknown") return unknownMatch();
      if (!match.view) return notThere(match.known === "away");
      return html`<div class="details">
        ${scorebox({ match: match.view, ...standing(match, sinceOf(match)) }, { sync: () => void owe(refresh(match)) })}
        ${places(match.id, "details", match.token !== undefined, shared.open)}
        <main>${oldScore(match)}${facts(match.view, game)}${rulesOf(game, isAway)}</main>
      </div>${shared.draw()}`;
    },
  };
};

/** What stands for an option, in words. @param {import("../options.js").Property} property @param {unknown} value */
const optionWords = ({ oneOf }, value) => {
  if (typeof value === "boolean") return t(value ? "details.yes" : "details.no");
  if (value === null) return t("details.none");
  return oneOf?.find((one) => one.const === value)?.title ?? String(value);
};

/** The options that the match is played with, as a form has them. @param {Schemas["MatchView"]} view @param {Game | null} found @returns {[string, unknown][]} */
const optionsIn = (view, found) =>
  (found?.game ? withForm(optionsOf(found.game)) : [])
    .filter(([name]) => view.rules[name] !== undefined)
    .map(([name, property]) => [property.title ?? name, optionWords(property, view.rules[name])]);

/** @param {Schemas["MatchView"]} view @param {Game | null} found */
const facts = (view, found) => {
  const { edition, commitment, head } = view;
  /** @type {[string, unknown][]} */
  const all = [
    [t("details.game"), found?.game?.title ?? view.game],
    ...optionsIn(view, found),
    [t("details.dice"), t(view.dice === "table" ? "details.dice.table" : "details.dice.seeded")],
    [t("details.commitment"), commitment && code(commitment)],
    [t("details.edition"), edition && html`${edition.id} ${code(edition.sha256)}`],
    [t("details.made"), whenOf(new Date(view.created_at))],
    [t("details.head", { n: head.seq }), code(head.hash)],
    [t("details.id"), code(view.id)],
  ];
  return html`<h2 class="section">${t("details")}</h2>
    <dl class="facts">${all.filter(([, value]) => value).map(([name, value]) => html`<div class="row"><dt dir="auto">${name}</dt><dd dir="auto">${value}</dd></div>`)}</dl>
    <p class="block"><a class="link" href=${`/v1/matches/${view.id}/log`} download=${`${view.id}.ndjson`}>${t("details.log")}</a></p>`;
};

/** @param {string} words */
const code = (words) => html`<code>${words}</code>`;

/** @param {Game | null} found @param {boolean} isAway */
const rulesOf = (found, isAway) => {
  if (!found) return html`<p class="block">${t(isAway ? "match.away" : "match.loading")}</p>`;
  return html`<h2 class="section">${t("details.rules")}</h2>
    <ul>${found.rulings.map(({ id, text }) => html`<li class="row rule-text" id=${id}><span class="lines"><span dir="auto">${text}</span><span class="small quiet">${id}</span></span></li>`)}</ul>`;
};
