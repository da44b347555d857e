/** The pages that a scorer has at hand: they are one script. */
import { whole } from "../loading.js";
import * as ofHome from "./home.js";
import * as ofMatch from "./match_page.js";
import * as ofPad from "./pad.js";

export const home = ofHome.home;
export const pad = ofPad.pad;
export const padOrBoard = ofMatch.padOrBoard;
/** The page of a ball, which draws its keys as the pad does. */
export const ball = () => whole(import("./delivery.js"), { sheet: "delivery", words: "delivery" });
