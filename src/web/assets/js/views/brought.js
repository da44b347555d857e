/** Finds what the last correction has taken away or changed, as long as nothing was played since. It draws nothing. */
import { counted, t } from "../i18n.js";
import { behindDrawing, owe, redraw } from "../owed.js";
import { rowsOf } from "../rows.js";
import { pagesOf, read, send } from "../service.js";
import { ballWords, withShortNames, written } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../service.js").MatchView} MatchView */
/** @typedef {import("../service.js").Schemas} Schemas */
/** @typedef {import("../rows.js").Row} Row */
/** @typedef {Schemas["CorrectionEntry"]} Entry */
/** The body of the correction that brings it back. @typedef {{restores: number, reason: string}} Body */
/** What the key says, what changes first, and all that changes. @typedef {{words: string, lead: string, sentence: string, body: Body}} Offer */

const CORRECTIONS = "/v1/matches/{id}/corrections";
const EVENTS = "/v1/matches/{id}/events";

/** What is play. Other events change nothing that could be brought back. */
const PLAY = new Set("set_up toss toss_decided over roll ball review abandoned".split(" "));

/** What was found, and at which head. @type {WeakMap<Followed, {head: string, offer: Offer | null}>} */
const found = new WeakMap();

/** What can be brought back now. What a correction has left is looked for once for each head, behind the drawing. @param {Followed} match @returns {Offer | null} */
export const offerOf = (match) => {
  const head = match.view?.head.hash;
  if (!head || !match.token || !match.isFresh) return null;
  const last = found.get(match);
  if (last?.head === head) return last.offer;
  found.set(match, { head, offer: null });
  behindDrawing(() => void owe(look(match, head)));
  return null;
};

/** Looks what can be brought back. Without an answer nothing is offered. @param {Followed} match @param {string} head */
const look = async (match, head) => {
  const offer = await find(match).catch(() => null);
  if (offer && found.get(match)?.head === head) found.set(match, { head, offer });
  redraw();
};

/** All corrections, the first first. @param {Followed} match */
const entriesOf = async ({ id, signal }) => {
  const pages = await pagesOf((after) => read(CORRECTIONS, { of: { id }, query: { after }, signal }));
  return pages.flatMap(({ corrections }) => corrections);
};

/** Whether something was played since. What a correction has kept is written at its time. @param {Followed} match @param {Entry} last */
const isPlayedOn = async ({ id, signal, view }, last) => {
  const after = Math.max(last.seq, (view?.head.seq ?? 0) - 8);
  const { events } = await read(EVENTS, { of: { id }, query: { after, limit: 8 }, signal });
  return events.some(({ kind, at }) => PLAY.has(kind) && at !== last.at);
};

/** @param {Followed} match @returns {Promise<Offer | null>} */
const find = async (match) => {
  const { id, signal, token, view } = match;
  const all = await entriesOf(match);
  const last = all.filter(({ status }) => status === "made").at(-1);
  if (!view || !last || (await isPlayedOn(match, last))) return null;
  // What was brought back once or twice was corrected first.
  let first = last;
  let isBack = false;
  for (let before = all.find(({ seq }) => seq === first.restores); before;) {
    first = before;
    isBack = !isBack;
    before = all.find(({ seq }) => seq === first.restores);
  }
  const one = first.inserts ?? first.removes;
  const from = first.amends ?? one ?? first.voids_from ?? 1;
  const then = last.seq - 1;
  const was = await rowsOf(match, from, { at: then, as_known_at: then });
  const is = await rowsOf(match, from);
  const body = { restores: last.seq, reason: t("bring.reason") };
  const answer = await send(CORRECTIONS, { of: { id }, query: { dry_run: "true" }, signal, token, body });
  const supposed = /** @type {Schemas["SupposedBody"]} */ (/** @type {unknown} */ (answer));
  // A ball that was put in stands, unless that was taken back; one that was taken out does not.
  const balls = one
    ? single(one, isBack ? first.removes === one : first.inserts === one, was, is)
    : moved(was, is);
  const { words, lead } = first.anew
    ? anew(first.anew, isBack)
    : first.amends
      ? changed(view, first.amends, was, is)
      : balls;
  return { words, lead, sentence: [lead, ...scores(view, supposed)].join(" "), body };
};

/** Balls that come back, or go again. @param {Row[]} was @param {Row[]} is */
const moved = (was, is) => {
  const [what, more, fewer] = was.length > is.length ? ["bring", was, is] : ["bring.again", is, was];
  const first = more[fewer.length];
  if (!first) return { words: t("bring.void"), lead: t("bring.void.lead") };
  const [n, at] = [more.length - fewer.length, placeWords(first.place)];
  return { words: counted(what, n, { at }), lead: counted(`${what}.lead`, n, { at }) };
};

/** A step before the play is as it was, or as it was put right. @param {string} step @param {boolean} isBack */
const anew = (step, isBack) => {
  const words = t(`bring.${step === "set_up" ? "set_up" : "toss"}.${isBack ? "again" : "back"}`);
  return { words, lead: `${words}.` };
};

/** A ball that was put in goes again, or one that was taken out comes back. @param {number} n @param {boolean} isIn Whether it stands now. @param {Row[]} was @param {Row[]} is */
const single = (n, isIn, was, is) => {
  const row = (isIn ? is : was).find(({ delivery }) => delivery === n);
  if (!row) return moved(was, is);
  const at = placeWords(row.place);
  const words = t(isIn ? "bring.takes_out" : "bring.puts_in", { at });
  return { words, lead: t(isIn ? "bring.again.lead.one" : "bring.lead.one", { at }) };
};

/** A ball as it was put right becomes what it was. @param {MatchView} view @param {number} n @param {Row[]} was @param {Row[]} is */
const changed = (view, n, was, is) => {
  const [before, after] = [is, was].map((rows) => rows.find(({ delivery }) => delivery === n));
  if (!before || !after) return { words: t("bring.void"), lead: t("bring.void.lead") };
  const at = placeWords(after.place);
  const how = after.wicket?.kind;
  const [from, to] = [told(view, before), told(view, after)];
  if (from === to) return { words: t("bring.same", { at }), lead: t("bring.same.lead", { at }) };
  const words = how ? t("bring.out", { at, how }) : t("bring.ball", { at, what: to });
  return { words, lead: t(before.wicket ? "bring.from_out" : "bring.becomes", { at, from, to }) };
};

/** A ball in a few words: `Abel out, caught`; `four`. @param {MatchView} view @param {Row} row */
const told = (view, { wicket, boundary, runs, cell }) =>
  wicket
    ? t("bring.wicket", { name: withShortNames(view, wicket.player_out), how: wicket.kind })
    : ballWords({ boundary: boundary ?? null, runs: runs.total, cell });

/** The score of each innings that changes. @param {MatchView} view @param {Schemas["SupposedBody"]} supposed */
const scores = (view, { before, after }) => {
  const lines = before.innings.flatMap((was) => {
    const is = after.innings.find(({ number }) => number === was.number);
    const [from, to] = [written(was), is ? written(is) : t("bring.not_begun")];
    return from === to ? [] : t("bring.score", { side: view[was.batting].name, from, to });
  });
  return lines.length > 0 ? lines : [t("bring.stays")];
};
