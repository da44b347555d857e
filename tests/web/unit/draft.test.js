// The modules as the page runs them: a second import of the script is the same script.
const { $ } = await import(document.querySelector("script[type=module]").src);
// Home loads the script of the pad ahead.
await Promise.all($.pages.pageAt("/").page.ahead.map((load) => load()));
const { asked, bodyOf, changeable, emptyDraft, remaining, withChosen } = $.draft;
const { alternatives, otherWays } = $.kinds;
const { withRemembered } = $.remembered;
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
const ask = (at, required, more = {}) => ({ at, kind: "one", title: at, required, ...more });
const request = (operation, asks, body = {}) => ({
  title: operation,
  operation,
  path: `/${operation}`,
  body,
  asks,
});
const over = request("begin_over", [ask("bowler", false)]);
const ball = request("bowl_ball", [ask("dice[0]", true, { kind: "die" }), ask("choices.stroke", false)], {
  fixed: 1,
});

equal("the keys are the first required ask of all requests", asked([over, ball]).ask.at, "dice[0]");
equal("nothing is asked where all has a default", asked([over]), null);
equal(
  "the rest can be changed",
  changeable([over, ball]).map(({ operation, ask: { at } }) => [operation, at]),
  [
    ["begin_over", "bowler"],
    ["bowl_ball", "choices.stroke"],
  ],
);
equal(
  "a place makes arrays and objects",
  bodyOf(
    ball,
    [
      { at: "dice[0]", value: 2 },
      { at: "dice[1]", value: 4 },
    ],
    { "choices.stroke": "cut" },
  ),
  { fixed: 1, choices: { stroke: "cut" }, dice: [2, 4] },
);
const two = request("make_toss", [
  ask("caller", true),
  ask("call", true, { options: [{ value: "heads", asks: [ask("coin", true)] }] }),
]);
equal(
  "an answer may ask for more",
  remaining(two, [{ at: "call", value: "heads" }]).asks.map(({ at }) => at),
  ["caller", "coin"],
);
const [accept, review] = [
  request("review", [], { accept: true }),
  request("review", [ask("dice[0]", true, { kind: "die" })]),
];
equal("several requests of one operation are ways", alternatives([accept, review, ball]).length, 2);
equal("an over and its ball are not", alternatives([over, ball]), []);
const few = (at) => ask(at, true, { options: [{ value: "home" }, { value: "away" }] });
const [won, tossed] = [request("toss", [few("winner")]), request("toss", [few("caller"), few("call")])];
equal(
  "a way that asks for one of a few is asked at once, and the others stand beside it",
  [alternatives([won, tossed]), asked([won, tossed])?.ask.at, otherWays([won, tossed]).length],
  [[], "winner", 1],
);
const calls = ["home", "away"].map((caller) => request("toss", [few("call")], { caller }));
equal(
  "a way whose body says something is picked first",
  [alternatives(calls).length, otherWays(calls)],
  [2, []],
);
const secret = { ...request("choose", [ask("order", true)]), secret: true };
equal(
  "what is secret is neither asked nor changed here",
  [asked([secret]), changeable([secret])],
  [null, []],
);
const offered = [
  request("begin_over", [
    ask("bowler", false, { default: "Berg" }),
    ask("orders.bowling", false, { kind: "order" }),
    ask("field", false, { kind: "places", places: {} }),
    ask("tokens", false, { kind: "places" }),
  ]),
  request("bowl_ball", [
    ask("choices.stroke", false, { default: "drive" }),
    ask("choices.skills.bowler", false, { kind: "some", default: [] }),
    ask("choices.over_card", true),
  ]),
];
const chosen = {
  begin_over: {
    bowler: "Sato",
    orders: { bowling: [1, 2] },
    field: ["Wren"],
    tokens: { 2: "Wren" },
    keeper: "Wren",
  },
  bowl_ball: { stroke: "drive", skills: { bowler: [] }, over_card: "red" },
};
const again = withChosen(emptyDraft("m"), offered, chosen);
equal(
  "what was chosen is chosen again where it is offered, has a default, and differs from it",
  [again.changes, again.over],
  [{ begin_over: { bowler: "Sato", "orders.bowling": [1, 2] } }, offered[0]],
);
const own = { ...emptyDraft("m"), changes: { begin_over: { bowler: "Wren" } } };
equal("what a draft has chosen itself stands", withChosen(own, offered, chosen).changes.begin_over, {
  bowler: "Wren",
  "orders.bowling": [1, 2],
});
equal("where all is the default no over is begun", withChosen(emptyDraft("m"), offered, {}).over, null);
const cut = (value, more = {}) => ({ value, title: value, ...more });
const strokes = ask("choices.stroke", false, {
  kind: "one",
  default: "drive",
  options: [cut("drive"), cut("cut"), cut("hook", { why_not: "not now" })],
});
const next = [request("bowl_ball", [strokes, ask("choices.over_card", true)])];
const ballWith = (changes, usual = "drive") => ({
  ...emptyDraft("m"),
  request: request("bowl_ball", [{ ...strokes, default: usual }]),
  changes: { bowl_ball: changes },
});
const chosenNext = (...ball) => withRemembered(emptyDraft("m"), ballWith(...ball), next)?.changes ?? null;
const cutAgain = { bowl_ball: { "choices.stroke": "cut" } };
equal(
  "what was chosen for a ball is chosen for the next one",
  chosenNext({ "choices.stroke": "cut" }),
  cutAgain,
);
equal(
  "and what stood there by default, where the default is another one now",
  chosenNext({}, "cut"),
  cutAgain,
);
equal(
  "what the next ball has as its default, cannot have or does not ask is not chosen again",
  ["drive", "hook", "sweep"].map((stroke) =>
    chosenNext({ "choices.stroke": stroke, "choices.next_batter": "Wren" }),
  ),
  [null, null, null],
);
equal(
  "a draft that has begun stays as it is",
  withRemembered(own, ballWith({ "choices.stroke": "cut" }), next),
  null,
);
return failures;
