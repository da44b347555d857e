/**
 * Reads the literals of templates, once each: the one place where text becomes HTML. A hole between two
 * literals becomes a comment in a text, and a mark in an attribute.
 */

/** @typedef {{strings: TemplateStringsArray, values: unknown[], isSvg: boolean}} Template */
/** @typedef {{at: number, name: string | null, strings: string[]}} Hole `at`: the place of its node in the order of the document. */
/** @typedef {{content: DocumentFragment, holes: Hole[]}} Prepared */

const MARK = "hole-7f3a";

/** The one door from text to HTML: it takes the literals of a template, which no data can be. */
const parse = (() => {
  // @ts-expect-error TypeScript's DOM has no trusted types yet.
  const policy = globalThis.trustedTypes?.createPolicy("templates", {
    createHTML: (/** @type {string} */ text) => text,
  });
  return (/** @type {TemplateStringsArray} */ strings, /** @type {string} */ markup) => {
    if (!Array.isArray(strings) || !Object.isFrozen(strings)) throw new Error("only a literal is a template");
    const template = document.createElement("template");
    template.innerHTML = policy ? policy.createHTML(markup) : markup;
    return template.content;
  };
})();

/** Where the parser stands after a string: in a text, in a tag, or in a quoted value. @param {string} string @param {string} state */
const scan = (string, state) => {
  for (const c of string) {
    if (state === "text") state = c === "<" ? "tag" : "text";
    else if (state !== "tag") state = c === state ? "tag" : state;
    else if (c === ">") state = "text";
    else if (c === '"' || c === "'") state = c;
  }
  return state;
};

/** @type {WeakMap<TemplateStringsArray, Prepared>} */
const known = new WeakMap();

/** @param {Template} template @returns {Prepared} */
export const prepare = ({ strings, isSvg }) => {
  const found = known.get(strings);
  if (found) return found;
  /** @type {string[]} The names as written: the parser makes them lower-case. */
  const names = [];
  let [state, markup] = ["text", ""];
  strings.forEach((string, i) => {
    markup += string;
    state = scan(string, state);
    if (i === strings.length - 1) return;
    if (state !== "text")
      names.push(safe(/([^\s"'>=]+)=["']?[^"'=]*$/.exec(string)?.[1] ?? names[names.length - 1] ?? ""));
    markup += state === "text" ? `<!--${MARK}-->` : MARK;
  });
  const content = parse(strings, isSvg ? `<svg>${markup}</svg>` : markup);
  if (isSvg) content.firstElementChild?.replaceWith(...content.firstElementChild.childNodes);
  const prepared = { content, holes: holesOf(content, names) };
  known.set(strings, prepared);
  return prepared;
};

/** @param {DocumentFragment} content @param {string[]} names */
const holesOf = (content, names) => {
  /** @type {Hole[]} */
  const holes = [];
  let named = 0;
  nodesOf(content).forEach((node, at) => {
    if (node instanceof Comment && node.data === MARK) holes.push({ at, name: null, strings: [] });
    if (!(node instanceof Element)) return;
    for (const { name, value } of [...node.attributes].filter((attribute) =>
      attribute.value.includes(MARK),
    )) {
      const strings = value.split(MARK);
      holes.push({ at, name: names[named] ?? "", strings });
      named += strings.length - 1;
      node.removeAttribute(name);
    }
  });
  return holes;
};

/** Refuses the attributes that would run or style what they hold. @param {string} name */
const safe = (name) => {
  if (/^(on|style$|srcdoc$)/i.test(name)) throw new Error(`${name} takes no value`);
  return name;
};

/** @param {Node} root */
export const nodesOf = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
};
