/** What a pad seldom draws: they are one script. */
import * as ofBall from "./ball.js";
import * as ofEnd from "./pad_end.js";
import * as ofForm from "./pad_form.js";
import * as ofSheets from "./pad_sheets.js";
import * as ofStop from "./pad_stop.js";
import * as ofUnasked from "../parts/not_built.js";

export const ballOf = ofBall.ballOf;
export const endOf = ofEnd.endOf;
export const formOf = ofForm.formOf;
export const notBuilt = ofUnasked.notBuilt;
export const sheetOf = ofSheets.sheetOf;
export const stopOf = ofStop.stopOf;
export const told = ofUnasked.told;
