// The modules as the page runs them: a second import of the script is the same script.
const { $ } = await import(document.querySelector("script[type=module]").src);
// Home loads the script of the pad ahead.
await Promise.all($.pages.pageAt("/").page.ahead.map((load) => load()));
const { answerTo, chosenIn, isForm, kindOf, laid, numbersOf } = $.kinds;
// What draws on sheets comes later, with its words.
await $.views_pad_later.sheets.ahead();
const { fieldList } = await $.views_pad_later.steps.ahead();
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
const ask = (kind, more = {}) => ({ at: "it", kind, title: "It", required: true, ...more });
const options = (...values) => ({
  options: values.map((value) => ({ value, title: `title ${value}` })),
});
const places = {
  places: {
    names: ["Marsh", "Wren"],
    places: ["slip", "gully", "point"].map((id) => ({ id, title: `the ${id}` })),
    at_most: [{ places: ["slip", "gully"], n: 1, text: "one in the cordon" }],
    now: { Marsh: "slip", Wren: "point" },
  },
};
const whole = {
  die: ask("die", options(1, 2, 3, 4, 5, 6)),
  number: ask("number", { minimum: 0, maximum: 9 }),
  one: ask("one", options("a", "b")),
  some: ask("some", { ...options("a", "b", "c"), count: 2, default: [] }),
  order: ask("order", { ...options("a", "b", "c"), count: 2 }),
  yes_no: ask("yes_no", options(true, false)),
  places: ask("places", places),
  later: ask("later", { minimum: 1 }),
};

/** Draws a template alone; what is sent stands in `sent`. */
const drawn = (template) => {
  const box = document.createElement("div");
  $.html.render(template, box);
  return box;
};
const sent = [];
const send = {
  die: (value) => sent.push(["die", value]),
  choose: (value) => sent.push(["choose", value]),
  take: (taken) => sent.push(["take", taken]),
};
const elsewhere = () => $.html.html`<p data-elsewhere></p>`;
const onPad = (ask, more = {}) =>
  drawn(kindOf(ask).keys({ ask, pressed: null, missed: null, closed: false, elsewhere, ...more }, send));
const onSheet = (ask, more = {}) =>
  drawn(
    kindOf(ask).sheet(
      { ...$.parts_lists, placesList: fieldList },
      { ask, chosen: undefined, taken: null, elsewhere, ...more },
      send,
    ),
  );
const tapped = (box, selector) => {
  sent.length = 0;
  box.querySelector(selector)?.click();
  return sent[0] ?? null;
};
const count = (box, selector) => box.querySelectorAll(selector).length;

for (const [kind, tap, expected] of [
  ["die", "[data-die='4']", ["die", 4]],
  ["number", "[data-die='9']", ["die", 9]],
  ["one", "[data-choice='b']", ["choose", "b"]],
  ["yes_no", "[data-choice='false']", ["choose", false]],
])
  equal(`a key of ${kind} sends its value`, tapped(onPad(whole[kind]), tap), expected);
for (const kind of ["some", "order", "places", "later"])
  equal(`${kind} has no keys`, count(onPad(whole[kind]), "[data-elsewhere]"), 1);
equal("a die of six has pips", count(onPad(whole.die), ".pips"), 6);
equal(
  "a number has none",
  [count(onPad(whole.number), ".pips"), count(onPad(whole.number), ".key")],
  [0, 10],
);
equal(
  "more than three are keys in their places",
  count(onPad(ask("one", options(1, 2, 3, 4))), ".many .key"),
  4,
);
equal("closed keys send nothing", tapped(onPad(whole.die, { closed: true }), "[data-die='4']"), null);

for (const [kind, tap, expected] of [
  ["die", "[data-die='4']", ["choose", 4]],
  ["number", "[data-die='9']", ["choose", 9]],
  ["one", "[data-choice='b']", ["choose", "b"]],
  ["some", "[data-choice='b']", ["take", ["b"]]],
  ["order", "[data-choice='b']", ["take", ["b"]]],
  ["yes_no", "[data-choice='false']", ["choose", false]],
])
  equal(`a sheet of ${kind} takes its value`, tapped(onSheet(whole[kind]), tap), expected);
equal(
  "the last of an order is the whole order",
  tapped(onSheet(whole.order, { taken: ["b"] }), "[data-choice='a']"),
  ["choose", ["b", "a"]],
);
const standing = onSheet(whole.order, { chosen: ["b", "a"] });
equal(
  "an order says which place each has now",
  [...standing.querySelectorAll("[data-choice]")].map((row) => [
    row.dataset.choice,
    row.querySelector(".reason")?.textContent ?? "",
  ]),
  [
    ["a", "now second"],
    ["b", "now first"],
    ["c", ""],
  ],
);
equal("an order without values is answered elsewhere", count(onSheet(ask("order")), "[data-elsewhere]"), 1);
const some = onSheet(whole.some, { chosen: ["a"] });
equal("some begin with what is chosen", count(some, "[aria-pressed='true'][data-choice='a']"), 1);
equal("and a tap takes one more", tapped(some, "[data-choice='c']"), ["take", ["a", "c"]]);
equal("or gives one back", tapped(some, "[data-choice='a']"), ["take", []]);
const full = onSheet(whole.some, { taken: ["a", "b"] });
equal("a full list takes no more", tapped(full, "[data-choice='c']"), null);
equal("and is confirmed", tapped(full, "[data-action='confirm']"), ["choose", ["a", "b"]]);
const wren = { at: { Marsh: "slip", Wren: "point" }, picked: "Wren" };
equal("a field takes a name first", tapped(onSheet(whole.places), "[data-who='Wren']"), ["take", [wren]]);
const placing = onSheet(whole.places, { taken: [wren] });
equal(
  "and then lists the places, those that are closed last and with the reason",
  [...placing.querySelectorAll("[data-where]")].map(({ dataset, ariaDisabled, textContent }) => [
    dataset.where,
    ariaDisabled,
    /one in the cordon/.test(textContent),
  ]),
  [
    ["point", null, false],
    ["slip", "true", true],
    ["gully", "true", true],
  ],
);
equal("a closed place takes nobody", tapped(placing, "[data-where='gully']"), null);
const marsh = { at: wren.at, picked: "Marsh" };
const moved = { at: { Marsh: "gully", Wren: "point" }, picked: null };
equal("an open place does", tapped(onSheet(whole.places, { taken: [marsh] }), "[data-where='gully']"), [
  "take",
  [moved],
]);
const moving = onSheet(whole.places, { taken: [moved] });
equal("the field is set whole", tapped(moving, "[data-action='confirm']"), ["choose", moved.at]);
equal("a move is taken back", tapped(moving, "[data-action='undo-taken']"), ["take", []]);
equal("a kind of a later service is answered elsewhere", count(onSheet(whole.later), "[data-elsewhere]"), 1);

const answers = (ask, ...values) => values.map((value) => kindOf(ask).option(ask, value)?.title);
equal("a die has its faces", answers(whole.die, 6, 7, 0, "6"), ["title 6", undefined, undefined, undefined]);
equal("a number has its range", answers(whole.number, 0, 9, 10, -1, "9"), [
  "",
  "",
  undefined,
  undefined,
  undefined,
]);
equal("a number of a list has that", answers(ask("number", options(2, 5)), 2, 3), ["title 2", undefined]);
equal("one is of its list", answers(whole.one, "b", "c", 1), ["title b", undefined, undefined]);
equal("yes or no is true or false", answers(whole.yes_no, true, "true", 1), [
  "title true",
  undefined,
  undefined,
]);
equal(
  "some are of their list, and not too many",
  answers(whole.some, [], ["a", "c"], ["d"], ["a", "b", "c"], "a"),
  ["", "title a, title c", undefined, undefined, undefined],
);
equal("an order is whole", answers(whole.order, ["b", "a"], ["b"]), ["title b, title a", undefined]);
equal("names have places", answers(whole.places, moved.at, ["slip"], "slip"), ["", undefined, undefined]);
equal("no key answers a kind of a later service", answers(whole.later, "a", 1, ["a"]), [
  undefined,
  undefined,
  undefined,
]);

const typed = [
  [whole.one, "b"],
  [whole.die, 4],
  [whole.number, 9],
].map(([one, value]) => answerTo(one, value, { value, title: `title ${value}` }));
equal(
  "what is chosen for a ball is neither its dice nor its numbers, and no choice of another step",
  ["bowl_ball", "make_toss"].map((operation) => chosenIn({ request: { operation }, answers: typed })),
  ["title b", ""],
);

const step = (...asks) => ({ title: "", operation: "step", path: "/step", body: {}, asks });
equal(
  "several ways are a form",
  [
    step(whole.one, whole.yes_no),
    step(whole.one),
    step(whole.one, whole.die),
    step(whole.one, { ...whole.die, required: false }, whole.one),
  ].map(isForm),
  [true, false, false, true],
);
equal(
  "keys of numbers keep their place",
  Object.keys(whole).filter((kind) => kindOf(whole[kind]).keepsKeys),
  ["die", "number"],
);

const range = { minimum: 0, maximum: 9, count: 3 };
const orders = ["bowling", "batting"].map((duty) => ({
  ...ask("order", range),
  at: `orders.${duty}`,
  required: false,
}));
equal(
  "the numbers of an order are asked each by itself, where they have a range",
  [orders[0], whole.order, ask("order", { count: 3 }), whole.number].map((one) =>
    numbersOf(one).map(({ at, kind, required }) => [at, kind, required]),
  ),
  [[0, 1, 2].map((place) => [`orders.bowling[${place}]`, "number", true]), [], [], []],
);
const over = { ...step(ask("one", options("a")), ...orders), operation: "begin_over" };
const empty = $.draft.emptyDraft("match", "draft");
const changed = {
  ...empty,
  changes: { begin_over: { it: "a", "orders.bowling": [5, 1, 4] }, bowl_ball: { it: "b" } },
};
equal(
  "an over is laid where it is begun, or where an order stands among its choices",
  [
    laid(empty, [over]),
    laid(empty, [step(...orders)], true),
    laid(empty, null, true),
    laid({ ...empty, request: over }, [over], true),
    laid(empty, [{ ...over, asks: [whole.one] }], true),
  ],
  [null, null, null, null, null],
);
equal("all numbers of a laid over are due", laid(empty, [over], true)?.request.asks.length, 6);
const typedOn = laid(changed, [over]);
equal(
  "the numbers that stand are its answers, and no choices any more",
  [typedOn?.answers.map(({ at, value }) => [at, value]), typedOn?.changes],
  [
    [5, 1, 4].map((value, place) => [`orders.bowling[${place}]`, value]),
    { begin_over: { it: "a" }, bowl_ball: { it: "b" } },
  ],
);
equal("its last number is taken back", $.typing.withoutLast(typedOn, []).answers.length, 2);
equal(
  "and once all are, it is still the over that is typed, until that is taken back",
  [0, 1, 2, 3]
    .reduce((drafts) => [...drafts, $.typing.withoutLast(drafts.at(-1), [])], [typedOn])
    .map(({ request }) => request !== null),
  [true, true, true, true, false],
);
const second = laid({ ...empty, changes: { begin_over: { "orders.batting": [7, 8, 9] } } }, [over]);
equal(
  "both orders are one request, with the other choices of the over, and no second one goes before it",
  $.typing
    .callsOf({ ...typedOn, over, answers: [...typedOn.answers, ...second.answers] }, typedOn.request, [over])
    .map(({ body }) => body),
  [{ it: "a", orders: { bowling: [5, 1, 4], batting: [7, 8, 9] } }],
);
return failures;
