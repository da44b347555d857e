/** What this browser remembers of a person's wishes. */
import * as db from "./db.js";

/** @param {string} name @returns {Promise<any>} */
export const setting = async (name) => (await db.get("settings", name))?.value;

/** @param {string} name @param {unknown} value */
export const keepSetting = (name, value) => db.put("settings", { name, value });
