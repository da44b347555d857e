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
