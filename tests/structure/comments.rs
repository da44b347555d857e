//! The comments: every long file says first what it holds, and every doc says what its item is.

use third_umpire_test_support::files::files_below;

/// Lines from which on a file has to say what it holds.
const LONG: usize = 100;
/// The width of code and of comments.
const WIDTH: usize = 110;

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
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        let comment = line.trim_start().starts_with("//");
        if comment && line.chars().count() > WIDTH && !line.contains("http") {
            faults.push(format!("{number}: a comment is wider than {WIDTH}"));
        }
        let Some(doc) = docs(line) else { continue };
        let alone = (at == 0 || docs(lines[at - 1]).is_none())
            && lines.get(at + 1).is_none_or(|next| docs(next).is_none());
        if alone && doc.ends_with('.') && !doc.contains(' ') {
            faults.push(format!("{number}: {doc:?} is one word"));
        }
        if doc.starts_with("The same") {
            faults.push(format!("{number}: \"The same\" has no noun"));
        }
    }
    faults
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
fn each_kind_of_fault_is_found() {
    let long = "fn f() {}\n".repeat(LONG + 1);
    assert_eq!(faults(&long).len(), 1);
    assert!(faults(&format!("//! What is called again and again.\n{long}")).is_empty());
    assert_eq!(faults("/// Why.\nwhy: String,"), ["1: \"Why.\" is one word"]);
    assert_eq!(faults("/// The same, later."), ["1: \"The same\" has no noun"]);
    assert_eq!(faults(&format!("// {}", "wide ".repeat(30))).len(), 1);
    assert!(faults("/// The reason for it.\n/// More.").is_empty());
}
