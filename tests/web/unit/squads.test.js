// The module as the page runs it: it belongs to the page of a new match.
const { $ } = await import(document.querySelector("script[type=module]").src);
const { filledUp, faultOf, withTeam, isAlike } = $.squads;
const { namesIn, entriesIn } = $.pasted;
const { rowsOf, textOf, pastedOver, miscounted, fieldsOf } = $.cards;
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
equal("a name a line", namesIn("Marsh\r\nOkoro\n\n Lindt "), ["Marsh", "Okoro", "Lindt"]);
equal("names of one line are parted by commas", namesIn("Marsh, Okoro; Lindt"), ["Marsh", "Okoro", "Lindt"]);
equal("a comma in one of several lines is the name's", namesIn("Smith0, J\nSmith1, J"), [
  "Smith0, J",
  "Smith1, J",
]);
equal("numbers of a list go", namesIn("1. Smith\n2) Jones\n3 Khan\n10.\tFox"), [
  "Smith",
  "Jones",
  "Khan",
  "Fox",
]);
equal("a number that is all of a name stays", namesIn("7\n8"), ["7", "8"]);
equal("of the columns of a sheet the name is taken", namesIn("1\tMarsh\tbat\n2\tOkoro\tbowl"), [
  "Marsh",
  "Okoro",
]);
equal("marks that nobody sees go", namesIn("\u200eMarsh\n\u200bOkoro\ufeff"), ["Marsh", "Okoro"]);
equal("joiners between letters stay", namesIn("نمی\u200cخواهم\nA"), ["نمی\u200cخواهم", "A"]);
const columns = (count) =>
  Array.from({ length: count }, (_, n) => `${n + 1}\tMarsh ${"ABCDEFGHIJKL"[n]}\tbat`).join("\r\n");
equal("a sheet of eleven lines and three columns is eleven names", namesIn(columns(11)).length, 11);
equal("the first of them", namesIn(columns(11))[0], "Marsh A");
equal("letters are composed", namesIn("Jose\u0301")[0] === "Jos\u00e9", true);
const game = { players: 3, nameless: false, sheet: {} };
const side = (name, text, team = null) => ({ name, text, team });
equal(
  "a side without names is filled up",
  filledUp(side("", ""), "Home", game),
  side("Home", "Home 1\nHome 2\nHome 3"),
);
equal(
  "names that are there stay",
  filledUp(side("Mill Lane", "Voss"), "Home", game).text,
  "Voss\nMill Lane 2\nMill Lane 3",
);
equal("a whole side stays", filledUp(side("X", "A\nB\nC"), "Home", game).text, "A\nB\nC");
equal(
  "too many are the service's to refuse",
  namesIn(filledUp(side("X", "A\nB\nC\nD"), "Home", game).text).length,
  4,
);
equal(
  "players are called by their side where the game needs no names",
  filledUp(side("Mill Lane", ""), "Home", { ...game, nameless: true }).text,
  "Mill Lane 1\nMill Lane 2\nMill Lane 3",
);
equal(
  "a number that is there already is not given again",
  filledUp(side("X", "X 2"), "Home", game).text,
  "X 2\nX 3\nX 4",
);
equal(
  "a long name leaves room for the number",
  filledUp(side("x".repeat(100), ""), "Home", game)
    .text.split("\n")
    .every((name) => name.length <= 100),
  true,
);
equal("too many", faultOf(["A", "B", "C", "D"], game), { words: "many", values: { n: 4, players: 3 } });
const alike = (name, first, second) => ({ words: "alike", values: { name, first, second } });
equal(
  "two alike when composed",
  faultOf(namesIn("Jos\u00e9\nFox\nJose\u0301"), game),
  alike("Jos\u00e9", 1, 3),
);
equal("two alike but for capitals", faultOf(["T1", "t1"], game), alike("t1", 1, 2));
equal("two alike but for a joiner", faultOf(["نمی\u200cخ", "نمیخ"], game), alike("نمیخ", 1, 2));
equal("a side that can play", faultOf(["A", "B"], game), null);

// A sheet with cards, as a game describes it.
const card = {
  properties: {
    role: { type: "string", enum: ["bat", "bowl"], "x-count": { bat: 2, bowl: 1 }, title: "Role" },
    nerve: { type: "integer", minimum: -1, maximum: 3, default: 0 },
  },
};
const cards = {
  players: 3,
  nameless: false,
  sheet: { card, teams: [{ teams: ["Reds", "Blues", "Greens"] }] },
};
const row = (name, role, nerve) => ({ name, role, nerve });
equal("rows begin with what the card counts, and its default", rowsOf("", cards), [
  row("", "bat", 0),
  row("", "bat", 0),
  row("", "bowl", 0),
]);
equal("a sheet of columns", rowsOf("1\tMarsh\tBowl\t2\n2\tFox\tbat\t-1\n3\tKhan\tbat\t\u22121", cards), [
  row("Marsh", "bowl", 2),
  row("Fox", "bat", -1),
  row("Khan", "bat", -1),
]);
equal("columns that commas part", rowsOf("Marsh, bowl, 3\nFox, bat", cards).slice(0, 2), [
  row("Marsh", "bowl", 3),
  row("Fox", "bat", 0),
]);
equal("a name with a comma", rowsOf("Marsh, J\nFox, A", cards)[0], row("Marsh, J", "bat", 0));
const json = '{"name":"Marsh","role":"bowl","nerve":1}';
equal("an object a line", rowsOf(`${json},\n${json}`, cards)[1], row("Marsh", "bowl", 1));
equal("an array of objects", rowsOf(`[${json}, null, 7]`, cards), [
  row("Marsh", "bowl", 1),
  row("null", "bat", 0),
  row("", "bowl", 0),
]);
equal("a comma behind the last object", rowsOf(`[${json},\n${json},\n]\n`, cards).length, cards.players);
equal("a comma within a name stays", entriesIn('[{"name": "A,]"}, ]'), [{ name: "A,]" }]);
equal("JSON that is cut short is read as lines", entriesIn('[{"name": "A"'), ['[{"name": "A"']);
const rows = rowsOf("", cards);
equal("rows are the lines of a text", rowsOf(textOf(rows), cards), rows);
const typing = [{ ...rows[0], name: "Anna " }, ...rows.slice(1)];
equal("a blank that was typed stays until the next word", rowsOf(textOf(typing), cards)[0].name, "Anna ");
equal(
  "and is no part of the name",
  rowsOf(filledUp(side("X", textOf(typing)), "Home", cards).text, cards)[0].name,
  "Anna",
);
equal("a name that is no text is none", rowsOf('{"name":{"toString":1,"valueOf":1}}', cards)[0].name, "");
equal("a list is pasted from a row on", pastedOver(rows, 1, "Fox\nKhan\tbat", cards), [
  row("", "bat", 0),
  row("Fox", "bat", 0),
  row("Khan", "bat", 0),
]);
equal(
  "what the card counts",
  miscounted([row("A", "bat", 0), row("B", "bowl", 0), row("C", "bowl", 0)], fieldsOf(cards)),
  [
    { word: "bat", has: 1, needs: 2 },
    { word: "bowl", has: 2, needs: 1 },
  ],
);
equal(
  "players with cards are numbered",
  namesIn(
    rowsOf(filledUp(side("X", json), "Home", cards).text, cards)
      .map(({ name }) => name)
      .join("\n"),
  ),
  ["Marsh", "X 2", "X 3"],
);
const sides = (home, away) => ["home", "away"].map((one) => withTeam({ home, away }, one, cards).team);
equal("sides of which nothing is entered are two teams", sides(side("", ""), side("", "")), [
  "Reds",
  "Blues",
]);
equal("a team is not taken twice", sides(side("", ""), side("", "", "Reds")), ["Blues", "Reds"]);
equal("nor by the other side", sides(side("", "", "Reds"), side("", "")), ["Reds", "Blues"]);
equal("own players are no team", sides(side("", ""), side("", json)), ["Reds", null]);
equal("own players leave the other side its team", sides(side("", json), side("", "")), [null, "Blues"]);
equal(
  "a game without teams has none",
  withTeam({ home: side("", ""), away: side("", "") }, "home", { ...game, sheet: { teams: [] } }).team,
  null,
);
equal("sides go along to a game with as many players", isAlike(game, { ...game, nameless: true }), true);
equal("sides without cards do not play a game with cards", isAlike(game, cards), false);
return failures;
