/** What has to be there. It turns a missing value into an error that names it. */

/**
 * @template T
 * @param {T | null | undefined} value
 * @param {string} what
 * @returns {T}
 */
export const must = (value, what) => {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
};

/** @param {number} bytes */
const randomDigits = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** A UUID of version 7: its first digits are the time, in milliseconds. @param {number} now */
export const freshUuid = (now) => {
  const time = now.toString(16).padStart(12, "0");
  const rest = randomDigits(10);
  const variant = ((parseInt(rest.slice(3, 4), 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`;
};

/** An id that nobody else has. `crypto.randomUUID` is missing on plain http. */
export const freshId = () => randomDigits(16);
