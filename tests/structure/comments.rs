//! The comments: every long file says first what it holds, and every doc says more of its item than its name.

use std::fs;
use std::path::Path;

use third_umpire_test_support::files::files_below;

/// Lines from which on a file has to say what it holds.
const LONG: usize = 100;
/// The width of code and of comments.
const WIDTH: usize = 110;
/// The first line of the declaration of a type of the log.
const DECLARATION: &str = "canonical_form! {";

/// The faults of one file's comments, with their lines.
fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.lines().count() > LONG && !text.starts_with("//!") {
        faults.push("1: a file of more than 100 lines begins with //! and says what it holds".to_owned());
    }
    let docs = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(|doc| doc.trim().to_owned())
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut declares = false;
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        declares = *line == DECLARATION || declares && *line != "}";
        // OpenAPI shows where a line of such a doc ends, so the indentation of the macro does not count.
        let measured = if declares { line.strip_prefix("    ").unwrap_or(line) } else { line };
        if line.trim_start().starts_with("//") && is_wide(measured) {
            faults.push(format!("{number}: a comment is wider than {WIDTH}"));
        }
        let Some(doc) = docs(line) else { continue };
        let alone = (at == 0 || docs(lines[at - 1]).is_none())
            && lines.get(at + 1).is_none_or(|next| docs(next).is_none());
        if alone && doc.ends_with('.') && !doc.contains(' ') {
            faults.push(format!("{number}: {doc:?} is one word"));
        }
        if alone && item(&lines[at + 1..]).is_some_and(|name| repeats(&doc, name)) {
            faults.push(format!("{number}: {doc:?} repeats the name under it"));
        }
        let begins = at == 0 || docs(lines[at - 1]).is_none();
        if begins && ["The same", "It ", "Its ", "They ", "Their "].iter().any(|word| doc.starts_with(word)) {
            faults.push(format!("{number}: {doc:?} begins with a word for something named before"));
        }
    }
    faults
}

/// Whether a line is too wide for a comment; an address cannot be broken.
fn is_wide(line: &str) -> bool {
    line.chars().count() > WIDTH && !line.contains("://")
}

/// The name of the item that lines begin with, behind its attributes.
fn item<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let mut open = 0;
    let line = lines.iter().find(|line| {
        let is_attribute = open > 0 || line.trim_start().starts_with("#[");
        open += line.matches('[').count() as i32 - line.matches(']').count() as i32;
        !is_attribute
    })?;
    let line = line.trim_start();
    let line = line.strip_prefix("pub(").map_or(Some(line), |rest| Some(rest.split_once(')')?.1))?;
    let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let before = "pub struct enum union trait type mod const static async unsafe fn";
    words.filter(|word| !word.is_empty()).find(|word| !before.split(' ').any(|one| one == *word))
}

/// The words of a name, in lower case and in the singular: `side_batting` and `SideBatting` have two.
fn words(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    let lower = spaced.to_lowercase();
    lower.split_whitespace().map(|word| word.strip_suffix('s').unwrap_or(word).to_owned()).collect()
}

/// Whether a doc is an article and words of the name under it, and nothing else.
fn repeats(doc: &str, name: &str) -> bool {
    let phrase = ["The ", "A ", "An "].iter().find_map(|article| doc.strip_prefix(article));
    let name = words(name);
    let phrase = phrase.and_then(|phrase| phrase.strip_suffix('.'));
    phrase.is_some_and(|phrase| words(phrase).iter().all(|word| name.contains(word)))
}

#[test]
fn long_files_say_what_they_hold_and_docs_what_their_items_are() {
    let mut found = Vec::new();
    let code = ["src", "tests", "benches"].into_iter().flat_map(|folder| files_below(folder, "rs"));
    for (file, text) in code {
        found.extend(faults(&text).into_iter().map(|fault| format!("{}:{fault}", file.display())));
    }
    assert!(found.is_empty(), "{} faults of comments:\n{}", found.len(), found.join("\n"));
}

#[test]
fn comments_of_scripts_and_manifests_keep_to_the_width_as_well() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in [
        ".ci/public-names",
        ".ci/run",
        ".ci/test-command",
        ".cargo/config.toml",
        "Cargo.toml",
        "tests/Cargo.toml",
    ] {
        let text = fs::read_to_string(project.join(file)).expect(file);
        let wide = text.lines().find(|line| line.trim_start().starts_with('#') && is_wide(line));
        assert_eq!(wide, None, "{file}: a comment is wider than {WIDTH}");
    }
}

#[test]
fn the_check_reports_each_kind_of_fault() {
    let long = "fn f() {}\n".repeat(LONG + 1);
    assert_eq!(faults(&long).len(), 1);
    assert!(faults(&format!("//! What is called again and again.\n{long}")).is_empty());
    assert_eq!(faults("/// Why.\nwhy: String,"), ["1: \"Why.\" is one word"]);
    for doc in ["The same thing, later.", "Its lines.", "They are many."] {
        let fault = format!("1: {doc:?} begins with a word for something named before");
        assert_eq!(faults(&format!("/// {doc}\nlines: u8,")), [fault]);
    }
    assert_eq!(faults(&format!("// {}", "wide ".repeat(30))).len(), 1);
    assert!(faults("/// The reason for it.\n/// More.").is_empty());
    let wide = format!("    /// {}", "w".repeat(WIDTH - 4));
    assert!(faults(&format!("{DECLARATION}\n{wide}\n}}")).is_empty());
    for code in [format!("{DECLARATION}\n{wide}w\n}}"), format!("{DECLARATION}\n}}\n{wide}")] {
        assert_eq!(faults(&code).len(), 1, "{code}");
    }
}

#[test]
fn the_check_refuses_a_doc_that_repeats_the_name_under_it() {
    for (code, is_found) in [
        ("/// The side.\npub side: Side,", true),
        ("    /// The side.\n    pub(in crate::log) side: Side,", true),
        ("/// The side batting.\npub fn side_batting(&self) {}", true),
        ("/// The batting sides.\nconst BATTING_SIDE: u8 = 1;", true),
        ("/// An over card.\n#[derive(Debug)]\n#[serde(\n    default,\n)]\npub struct OverCard {", true),
        ("/// A over-card.\nOverCard(u8),", true),
        ("/// The side that bats.\npub side: Side,", false),
        ("/// The home side.\nHome,", false),
        ("/// The side.\n/// It bats.\npub side: Side,", false),
        ("/// Whether it is live.\npub live: bool,", false),
        ("/// The side.\npub batting: Side,", false),
    ] {
        let expected = if is_found { 1 } else { 0 };
        assert_eq!(faults(code).len(), expected, "{code}: {:?}", faults(code));
    }
}
