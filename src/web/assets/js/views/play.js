/** The pages that a scorer has at hand: they are one script. */
import * as ofHome from "./home.js";
import * as ofMatch from "./match_page.js";
import * as ofPad from "./pad.js";

export const home = ofHome.home;
export const pad = ofPad.pad;
export const padOrBoard = ofMatch.padOrBoard;
