//! The classes of the pages: each that an element has stands in a rule of a sheet of style.

use std::collections::BTreeSet;
use std::fs;

use third_umpire_test_support::files::files_below;

const FOLDER: &str = "src/web/assets";

/// The classes that a template or a page gives to its elements.
fn classes_of(text: &str) -> BTreeSet<&str> {
    let written = text.split("class=").skip(1).flat_map(|rest| {
        let (begins, ends) =
            if rest.starts_with("${") { (rest, '}') } else { (rest.trim_start_matches('"'), '"') };
        let value = begins.split_once(ends).map_or("", |(value, _)| value);
        // Of an expression the texts in quotes count.
        let parts = value.split('"').skip(usize::from(ends == '}')).step_by(2);
        parts.flat_map(str::split_whitespace).collect::<Vec<_>>()
    });
    written.filter(|name| name.chars().all(is_of_a_name)).collect()
}

/// The classes that a sheet has rules for.
fn classes_in_rules(sheet: &str) -> BTreeSet<&str> {
    let names = sheet.split('.').skip(1).map(|rest| rest.split(|letter| !is_of_a_name(letter)).next());
    names.flatten().filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase())).collect()
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

#[test]
fn each_class_of_an_element_stands_in_a_rule() {
    let sheets = files_below(&format!("{FOLDER}/css"), "css");
    let rules: BTreeSet<&str> = sheets.iter().flat_map(|(_, sheet)| classes_in_rules(sheet)).collect();
    let mut texts = files_below(&format!("{FOLDER}/js"), "js");
    let shell = format!("{FOLDER}/index.html");
    let text = fs::read_to_string(&shell).expect("the shell");
    texts.push((shell.into(), text));
    let classes: usize = texts.iter().map(|(_, text)| classes_of(text).len()).sum();
    assert!(classes > 150, "the pages have {classes} classes");
    let faults: Vec<String> = texts
        .iter()
        .flat_map(|(path, text)| {
            let left = classes_of(text).into_iter().filter(|name| !rules.contains(name));
            left.map(move |name| format!("{}: {name}", path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_classes_of_a_text_and_of_an_expression_are_found() {
    let text = "<p class=\"small quiet\">${a}</p><b class=${held ? \"cell held\" : \"cell\"}></b>";
    assert_eq!(classes_of(text), ["cell", "held", "quiet", "small"].into());
    assert_eq!(classes_in_rules(".a > .b-c:focus,\nd.e { x: 0.5 }"), ["a", "b-c", "e"].into());
}
