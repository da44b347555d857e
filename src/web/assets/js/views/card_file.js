/**
 * Makes the card of a match as one file: HTML that needs no script, no network and no other file. It is a document that
 * the templates build, written out by the browser; no text of a match is ever joined to markup.
 */
import { html, nothing, render } from "../html.js";
import { t } from "../i18n.js";
import { endWords } from "../parts/names.js";
import { scorebox } from "../parts/scorebox.js";
import { totals } from "../parts/totals.js";
import { pagesOf, read } from "../service.js";
import { logOf, sizeWords } from "./card_log.js";
import * as scripts from "./scripts.js";
import { obeyed } from "./obeyed.js";

/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("./card.js").Told} Told */
/** What the file tells: the card, the name of the game, and the log. @typedef {Told & { game: string, log: import("./card_log.js").Log }} Whole */
/** @typedef {{ name: string, blob: Blob, seq: number }} CardFile */

/** The sheets whose rules the file takes. */
const SHEETS = ["app", "card", "charts", "luck", "card_file"];

/** What the file may do: show itself. A name that became markup could still load and run nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * All that the file tells, as of the event that was the last when it was asked for: what is appended meanwhile is in no
 * part of it.
 * @param {string} id @param {AbortSignal} signal @param {number} most The most bytes that the log may have. @returns {Promise<Whole>}
 */
const readWhole = async (id, signal, most) => {
  const of = { id };
  const view = await read("/v1/matches/{id}", { of, signal });
  const { seq } = view.head;
  const query = { at: seq, as_known_at: seq };
  const { luckAsOf, reviewsAsOf, rowsAsOf } = await scripts.card();
  const [card, rows, reviews, corrections, { games }, log] = await Promise.all([
    read("/v1/matches/{id}/scorecard", { of, query, signal }),
    rowsAsOf(id, query, signal),
    reviewsAsOf(id, query, signal),
    pagesOf((after) => read("/v1/matches/{id}/corrections", { of, query: { after }, signal })),
    read("/v1/games", { signal }),
    logOf(id, seq, most, signal),
  ]);
  // A card without how the dice fell is better than none.
  const luck = rows.dice_alone ? await luckAsOf(id, query, signal).catch(() => null) : null;
  const made = corrections.flatMap((page) => page.corrections).filter((one) => one.seq <= seq);
  return {
    view,
    card: { ...card, corrections: made, corrections_total: made.length },
    rows: { ...rows, dice_alone: luck !== null },
    luck,
    reviews,
    game: games.find((game) => game.id === view.game)?.title ?? view.game,
    log,
  };
};

/** `24 November 2026`. @param {string} at */
const dayOf = (at) =>
  new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** A name as a part of the name of a file. @param {string} name */
const plain = (name) => (name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join("-").slice(0, 40);

/** @param {Told["view"]} view */
const nameOf = ({ home, away, created_at: at }) =>
  `${[plain(home.name) || "home", "v", plain(away.name) || "away", at.slice(0, 10)].join("-")}.html`;

/** Where the parts of the file are. @param {Told} told */
const places = ({ view, card, rows }) => {
  const innings = card.innings.map(({ number, batting }) => ({
    part: String(number),
    words: card.innings.length > 2 ? `${number} ${view[batting].name}` : view[batting].name,
  }));
  const drawn =
    rows.deliveries.length > 0
      ? [
          { part: "charts", words: t("file.charts") },
          ...(rows.dice_alone ? [{ part: "dice", words: t("file.dice") }] : []),
          { part: "balls", words: t("file.balls") },
        ]
      : [];
  const all = [...innings, ...drawn, { part: "log", words: t("file.check.short") }];
  return html`<nav class="tabs" aria-label=${t("file.parts")}>${all.map(({ part, words }) => html`<a class="cut" href=${`#part-${part}`} dir="auto">${words}</a>`)}</nav>`;
};

/** By what the card is checked. @param {Whole} whole @param {unknown} mark */
const logPart = ({ view, log }, mark) => {
  const size = sizeWords(log.size);
  return html`<section class="innings" id="part-log"><h2>${t("file.check")}</h2>${mark}
    ${
      log.href
        ? html`<p>${t("file.log.text", { n: view.head.seq, size })}</p><p class="saved"><a class="link" download=${`${view.id}.ndjson`} href=${log.href}>${t("file.log")}</a></p>`
        : html`<p data-left-out>${t("file.log.left", { size })}</p>`
    }
    <p class="small quiet">${t("file.made")}</p></section>`;
};

/** @param {Whole} whole @param {{ parts: unknown, mark: unknown }} drawn */
const pageOf = (whole, { parts, mark }) => {
  const { view, card, game } = whole;
  const { home, away, score } = view;
  const result = endWords(view);
  return html`<div class="card as-file">
    ${scorebox({ match: view }, {})}${places(whole)}
    <main><div class="head"><p class="strong" dir="auto">${t("row.sides", { home: home.name, away: away.name })}</p>
      <p class="small quiet">${game}, ${dayOf(view.created_at)}</p>
      ${score.innings.length > 1 ? totals({ innings: score.innings, home: home.name, away: away.name }) : nothing}
      ${result ? nothing : html`<p class="small"><b>${t("file.in_play", { seq: card.head.seq })}</b></p>`}</div>
      ${parts}${logPart(whole, mark)}</main></div>`;
};

/** Names the balls and the parts, so that what leads to them leads there within the file. Nothing leads out of it. @param {Element} body @param {number} known The event up to which the numbers of the balls hold. */
const leadWithin = (body, known) => {
  for (const part of body.querySelectorAll(".part[data-of]"))
    part.id = `part-${part.getAttribute("data-of")}`;
  const links = [...body.querySelectorAll("a")].map((link) => ({
    link,
    to: /\/ball\/(\d+)\?known=(\d+)$/.exec(link.getAttribute("href") ?? ""),
  }));
  const cells = links.filter(({ link }) => link.classList.contains("cell"));
  for (const { link, to } of cells) alone(link).id = `ball-${to?.[1]}`;
  const balls = new Set(cells.map(({ to }) => to?.[1]));
  for (const { link, to } of links.filter(({ link }) => body.contains(link))) {
    if (!to) continue;
    if (Number(to[2]) === known && balls.has(to[1])) link.setAttribute("href", `#ball-${to[1]}`);
    else alone(link);
  }
};

/** A link that leads nowhere any more: its words stay. @param {Element} link */
const alone = (link) => {
  const words = document.createElement("span");
  words.className = link.className.replace("link", "").trim();
  words.append(...link.childNodes);
  link.replaceWith(words);
  return words;
};

/** Takes out what only a page that is drawn again needs. @param {Element} body */
const clean = (body) => {
  const comments = document.createNodeIterator(body, NodeFilter.SHOW_COMMENT);
  for (let found = comments.nextNode(); found; found = comments.nextNode())
    /** @type {Comment} */ (found).remove();
  for (const one of body.querySelectorAll("[tabindex='-1']")) one.removeAttribute("tabindex");
};

/** The head of the document, but for its title and its style. */
const headOf = () => html`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content=${POLICY}>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">`;

/** @param {string} name */
const sheetOf = async (name) => {
  const answer = await fetch(new URL(`./${name}.css`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}.css has not come`);
  return answer.text();
};

/** @param {Whole} whole */
const written = async (whole) => {
  const [{ wholeCard }, ...sheets] = await Promise.all([scripts.card(), ...SHEETS.map(sheetOf)]);
  const [head, body] = [document.createElement("head"), document.createElement("body")];
  render(headOf(), head);
  render(pageOf(whole, await wholeCard(whole)), body);
  leadWithin(body, whole.card.at_seq);
  const { home, away } = whole.view;
  const titled = document.createElement("title");
  titled.textContent = t("file.title", {
    home: home.name,
    away: away.name,
    day: dayOf(whole.view.created_at),
  });
  const style = document.createElement("style");
  const root = Object.assign(document.createElement("html"), { lang: "en" });
  // No document holds it: this page's own policy would refuse its style.
  const page = document.createDocumentFragment();
  page.append(root);
  root.append(head, body);
  head.append(titled, style);
  clean(root);
  style.textContent = sheets.map((sheet) => obeyed(sheet, page)).join("");
  return `<!doctype html>\n${root.outerHTML}\n`;
};

/** How many bytes the log has at most that goes with the card. */
const MOST = 4 * 1024 * 1024;

/** The card of a match as one file. @param {string} id @param {AbortSignal} signal @param {number} [most] @returns {Promise<CardFile>} */
export const cardFile = async (id, signal, most = MOST) => {
  const whole = await readWhole(id, signal, most);
  const blob = new Blob([await written(whole)], { type: "text/html" });
  return { name: nameOf(whole.view), blob, seq: whole.view.head.seq };
};
