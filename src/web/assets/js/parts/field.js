// Draws names on places, to be moved: a tap on a name, then on its place. The list says and does the same.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";
import { oval } from "./oval.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** Who stands where, and who is picked to be moved. @typedef {{at: Record<string, string>, picked: string | null}} Standing */

/** The letters of a name: of its first word and of its last. @param {string} name */
const initialsOf = (name) => {
  const words = name.split(/\s+/u);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "").join("");
};

/**
 * Why a name cannot stand on a place now; nothing where it can.
 * @param {Schemas["Places"]} places @param {Standing} standing @param {string} place
 */
const whyNot = ({ at_most: limits }, { at, picked }, place) =>
  limits.find(({ places: of, n }) => {
    const others = Object.entries(at).filter(([name, stands]) => name !== picked && of.includes(stands));
    return of.includes(place) && others.length >= n;
  })?.text;

/**
 * @param {import("../kinds.js").OnSheet} data `taken`: the fields since the sheet was opened, each after one move.
 * @param {import("../kinds.js").OfSheet} send
 */
export const fieldList = ({ ask: { places }, chosen, taken }, send) => {
  if (!places) return nothing;
  const steps = /** @type {Standing[]} */ (taken ?? []);
  const standing = steps.at(-1) ?? /** @type {Standing} */ ({ at: chosen ?? places.now, picked: null });
  const { at, picked } = standing;
  /** The fields that moves have led to. */
  const moved = steps.filter((step) => step.picked === null);
  const titleOf = (/** @type {string | undefined} */ id) =>
    places.places.find((place) => place.id === id)?.title ?? t("field.nowhere");
  const onto = (/** @type {string} */ place) => Object.keys(at).find((name) => at[name] === place);
  const stand = (/** @type {Record<string, string>} */ next) =>
    send.take([...moved, { at: next, picked: null }]);
  const pick = (/** @type {string | undefined} */ name) =>
    send.take(name === undefined || name === picked ? moved : [...moved, { at, picked: name }]);
  const move = (/** @type {string} */ place) =>
    picked === null ? pick(onto(place)) : stand({ ...at, [picked]: place });
  const all = places.places.map(({ id, title, shape }) => {
    const stands = onto(id);
    const why = picked === null || stands === picked ? undefined : whyNot(places, standing, id);
    return { id, title, shape, stands, why };
  });
  const shaped = all.every(({ shape }) => shape);
  const closed = [...new Set(all.flatMap(({ why }) => why ?? []))].join("; ");
  const standsSo = (/** @type {Record<string, string>} */ of) =>
    Object.entries(of).every(([name, place]) => at[name] === place);
  const known = /** @type {{title: string, at: Record<string, string>}[]} */ (places.named ?? []);
  // What stands already is not offered.
  const named = picked === null ? known.filter(({ at: of }) => !standsSo(of)) : [];
  return html`${
    shaped
      ? oval(
          {
            label: t("field.places"),
            isListed: true,
            parts: all.map(({ id, shape, why }) => ({
              value: id,
              shape: shape ?? "",
              shut: why !== undefined,
            })),
            tokens: places.names.flatMap((name) => {
              const shape = places.places.find(({ id }) => id === at[name])?.shape;
              return shape ? [{ name, initials: initialsOf(name), shape, chosen: name === picked }] : [];
            }),
          },
          { take: (place) => move(String(place)), pick },
        )
      : nothing
  }
  <p class="under" id="standing" tabindex="-1" role="status" dir="auto">${picked === null ? t("field.pick") : t(closed ? "field.put" : "field.put.all", { name: picked, why: closed })}</p>
  ${named.length > 0 ? html`<div class="block">${named.map(({ title, at: of }) => html`<button type="button" class="button other low" data-action="named" @click=${() => stand(of)}>${title}</button>`)}</div>` : nothing}
  <ul>${
    picked === null
      ? repeat(
          places.names,
          (name) => name,
          (name) =>
            html`<li><button type="button" class="row" data-who=${name} @click=${() => pick(name)}><span class="name" dir="auto">${name}</span><span class="reason" dir="auto">${titleOf(at[name])}</span></button></li>`,
        )
      : repeat(
          [...all].sort((one, other) => Number(one.why !== undefined) - Number(other.why !== undefined)),
          ({ id }) => id,
          ({
            id,
            title,
            stands,
            why,
          }) => html`<li><button type="button" class=${why ? "row closed" : stands === picked ? "row chosen" : "row"} data-where=${id} aria-disabled=${why ? "true" : nothing} @click=${() => {
            if (!why) move(id);
          }}>
      <span class="name" dir="auto">${title}</span><span class="reason" dir="auto">${[stands, why].filter(Boolean).join(", ")}</span></button></li>`,
        )
  }</ul>
  <div class="sheet-foot two">${
    steps.length > 0
      ? html`<button type="button" class="button other low" data-action="undo-taken" @click=${() => send.take(steps.slice(0, -1))}>${t("field.undo")}</button>`
      : nothing
  }<button type="button" class="button" data-action="confirm" @click=${() => send.choose(at)}>${t("field.set")}</button></div>`;
};
