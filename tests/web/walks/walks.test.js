// Walks at random over the modules of the pad. WALKS is how many there are, WALK_SEED the seed of the first.
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { test } from "node:test";
import { STORIES } from "./stories.js";
import { Walk, done, faultOf, planOf, shrunk } from "./walk.js";

setMaxListeners(0);
const first = Number(process.env["WALK_SEED"] ?? 1);
const count = Number(process.env["WALKS"] ?? 200);

/** A fault without what differs from walk to walk. @param {string | null} fault */
const kind = (fault) => fault?.replace(/:.*/s, "").replace(/[\d,]+/g, "");

for (const [name, steps] of Object.entries(STORIES))
  test(name, async () => {
    const othersScore = steps.some((step) => step.do === "others");
    assert.equal(await faultOf({ seed: 1, othersScore, steps }), null);
  });

test("Undo behind a last die that is still being written takes that die back", async () => {
  const walk = new Walk({ seed: 1, othersScore: false, steps: [] });
  const { browser } = walk;
  await browser.fills();
  const page = browser.opens();
  await browser.world.moves(400);
  walk.taps(page, 3);
  await browser.world.moves(400);
  browser.world.diskUntil = browser.world.now + 1000;
  walk.taps(page, 2);
  await browser.world.moves(100);
  walk.undoes(page);
  await browser.world.moves(20_000);
  assert.deepEqual([page.screen.draft.dice, page.screen.entries], [[14], []]);
  assert.deepEqual(browser.service.own, []);
});

test(`${count} walks from the seed ${first} lose and double no ball`, async () => {
  for (let seed = first; seed < first + count; seed += 1) {
    const plan = planOf(seed);
    const fault = await faultOf(plan);
    if (!fault) continue;
    const least = await shrunk(plan, async (less) => kind(await faultOf(less)) === kind(fault));
    const steps = least.steps.map((step) => JSON.stringify(step)).join("\n");
    assert.fail(`walk ${seed}: ${fault}\n${await faultOf(least)}, after\n${steps}`);
  }
  console.log(JSON.stringify(done));
});
