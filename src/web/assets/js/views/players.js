/** The players of a ball: what decides each, and the way to another one. */
import { html, nothing } from "../html.js";
import { lastEvent } from "../events.js";
import { t } from "../i18n.js";
import { owe, redraw } from "../owed.js";
import { Refused, read } from "../service.js";
import { ballRolls, saying } from "../parts/delivery.js";
import { choiceKeys } from "../parts/keypad.js";
import { battingIn, playerName, withShortNames } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";
import { sentence } from "./nowhere.js";
import * as righting from "./righting.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("./delivery.js").BallPage} BallPage */
/** @typedef {import("../parts/delivery.js").Delivery} Delivery */
/** @typedef {righting.Body} Body */

/** What a player did on a ball; or the toss, which decides who bats. @typedef {"striker" | "bowler" | "fielder" | "next" | "toss"} Part */
/** Another player in his place, or another toss, and the correction that puts that there. @typedef {{name: string, title: string, lead: string, body: Body, why_not?: string}} Other */

/**
 * A player that was tapped.
 * @typedef {object} Tapped
 * @property {Part} part
 * @property {string} text What decides him, in words.
 * @property {{words: string, href: string} | null} link The ball that decides him.
 * @property {number[]} dice The places of the dice that picked him.
 * @property {Other[]} others
 * @property {string} words What the key says that puts another one in his place.
 * @property {boolean} isBusy Whether what decides him is being read.
 * @property {string | null} said What is refused, in words.
 */

/** The players of a ball by what they did on it; before the first ball stands the toss, but in a remote match: there each side makes its own steps. @param {MatchView} view @param {Delivery} shown @returns {{part: Part, name: string}[]} */
const playersOf = ({ remote }, { now, choices, previous }) => {
  const { next_batter: next } = choices;
  const [fielder] = now?.wicket?.fielders ?? [];
  return now
    ? [
        { part: "striker", name: now.batter },
        { part: "bowler", name: now.bowler },
        ...(fielder ? [{ part: /** @type {const} */ ("fielder"), name: fielder }] : []),
        ...(typeof next === "string" && next !== now.batter
          ? [{ part: /** @type {const} */ ("next"), name: next }]
          : []),
        ...(previous || remote ? [] : [{ part: /** @type {const} */ ("toss"), name: t("who.toss.name") }]),
      ]
    : [];
};

/** A player was tapped: what decides him is read. @param {BallPage} page @param {MatchView} view @param {Delivery} shown @param {{part: Part, name: string}} player */
const tap = async (page, view, shown, { part, name }) => {
  if (page.right?.isBusy || page.tapped?.isBusy) return;
  const isAgain = page.tapped?.part === part;
  righting.leave(page);
  if (isAgain) return;
  /** @type {Tapped} */
  const tapped = { part, text: "", link: null, dice: [], others: [], words: "", isBusy: true, said: null };
  page.tapped = tapped;
  redraw();
  try {
    Object.assign(tapped, await DECIDED[part]({ page, view, shown, name }));
  } catch (error) {
    if (page.match.signal.aborted) return;
    tapped.said = sentence(error);
  }
  tapped.isBusy = false;
  redraw();
};

/** @typedef {{page: BallPage, view: MatchView, shown: Delivery, name: string}} Of */

/** The striker: who opens, who came in, or the runs of the ball before. @param {Of} of @returns {Promise<Partial<Tapped>>} */
const striker = async ({ page, view, shown, name }) => {
  const { match } = page;
  if (name === shown.choices["next_batter"]) return next({ page, view, shown, name });
  const other = shown.now?.partner ?? "";
  if (shown.place.over === 1 && shown.place.ball === 1) {
    const over = await overOf(page, shown, page.n);
    const change = { ...over, openers: [other, name] };
    const lead = t("who.opens.lead", short(view, { name, other }));
    const body = { amends: page.n, over: change, cascade: "refit", reason: t("reason.player") };
    return {
      text: t("who.opened", short(view, { name, other })),
      others: [{ name: other, title: t("who.opens", short(view, { name, other })), lead, body }],
      words: t("right.confirm", { at: placeWords(shown.place) }),
    };
  }
  const of = { id: match.id, n: Number(shown.previous) };
  const { now, place } = await read("/v1/matches/{id}/deliveries/{n}", { of, signal: match.signal });
  const at = placeWords(place);
  const link = {
    words: t("delivery.title", { at }),
    href: `/m/${match.id}/ball/${of.n}?known=${shown.head.seq}`,
  };
  const isNew = now && ![now.batter, now.partner].includes(name);
  const odd = Number(now?.runs.total) % 2 === 1 ? "run" : "none";
  const text = isNew
    ? t("who.came_in", { ...short(view, { name }), at })
    : t(`who.faces.${odd}`, { ...short(view, { other }), at });
  return { text, link };
};

/** The bowler: the over, which another one can bowl. @param {Of} of @returns {Promise<Partial<Tapped>>} */
const bowler = async ({ page, view, shown, name }) => {
  const { innings, over, ball } = shown.place;
  const first = page.n - (ball - 1);
  const batting = battingIn(view, innings) ?? "home";
  const side = view[batting === "home" ? "away" : "home"];
  const choices = await overOf(page, shown, first);
  const others = playersIn(side)
    .filter((other) => other !== name)
    .map((other) => ({
      name: other,
      title: withShortNames(view, other),
      lead: t("who.bowls", { over, ...short(view, { name, other }) }),
      body: {
        ...{ amends: first, cascade: "refit", reason: t("reason.player") },
        over: { ...Object(exchanged(choices, name, other)), bowler: other },
      },
    }));
  return {
    text: t("who.over", { over, ...short(view, { name }) }),
    others: await weighed(page, others),
    words: t("right.confirm", { at: t("who.over.at", { over }) }),
  };
};

/** The fielder: the dice that picked him. @param {Of} of @returns {Promise<Partial<Tapped>>} */
const fielder = async ({ view, shown, name }) => {
  const picked = ballRolls(shown).find(({ text }) => text?.includes(name));
  if (!picked) return { text: t("who.stood", short(view, { name })) };
  return { text: saying(view, picked.text), dice: picked.places };
};

/** Who came in for the ball: another one can. @param {Of} of @returns {Promise<Partial<Tapped>>} */
const next = async ({ page, view, shown, name }) => {
  const batting = battingIn(view, shown.place.innings) ?? "home";
  const others = playersIn(view[batting])
    .filter((other) => other !== name)
    .map((other) => ({
      name: other,
      title: withShortNames(view, other),
      lead: t("who.next.lead", short(view, { name, other })),
      body: {
        ...{ amends: page.n, cascade: "refit", reason: t("reason.player") },
        choices: { ...shown.choices, next_batter: other },
      },
    }));
  return {
    text: t("who.next.who", short(view, { name })),
    others: await weighed(page, others),
    words: t("right.confirm", { at: placeWords(shown.place) }),
  };
};

/** The toss: who won it, and what they chose. @param {Of} of @returns {Promise<Partial<Tapped>>} */
const toss = async ({ page, view, shown }) => {
  const decided = await lastEvent(page.match, shown.now?.seq ?? 0, ({ kind }) => kind === "toss_decided");
  if (decided?.kind !== "toss_decided") return {};
  const { by, to } = decided.data;
  const sayOf = (/** @type {Winner} */ winner, /** @type {Choice} */ choice) =>
    t(`who.toss.${choice}`, { side: view[winner].name });
  const other = by === "home" ? "away" : "home";
  const turned = to === "bat" ? "bowl" : "bat";
  // The coin of a seed stays, and with it who has won.
  const won = shown.dice_from === "table" ? [/** @type {const} */ ([other, to]), [other, turned]] : [];
  const all = /** @type {[Winner, Choice][]} */ ([...won, [by, turned]]);
  const others = all.map(([winner, choice]) => ({
    name: `${winner} ${choice}`,
    title: sayOf(winner, choice),
    lead: `${sayOf(winner, choice)}.`,
    body: {
      ...(winner === by ? { anew: "toss_decided" } : { anew: "toss", winner }),
      ...{ to: choice, reason: t("reason.key") },
    },
  }));
  return {
    text: `${sayOf(by, to)}.`,
    others: await weighed(page, others),
    words: t("right.confirm", { at: t("who.toss.at") }),
  };
};

/** @typedef {"home" | "away"} Winner */
/** @typedef {"bat" | "bowl"} Choice */

/** What decides each. */
const DECIDED = { striker, bowler, fielder, next, toss };

/** Names as a scorebook writes them. @param {MatchView} view @param {Record<string, string>} names */
const short = (view, names) =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, withShortNames(view, name)]));

/** @param {{players?: unknown}} side */
const playersIn = ({ players }) => (Array.isArray(players) ? players.map(playerName) : []);

/** A value in which two names have changed places. @param {unknown} value @param {string} one @param {string} other @returns {unknown} */
const exchanged = (value, one, other) => {
  const name = (/** @type {string} */ text) => (text === one ? other : text === other ? one : text);
  if (typeof value === "string") return name(value);
  if (Array.isArray(value)) return value.map((inner) => exchanged(inner, one, other));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [name(key), exchanged(inner, one, other)]),
  );
};

/** The choices of the over that a ball begins, as recorded. @param {BallPage} page @param {Delivery} shown @param {number} first @returns {Promise<Body>} */
const overOf = async ({ match, n }, shown, first) => {
  const { id, signal } = match;
  const found =
    first === n ? shown : await read("/v1/matches/{id}/deliveries/{n}", { of: { id, n: first }, signal });
  const { innings, over } = shown.place;
  const begun = await lastEvent(
    match,
    found.now?.seq ?? 0,
    ({ kind, data }) => kind === "over" && data.innings === innings && data.over === over,
  );
  return begun?.kind === "over" ? begun.data.choices : {};
};

/** Others with the rule that keeps them out, where one does. @param {BallPage} page @param {Other[]} others */
const weighed = async (page, others) => {
  const all = [];
  // One after the other: the service has other readers.
  for (const one of others) {
    const refused = await righting.tried(page, one.body).then(
      () => null,
      (error) => {
        if (error instanceof Refused && !error.isPassing && !error.isOfToken) return error;
        throw error;
      },
    );
    all.push(refused ? { ...one, why_not: refused.message } : one);
  }
  return all;
};

/** The players of the ball, each a key. @param {BallPage} page @param {MatchView} view @param {Delivery} shown */
export const players = (page, view, shown) =>
  html`<div class="who" role="group" aria-label=${t("who")}>${playersOf(view, shown).map(
    (
      player,
    ) => html`<button type="button" data-who=${player.part} aria-pressed=${String(page.tapped?.part === player.part)}
    @click=${() => void owe(tap(page, view, shown, player))}><b dir="auto">${withShortNames(view, player.name)}</b><span class="small quiet">${t(`who.${player.part}`)}</span></button>`,
  )}</div>`;

/** Who cannot stand in his place, each rule with those whom it keeps out. @param {Tapped} tapped */
const cannot = ({ part, others }) => {
  const rules = new Map(others.map(({ why_not: rule }) => [rule, /** @type {string[]} */ ([])]));
  for (const { title, why_not: rule } of others) rules.get(rule)?.push(title);
  rules.delete(undefined);
  return rules.size === 0
    ? nothing
    : html`<div class="small quiet"><p class="strong">${t(`who.cannot.${part}`)}</p><ul>${[...rules].map(
        ([rule, names]) => html`<li dir="auto">${names.join(", ")}: ${rule}</li>`,
      )}</ul></div>`;
};

/** What decides the player that was tapped, and who else it could be. @param {BallPage} page @param {Tapped} tapped @param {(places: number[]) => unknown} diceOf Draws dice that can be tapped. */
export const decided = (page, tapped, diceOf) => {
  const { part, text, link, dice, others, words, isBusy, said } = tapped;
  const choose = (/** @type {unknown} */ value) => {
    const other = others.find(({ name }) => name === value);
    if (!other) return;
    const { body, lead } = other;
    righting.begin(page, { way: "player", body, lead, words, reason: String(body["reason"]) });
  };
  const keys = others.filter((other) => !other.why_not).map(({ name, title }) => ({ value: name, title }));
  return html`${said ? html`<p class="label" data-said role="alert" dir="auto">${said}</p>` : nothing}
    <p id="decided" class=${isBusy ? "quiet" : "strong"} dir="auto">${isBusy ? t("match.loading") : text}</p>
    ${link ? html`<a class="link" href=${link.href}>${link.words}</a>` : nothing}
    ${dice.length > 0 ? html`<p class="small quiet">${t("who.dice")}</p>${diceOf(dice)}` : nothing}
    ${keys.length > 0 ? choiceKeys({ ways: keys, looks: keys.length > 1 && part !== "toss" ? "many" : "", labelledby: "decided" }, { choose }) : nothing}
    ${cannot(tapped)}`;
};
