// The types of the pages' scripts: a type of `any`, in whichever of its forms, is no type.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const FOLDER = new URL("../../../src/web/", import.meta.url);
/** How a comment can say `any`: by its name, `*`, `?`, or as a name that stands for it in a script. */
const ANY = [ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.JSDocAllType, ts.SyntaxKind.JSDocUnknownType];
const NAMES = ["Object", "Function"];

/** The lines of a script that have a type of `any`, with their numbers. @param {string} text */
const anyIn = (text) => {
  const source = ts.createSourceFile("a.js", text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const lines = text.split("\n");
  /** What stands in a node, and in the comments before it. @param {import("typescript").Node} node */
  const below = (node) => {
    const children = [.../** @type {any} */ (node.jsDoc ?? [])];
    ts.forEachChild(node, (child) => void children.push(child));
    return children;
  };
  /** @param {import("typescript").Node} node @returns {string[]} */
  const found = (node) => {
    const isNamed = ts.isTypeReferenceNode(node) && NAMES.includes(node.typeName.getText(source));
    const rest = below(node).flatMap(found);
    if (!ANY.includes(node.kind) && !isNamed) return rest;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return [`${line + 1}: ${lines[line]?.trim()}`, ...rest];
  };
  return found(source);
};

test("no type of the pages is any", () => {
  const scripts = readdirSync(FOLDER, { encoding: "utf8", recursive: true }).filter((name) =>
    name.endsWith(".js"),
  );
  assert.ok(scripts.length > 100, `${scripts.length} scripts`);
  const all = scripts.flatMap((name) =>
    anyIn(readFileSync(new URL(name, FOLDER), "utf8")).map((line) => `${name}:${line}`),
  );
  assert.deepEqual(all, []);
});

test("a type of any is found in each of its forms, on any line of a comment, and no word of one", () => {
  for (const type of [
    "any",
    "*",
    "?",
    "Record<string, any>",
    "(a: any) => void",
    "{a?: any}",
    "Promise<*>",
  ]) {
    const forms = [
      `/** @type {${type}} */\nlet a;`,
      `/** @typedef {${type}} A */`,
      `let a = /** @type {${type}} */ (b);`,
      `/**\n * @typedef {{\n *   a: string,\n *   choices?: ${type}}} A\n */`,
      `/** Adds. @param {number} a @returns {${type}} */\nconst f = (a) => a;`,
      `f((/** @type {${type}} */ a) => a);`,
      `class A {\n  /** @type {${type}} */\n  b;\n}`,
      `/** @template {${type}} T @param {T} a */\nconst f = (a) => a;`,
    ];
    for (const form of forms) assert.equal(anyIn(form).length, 1, form);
  }
  assert.deepEqual(anyIn("/** @type {Object} */\nlet a;"), ["1: /** @type {Object} */"]);
  const words =
    "/** Whether any is there: any? @param {string | undefined} any The * of any. */\nf = (any) => any;";
  assert.deepEqual(anyIn(words), []);
});
