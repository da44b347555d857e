/** What this browser remembers of a person's wishes. */
import * as db from "./db.js";

/**
 * What is remembered, by its name.
 * @typedef {object} Settings
 * @property {boolean} screen Whether the hint of the screen was told.
 * @property {string} trial The match that plays itself; empty once it has ended.
 * @property {number} trial_at When a page last played it on.
 * @property {string[]} hidden The matches that the list of home leaves out.
 * @property {Record<string, unknown>} new What was entered for the last new match.
 * @property {import("./squads.js").SideDraft[]} sides
 * @property {import("./looks.js").Looks} looks
 */

/** @template {keyof Settings} N @param {N} name @returns {Promise<Settings[N] | undefined>} */
export const setting = async (name) =>
  /** @type {Settings[N] | undefined} */ ((await db.get("settings", name))?.value);

/** @template {keyof Settings} N @param {N} name @param {Settings[N]} value */
export const keepSetting = (name, value) => db.put("settings", { name, value });
