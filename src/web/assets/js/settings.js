/** What this browser remembers of a person's wishes. */
import * as db from "./db.js";

/**
 * What is remembered, by its name.
 * @typedef {object} Settings
 * @property {boolean} screen Whether the hint of the screen was told.
 * @property {string} trial The match that plays itself.
 * @property {Record<string, unknown>} new What was entered for the last new match.
 * @property {import("./squads.js").SideDraft[]} sides
 */

/** @template {keyof Settings} N @param {N} name @returns {Promise<Settings[N] | undefined>} */
export const setting = async (name) =>
  /** @type {Settings[N] | undefined} */ ((await db.get("settings", name))?.value);

/** @template {keyof Settings} N @param {N} name @param {Settings[N]} value */
export const keepSetting = (name, value) => db.put("settings", { name, value });
