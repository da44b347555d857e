// The module as the page runs it: it belongs to the page of a new match.
const { linesOf, filledUp } = (await import(document.querySelector("script[type=module]").src)).$.squads;
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};
equal("a name a line", linesOf("Marsh\r\nOkoro\n\n Lindt "), ["Marsh", "Okoro", "Lindt"]);
equal("names of one line are parted by commas", linesOf("Marsh, Okoro; Lindt"), ["Marsh", "Okoro", "Lindt"]);
equal("a comma in one of several lines is the name's", linesOf("Smith0, J\nSmith1, J"), [
  "Smith0, J",
  "Smith1, J",
]);
equal("numbers of a list go", linesOf("1. Smith\n2) Jones\n3 Khan\n10.\tFox"), [
  "Smith",
  "Jones",
  "Khan",
  "Fox",
]);
equal("a number that is all of a name stays", linesOf("7\n8"), ["7", "8"]);
equal("of the columns of a sheet the name is taken", linesOf("1\tMarsh\tbat\n2\tOkoro\tbowl"), [
  "Marsh",
  "Okoro",
]);
equal("marks that nobody sees go", linesOf("\u200eMarsh\n\u200bOkoro\ufeff"), ["Marsh", "Okoro"]);
equal("joiners between letters stay", linesOf("نمی\u200cخواهم\nA"), ["نمی\u200cخواهم", "A"]);
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
  linesOf(filledUp(side("X", "A\nB\nC\nD"), "Home", game).text).length,
  4,
);
equal(
  "players are called by their side where the game needs no names",
  filledUp(side("Mill Lane", ""), "Home", { ...game, nameless: true }).text,
  "Mill Lane 1\nMill Lane 2\nMill Lane 3",
);
equal(
  "a name that leaves no room for a number is not theirs",
  filledUp(side("X".repeat(100), ""), "Home", game).text,
  "Home 1\nHome 2\nHome 3",
);
equal(
  "players with cards are not made up",
  filledUp(side("X", ""), "Home", { ...game, sheet: { card: {} } }).text,
  "",
);
return failures;
