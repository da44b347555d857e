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

/** An id that nobody else has. `crypto.randomUUID` is missing on plain http. */
export const freshId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
