/** Codes that a phone scans, which the service draws. */
import { owe } from "./owed.js";
import { NoAnswer } from "./service.js";

/** A text as a code, drawn by the service. @param {string} text @param {AbortSignal} signal @returns {Promise<string>} */
export const drawCode = async (text, signal) => {
  const headers = { Accept: "image/svg+xml", "Content-Type": "application/json" };
  const drawn = await owe(
    fetch("/v1/codes", {
      method: "POST",
      headers,
      body: JSON.stringify({ text }),
      signal,
      cache: "no-store",
    }),
  );
  if (!drawn.ok || !/svg/.test(drawn.headers.get("Content-Type") ?? ""))
    throw new NoAnswer(`${drawn.status}`);
  return drawn.text();
};
