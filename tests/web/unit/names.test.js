// The module as the page runs it: a second import of the script is the same script.
const { ballWords, shortNames, withShortNames } = (
  await import(document.querySelector("script[type=module]").src)
).$.parts_names;
const failures = [];
for (const [names, short] of [
  [["Rohit Sharma (c)"], ["Sharma"]],
  [
    ["Rishabh Pant (wk)", "KL Rahul [12]"],
    ["Pant", "Rahul"],
  ],
  [["Smith J"], ["Smith"]],
  [
    ["Smith J", "Smith K"],
    ["J Smith", "K Smith"],
  ],
  [
    ["J Smith", "K. Smith"],
    ["J Smith", "K Smith"],
  ],
  [
    ["Ken Griffey Jr", "Sammy Davis III", "Jo Sr."],
    ["Griffey", "Davis", "Jo"],
  ],
  [
    ["Home 1", "Home 2"],
    ["Home 1", "Home 2"],
  ],
  [["Abel"], ["Abel"]],
  [
    ["J", "K"],
    ["J", "K"],
  ],
  [["محمد عامر"], ["عامر"]],
]) {
  const got = names.map(shortNames(names));
  if (JSON.stringify(got) !== JSON.stringify(short)) failures.push(`${names}: ${got} is not ${short}`);
}
const match = {
  home: { players: ["Ada Marsh", "Li Wei", "Rohit Sharma (c)", "Home 1", "Home 10"] },
  away: { players: ["Bo Lindt", "Cy Lindt", "D'Arcy O'Neil"] },
};
for (const [text, short] of [
  ["Bo Lindt to Ada Marsh: FOUR", "B Lindt to Marsh: FOUR"],
  ["OUT! Rohit Sharma (c) c Cy Lindt b D'Arcy O'Neil", "OUT! Sharma c C Lindt b O'Neil"],
  ["Home 10 to Home 1", "Home 10 to Home 1"],
  ["Li Weiss to Xi Li Wei", "Li Weiss to Xi Wei"],
]) {
  const got = withShortNames(match, text);
  if (got !== short) failures.push(`${text}: ${got} is not ${short}`);
}
for (const [cell, boundary, words] of [
  ["•", null, "no run"],
  ["1", null, "1 run"],
  ["6", 6, "six"],
  ["wd", null, "wide"],
  ["wd+4", 4, "wide, four"],
  ["nb+2", null, "no-ball, 2 runs"],
  ["nb+6", 6, "no-ball, six"],
  ["nb+b1", null, "no-ball, 1 bye"],
  ["lb4", 4, "4 leg byes"],
  ["p5", null, "5 penalty runs"],
  ["db", null, "dead ball"],
]) {
  const runs = cell === "•" ? 0 : Number(/\d+/.exec(cell)?.[0] ?? 1);
  const got = ballWords({ cell, boundary, runs });
  if (got !== words) failures.push(`${cell}: ${got} is not ${words}`);
}
return failures;
