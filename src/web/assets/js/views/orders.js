/** What bowls a ball that asks nothing: dice of the service, and an over whose orders are laid. They are one script. */
import * as ofCover from "./cover.js";
import * as ofCovering from "./covering.js";
import * as ofOrders from "./pad_orders.js";

export const coverOf = ofCover.coverOf;
export const rowOf = ofCover.rowOf;
export const saidOf = ofCover.saidOf;
export const beginOrders = ofCovering.begin;
export const resumeOrders = ofCovering.resume;
export const typeCube = ofCovering.typeDigit;
export const takeOrderBack = ofCovering.takeBack;
export const undoOrders = ofCovering.undoOf;
export const bowlOf = ofOrders.bowlOf;
export const ordersOf = ofOrders.ordersOf;
export const playOf = ofOrders.playOf;
export const turnOf = ofOrders.turnOf;
