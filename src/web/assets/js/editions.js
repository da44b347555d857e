/** Editions of a game's cards: one is taken in as a file, and what is wrong with it is told by card. */
import { placesOf } from "./places.js";
import { adminKey } from "./keys.js";
import { Refused, send } from "./service.js";

/** The most bytes that the service takes. */
const MOST = 1_000_000;

/** What is wrong with an edition, by the card or the part where it stands. @typedef {{ name: string, place: string, text: string }} Fault */

/** The edition was not taken in. */
export class Faulty extends Error {
  /** @param {Fault[]} faults */
  constructor(faults) {
    super(faults[0]?.text);
    this.faults = faults;
  }
}

/** The name of the innermost part of an edition on the way to a place: a card, a team, a player. @param {unknown} edition @param {string} place */
const nameAt = (edition, place) => {
  let [inner, name] = [edition, ""];
  for (const step of placesOf(place)) {
    inner = Object(inner)[step];
    const own = Object(inner).name;
    if (typeof own === "string" && own.length <= 100) name = own;
  }
  return name;
};

/** @param {string} text @returns {unknown} */
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The faults that a refusal tells. @param {Refused} error @param {string} text @returns {Fault[]} */
const faultsIn = ({ problem, message }, text) => {
  const edition = parsed(text);
  const found = (problem.errors ?? []).map(({ location, message }) => {
    const place = location.replace(/^body\.?/, "");
    return { name: nameAt(edition, place), place, text: message };
  });
  return found.length > 0 ? found : [{ name: "", place: "", text: message }];
};

/**
 * Takes an edition in, and returns its record. One that is there already is the same.
 * @param {File} file @param {(bytes: number) => string} tooLarge Says that it is too large. @param {AbortSignal} signal
 */
export const takeIn = async (file, tooLarge, signal) => {
  if (file.size > MOST) throw new Faulty([{ name: "", place: "", text: tooLarge(file.size) }]);
  const text = await file.text();
  try {
    return await send("/v1/editions", { body: /** @type {never} */ (text), token: await adminKey(), signal });
  } catch (error) {
    if (error instanceof Refused && !error.isOfToken && !error.isPassing)
      throw new Faulty(faultsIn(error, text));
    throw error;
  }
};
