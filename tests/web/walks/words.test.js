// The words of the page, which come in files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./browser.js";

test("words that come at the same time all stay", async () => {
  const browser = new Browser(1);
  /** How each file goes on to come, by its name. @type {Map<string, () => void>} */
  const comes = new Map();
  browser.wire.fetchOf =
    () =>
    async (/** @type {URL} */ { pathname }) => ({
      ok: true,
      json: () =>
        new Promise((resolve) => comes.set(pathname, () => resolve({ [pathname]: `words of ${pathname}` }))),
    });
  const { loadWords, t } = browser.opens().modules["i18n.js"];
  const [sheets, share] = ["/sheets.json", "/share.json"].map((path) =>
    loadWords(new URL(path, "http://table.test")),
  );
  await Promise.resolve();
  comes.get("/share.json")?.();
  await share;
  comes.get("/sheets.json")?.();
  await sheets;
  assert.deepEqual([t("/sheets.json"), t("/share.json")], ["words of /sheets.json", "words of /share.json"]);
});
