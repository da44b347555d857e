/** SHA-256 by FIPS 180-4. `crypto.subtle` is missing on plain http. */

/** The first 32 bits of the fractional parts of roots of the first primes. @param {number} root @param {number} count */
const fractions = (root, count) => {
  /** @type {number[][]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1)
    if (!found.some(([prime = n]) => n % prime === 0)) found.push([n, (n ** (1 / root) * 2 ** 32) | 0]);
  return found.map(([, bits = 0]) => bits);
};
const START = fractions(2, 8);
const ROUNDS = fractions(3, 64);

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The bytes of a text in UTF-8, padded to whole blocks. @param {string} text */
const padded = (text) => {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array((bytes.length + 72) & ~63);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(whole.length - 4, bytes.length * 8);
  return view;
};

/** The SHA-256 of a text, in hexadecimal digits. @param {string} text */
export const sha256 = (text) => {
  const view = padded(text);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  const word = (/** @type {number} */ at) => words[at] ?? 0;
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [word(at - 15), word(at - 2)];
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = word(at - 16) + low + word(at - 7) + high;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let at = 0; at < 64; at += 1) {
      const choice = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[at] ?? 0) + word(at);
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => (state[at] = (state[at] ?? 0) + value));
  }
  return Array.from(state, (value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
};
