/** The options of a game, as its JSON Schema has them. */

/** @typedef {import("./service.js").Schemas["GameEntry"]} GameEntry */
/** @typedef {import("./service.js").Sent<"/v1/matches">["game"]} GameId */
/**
 * @typedef {object} Property
 * @property {string} [title]
 * @property {string} [description]
 * @property {string | string[]} [type]
 * @property {unknown} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {string[]} [enum]
 * @property {{ const: unknown, title: string }[]} [oneOf]
 * @property {boolean} [x-no-form] Whether no form can hold it.
 * @property {number} [x-order] Its place in a form.
 * @property {string} [x-default-depends] How its default follows from another option.
 * @property {string} [x-limits-depend]
 * @property {Record<string, number>} [x-count] How many players of a side have each word.
 */
/** @typedef {{ properties?: Record<string, Property>, required?: string[] }} Schema */

/** What stands for an option whose field was emptied: nothing, until something is typed or the field is left. */
export const EMPTIED = "";

/** @param {GameEntry} game @returns {Schema} */
export const optionsOf = ({ options }) => options;

/** The options of a game that have a form, in its order. @param {Schema} schema */
export const withForm = ({ properties = {} }) =>
  Object.entries(properties)
    .filter(([, property]) => !property["x-no-form"])
    .sort(([, one], [, other]) => (one["x-order"] ?? 0) - (other["x-order"] ?? 0));
