/** The parts of a pad that have scripts of their own. */
import { html } from "../html.js";
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { sheet } from "../parts/sheet.js";
import { later } from "./later.js";
import { card } from "./scripts.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("./pad_sheets.js").Sheet} Sheet */

const asides = later(card);

/** What stands beside a pad where there is room. @param {import("../match.js").Match} match */
export const asidesOf = (match) =>
  asides.draw(
    (module) => module.asidesOf(match),
    (words) => html`<aside class="aside card">${words}</aside>`,
  );

/** The sheets of a pad, and the end of its match. */
export const sheets = later(() => whole(import("./sheets.js"), { sheet: "sheets", words: "sheets" }));

/** The sheet that is open. @param {Pad} state @param {Sheet} open @param {Verbs} verbs */
export const sheetOf = (state, open, verbs) =>
  sheets.draw(
    (module) => module.sheetOf(state, open, verbs),
    (body) => sheet({ title: t(open.kind === "sync" ? "sync" : "more"), key: "later", body }, verbs),
  );
