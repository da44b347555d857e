/** What is shared of a match that lives on when its service is shut: the card as one file, as a picture and as text, and the log. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { focusSoon, owe, redraw } from "../owed.js";
import { icon } from "../parts/icons.js";
import { read } from "../service.js";
import { saidAt, tried } from "./share_state.js";

/** @typedef {import("./share_state.js").Share} Share */
/** A file that was made: its address lasts as long as the page. @typedef {import("./card_file.js").CardFile & { href: string }} Made */
/** @typedef {import("./card_picture.js").Picture} Picture */
/** @typedef {{ isMaking: boolean, file: Made | null, picture: Picture | null, text: string | null }} Lasting */

/** @param {Share} share */
const makeFile = async ({ id, signal, lasting }) => {
  lasting.isMaking = true;
  redraw();
  try {
    const { cardFile } = await whole(import("./card_file.js"), { sheet: "card_file", words: "card_file" });
    const file = await cardFile(id, signal);
    const href = URL.createObjectURL(file.blob);
    signal.addEventListener("abort", () => URL.revokeObjectURL(href), { once: true });
    lasting.file = { ...file, href };
    focusSoon("[data-action='save']");
  } finally {
    lasting.isMaking = false;
  }
};

/** @param {Share} share */
const makeText = async ({ id, signal, lasting }) => {
  const [{ cardText }, view, card] = await Promise.all([
    whole(import("./card_text.js"), { words: "card_text" }),
    read("/v1/matches/{id}", { of: { id }, signal }),
    read("/v1/matches/{id}/scorecard", { of: { id }, signal }),
  ]);
  lasting.text = cardText(card, view);
  focusSoon("#shared-text");
};

/** @param {Share} share */
const makePicture = async ({ id, signal, lasting }) => {
  const { cardPicture } = await whole(import("./card_picture.js"), { words: "card_picture" });
  lasting.picture = await cardPicture(id, signal);
  focusSoon("[data-action='picture']");
};

/** What this browser can hand a file to other programs with: only pages by TLS can. @param {Blob} blob @param {string} name */
const givable = (blob, name) => {
  const data = { files: [new File([blob], name, { type: blob.type })], title: name };
  return navigator.canShare?.(data) ? data : null;
};

/** @param {Blob} blob @param {string} name */
const sending = (blob, name) => {
  const data = givable(blob, name);
  return data
    ? html`<button type="button" class="button other low" data-action="send" @click=${() => void navigator.share(data).catch(() => {})}>${t("share.file.send")}</button>`
    : nothing;
};

/** A picture is held under a finger to be saved, or saved by its link. @param {Picture} picture @param {string} id */
const pictured = ({ href, blob, words }, id) => html`<figure class="picture">
    <img src=${href} alt=${words} width="1080" height="1080">
    <figcaption><a class="button other low" href=${href} download=${`${id}.png`} data-action="picture">${t("share.picture.save")}</a>${sending(blob, `${id}.png`)}</figcaption></figure>`;

/** @param {Made} made */
const saved = (made) => {
  const size = t("share.file.size", { n: Math.ceil(made.blob.size / 1000), seq: made.seq });
  return html`<a class="button" href=${made.href} download=${made.name} data-action="save">${icon("file")}<span>${t("share.file.save")}</span></a>
    ${sending(made.blob, made.name)}
    <p class="small quiet" dir="auto">${made.name}, ${size}</p>`;
};

/** @param {Share} share */
export const lastingOf = (share) => {
  const { file, picture, text, isMaking } = share.lasting;
  const make = (/** @type {string} */ at, /** @type {(share: Share) => Promise<void>} */ wish) => () =>
    void owe(tried(share, at, () => wish(share)));
  const select = () =>
    /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#shared-text"))?.select();
  return html`<h3 class="section">${t("share.lasts")}</h3><p>${t("share.lasts.text")}</p>${saidAt(share, "file")}
    ${
      file
        ? saved(file)
        : html`<button type="button" class="button" data-action="file" aria-disabled=${String(isMaking)} @click=${isMaking ? () => {} : make("file", makeFile)}>${icon("card")}<span>${t(isMaking ? "share.file.making" : "share.file")}</span></button>`
    }
    <div class="two">${picture ? nothing : html`<button type="button" class="button other low" data-action="picture" @click=${make("file", makePicture)}>${t("share.picture")}</button>`}<button type="button" class="button other low" data-action="text" @click=${make("file", makeText)}>${t("share.text")}</button>
    <a class="button other low" href=${`/v1/matches/${share.id}/log`} download=${`${share.id}.ndjson`} data-action="log">${t("share.log")}</a></div>
    ${picture ? pictured(picture, share.id) : nothing}
    ${text ? html`<label class="heard" for="shared-text">${t("share.text")}</label><textarea id="shared-text" readonly .value=${text} @focus=${select} @click=${select}></textarea>` : nothing}`;
};
