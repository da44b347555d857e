/** Scales of a chart: where a value stands, and which values stand at its axis. */

/** @typedef {(value: number) => number} Scale */

/** From values to places, in a line. @param {[number, number]} values @param {[number, number]} places @returns {Scale} */
export const scale =
  ([least, most], [from, to]) =>
  (value) =>
    from + ((value - least) / (most - least || 1)) * (to - from);

/** A step of 1, 2 or 5 times a power of ten that leads to a value in at most so many. @param {number} most @param {number} many */
const stepTo = (most, many) => {
  const least = Math.max(most, 1) / many;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, ([1, 2, 5, 10].find((step) => step * power >= least) ?? 10) * power);
};

/** The values at an axis from 0 on, the last one at or above the greatest. @param {number} most @param {number} [many] */
export const ticksTo = (most, many = 4) => {
  const step = stepTo(most, many);
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, place) => place * step);
};

/** A line through places. @param {[number, number][]} places */
export const lineThrough = (places) =>
  places.map(([x, y], place) => `${place === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** Places of labels, moved apart where they would touch, in the order given. @param {number[]} places @param {number} apart */
export const movedApart = (places, apart) => {
  const order = places
    .map((_, index) => index)
    .sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  const moved = [...places];
  order.forEach((index, place) => {
    const before = order[place - 1];
    if (before !== undefined) moved[index] = Math.max(places[index] ?? 0, (moved[before] ?? 0) + apart);
  });
  return moved;
};
