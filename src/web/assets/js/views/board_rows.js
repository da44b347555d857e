/** The deliveries that a board draws its worm from, who was out last, and the throw that turned the match. A ball alone is read alone. */
import { lastBall } from "../following.js";
import { owe, redraw } from "../owed.js";
import { pagesOf, read } from "../service.js";

/** @typedef {import("../following.js").Followed} Followed */
/** @typedef {import("../series.js").Rows} Rows */

const DELIVERIES = "/v1/matches/{id}/deliveries";
const LUCK = "/v1/matches/{id}/luck";

/** The rows of a match, as far as they were read. @param {Followed} match */
export const rowsOf = (match) => {
  const { id, signal } = match;
  /** @type {Rows | null} */
  let rows = null;
  /** @type {import("../service.js").Schemas["TurnOfMatch"] | null} */
  let turn = null;
  let readTo = 0;
  /** @type {Promise<void> | null} */
  let reading = null;
  /** Whether the head has moved since the read that is under way began. */
  let isBehind = false;

  const readOnce = async () => {
    const head = match.view?.head.seq ?? 0;
    if (head === readTo) return;
    // Anything but one ball more may have changed what came before it.
    const isOneMore = rows !== null && head === readTo + 1 && lastBall(match)?.seq === head;
    const known = isOneMore ? (rows?.deliveries ?? []) : [];
    const from = known.at(-1)?.delivery ?? 0;
    const pages = await pagesOf((after) => read(DELIVERIES, { of: { id }, query: { after }, signal }), from);
    const deliveries = [...known, ...pages.flatMap((page) => page.deliveries)];
    const { innings = [], dice_alone = false } = pages.at(-1) ?? {};
    rows = { innings, dice_alone, deliveries };
    readTo = Math.min(...pages.map(({ at_seq: seq }) => seq));
    turn = null;
    redraw();
    if (!dice_alone || !match.view?.result) return;
    turn = (await read(LUCK, { of: { id }, query: { limit: 1 }, signal })).turn ?? null;
    redraw();
  };
  const readAll = async () => {
    while (isBehind && !signal.aborted) {
      isBehind = false;
      await readOnce();
    }
  };
  const start = () => {
    reading ??= owe(readAll())
      .catch(() => {})
      .finally(() => {
        reading = null;
        if (isBehind && !signal.aborted) start();
      });
  };

  return {
    rows: () => rows,
    turn: () => turn,
    /** Reads what the head has brought. What does not come is read with the next event, or with the connection. */
    read: () => {
      isBehind = true;
      start();
    },
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
