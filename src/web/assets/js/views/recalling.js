/** What pages were told last, so that they open without the service. Its script comes once a page is idle, and keeps what was told until then. */
import { nothing } from "../html.js";
import { whole } from "../loading.js";
import { later } from "./later.js";

/** @typedef {import("../following.js").Followed} Followed */

export const recall = later(() => whole(import("./recall.js"), { words: "recall" }));

/** Uses the script; null where it does not come. @template T @param {(script: typeof import("./recall.js")) => T} use @returns {Promise<T | null>} */
export const recalled = (use) =>
  recall
    .ahead()
    .then(use)
    .catch(() => null);

/** A match is kept as it is told, and shown as it was where the service does not tell it. Returns what begins it. @param {Followed} match */
export const recalling = (match) => {
  match.recall = () => recalled(({ matchOf }) => matchOf(match.id));
  match.told = () => recall.now(({ keepMatch }) => keepMatch(match));
  return () => recalled(({ keepMatch }) => keepMatch(match));
};

/** What stands below a score that is old. @param {Followed} match */
export const oldScore = (match) =>
  match.isFresh
    ? nothing
    : recall.draw(
        (script) => script.oldScore(match),
        () => nothing,
      );

/** In words: how long ago the last ball was; since when there is no connection. @param {Followed} match */
export const sinceOf = (match) =>
  String(
    recall.draw(
      (script) => script.sinceOf(match),
      () => "",
    ),
  );
