/** What stands where the thumb is once something is refused, until a person says how it goes on. */
import { diceOf } from "../draft.js";
import { html, nothing } from "../html.js";
import { ordered, t } from "../i18n.js";
import { dice } from "../parts/dice.js";
import { textField } from "../parts/fields.js";
import { note } from "../parts/question.js";
import { placeWords } from "../parts/strip.js";
import { decide, enterLink } from "../stopping.js";
import { shares } from "./sharing.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */

/** The match has moved on, or a rule refuses: both are shown, and nothing goes by itself. @param {Pad} state @param {Verbs} verbs */
export const stopOf = (state, verbs) => {
  const { match } = state;
  const { stop } = match.queue;
  if (!stop) return nothing;
  const { entry, error, theirs, isElsewhere } = stop;
  if (error?.isOfToken) return refused(state, entry, verbs);
  const isMoved = !error || error.isOfLog;
  // A browser that forgot has given back a ball that is recorded from here, with another end.
  const isOwn = error?.isOfKey ?? false;
  const texts = { theirs: match.view?.score.text ?? "", mine: entry.title };
  const title = isMoved ? t(whyOf(stop)) : error.message;
  const text = isMoved && theirs ? undefined : t(isMoved ? "stopped.both" : "stopped.refused", texts);
  const takes = theirs ? "books.take" : "stopped.theirs";
  return html`${note({ icon: "stop", title, text })}
    ${isMoved && theirs ? twoBooks(theirs, entry, isOwn) : nothing}
    <div class="actions">
      <button type="button" class="button" data-action="theirs" @click=${() => decide(match, "theirs")}>${t(isMoved && !isElsewhere && !isOwn ? takes : "stopped.drop")}</button>
      ${isMoved && !isElsewhere ? html`<button type="button" class="button other" data-action="mine" @click=${() => decide(match, "mine")}>${t("stopped.mine", { what: entry.title })}</button>` : nothing}
    </div>`;
};

/** Why nothing goes on by itself, as the key of its words. @param {import("../sending.js").Stop} stop */
const whyOf = ({ error, isElsewhere, isForgotten }) => {
  if (isElsewhere) return "stopped.elsewhere";
  if (isForgotten) return "stopped.forgotten";
  if (error?.isOfKey) return "stopped.twice";
  return error ? "stopped.moved" : "stopped.headless";
};

/** What they have and what is here, beside each other. @param {import("../log.js").Told} theirs @param {import("../outbox.js").Entry} entry @param {boolean} isOwn Whether they have it from here. */
const twoBooks = ({ place, text }, { title, draft }, isOwn) => html`<dl class="block books">
  <div><dt class="small quiet">${t(isOwn ? "books.recorded" : "books.theirs")}</dt><dd dir="auto">${place ? html`<b>${placeWords(place)}</b> ` : nothing}${ordered(text)}</dd></div>
  <div><dt class="small quiet">${t("books.mine")}</dt><dd><b>${title}</b>${draft.request?.laid ? ` ${draft.answers.map(({ value }) => value).join(" ")}` : dice(diceOf(draft.answers))}</dd></div></dl>`;

/** The token was refused: with the scorer's link the ball goes on. @param {Pad} state @param {import("../outbox.js").Entry} entry @param {Verbs} verbs */
const refused = (
  { match, link, hand },
  entry,
  verbs,
) => html`${hand?.offer ? shares.draw(({ handPanel }) => handPanel(match.id, hand, verbs.take)) : nothing}${note({ icon: "stop", title: t("stopped.key"), text: t("stopped.key.text", { mine: entry.title }) })}
  <div class="block">${match.said ? html`<p role="alert"><span class="label" data-said dir="auto">${match.said}</span></p>` : nothing}
  ${textField({ id: "link", title: t("stopped.link"), value: link, maxlength: 400 }, { input: verbs.link })}</div>
  <div class="actions">
    <button type="button" class="button" data-action="link" @click=${() => enterLink(match, link)}>${t("stopped.link.go")}</button>
    <button type="button" class="button other" data-action="theirs" @click=${() => decide(match, "theirs")}>${t("stopped.drop")}</button>
  </div>`;
