/** The parts of a pad that have scripts of their own. */
import { whole } from "../loading.js";
import { later } from "./later.js";
import { card } from "./scripts.js";

/** What stands beside a pad where there is room. */
export const asides = later(card);

/** The sheets of a pad, and the end of its match. */
export const sheets = later(() => whole(import("./sheets.js"), { sheet: "sheets", words: "sheets" }));
