// What another phone writes with the token of this one is told, and nothing that this one has written.
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { test } from "node:test";
import { Walk } from "./walk.js";

setMaxListeners(0);

/** A pad whose service has a ball of this phone. */
const pad = async () => {
  const walk = new Walk({ seed: 1, othersScore: true, steps: [] });
  const { browser } = walk;
  const { service, world, wire } = browser;
  await browser.fills();
  const page = browser.opens();
  await world.moves(400);
  walk.taps(page, 5);
  await world.moves(6000);
  assert.equal(service.own.length, 1);
  return { walk, browser, service, world, wire, page };
};

/** Bowls a ball of one die, and waits until it has gone. @param {Awaited<ReturnType<typeof pad>>} at @param {any} page */
const bowls = async ({ walk, world }, page) => {
  walk.taps(page, 5);
  await world.moves(6000);
};

test("a ball of another phone is told, and the pad goes on behind it", async () => {
  const at = await pad();
  const { page, service, world } = at;
  service.others();
  await world.moves(400);
  assert.deepEqual([page.screen.stranger, page.screen.stop], ["26", null]);
  page.match.stranger = null;
  await bowls(at, page);
  assert.deepEqual([page.screen.stranger, page.screen.entries, service.own.length], [null, [], 2]);
});

test("of two balls of another phone the last one is told, and a dispute of a side is not", async () => {
  const { page, service, world } = await pad();
  service.argues();
  await world.moves(400);
  assert.equal(page.screen.stranger, null);
  service.others();
  service.others();
  service.argues();
  await world.moves(400);
  assert.equal(page.screen.stranger, "36");
});

test("a phone that slept is told what another phone wrote meanwhile", async () => {
  const { page, service, world, wire } = await pad();
  page.turns("hidden");
  wire.cuts(true);
  service.others();
  await world.moves(600_000);
  wire.isCut = false;
  page.turns("visible");
  await world.moves(2000);
  assert.equal(page.screen.stranger, "26");
});

for (const fate of ["lost", "half", "mute", "late", "slow"])
  test(`a ball whose answer is ${fate} is this phone's own`, async () => {
    const { walk, page, service, world, wire } = await pad();
    walk.taps(page, 5);
    await world.moves(3900);
    wire.fates = [fate, fate];
    await world.moves(60_000);
    assert.deepEqual([page.screen.stranger, page.screen.entries, service.own.length], [null, [], 2]);
  });

test("the balls of two tabs of one phone are its own in both", async () => {
  const at = await pad();
  const { browser, page, service, world } = at;
  const other = browser.opens();
  await world.moves(400);
  for (const tab of [page, other, page]) {
    await bowls(at, tab);
    assert.deepEqual([page.screen.stranger, other.screen.stranger], [null, null]);
  }
  assert.equal(service.own.length, 4);
  service.others();
  await world.moves(400);
  assert.deepEqual([page.screen.stranger, other.screen.stranger], ["56", "56"]);
});

test("a ball of a tab that died is the phone's own in the tab that is left, and in the next page", async () => {
  const { browser, walk, page, service, world, wire } = await pad();
  const other = browser.opens();
  await world.moves(400);
  wire.fates = [];
  walk.taps(other, 5);
  await world.moves(3950);
  // It is taken, and the page that sent it hears of nothing any more.
  while (service.own.length < 2) await world.moves(1);
  other.dies();
  await world.moves(400);
  const next = browser.opens();
  await world.moves(20_000);
  assert.deepEqual([page.screen.stranger, next.screen.stranger, service.own.length], [null, null, 2]);
});

test("a correction of this phone is its own", async () => {
  const { page, service, world } = await pad();
  page.modules["stopping.js"].correct(page.match, "a slip");
  await world.moves(6000);
  assert.equal(service.log.at(-1)?.kind, "correction");
  assert.equal(page.screen.stranger, null);
});

test("what two books have shown is not told a second time", async () => {
  const { walk, page, service, world } = await pad();
  walk.taps(page, 1);
  await world.moves(400);
  walk.taps(page, 2);
  await world.moves(100);
  page.turns("hidden");
  service.alike({ dice: [22, 4] });
  await world.moves(6000);
  assert.equal(page.screen.stop?.theirs, "22,4");
  page.match.stranger = null;
  // What is left out is owed no more.
  page.drew = () => {};
  page.modules["stopping.js"].decide(page.match, "theirs");
  await world.moves(6000);
  assert.deepEqual([page.screen.entries, page.screen.stranger], [[], null]);
});

test("a phone that comes to a match is told nothing of what was written before", async () => {
  const { browser, page, service, world } = await pad();
  page.dies();
  service.others();
  const next = browser.opens();
  await world.moves(2000);
  assert.equal(next.screen.stranger, null);
});
