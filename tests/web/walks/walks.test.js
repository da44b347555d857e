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
    const othersScore = steps.some((step) => ["others", "alike"].includes(step.do));
    assert.equal(await faultOf({ seed: 1, othersScore, steps }), null);
  });

/** A pad that is open, in a browser of its own. @param {{othersScore?: boolean}} [how] */
const opened = async ({ othersScore = false } = {}) => {
  const walk = new Walk({ seed: 1, othersScore, steps: [] });
  const { browser } = walk;
  const { world, service, wire } = browser;
  await browser.fills();
  const page = browser.opens();
  await world.moves(400);
  return { walk, browser, world, service, wire, page };
};

test("Undo behind a last die that is still being written takes that die back", async () => {
  const { walk, browser, page } = await opened();
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

test("a page loses what is being written, and what the browser has refused, and nothing else", async () => {
  const { walk, browser, world, page } = await opened();
  const loses = () => page.modules["kept.js"].wouldLose();
  walk.taps(page, 3);
  await world.moves(400);
  assert.deepEqual([page.screen.draft.dice, loses()], [[14], false]);
  world.diskUntil = world.now + 1000;
  walk.taps(page, 2);
  await world.moves(100);
  assert.equal(loses(), true);
  await world.moves(1000);
  assert.deepEqual([page.screen.entries.length, loses()], [1, false]);
  await world.moves(6000);
  browser.refusesUntil = world.now + 1000;
  walk.taps(page, 1);
  await world.moves(400);
  assert.equal(loses(), true);
  await world.moves(1000);
  // The next step is taken, with all that was refused.
  walk.taps(page, 2);
  await world.moves(400);
  assert.equal(loses(), false);
});

/** A pad that keeps a ball while nobody can be asked, for this long. @param {number} lasts */
const away = async (lasts) => {
  const { walk, world, service, wire, page } = await opened();
  walk.taps(page, 5);
  await world.moves(400);
  wire.cuts(true);
  await world.moves(lasts);
  assert.deepEqual([page.screen.entries.length, page.screen.isFresh, service.own], [1, false, []]);
  return { world, service, wire, page };
};

/** The balls that the service has, some time after it is back. @param {Awaited<ReturnType<typeof away>>} kept @param {number} ms */
const ballsAfter = async ({ world, service }, ms) => {
  await world.moves(ms);
  return service.own.map(({ dice }) => dice);
};

/** The lengths of outages, so that one ends in each tenth of the time between two looks. */
const TENTHS = Array.from({ length: 10 }, (_, tenth) => 60_000 + 100 * tenth);

test("a page in sight sends what it keeps within two seconds of the service's return, and nobody taps", async () => {
  // The streams look for the service, too, once in eight seconds at most.
  for (let lasts = 60_000; lasts < 70_000; lasts += 1000) {
    const kept = await away(lasts);
    kept.wire.isCut = false;
    assert.deepEqual(await ballsAfter(kept, 2000), [[16]], `back after ${lasts} ms`);
    assert.deepEqual(kept.page.screen.entries, []);
  }
});

test("Try now sends what is kept at once, and waits for no read of the match", async () => {
  for (const lasts of TENTHS) {
    const kept = await away(lasts);
    const { service, page } = kept;
    const answersTo = service.answersTo.bind(service);
    const endless = {
      status: 200,
      type: "application/json",
      text: /** @type {any} */ (new Promise(() => {})),
    };
    service.answersTo = (method, path, headers, body) =>
      path === `/v1/matches/${page.match.id}` ? endless : answersTo(method, path, headers, body);
    kept.wire.isCut = false;
    page.modules["scoring.js"].tryNow(page.match);
    assert.deepEqual(await ballsAfter(kept, 100), [[16]], `tapped after ${lasts} ms`);
  }
});

test("a page that has left its pad sends what it keeps as soon as the browser is online", async () => {
  for (const lasts of TENTHS) {
    const kept = await away(lasts);
    kept.page.leaves();
    kept.wire.isCut = false;
    kept.page.window.dispatchEvent(new Event("online"));
    assert.deepEqual(await ballsAfter(kept, 100), [[16]], `online after ${lasts} ms`);
  }
});

/** A pad with a ball of two dice that is held, behind a ball that the service has. */
const held = async () => {
  const { walk, browser, page } = await opened({ othersScore: true });
  for (const key of [5, 1]) {
    walk.taps(page, key);
    await browser.world.moves(400);
  }
  walk.taps(page, 2);
  await browser.world.moves(100);
  return { page, walk, service: browser.service, world: browser.world };
};

/** A pad whose first ball was bowled by Sato and cut, and is taken back. @param {{drops?: boolean}} [how] Whether the answer is lost, and the page dies. */
const corrected = async ({ drops = false } = {}) => {
  const walk = new Walk({ seed: 1, othersScore: false, steps: [] });
  const { browser } = walk;
  const { service, world } = browser;
  await browser.fills();
  let page = browser.opens();
  await world.moves(400);
  const choose = (/** @type {number} */ at, /** @type {string} */ value) => {
    const { operation, ask } = page.screen.cells[at];
    page.modules["scoring.js"].choose(page.match, operation, ask.at, value);
  };
  choose(0, "Sato");
  choose(1, "cut");
  await world.moves(400);
  walk.taps(page, 5);
  await world.moves(6000);
  page.modules["stopping.js"].correct(page.match, "a slip");
  if (drops) {
    // The service has the correction, and the page that sent it hears of nothing any more.
    while (!service.log.some(({ kind }) => kind === "correction")) await world.moves(1);
    page.dies();
    page = browser.opens();
  }
  await world.moves(6000);
  return { page, walk, service, world };
};

/** What stands in the cells. @param {any} page */
const chosen = (page) => page.screen.cells.map((/** @type {any} */ { value }) => value);

test("what was chosen for a ball that is taken back is chosen for the ball in its place", async () => {
  const { page, walk, service, world } = await corrected();
  assert.deepEqual(chosen(page), ["Sato", "cut"]);
  walk.taps(page, 5);
  await world.moves(6000);
  assert.deepEqual(
    service.own.map(({ bowler, stroke }) => [bowler, stroke]),
    [
      ["Sato", "cut"],
      ["Sato", "cut"],
    ],
  );
});

test("a page that dies behind a correction leaves what was chosen to the next page", async () => {
  const { page } = await corrected({ drops: true });
  assert.deepEqual([page.screen.entries, chosen(page)], [[], ["Sato", "cut"]]);
});

test("what a person chooses behind a correction counts", async () => {
  const { page, walk, service, world } = await corrected();
  page.modules["scoring.js"].choose(page.match, "begin_over", "bowler", "Wren");
  await world.moves(400);
  assert.deepEqual(chosen(page), ["Wren", "cut"]);
  walk.taps(page, 5);
  await world.moves(6000);
  assert.deepEqual([service.state.bowler, service.own.at(-1)?.stroke], ["Wren", "cut"]);
});

test("a choice stands beside a die that another tab has written first", async () => {
  const { page, walk, service, world } = await held();
  const other = walk.browser.opens();
  await world.moves(6000);
  const seen = () => [page, other].map((one) => [chosen(one)[0], ...one.screen.draft.dice]);
  assert.deepEqual(seen(), [["Berg"], ["Berg"]]);
  world.diskUntil = world.now + 1000;
  walk.taps(other, 3);
  await world.moves(100);
  page.modules["scoring.js"].choose(page.match, "begin_over", "bowler", "Wren");
  await world.moves(2000);
  assert.deepEqual(seen(), [
    ["Wren", 34],
    ["Wren", 34],
  ]);
  walk.taps(page, 2);
  await world.moves(6000);
  assert.deepEqual([service.own.length, service.state.bowler], [3, "Wren"]);
});

test("a tab that is seen again shows the ball of a tab that died and told nobody", async () => {
  const walk = new Walk({ seed: 1, othersScore: false, steps: [] });
  const { browser } = walk;
  const { world } = browser;
  await browser.fills();
  const [page, other] = [browser.opens(), browser.opens()];
  await world.moves(400);
  walk.taps(page, 2);
  await world.moves(400);
  other.turns("hidden");
  page.diesAfter = 2;
  walk.taps(page, 4);
  await world.moves(1000);
  assert.deepEqual([page.isDead, other.screen.entries, other.screen.draft.dice], [true, [], [13]]);
  other.turns("visible");
  await world.moves(100);
  assert.deepEqual([other.screen.entries[0]?.dice, other.screen.draft.dice], [[13, 5], []]);
  await world.moves(6000);
  assert.deepEqual(
    browser.service.own.map(({ dice }) => dice),
    [[13, 5]],
  );
});

test("a tap while the page reads what it keeps asks one preview, and its keys stay open", async () => {
  const { walk, world, service, page } = await opened();
  page.turns("hidden");
  await world.moves(1000);
  let previews = 0;
  const answersTo = service.answersTo.bind(service);
  service.answersTo = (method, path, headers, body) => {
    previews += path.endsWith("/preview") ? 1 : 0;
    return answersTo(method, path, headers, body);
  };
  /** @type {boolean[]} */
  const open = [];
  page.drew = ({ draft, keys }) => draft.dice.length > 0 && open.push(keys.length > 0);
  world.diskUntil = world.now + 150;
  page.turns("visible");
  await world.moves(50);
  walk.taps(page, 2);
  await world.moves(2000);
  assert.equal(previews, 1);
  assert.deepEqual(open.slice(open.indexOf(true)).includes(false), false);
});

test("a pad that is opened again waits for no request of the one that was left", async () => {
  const walk = new Walk({ seed: 1, othersScore: false, steps: [] });
  const { browser } = walk;
  const { world, wire } = browser;
  let isSilent = false;
  const fetchOf = wire.fetchOf.bind(wire);
  wire.fetchOf = (page) => {
    const fetch = fetchOf(page);
    return (path, init) => {
      if (!isSilent) return fetch(path, init);
      return new Promise((_, reject) => init.signal.addEventListener("abort", reject));
    };
  };
  await browser.fills();
  const page = browser.opens();
  await world.moves(400);
  isSilent = true;
  walk.taps(page, 2);
  await world.moves(100);
  const { operation, ask } = page.screen.cells[1];
  page.modules["scoring.js"].choose(page.match, operation, ask.at, "cut");
  page.leaves();
  await world.moves(100);
  isSilent = false;
  page.enters();
  await world.moves(1000);
  assert.deepEqual([page.screen.draft.dice, page.screen.keys], [[13], [1, 2, 3, 4, 5, 6]]);
});

test("a choice that waits for its turn falls on no ball that is typed after it", async () => {
  const { walk, browser, world, wire, page } = await opened();
  // The preview of its die is never answered.
  wire.fates = ["mute"];
  walk.taps(page, 2);
  await world.moves(400);
  const { operation, ask } = page.screen.cells[0];
  page.modules["scoring.js"].choose(page.match, operation, ask.at, "Sato");
  const other = browser.opens();
  await world.moves(1000);
  walk.taps(other, 1);
  await world.moves(20_000);
  assert.deepEqual([browser.service.own.length, other.screen.draft.dice], [1, []]);
  assert.deepEqual(page.match.queue.draft.changes, {});
});

/** A pad that was out of sight, and is seen again after something. @param {(page: import("./page.js").Page) => void} meanwhile */
const seenAgain = async (meanwhile) => {
  const { walk, browser, page } = await opened();
  page.turns("hidden");
  await browser.world.moves(1000);
  meanwhile(page);
  page.turns("visible");
  await browser.world.moves(100);
  return { page, walk, browser };
};

test("a page whose connection to the store is lost without a word opens another, and scores on", async () => {
  const { page, walk, browser } = await seenAgain((page) => (page.lost = new Set(page.connections)));
  assert.deepEqual([page.connections.size, page.screen.fault], [2, null]);
  walk.taps(page, 2);
  await browser.world.moves(400);
  page.dies();
  const next = browser.opens();
  await browser.world.moves(1000);
  assert.deepEqual(next.screen.draft.dice, [13]);
});

test("a page that could not read its store once says so until it can", async () => {
  const { page, walk, browser } = await seenAgain((page) => (page.vain = 1));
  assert.match(page.screen.fault, /not read/);
  walk.taps(page, 2);
  await browser.world.moves(400);
  assert.deepEqual([page.screen.draft.dice, page.screen.fault], [[13], null]);
});

test("a ball goes on silently behind a dispute", async () => {
  const { page, service, world } = await held();
  service.argues();
  await world.moves(6000);
  assert.deepEqual([page.screen.entries, page.screen.stop, page.screen.said], [[], null, null]);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[16], [22, 3]],
  );
});

test("a ball that somebody else has typed alike is left out and told", async () => {
  const { page, service, world } = await held();
  service.alike({ dice: [22, 3] });
  await world.moves(6000);
  assert.deepEqual([page.screen.entries, page.screen.stop], [[], null]);
  assert.match(page.screen.said, /typed.elsewhere|already/);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[16]],
  );
});

test("a ball stands beside the one that somebody else has typed instead", async () => {
  const { page, service, world } = await held();
  service.alike({ dice: [22, 4] });
  await world.moves(6000);
  const { status, theirs, isForgotten } = page.screen.stop;
  assert.deepEqual({ status, theirs, isForgotten }, { status: 412, theirs: "22,4", isForgotten: false });
  assert.equal(page.screen.entries.length, 1);
});

test("a ball whose ground the service has lost stops, and goes again when a person says so", async () => {
  const { page, walk, service, world } = await held();
  // What was recorded is lost with the store.
  page.drew = () => {};
  service.forgets(1);
  await world.moves(6000);
  assert.equal(page.screen.stop.isForgotten, true);
  walk.browser.tabs[0]?.modules["stopping.js"].decide(page.match, "theirs");
  await world.moves(6000);
  assert.deepEqual([page.screen.entries, page.screen.stop], [[], null]);
});

/** A pad whose held ball goes where the service has another ball under its key. */
const given = async () => {
  const { page, walk, service, world } = await held();
  const [{ key }] = page.screen.entries;
  page.drew = () => {};
  service.record({ dice: [22, 4] }, key, true);
  service.answers.set(key, { request: "with another die", short: {} });
  await world.moves(6000);
  return { page, walk, service, world };
};

test("a ball that is recorded already with another die stands beside that one", async () => {
  const { page } = await given();
  const { status, theirs } = page.screen.stop;
  assert.deepEqual({ status, theirs }, { status: 422, theirs: "22,4" });
});

test("a ball that is recorded already with another die goes after that one where a person says so", async () => {
  const { page, service, world } = await given();
  page.modules["stopping.js"].decide(page.match, "mine");
  await world.moves(6000);
  assert.deepEqual([page.screen.entries, page.screen.stop], [[], null]);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[16], [22, 4], [22, 3]],
  );
});

test("neither a ball nor a token goes to a service with another store", async () => {
  const { page, walk, service, world } = await held();
  page.dies();
  Object.assign(service, { store: "s2", tokens: 0 });
  const after = walk.browser.opens();
  after.drew = () => {};
  await world.moves(20_000);
  assert.deepEqual([service.own.length, service.tokens], [1, 0]);
  assert.deepEqual(
    after.screen.entries.map(({ dice }) => dice),
    [[22, 3]],
  );
  // It goes when the service that it was typed for is back.
  service.store = "s1";
  after.dies();
  walk.browser.opens();
  await world.moves(20_000);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[16], [22, 3]],
  );
});

test("what Undo leaves of a ball goes where the match asks for something else by now, and that is said", async () => {
  const { walk, world, service, page } = await opened({ othersScore: true });
  walk.taps(page, 1);
  await world.moves(400);
  walk.taps(page, 4);
  await world.moves(20);
  service.alike({ dice: [12, 5] });
  await world.moves(400);
  walk.undoes(page);
  await world.moves(400);
  const { draft, said, ways, keys } = page.screen;
  assert.deepEqual([draft.dice, said, keys], [[], "typed.gone", []]);
  assert.deepEqual(
    ways.map((/** @type {{title: string}} */ { title }) => title),
    ["Accept", "Review"],
  );
});

test("Try now tries at once while a look at the service has no answer", async () => {
  const { walk, world, wire, service, page } = await opened();
  walk.taps(page, 5);
  await world.moves(400);
  // The ball is refused, and the look behind it hears nothing.
  wire.fates = ["refused", "hole"];
  await world.moves(6000);
  assert.deepEqual([page.screen.entries.length, service.own.length, wire.fates], [1, 0, []]);
  page.modules["scoring.js"].tryNow(page.match);
  await world.moves(200);
  assert.deepEqual([page.screen.entries.length, service.own.length], [0, 1]);
});

test("a look at the service that has no answer makes room for the next one", async () => {
  const { walk, world, wire, service, page } = await opened();
  walk.taps(page, 5);
  await world.moves(400);
  wire.fates = ["refused", "hole"];
  await world.moves(10_000);
  assert.deepEqual([page.screen.entries.length, service.own.length], [0, 1]);
});

test("a preview that hangs closes the keys no longer than a second, and Undo waits no longer", async () => {
  const { walk, world, wire, service, page } = await opened();
  wire.fates = ["hole"];
  walk.taps(page, 1);
  await world.moves(500);
  assert.deepEqual([page.screen.draft.dice, page.screen.keys], [[12], []]);
  await world.moves(700);
  assert.deepEqual(page.screen.keys, [1, 2, 3, 4, 5, 6]);
  wire.fates = ["hole"];
  walk.undoes(page);
  await world.moves(100);
  assert.deepEqual([page.screen.draft.dice, page.screen.keys.length], [[], 6]);
  wire.fates = ["hole"];
  walk.taps(page, 2);
  await world.moves(1200);
  walk.taps(page, 3);
  await world.moves(6000);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[13, 4]],
  );
});

test("a wish behind an Undo that waits means what the Undo leaves", async () => {
  const { walk, world, wire, page } = await opened();
  walk.taps(page, 0);
  await world.moves(400);
  walk.taps(page, 0);
  await world.moves(400);
  assert.deepEqual(page.screen.draft.dice, [11, 1]);
  wire.fates = ["late"];
  walk.undoes(page);
  walk.undoes(page);
  await world.moves(3000);
  assert.deepEqual(page.screen.draft.dice, []);
  walk.taps(page, 0);
  await world.moves(400);
  wire.fates = ["late"];
  walk.undoes(page);
  page.modules["scoring.js"].choose(page.match, "begin_over", "bowler", "Sato");
  await world.moves(3000);
  const { cells, said } = page.screen;
  assert.equal(cells.find((/** @type {any} */ { ask }) => ask.at === "bowler").value, "Sato");
  assert.equal(said, null);
});

test("digits that a keyboard types while nobody says what is asked are refused in words, and count no more", async () => {
  const { browser, walk, world, wire, service, page } = await opened();
  walk.taps(page, 1);
  await world.moves(400);
  wire.cuts(true);
  walk.taps(page, 3);
  await world.moves(1200);
  assert.deepEqual([page.screen.entries.length, page.screen.keys], [1, []]);
  for (const digit of [2, 2]) page.modules["scoring.js"].answer(page.match, digit, null);
  await world.moves(400);
  assert.equal(page.screen.said, "key.early");
  wire.isCut = false;
  await world.moves(40_000);
  assert.deepEqual([page.screen.draft.dice, page.match.digits], [[], []]);
  assert.deepEqual(
    service.own.map(({ dice }) => dice),
    [[12, 4]],
  );
  assert.equal(browser.tabs.length, 1);
});

test("a die that is typed on what another tab has not heard of stands", async () => {
  const { walk, browser, world, service, wire, page } = await opened({ othersScore: true });
  const before = new Set(wire.streams);
  browser.opens();
  await world.moves(400);
  service.record({ dice: [12, 5] }, "others", false);
  await world.moves(400);
  // The other tab still waits for a review when that has been decided elsewhere.
  for (const stream of wire.streams) if (!before.has(stream)) wire.streams.delete(stream);
  service.foreign.add("review");
  service.add({ kind: "review" });
  await world.moves(400);
  walk.taps(page, 1);
  await world.moves(1500);
  assert.deepEqual([page.screen.draft.dice, page.screen.said], [[22], null]);
});

test("a refusal that comes late is said of no ball that is typed since", async () => {
  const { walk, world, service, wire, page } = await opened();
  const answersTo = service.answersTo.bind(service);
  let isFirst = true;
  service.answersTo = (method, path, headers, body) => {
    const refuses = isFirst && path.endsWith("/preview");
    isFirst &&= !refuses;
    const text = JSON.stringify({ detail: "no such ball", errors: [] });
    return refuses
      ? { status: 422, type: "application/problem+json", text }
      : answersTo(method, path, headers, body);
  };
  wire.fates = ["late"];
  walk.taps(page, 1);
  await world.moves(1200);
  walk.undoes(page);
  await world.moves(200);
  walk.taps(page, 2);
  await world.moves(8000);
  assert.deepEqual([page.screen.draft.dice, page.screen.said], [[13], null]);
});

test("a preview that hung says nothing of the line, and asks nothing again, once another one was answered", async () => {
  const { walk, world, service, wire, page } = await opened();
  /** @type {string[]} */
  const previews = [];
  const answersTo = service.answersTo.bind(service);
  service.answersTo = (method, path, headers, body) => {
    if (path.endsWith("/preview")) previews.push(`${body.dice}`);
    return answersTo(method, path, headers, body);
  };
  wire.fates = ["hole"];
  walk.taps(page, 1);
  await world.moves(1200);
  page.modules["scoring.js"].tryNow(page.match);
  await world.moves(400);
  walk.taps(page, 2);
  await world.moves(6000);
  walk.taps(page, 3);
  await world.moves(400);
  assert.deepEqual(previews, ["12", "12,3", "24"]);
  await world.moves(12_000);
  assert.deepEqual([page.screen.isFresh, page.screen.draft.dice, previews.length], [true, [24], 3]);
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
