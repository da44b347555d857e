/** The pages that a scorer has at hand, but for Home: they are one script. */
import { whole } from "../loading.js";
import * as ofMatch from "./match_page.js";
import * as ofPad from "./pad.js";

export const pad = ofPad.pad;
export const padOrBoard = ofMatch.padOrBoard;
/** The page of a ball, which draws its keys as the pad does. */
export const ball = () => whole(import("./delivery.js"), { sheet: "delivery", words: "delivery" });
