// Draws the editions of a game, the key that takes one in as a file, and what is wrong with it.
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { wrong } from "./fields.js";
import { ways } from "./ways.js";

/** @typedef {import("../editions.js").Fault} Fault */
/** How many faults are told: the first ones are mended first. */
const MOST = 20;

/** @param {Fault} fault */
const faultLine = ({ name, place, text }) =>
  html`<li>${name ? html`<b dir="auto">${name}</b> ` : nothing}${place ? html`<code>${place}</code> ` : nothing}<span dir="auto">${text}</span></li>`;

/**
 * @param {{ editions: { id: string, sha256: string }[], chosen: string, faults: Fault[], wrong?: string | undefined }} data
 * @param {{ choose: (sha256: string) => void, file: (file: File) => void }} send
 */
export const editionField = ({ editions, chosen, faults, wrong: words }, send) => {
  // Editions of one name are told apart by their hash.
  const isAlone = (/** @type {string} */ id) => editions.filter((one) => one.id === id).length === 1;
  const all = editions.map(({ id, sha256 }) => ({
    value: sha256,
    title: isAlone(id) ? id : `${id} ${sha256.slice(0, 6)}`,
  }));
  return html`<div class="field edition">${
    all.length > 1
      ? ways(
          { name: "edition", title: t("edition"), ways: all, chosen },
          { choose: (sha256) => send.choose(String(sha256)) },
        )
      : html`<span class="title">${t("edition")}</span><p class="strong" dir="auto">${t("edition.only", { id: all[0]?.title ?? "" })}</p>`
  }
    <label class="link file">${t("edition.take")}<input type="file" id="edition-file" accept=".json,application/json" @change=${(
      /** @type {Event} */ event,
    ) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const [file] = input.files ?? [];
      if (file) send.file(file);
      // The same file can be taken again once it is mended.
      input.value = "";
    }}></label>
    ${faults.length === 0 ? nothing : html`<div role="alert" class="faults"><p class="label wrong">${t("edition.faults")}</p><ul>${faults.slice(0, MOST).map(faultLine)}</ul></div>`}
    ${wrong("edition", words)}</div>`;
};
