/** The places of a body at which something is asked, such as `choices.stroke` or `dice[1]`. */

/** The choice at a place, by its name: `stroke` at `choices.stroke`. @param {string} at */
export const nameOf = (at) => at.replace(/^choices?\./, "");

/** The steps to a place. @param {string} at */
export const placesOf = (at) => [...at.matchAll(/[^.[\]]+/g)].map(([step]) => step);
