// The modules as the page runs them: a second import of the script is the same script.
const { $ } = await import(document.querySelector("script[type=module]").src);
// Home loads the script of the pad ahead, which has the typing.
await Promise.all($.pages.pageAt("/").page.ahead.map((load) => load()));
// What a person decides comes with the sheets.
await $.views_pad_later.sheets.ahead();
const {
  answered,
  chosen,
  due,
  entered,
  foreseen,
  heldOf,
  isIdle,
  passedOn,
  released,
  takenBack,
  tried,
  typed,
} = $.outbox;
const { leftOut, remade } = $.decided;
const { withAnswer, withoutLast, callsOf } = $.typing;
const { emptyDraft, sameDraft } = $.draft;
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
const call = (key) => ({ path: "/balls", body: {}, key });
const draft = (id, more = {}) => ({ ...emptyDraft("m"), id, ...more });
const entry = (id, more = {}) => ({
  id,
  match: "m",
  n: 1,
  title: id,
  steps: [call(id)],
  head: null,
  state: "queued",
  draft: draft(id),
  preview: null,
  at: "",
  ...more,
});
const kept = (entries, of = draft("d")) => ({ entries, draft: of });
const headOf = (seq) => ({ seq, hash: `h${seq}` });
const die = (value) => ({ at: `dice[${value}]`, value, sides: 6 });
const given = (id, head, count = 1) =>
  draft(id, { head, answers: Array.from({ length: count }, (_, place) => die(place)) });

// What is to be done.
equal("nothing is due of nothing", due(kept([])).act, "rest");
equal("a held ball waits", due(kept([entry("a", { state: "held", head: "h" })])).act, "rest");
equal(
  "a ball with a head goes",
  [due(kept([entry("a", { head: "h" })])).act, due(kept([entry("a", { head: "h" })])).head],
  ["send", "h"],
);
equal("a ball without a head is asked about", due(kept([entry("a")])).act, "ask");
equal(
  "an entry without requests is passed on",
  due(kept([entry("a", { steps: [], head: "h" })])).act,
  "pass",
);

// An answer.
const two = kept([entry("a", { head: "h", state: "tried" }), entry("b")]);
equal(
  "the next entry gets the head of the answer",
  answered("a", "a", headOf(2))(two).entries.map(({ id, head }) => [id, head]),
  [["b", "h2"]],
);
equal("an answer to another request changes nothing", answered("a", "x", headOf(2))(two), two);
equal("an answer that another tab has taken changes nothing", answered("z", "z", headOf(2))(two), two);
equal(
  "the draft gets the head where no entry is before it",
  answered("a", "a", headOf(2))(kept([two.entries[0]], given("d", null))).draft.head,
  "h2",
);
equal(
  "a draft behind another entry waits for that one",
  answered("a", "a", headOf(2))({ ...two, draft: given("d", null) }).draft.head,
  null,
);
equal(
  "a draft knows the answer that it is behind",
  answered("a", "a", headOf(2))(kept([two.entries[0]])).draft.after,
  headOf(2),
);
equal(
  "and so does the draft that takes its place",
  leftOut("b", draft("e"))(answered("a", "a", headOf(2))(two)).draft.after,
  headOf(2),
);
equal("an empty draft keeps no head", answered("a", "a", headOf(2))(kept([two.entries[0]])).draft.head, null);
const over = kept([entry("a", { head: "h", steps: [call("a-over"), call("a")] }), entry("b")]);
const begun = answered("a", "a-over", headOf(2))(over);
equal(
  "the ball goes after its over",
  begun.entries.map(({ steps, head }) => [steps.length, head]),
  [
    [1, "h2"],
    [1, null],
  ],
);
equal(
  "and ends the entry",
  answered("a", "a", headOf(3))(begun).entries.map(({ id, head }) => [id, head]),
  [["b", "h3"]],
);
equal(
  "several entries without requests go at once",
  passedOn(
    kept([entry("a", { steps: [], head: "h" }), entry("b", { steps: [], head: "i" }), entry("c")]),
  ).entries.map(({ id, head }) => [id, head]),
  [["c", "i"]],
);

// A ball is made.
const ball = (of, head) => entry(of.id, { draft: of, state: "held", head: of.head ?? head });
const made = entered(given("d", "h"), (of) => ball(of, null), draft("next"), 7)(kept([], given("d", "h")));
equal(
  "a ball is entered and its draft emptied in one step",
  [made.entries.map(({ id, n, head }) => [id, n, head]), made.draft.id],
  [[["d", 7, "h"]], "next"],
);
equal(
  "the head that came to the draft meanwhile counts",
  entered(given("d", null), (of) => ball(of, null), draft("next"), 7)(kept([], given("d", "h2"))).entries[0]
    .head,
  "h2",
);
equal(
  "an entry of the same draft is made once",
  entered(given("d", "h"), (of) => ball(of, null), draft("e"), 9)(made).entries.length,
  1,
);
equal(
  "entries stand in order though a clock goes back",
  entered(
    given("d", null),
    (of) => ball(of, null),
    draft("e"),
    1,
  )(kept([entry("a", { n: 9 })], given("d", null))).entries.map(({ n }) => n),
  [9, 10],
);
equal(
  "a ball that another tab has typed on is not entered",
  entered(given("d", "h"), (of) => ball(of, null), draft("e"), 1)(kept([], given("d", "h", 2))).entries,
  [],
);
equal(
  "what asks nothing goes for no draft of another tab",
  entered(draft("d"), (of) => ball(of, null), draft("e"), 1)(kept([], draft("other"))).entries,
  [],
);
equal(
  "a draft of another tab stays",
  entered(given("d", "h"), (of) => ball(of, null), draft("e"), 1)(kept([], draft("other"))).draft.id,
  "other",
);
equal(
  "a key answers the draft that it was drawn for",
  typed(given("d", "h", 1), (one) => withAnswer(one, {}, die(9), null))(kept([], given("d", "h", 2))).draft
    .answers.length,
  2,
);
const stroke = (of) => ({ ...of, changes: { bowl_ball: { "choices.stroke": "cut" } } });
equal(
  "a choice stands beside what another tab has typed meanwhile",
  [
    chosen(given("d", "h", 1), stroke)(kept([], given("d", "h", 2))).draft,
    chosen(given("d", "h", 1), stroke)(kept([], null)).draft,
  ],
  [stroke(given("d", "h", 2)), stroke(given("d", "h", 1))],
);
equal(
  "a choice for a ball that is entered goes to no other one",
  chosen(given("d", "h", 1), stroke)(kept([], draft("next"))).draft.changes,
  {},
);
equal(
  "a held ball is typed again",
  [takenBack("d", ({ draft: of }) => of)(made).entries, takenBack("d", ({ draft: of }) => of)(made).draft.id],
  [[], "d"],
);
equal(
  "a ball that goes already stays",
  takenBack("d", ({ draft: of }) => of)(released(made)),
  released(made),
);
equal(
  "what is held is released, tried and seen",
  [
    heldOf(made)?.id,
    isIdle(made),
    isIdle(released(made)),
    tried("d")(released(made)).entries[0].state,
    foreseen("d", { text: "x" })(made).entries[0].preview.text,
  ],
  ["d", true, false, "tried", "x"],
);
equal(
  "a ball that is tried comes to what it came to before",
  foreseen("d", { text: "x" })(tried("d")(made)).entries[0].preview,
  null,
);
equal("an entry left out leaves the next one without a head", due(leftOut("a", draft("e"))(two)).act, "ask");
equal("an entry made again goes on the new head", due(remade("a", "h9", draft("e"))(two)).head, "h9");

// Typing.
const request = { title: "Ball", operation: "bowl_ball", path: "/balls", body: {}, asks: [] };
const one = withAnswer(draft("d"), request, { at: "dice[0]", value: 2, sides: 6 }, "h");
equal(
  "the first answer says the head",
  [one.head, withAnswer(one, request, { at: "dice[1]", value: 4, sides: 6 }, "h2").head],
  ["h", "h"],
);
equal(
  "without answers no head is kept",
  [withoutLast(one, []).head, withoutLast(one, []).request],
  [null, null],
);
equal(
  "the over goes before the ball",
  callsOf({ ...one, over: { ...request, operation: "begin_over", path: "/overs" } }, request, null).map(
    ({ key }) => key,
  ),
  ["d-over", "d"],
);
equal(
  "an over begun elsewhere does not go",
  callsOf({ ...one, over: { ...request, operation: "begin_over" } }, request, [request]).map(
    ({ key }) => key,
  ),
  ["d"],
);
equal(
  "a copy of a draft is the same",
  [sameDraft(one, JSON.parse(JSON.stringify(one))), sameDraft(one, draft("d"))],
  [true, false],
);
return failures;
