// The module as the page runs it: a second import of the script is the same script.
const { html, nothing, render, repeat, svg } = (
  await import(document.querySelector("script[type=module]").src)
).$.html;
const failures = [];
const test = (name, run) => {
  const box = document.createElement("div");
  document.body.append(box);
  try {
    run(box);
  } catch (error) {
    failures.push(`${name}: ${error.message}`);
  }
  box.remove();
};
const equal = (one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
const throws = (run) => {
  try {
    run();
  } catch {
    return;
  }
  throw new Error("nothing was refused");
};

test("data never becomes HTML", (box) => {
  render(html`<p title=${"<i>"}>${"<b>&amp;</b>"}</p>`, box);
  equal(
    [box.querySelector("b"), box.textContent, box.firstElementChild.title],
    [null, "<b>&amp;</b>", "<i>"],
  );
});
test("only a literal is a template", (box) => {
  throws(() => render(html(["<b></b>"]), box));
  throws(() => render({ strings: ["<b></b>"], values: [] }, box));
});
test("an attribute that runs or styles takes no value", (box) => {
  throws(() => render(html`<p style=${"color: red"}></p>`, box));
  throws(() => render(html`<p onclick=${"alert(1)"}></p>`, box));
});
test("drawing again keeps the elements, and the focus", (box) => {
  const draw = (text) => render(html`<input value="x"><p>${text}</p>`, box);
  draw("one");
  const [input, p] = box.children;
  input.focus();
  draw("two");
  equal([box.children[1] === p, document.activeElement === input, p.textContent], [true, true, "two"]);
});
test("a keyed list moves its elements", (box) => {
  const draw = (keys) =>
    render(
      html`<ul>${repeat(
        keys,
        (key) => key,
        (key) => html`<li>${key}</li>`,
      )}</ul>`,
      box,
    );
  draw(["a", "b", "c"]);
  const [a, b, c] = box.querySelectorAll("li");
  draw(["c", "a", "d"]);
  const now = [...box.querySelectorAll("li")];
  equal(
    [now[0] === c, now[1] === a, now.map((li) => li.textContent).join(""), b.isConnected],
    [true, true, "cad", false],
  );
  draw([]);
  equal(box.querySelectorAll("li").length, 0);
  draw(["b", "a"]);
  equal(box.textContent, "ba");
});
test("attributes, properties, flags and listeners are bound", (box) => {
  let heard = 0;
  const draw = (on) =>
    render(
      html`<button class="a ${on ? "b" : nothing} c" data-x=${on ? 1 : nothing} ?disabled=${!on} .hidden=${!on} @click=${() => (heard += on ? 1 : 10)}></button>`,
      box,
    );
  draw(false);
  const button = box.querySelector("button");
  equal(
    [button.className, button.hasAttribute("data-x"), button.disabled, button.hidden],
    ["a  c", false, true, true],
  );
  draw(true);
  button.click();
  equal(
    [button.className, button.dataset.x, button.disabled, button.hidden, heard],
    ["a b c", "1", false, false, 1],
  );
});
test("a property that a person has changed is set again", (box) => {
  const draw = () => render(html`<input .value=${"kept"}>`, box);
  draw();
  box.querySelector("input").value = "typed";
  draw();
  equal(box.querySelector("input").value, "kept");
});
test("a description that was given before is not drawn again", (box) => {
  const draw = (given) => render(html`<p>${given}</p>`, box);
  const input = () => html`<input .value=${"kept"}>`;
  const same = input();
  draw(same);
  box.querySelector("input").value = "typed";
  draw(same);
  equal(box.querySelector("input").value, "typed");
  draw(input());
  equal(box.querySelector("input").value, "kept");
});
test("another template takes the place of one, and nothing of both", (box) => {
  const draw = (value) => render(html`<p>${value}</p>`, box);
  draw(html`<b>b</b>`);
  draw(html`<i>i</i>`);
  equal(box.querySelector("p").children.length, 1);
  for (const empty of [nothing, null, undefined, false, true, ""]) {
    draw(empty);
    equal([empty ?? null, box.textContent], [empty ?? null, ""]);
  }
  draw(0);
  equal(box.textContent, "0");
});
test("an element inside of an svg is one of SVG", (box) => {
  render(html`<svg viewBox="0 0 1 1">${[svg`<circle r=${1}></circle>`]}</svg>`, box);
  equal(box.querySelector("circle").namespaceURI, "http://www.w3.org/2000/svg");
});
return failures;
