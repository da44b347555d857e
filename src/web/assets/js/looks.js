/** How the pages look and are used in this browser. Each wish is an attribute of the root, which the sheets know. */
import { nothing } from "./html.js";
import { keepSetting, setting } from "./settings.js";

/** A wish by its name; one that is not there is as ever. @typedef {Partial<Record<"theme" | "dots" | "hand" | "keys" | "shortcuts" | "answers", string>>} Looks */

/** @type {Looks} */
let worn = {};

/** What is wished. */
export const looks = () => worn;

/** Whether single keys of a keyboard press what stands on the pad. */
export const hasShortcuts = () => worn.shortcuts !== "off";

/** The key that presses a button, as a reader tells it. @param {string} key */
export const shortcut = (key) => (hasShortcuts() ? key : nothing);

/** @param {Looks} next */
const put = (next) => {
  const root = document.documentElement.dataset;
  for (const name of Object.keys(worn)) delete root[name];
  worn = next;
  Object.assign(root, worn);
};

/** Looks as this browser was told last. */
export const wear = async () => put((await setting("looks")) ?? {});

/** Fulfils a wish, and keeps it; without a value it is as ever. @param {keyof Looks} name @param {string | undefined} value */
export const wish = (name, value) => {
  const { [name]: _, ...rest } = worn;
  put(value === undefined ? rest : { ...rest, [name]: value });
  return keepSetting("looks", worn);
};
