/** The pages that a scorer has at hand, but for Home, and what sends what was typed there: they are one script. */
import { whole } from "../loading.js";
import * as sending from "../sending.js";
import * as ofMatch from "./match_page.js";
import * as ofPad from "./pad.js";

export const pad = ofPad.pad;
export const padOrBoard = ofMatch.padOrBoard;
export const sendKept = sending.sendKept;
/** The page of a ball, which draws its keys as the pad does. */
export const ball = () => whole(import("./delivery.js"), { sheet: "delivery", words: "delivery" });
/** The settings, which tell what is kept and not sent. */
export const settings = () => whole(import("./settings.js"), { sheet: "settings", words: "settings" });
