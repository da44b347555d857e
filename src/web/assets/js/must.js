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

/** Random hexadecimal digits. @param {number} bytes */
export const randomDigits = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** An id that nobody else has. `crypto.randomUUID` is missing on plain http. */
export const freshId = () => randomDigits(16);
