/**
 * What is told once: the end of an innings, what the browser refuses to keep, what another phone has written. It lies
 * below the score box, over what is only read, so that no key moves, and a key counts meanwhile.
 */
import { storageFault } from "../db.js";
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { dropBroken, hasBroken } from "../kept.js";
import { shownOf } from "../match.js";
import { owe, redraw } from "../owed.js";
import { icon } from "../parts/icons.js";
import { withShortNames } from "../parts/names.js";
import { placeWords } from "../parts/strip.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("../match.js").Now["shown"]} Shown */

/** @param {import("./pad.js").Drawn} state @param {import("./pad.js").Verbs} verbs */
export const hintOf = (state, { heard, share }) => {
  const { shown } = state.now;
  const ended = endedOf(state, shown);
  const fault = faultOf(state);
  const words =
    ended?.text ?? (fault && t(fault)) ?? strangerOf(state, shown) ?? (state.hint && t(state.hint));
  if (!words || !(shown?.situation || hasBroken(state.match.id))) return nothing;
  return html`<div class=${ended ? "hint-over ended" : "hint-over"} role="status" data-hint @click=${heard}><div><p dir="auto">${words}</p>${ended && shown?.situation?.last ? html`<p class="small" dir="auto">${withShortNames(shown, shown.situation.last.text)}</p>` : nothing}</div>
    ${!ended && fault === "storage.none" ? html`<button type="button" class="link" data-action="share" @click=${share}>${t("share")}</button>` : nothing}
    <button type="button" class="square" data-action="heard" aria-label=${t("close")}>${icon("close")}</button></div>`;
};

/** What lies there is heard. @param {Pad} state */
export const hear = (state) => {
  const { match } = state;
  const ended = endedOf(state, shownOf(match));
  if (ended) state.inningsHeard = ended.number;
  else if (hasBroken(match.id)) void owe(dropBroken(match.id).then(redraw));
  else if (match.stranger && !faultOf(state)) match.stranger = null;
  else [state.faultHeard, state.hint] = [storageFault(), null];
  redraw();
};

/** The innings that has just ended, until somebody has heard it. @param {Pad} state @param {Shown} shown */
const endedOf = ({ inningsHeard }, shown) => {
  const ended = shown?.situation?.innings_ended;
  return ended && ended.number !== inningsHeard ? ended : null;
};

/** What the browser refuses, as the key of its words. @param {Pad} state */
const faultOf = ({ match, faultHeard, isForgetful }) => {
  if (hasBroken(match.id)) return "storage.broken";
  const fault = storageFault();
  if (!fault || faultHeard === fault) return null;
  if (!isForgetful) return "storage.refused";
  return match.token ? "storage.none" : null;
};

/** What another phone has written with the token of this one. Tabs that keep nothing know nothing of each other. @param {Pad} state @param {Shown} shown */
const strangerOf = ({ match: { stranger } }, shown) => {
  if (!stranger) return null;
  const { place, text } = stranger;
  const what = place ? placeWords(place, shown?.situation?.over.deliveries) : text;
  return t(storageFault() ? "stranger.tab" : "stranger", { what });
};
