/**
 * Renders templates. Its interface is lit-html's. Only the literals of templates become HTML; a value is
 * always text, an attribute, a property, a boolean attribute or a listener. Drawing again changes only what
 * has changed, so focus and scroll stay.
 */

import { nodesOf, prepare } from "./template.js";

/** @typedef {import("./template.js").Template} Template */
/** @typedef {import("./template.js").Hole} Hole */

/** Nothing to draw, or no attribute. */
export const nothing = Symbol("nothing");

/** @param {TemplateStringsArray} strings @param {unknown[]} values @returns {Template} */
export const html = (strings, ...values) => ({ strings, values, isSvg: false });
/** Elements inside of an `svg` element. @param {TemplateStringsArray} strings @param {unknown[]} values @returns {Template} */
export const svg = (strings, ...values) => ({ strings, values, isSvg: true });

class Keyed {
  /** @param {[unknown, unknown][]} entries */
  constructor(entries) {
    this.entries = entries;
  }
}

/**
 * A list whose elements follow their keys.
 * @template T
 * @param {Iterable<T>} items @param {(item: T, index: number) => unknown} key
 * @param {(item: T, index: number) => unknown} template
 */
export const repeat = (items, key, template) =>
  new Keyed([...items].map((item, index) => [key(item, index), template(item, index)]));

/** An attribute, property or listener of an element, made of as many values as it has holes. */
class AttributePart {
  /** @param {Element} element @param {Hole} hole */
  constructor(element, { name, strings }) {
    this.element = element;
    this.kind = ".?@".includes(name?.[0] ?? "-") ? name?.[0] : "";
    this.name = this.kind ? (name ?? "").slice(1) : (name ?? "");
    this.strings = strings;
    this.size = strings.length - 1;
    /** @type {unknown} */
    this.last = nothing;
    if (this.kind === "@")
      element.addEventListener(this.name, (event) => typeof this.last === "function" && this.last(event));
  }

  /** @param {unknown[]} values */
  set(values) {
    const value =
      this.size === 1 && this.strings.every((string) => string === "") ? values[0] : this.joined(values);
    const before = this.last;
    this.last = value;
    if (this.kind === "@") return;
    // What a person can change is compared with what is there now.
    if (this.kind === ".")
      return void (
        Reflect.get(this.element, this.name) !== value && Reflect.set(this.element, this.name, value)
      );
    if (value === before) return;
    if (this.kind === "?")
      return void this.element.toggleAttribute(this.name, Boolean(value) && value !== nothing);
    if (value === nothing || value === null || value === undefined) this.element.removeAttribute(this.name);
    else this.element.setAttribute(this.name, String(value));
  }

  /** @param {unknown[]} values */
  joined(values) {
    const text = (/** @type {unknown} */ value) =>
      value === nothing || value === null || value === undefined || value === false ? "" : String(value);
    return this.strings.reduce((joined, string, i) => joined + text(values[i - 1]) + string);
  }
}

/** What stands between two comments: a text, a template, or a list of such parts. */
class ChildPart {
  /** @param {Node} parent @param {Node | null} before */
  constructor(parent, before) {
    this.start = parent.insertBefore(document.createComment(""), before);
    this.end = parent.insertBefore(document.createComment(""), before);
    /** @type {unknown} */
    this.drawn = nothing;
    /** @type {{set(values: unknown[]): void, size: number}[]} */
    this.parts = [];
    /** @type {Map<unknown, ChildPart>} */
    this.children = new Map();
  }

  size = 1;
  /** @type {unknown} */
  given;

  /** @param {unknown[]} values */
  set([value]) {
    // The same description is drawn already.
    if (value === this.given && typeof value === "object") return;
    this.given = value;
    if (value instanceof Keyed) return this.list(value.entries);
    if (Array.isArray(value)) return this.list(value.map((item, i) => [i, item]));
    if (typeof value === "object" && value !== null && "strings" in value)
      return this.template(/** @type {Template} */ (value));
    this.text(
      value === nothing || value === null || value === undefined || typeof value === "boolean"
        ? ""
        : String(value),
    );
  }

  /** @param {string} text */
  text(text) {
    const node = this.start.nextSibling;
    if (this.drawn === "text" && node instanceof Text) return void (node.data !== text && (node.data = text));
    this.clear("text");
    this.insert(document.createTextNode(text));
  }

  /** @param {Template} template */
  template(template) {
    if (this.drawn !== template.strings) {
      this.clear(template.strings);
      const { content, holes } = prepare(template);
      const copy = document.importNode(content, true);
      const nodes = nodesOf(copy);
      this.parts = holes.map((hole) => partOf(/** @type {Node} */ (nodes[hole.at]), hole));
      fill(this.parts, template.values);
      this.insert(copy);
    } else fill(this.parts, template.values);
  }

  /** @param {[unknown, unknown][]} entries */
  list(entries) {
    if (this.drawn !== Keyed) this.clear(Keyed);
    const keys = new Set(entries.map(([key]) => key));
    for (const [key, child] of this.children) if (!keys.has(key)) (this.children.delete(key), child.remove());
    let next = this.start.nextSibling;
    for (const [key, value] of entries) {
      const child = this.children.get(key) ?? new ChildPart(/** @type {Node} */ (this.end.parentNode), next);
      this.children.set(key, child);
      if (next !== child.start && child.end.nextSibling !== next) child.moveBefore(next);
      child.set([value]);
      next = child.end.nextSibling;
    }
  }

  /** @param {unknown} drawn */
  clear(drawn) {
    while (this.start.nextSibling !== this.end) this.start.nextSibling?.remove();
    [this.drawn, this.parts, this.children] = [drawn, [], new Map()];
  }

  nodes() {
    /** @type {ChildNode[]} */
    const nodes = [this.start];
    while (nodes[nodes.length - 1] !== this.end)
      nodes.push(/** @type {ChildNode} */ (nodes[nodes.length - 1]?.nextSibling));
    return nodes;
  }

  /** @param {Node} node */
  insert(node) {
    this.end.parentNode?.insertBefore(node, this.end);
  }

  /** @param {Node | null} place */
  moveBefore(place) {
    for (const node of this.nodes()) this.end.parentNode?.insertBefore(node, place);
  }

  remove() {
    for (const node of this.nodes()) node.remove();
  }
}

/** @param {Node} node @param {Hole} hole */
const partOf = (node, hole) => {
  if (hole.name !== null) return new AttributePart(/** @type {Element} */ (node), hole);
  return new ChildPart(/** @type {Node} */ (node.parentNode), node);
};

/** @param {{set(values: unknown[]): void, size: number}[]} parts @param {unknown[]} values */
const fill = (parts, values) => {
  let at = 0;
  for (const part of parts) part.set(values.slice(at, (at += part.size)));
};

/** @type {WeakMap<Node, ChildPart>} */
const roots = new WeakMap();

/** Draws into an element what a template describes. @param {unknown} value @param {Element} container */
export const render = (value, container) => {
  const part = roots.get(container) ?? new ChildPart(container, null);
  roots.set(container, part);
  part.set([value]);
};
