//! The names of tests: a subject and a verb. A name that begins or ends as a riddle does is refused.

use std::collections::BTreeSet;

use third_umpire_test_support::files::files_below;

/// A name begins with none of these.
const BEGINNINGS: [&str; 6] = ["what_", "where_", "of_", "whether_", "without_", "that_"];
/// A name ends in none of these.
const ENDS: [&str; 6] = ["_is_told", "_is_named", "_is_none", "_is_found", "_is_said", "_is_known"];

/// The names of the tests in a source: the functions behind `#[test]`, and the scenarios of a macro. Where a
/// line would be too long, the name of a scenario stands below its macro.
fn tests(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    let mut is_open = false;
    for line in source.lines().map(str::trim) {
        let behind = line.strip_prefix("on_").and_then(|rest| rest.split_once("!(")).map(|(_, rest)| rest);
        let scenario = behind.or(Some(line).filter(|_| is_open));
        is_open = behind == Some("");
        let scenario = scenario.and_then(|rest| rest.split([',', ' ']).next());
        let function = line.trim_start_matches("async ").strip_prefix("fn ").filter(|_| is_test);
        let function = function.and_then(|rest| rest.split('(').next());
        names.extend(scenario.into_iter().chain(function).filter(|name| !name.is_empty()));
        is_test = line.ends_with("test]") || is_test && line.starts_with("#[");
    }
    names
}

fn is_riddle(name: &str) -> bool {
    BEGINNINGS.iter().any(|word| name.starts_with(word)) || ENDS.iter().any(|word| name.ends_with(word))
}

#[test]
fn a_test_has_the_name_of_a_fact() {
    let mut riddles = BTreeSet::new();
    for folder in ["src", "tests", "benches"] {
        for (_, text) in files_below(folder, "rs") {
            riddles.extend(tests(&text).into_iter().filter(|name| is_riddle(name)).map(str::to_owned));
        }
    }
    assert!(riddles.is_empty(), "give these tests a subject and a verb: {riddles:#?}");
}

#[test]
fn names_of_functions_and_scenarios_are_read() {
    let source = "#[test]\nfn a_one() {}\nfn no_test() {}\n#[tokio::test]\n#[ignore = \"long\"]\nasync fn a_two() {}\n\
                  on_both_stores!(a_three, |service| {\n});\non_own_stores!(\n    a_four,\n    |deployment| {\n";
    assert_eq!(tests(source), ["a_one", "a_two", "a_three", "a_four"]);
    assert!(is_riddle("what_falls") && is_riddle("the_key_is_told") && !is_riddle("a_key_is_kept"));
}
