/** The deliveries that a board draws its worm from, who was out last, and the throw that turned the match. A ball alone is read alone. */
import { lastBall } from "../following.js";
import { owe, redraw } from "../owed.js";
import { pagesOf, read } from "../service.js";
import { after } from "../signal.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../series.js").Rows} Rows */

const DELIVERIES = "/v1/matches/{id}/deliveries";
const LUCK = "/v1/matches/{id}/luck";
/** How long it is until what has not come is read again. */
const AGAIN = 5000;

/** The rows of a match, as far as they were read. @param {Followed} match */
export const rowsOf = (match) => {
  const { id, signal } = match;
  const of = { id };
  /** @type {Rows | null} */
  let rows = null;
  /** @type {import("../service.js").Schemas["Luck"] | null} */
  let luck = null;
  /** The event up to which the rows were read; 0 where all are to be read. */
  let readTo = 0;
  /** @type {Promise<void> | null} */
  let reading = null;
  /** Whether the head has moved since the read that is under way began. */
  let isBehind = false;

  const headNow = () => match.view?.head.seq ?? 0;

  const readRows = async () => {
    const head = headNow();
    if (head === readTo) return;
    // Anything but one ball more may have changed what came before it.
    const isOneMore = readTo > 0 && head === readTo + 1 && lastBall(match)?.seq === head;
    const known = isOneMore ? (rows?.deliveries ?? []) : [];
    const from = known.at(-1)?.delivery ?? 0;
    const pages = await pagesOf((after) => read(DELIVERIES, { of, query: { after }, signal }), from);
    // What was appended meanwhile may have changed the rows that are known, and those of the pages before.
    const isWhole = pages.every((page) => page.at_seq === (isOneMore ? head : pages[0]?.at_seq));
    readTo = isWhole ? (pages[0]?.at_seq ?? 0) : 0;
    isBehind ||= !isWhole;
    if (!isWhole) return;
    const { innings = [], dice_alone = false } = pages.at(-1) ?? {};
    rows = { innings, dice_alone, deliveries: [...known, ...pages.flatMap((page) => page.deliveries)] };
    redraw();
  };
  /** The throw that turned the match is told once the match is over, and anew after a correction. */
  const readTurn = async () => {
    if (!rows?.dice_alone || !match.view?.result || luck?.head.seq === headNow()) return;
    luck = await read(LUCK, { of, query: { limit: 1 }, signal });
    redraw();
  };
  const readAll = async () => {
    while (isBehind && !signal.aborted) {
      isBehind = false;
      await readRows();
      await readTurn();
    }
  };
  const start = () => {
    isBehind = true;
    reading ??= owe(readAll())
      .catch(() => after(AGAIN, start, signal))
      .finally(() => {
        reading = null;
        if (isBehind && !signal.aborted) start();
      });
  };

  return {
    rows: () => rows,
    /** How the dice fell, where that is of the match as it stands. */
    luck: () => (luck?.head.hash === match.view?.head.hash ? luck : null),
    /** Reads what the head has brought. */
    read: start,
  };
};

/** Who was out last in the innings that is played, and for how many runs. @param {Rows | null} rows @param {number | undefined} innings */
export const lastOutOf = (rows, innings) => {
  const own = rows?.deliveries.filter((row) => row.innings === innings) ?? [];
  const out = own.filter(({ wicket }) => wicket).at(-1)?.wicket;
  if (!out) return null;
  const made = own.filter(({ batter }) => batter === out.player_out);
  return {
    player: out.player_out,
    how: out.kind,
    runs: made.reduce((sum, { runs }) => sum + runs.batter, 0),
  };
};
