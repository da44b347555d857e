// The modules as the page runs them: a second import of the script is the same script.
const { $ } = await import(document.querySelector("script[type=module]").src);
const { loadWords, t } = $.i18n;
const failures = [];
const equal = (name, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other))
    failures.push(`${name}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};

/** A file of words whose text has come, and whose words have not. */
const files = new Map();
const { fetch } = window;
window.fetch = async ({ pathname }) => ({
  ok: true,
  json: () => new Promise((come) => files.set(pathname, come)),
});
const loads = ["/one.json", "/two.json"].map((path) => loadWords(new URL(path, location.href)));
while (files.size < 2) await new Promise((next) => queueMicrotask(next));
files.get("/two.json")({ "test.two": "{n} of two" });
files.get("/one.json")({ "test.one": "of one" });
await Promise.all(loads);
window.fetch = fetch;
equal(
  "the words of two files that come at the same time are both there",
  [t("test.one"), t("test.two", { n: 2 })],
  ["of one", "2 of two"],
);
equal("and those that were there before", t("home"), "Matches");
return failures;
