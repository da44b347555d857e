// Rows that earlier versions of the pages have left in a browser: the modules of those versions wrote them, over the
// stand-ins of the walks. A page of today goes on with each.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { setMaxListeners } from "node:events";
import { test } from "node:test";
import { Walk } from "./walk.js";

setMaxListeners(0);
const FOLDER = new URL("stored/", import.meta.url);

/** A walk without steps over the rows of a file. @param {string} name */
const walkOf = (name) => {
  const { service, entries, drafts } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
  const walk = new Walk({ seed: 1, othersScore: name.startsWith("headless"), steps: [] });
  const { browser, ledger } = walk;
  browser.service.log = service.log;
  browser.service.answers = new Map(Object.entries(service.answers));
  for (const { draft } of [...entries, ...drafts.map((/** @type {any} */ draft) => ({ draft }))])
    for (const [place, { value }] of draft.answers.entries())
      ledger.taps(
        { dice: draft.answers.slice(0, place).map((/** @type {any} */ answer) => answer.value) },
        value,
      );
  return { walk, rows: { entries, drafts } };
};

/** The balls of the pad in the log at the end, but for the last one, which the walk itself has tapped. @param {Walk} walk */
const balls = ({ browser }) =>
  browser.service.own.map(({ dice, bowler }) => `${dice} ${bowler}`).slice(0, -1);

/** @type {Record<string, [string, string[]]>} */
const STORED = {
  held: ["a held ball", ["12,3 Berg"]],
  over: ["a ball with the over that was chosen for it", ["12,3 Sato"]],
  draft: ["a die of an unfinished ball", ["14,3 Berg"]],
  answered: ["a ball without requests, whose answer had come,", ["12,3 Berg"]],
  headless: ["a ball whose head nobody has", ["26 Berg"]],
};

for (const file of readdirSync(FOLDER)) {
  const name = file.replace(".json", "");
  const [kind = "", version] = name.split("_");
  const [what, expected] = STORED[kind] ?? ["", []];
  test(`${what} that a page of ${version} has stored is recorded once`, async () => {
    const { walk, rows } = walkOf(name);
    await walk.goes(rows);
    assert.deepEqual(balls(walk), expected);
  });
  if (kind === "headless")
    test(`${what} that a page of ${version} has stored waits for a person`, async () => {
      const { walk, rows } = walkOf(name);
      await walk.browser.fills(rows);
      const page = walk.browser.opens();
      await walk.browser.world.moves(60_000);
      assert.equal(page.screen.stop.status, null);
      assert.equal(walk.browser.service.own.length, 0);
    });
}
