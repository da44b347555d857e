// What stands for the choices that have a default.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./browser.js";

/** A choice with its default and its options. @param {string} at @param {string} usual @param {string[]} values */
const ask = (at, usual, values) => ({
  at,
  kind: "one",
  title: at,
  required: false,
  default: usual,
  options: values.map((value) => ({ value, title: value })),
});
/** @param {string} operation @param {object[]} asks */
const request = (operation, asks) => ({ operation, title: "", path: `/${operation}`, body: {}, asks });

/** What the cells show. @param {object} more */
const shown = (more) => {
  const { cellsOf } = new Browser(1).opens().modules["match.js"];
  const requests = [
    request("begin_over", [ask("bowler", "Berg", ["Berg", "Sato"])]),
    request("bowl_ball", [ask("choices.bowl", "seamer", ["seamer"]), ask("choices.stroke", "cut", ["cut"])]),
  ];
  const view = { head: { seq: 1, hash: "h1" }, next: { requests } };
  const draft = { id: "d", answers: [], changes: { begin_over: { bowler: "Sato" } } };
  const match = { view, queue: { entries: [], draft }, preview: null, previewOn: null, ...more };
  return cellsOf(match).map((/** @type {any} */ { ask, value }) => [ask.at, value, ask.options.length]);
};

/** What the ball asks once Sato bowls. */
const preview = {
  next: { requests: [request("bowl_ball", [ask("choices.bowl", "googly", ["googly", "flipper"])])] },
};

test("a choice that follows from another one is shown as the preview tells it", () => {
  assert.deepEqual(shown({ preview, previewOn: "h1" }), [
    ["bowler", "Sato", 2],
    ["choices.bowl", "googly", 2],
    ["choices.stroke", "cut", 1],
  ]);
});

test("what a preview told before the match went on says nothing of the choices", () => {
  assert.deepEqual(shown({ preview, previewOn: "h0" })[1], ["choices.bowl", "seamer", 1]);
});
