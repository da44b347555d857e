// The script of the plain board, which televisions of 2018 run: what it is written in, and what it calls and sets.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "acorn";

const script = readFileSync(new URL("../../../src/web/assets/plain-board.js", import.meta.url), "utf8");

/** The methods that a browser of ES5 has, or its DOM. */
const METHODS = [
  ...["split", "join", "push", "filter", "forEach", "map", "getTime", "getHours", "getMinutes", "parse"],
  ...["getAttribute", "getElementById", "createElement", "appendChild", "removeChild"],
  ...["open", "send", "setRequestHeader", "getResponseHeader"],
];
const CONSTRUCTORS = ["Date", "XMLHttpRequest"];
/** The properties of a style that the oldest of these televisions has. */
const STYLES = [
  ...["background", "color", "fontFamily", "fontSize", "height", "left", "lineHeight", "margin"],
  ...["overflow", "padding", "position", "tableLayout", "textAlign", "top", "whiteSpace", "width"],
];

/** All nodes of a tree. @param {any} node @returns {any[]} */
const nodesOf = (node) => {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (node === null || typeof node !== "object") return [];
  const below = Object.values(node).flatMap(nodesOf);
  return typeof node.type === "string" ? [node, ...below] : below;
};

/** What a script does that no browser of 2009 does, or that this one may not do. @param {string} text */
const faults = (text) => {
  const nodes = nodesOf(parse(text, { ecmaVersion: 5, sourceType: "script" }));
  const own = nodes.filter(({ type }) => type === "FunctionDeclaration").map(({ id }) => id.name);
  const parameters = nodes.flatMap(({ params }) => params ?? []).map(({ name }) => name);
  const known = [...own, ...parameters, "setTimeout"];
  const faultOf = (/** @type {any} */ { type, callee, left }) => {
    if (type === "NewExpression") return CONSTRUCTORS.includes(callee.name) ? null : `new ${callee.name}`;
    if (type === "CallExpression" && callee.type === "Identifier")
      return known.includes(callee.name) ? null : callee.name;
    if (type === "CallExpression" && callee.type === "MemberExpression")
      return METHODS.includes(callee.property.name) ? null : callee.property.name;
    if (type !== "AssignmentExpression" || left.type !== "MemberExpression") return null;
    if (/HTML$/.test(left.property.name)) return left.property.name;
    const isStyle = left.object.type === "MemberExpression" && left.object.property.name === "style";
    return isStyle && !STYLES.includes(left.property.name) ? `style.${left.property.name}` : null;
  };
  return nodes.map(faultOf).filter((fault) => fault !== null);
};

test("the plain board is ES5, and calls and sets only what an old browser has", () => {
  assert.deepEqual(faults(script), []);
});

test("what an old browser lacks is found", () => {
  for (const modern of ["let a = 1;", "var f = () => 1;", "f(a, b,);", "var a = `b`;"])
    assert.throws(() => faults(modern), SyntaxError, modern);
  assert.deepEqual(faults("fetch('/v1');"), ["fetch"]);
  assert.deepEqual(faults("a.innerHTML = b;"), ["innerHTML"]);
  assert.deepEqual(faults("a.style.gap = '1vw'; a.style.inset = 0;"), ["style.gap", "style.inset"]);
  assert.deepEqual(faults("a.replaceChildren(); new Map();"), ["replaceChildren", "new Map"]);
});
