/** A part of a page that has a script of its own. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { behindDrawing, owe, redraw } from "../owed.js";
import { compareVersions } from "../version.js";
import { missing } from "./nowhere.js";

/**
 * A part that is loaded ahead, or when it is to be drawn. Until it is there it says so; where it does not come it says
 * that, with Again.
 * @template T @param {() => Promise<T>} load
 */
export const later = (load) => {
  /** @type {T | null} */
  let found = null;
  /** @type {Promise<T> | null} */
  let asked = null;
  let isMissing = false;
  const ask = () => {
    asked ??= load().then(
      (module) => {
        found = module;
        redraw();
        return module;
      },
      () => {
        asked = null;
        throw new Error("a part has not come");
      },
    );
    return asked;
  };
  const need = () => {
    isMissing = false;
    void owe(
      ask().catch(() => {
        isMissing = true;
        redraw();
        // The script of a version that is gone does not come again.
        void compareVersions();
      }),
    );
  };
  return {
    ahead: ask,
    /** Uses the part once it has come; where it does not come, nothing is done. @param {(module: T) => unknown} use */
    soon: (use) => owe(ask().then(use, () => {})),
    /** @template U @param {(module: T) => U} use Is called only where the part is there. */
    now: (use) => (found ? use(found) : undefined),
    /** @param {(module: T) => unknown} use @param {(words: unknown) => unknown} [around] What stands around the words in its place. */
    draw: (use, around = (words) => words) => {
      if (found) return use(found);
      if (!asked && !isMissing) behindDrawing(() => void (asked || isMissing || need()));
      return around(isMissing ? missing(need) : html`<p class="block">${t("match.loading")}</p>`);
    },
  };
};
