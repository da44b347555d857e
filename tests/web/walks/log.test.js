// What the log has is compared with what was asked for by its values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./browser.js";

const orders = { near: [5, 1, 4], far: [3, 8, 0] };

/** What stands between an over with these orders and a log that has other ones. @param {object} asked @param {object} has */
const between = (asked, has) => {
  const { between: of } = new Browser(1).opens().modules["log.js"];
  const steps = [{ path: "/v1/matches/m1/overs", body: { bowler: "Sato", orders: asked }, key: "k" }];
  const data = { choices: { bowler: "Sato", orders: has } };
  return of({ steps, preview: null }, [{ seq: 2, hash: "h2", kind: "over", data }]).is;
};

test("the orders of an over are the same in whichever order their members stand", () => {
  assert.equal(between(orders, { far: orders.far, near: orders.near }), "recorded");
});

for (const [what, has] of Object.entries({
  "numbers stand in another order": { ...orders, near: [1, 5, 4] },
  "a number is missing": { ...orders, near: [5, 1] },
  "a list is missing": { near: orders.near },
  "a list is missing, and another is there": { near: orders.near, away: orders.far },
  "a list is more": { ...orders, away: [1] },
  "a number is a text": { ...orders, near: ["5", 1, 4] },
}))
  test(`they are others where ${what}`, () => {
    assert.equal(between(orders, has), "differs");
  });

/** What stands between a correction and a log that has these events behind its head. @param {object} body @param {object[]} events */
const corrected = (body, events) => {
  const { between: of } = new Browser(1).opens().modules["log.js"];
  const steps = [{ path: "/v1/matches/m1/corrections", body, key: "k" }];
  return of({ steps, preview: null }, events);
};

const brought = {
  seq: 7,
  hash: "h7",
  at: "18:31",
  kind: "restoration",
  data: { restores: 6, voids_from_seq: 7 },
};
const ball = { seq: 8, hash: "h8", at: "18:31", kind: "ball", data: { delivery: 2 } };
const later = { seq: 9, hash: "h9", at: "18:32", kind: "ball", data: { delivery: 3 } };
const body = { restores: 6, reason: "It stands after all" };

test("what is brought back is recorded with the events that come back at its time", () => {
  assert.deepEqual(corrected(body, [brought, ball]), { is: "recorded", head: { seq: 8, hash: "h8" } });
  assert.deepEqual(corrected(body, [brought, ball, later]).head, { seq: 8, hash: "h8" });
});

test("another correction is another one, whichever was asked for", () => {
  assert.equal(corrected({ ...body, restores: 5 }, [brought]).is, "differs");
  assert.equal(corrected({ voids_from: 2, reason: "Rule" }, [brought]).is, "differs");
  const taken = { ...brought, kind: "correction", data: { voids_from: 2, voids_from_seq: 6 } };
  assert.equal(corrected(body, [taken]).is, "differs");
  assert.equal(corrected({ voids_from: 2, reason: "Rule" }, [taken]).is, "recorded");
});
