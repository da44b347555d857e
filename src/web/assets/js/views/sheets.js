/** What a pad seldom draws: they are one script. */
import * as ofBall from "./ball.js";
import * as ofEnd from "./pad_end.js";
import * as ofForm from "./pad_form.js";
import * as ofHand from "./pad_hand.js";
import * as ofHint from "./pad_hint.js";
import * as ofRest from "./pad_rest.js";
import * as ofSheets from "./pad_sheets.js";
import * as ofRules from "./rules.js";
import * as ofStop from "./pad_stop.js";

export const ballOf = ofBall.ballOf;
export const endOf = ofEnd.endOf;
export const totalsOf = ofEnd.totalsOf;
export const formOf = ofForm.formOf;
export const hear = ofHint.hear;
export const hintOf = ofHint.hintOf;
export const elsewhereOf = ofRest.elsewhereOf;
export const restOf = ofRest.restOf;
export const waysOf = ofRest.waysOf;
export const lookAt = ofHand.lookAt;
export const takeOver = ofHand.takeOver;
export const readRules = ofRules.readRules;
export const sheetOf = ofSheets.sheetOf;
export const stopOf = ofStop.stopOf;
