// Draws the scorebook's rows: striker, partner, bowler and partnership, each a button; what can be changed says so.
import { html, nothing } from "../html.js";
import { nameOf } from "../places.js";
import { counted, t } from "../i18n.js";
import { icon } from "./icons.js";
import { shortNamesOf } from "./names.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["Ask"]} Ask */
/** @typedef {"striker" | "bowler"} Cell */

/** The choices whose ask stands in a cell of the book; any other has a row or stands under More. */
const CELLS = /** @type {Record<string, Cell>} */ ({
  bowler: "bowler",
  next_batter: "striker",
  openers: "striker",
});

/** The cell in which an ask with a default can be changed. @param {Ask} ask @returns {Cell | null} */
export const cellOf = (ask) => (ask.required ? null : (CELLS[nameOf(ask.at)] ?? null));

/** The value taken for an ask: the chosen one, else the default. @param {Ask | undefined} ask @param {Record<string, unknown>} chosen */
const valueOf = (ask, chosen) => (ask ? (chosen[ask.at] ?? ask.default) : undefined);

/**
 * Who bowls to whom next, by short names; nothing where one of them is not known. A batter who comes in faces where
 * nobody else does.
 * @param {{ match: Schemas["MatchView"], cells: { ask: Ask, value: unknown }[] }} data `cells`: what stands for the asks with a default.
 */
export const nextWords = ({ match, cells }) => {
  const now = match.situation;
  const of = (/** @type {Cell} */ which) => cells.find(({ ask }) => cellOf(ask) === which)?.value;
  const batter = now?.striker?.player ?? [of("striker")].flat()[0];
  const bowler = of("bowler") ?? now?.bowler?.player;
  const short = shortNamesOf(match);
  return typeof batter === "string" && typeof bowler === "string"
    ? t("held.next", { bowler: short(bowler), batter: short(batter) })
    : "";
};

/** @param {{ runs: number, balls: number }} figures */
const batting = ({ runs, balls }) => html`${runs} <i>(${balls})</i>`;
/** @param {Schemas["BowlerNow"]} bowler */
const bowling = ({ overs, maidens, runs, wickets }) => `${overs}-${maidens}-${runs}-${wickets}`;

/** @param {{ faces?: boolean, bat?: boolean, who: string, figures: unknown, said: string, ask?: Ask | undefined, key: string }} cell @param {Send} send */
const cell = ({ faces, bat = faces, who, figures, said, ask, key }, send) =>
  html`<button type="button" class=${faces ? "faces" : nothing} data-cell=${key} @click=${() => (ask ? send.open(ask.at) : send.card())}>
    <span class="heard">${said}</span><span class="who" aria-hidden="true">${bat ? icon("bat") : nothing}<span class="cut" dir="auto">${who}</span></span><span class="figures" aria-hidden="true">${figures}</span></button>`;

const change = () => html`<span class="change">${t("change")}</span>`;

/** @typedef {{ open: (at: string) => void, card: () => void }} Send open: the sheet of an ask; card: the card. */

/**
 * The four cells. `asks` are those with a default; `chosen` is what was changed of them, by their `at`. `card`: what was
 * chosen for the ball that is typed, as its over card: it stands in the place of the partnership until the ball is over.
 * @param {{ match: Schemas["MatchView"], asks?: Ask[], chosen?: Record<string, unknown>, card?: string }} data @param {Send} send
 */
export const book = ({ match, asks = [], chosen = {}, card = "" }, send) => {
  const now = match.situation;
  if (!now && asks.length === 0) return nothing;
  const short = shortNamesOf(match);
  /** @param {Cell} which */
  const askOf = (which) => asks.find((ask) => cellOf(ask) === which);
  const [strikerAsk, bowlerAsk] = [askOf("striker"), askOf("bowler")];
  const comes = valueOf(strikerAsk, chosen);
  const bowls = valueOf(bowlerAsk, chosen);
  return html`<section class="book" aria-label=${t("book")}>
    ${striker({ now, short, ask: strikerAsk, comes }, send)}
    ${partner({ now, short, comes }, send)}
    ${bowlerCell({ now, short, ask: bowlerAsk, bowls }, send)}
    ${card ? chosenCell(card, send) : partnership(now, send)}
  </section>`;
};

const empty = () => html`<span aria-hidden="true"></span>`;

/** @param {string} card @param {Send} send */
const chosenCell = (card, send) =>
  cell(
    {
      who: t("book.chosen"),
      figures: html`<i class="cut" dir="auto">${card}</i>`,
      key: "partnership",
      said: `${t("book.chosen")}, ${card}`,
    },
    send,
  );

/** @param {Now} now @param {Send} send */
const partnership = (now, send) =>
  now?.partnership
    ? cell(
        {
          who: t("book.partnership"),
          figures: batting(now.partnership),
          key: "partnership",
          said: t("book.partnership.said", now.partnership),
        },
        send,
      )
    : empty();

/** @typedef {Schemas["MatchSituation"] | null | undefined} Now */
/** @param {{ now: Now, short: (name: string) => string, ask?: Ask, comes: unknown }} data @param {Send} send */
const striker = ({ now, short, ask, comes }, send) => {
  const opener = Array.isArray(comes) ? String(comes[0]) : null;
  const name = opener ?? (typeof comes === "string" ? comes : null);
  if (ask && name) {
    const words = t(opener ? "book.opens" : "book.comes_in", { name: short(name) });
    return cell(
      {
        faces: true,
        key: "striker",
        who: words,
        figures: change(),
        ask,
        said: `${t(opener ? "book.opens" : "book.comes_in", { name })}, ${t("change")}`,
      },
      send,
    );
  }
  if (!now?.striker)
    return now
      ? cell(
          {
            faces: true,
            bat: false,
            key: "striker",
            who: t("book.next"),
            figures: html`<i>${t("book.next.text")}</i>`,
            said: t("book.next"),
          },
          send,
        )
      : empty();
  return cell(
    {
      faces: true,
      key: "striker",
      who: short(now.striker.player),
      figures: batting(now.striker),
      said: t("book.striker.said", { ...now.striker, name: now.striker.player }),
    },
    send,
  );
};

/** @param {{ now: Now, short: (name: string) => string, comes: unknown }} data @param {Send} send */
const partner = ({ now, short, comes }, send) => {
  if (Array.isArray(comes)) {
    const name = String(comes[1]);
    return cell(
      {
        key: "partner",
        who: short(name),
        figures: html`<i>${t("book.other_end")}</i>`,
        said: t("book.opens", { name }),
      },
      send,
    );
  }
  // After a wicket the batter who stays may be the one at either end.
  const stays = now?.non_striker ?? (comes ? now?.striker : null);
  if (!stays) return empty();
  return cell(
    {
      key: "partner",
      who: short(stays.player),
      figures: batting(stays),
      said: t("book.partner.said", { ...stays, name: stays.player }),
    },
    send,
  );
};

/** Nobody bowls yet: the over that has ended, if there is one. @param {Schemas["MatchSituation"]} now @param {Send} send */
const betweenOvers = ({ over_ended: ended }, send) => {
  const [who, figures] = ended
    ? [
        t("book.over", { number: ended.number, runs: counted("ball.runs", ended.runs) }),
        counted("over.wickets", ended.wickets),
      ]
    : [t("book.bowler.next"), t("book.bowler.next.text")];
  return cell({ key: "bowler", who, figures: html`<i>${figures}</i>`, said: `${who}, ${figures}` }, send);
};

/** @param {{ now: Now, short: (name: string) => string, ask?: Ask, bowls: unknown }} data @param {Send} send */
const bowlerCell = ({ now, short, ask, bowls }, send) => {
  if (ask && typeof bowls === "string") {
    // `by default, 2 overs left`: what is counted stands last.
    const option = ask.options?.find(({ value }) => value === bowls);
    const left = option?.text
      ?.split(", ")
      .filter((words) => /\d/.test(words))
      .at(-1);
    return cell(
      {
        key: "bowler",
        who: t("book.bowls", { name: short(bowls) }),
        figures: html`${change()}${left ? html` <i class="small cut" dir="auto">${left}</i>` : nothing}`,
        ask,
        said: [t("book.bowls", { name: bowls }), left, t("change")].filter(Boolean).join(", "),
      },
      send,
    );
  }
  const bowler = now?.bowler;
  if (!bowler) return now ? betweenOvers(now, send) : empty();
  const words = bowler.text
    ? `${short(bowler.player)}, ${bowler.text}`
    : t("book.to_bowl", { name: short(bowler.player) });
  return cell(
    {
      key: "bowler",
      who: words,
      figures: bowling(bowler),
      said: t("book.bowler.said", {
        name: bowler.player,
        overs: bowler.overs,
        maidens: counted("book.maidens", bowler.maidens),
        runs: counted("ball.runs", bowler.runs),
        wickets: counted("over.wickets", bowler.wickets),
      }),
    },
    send,
  );
};
