//! The kinds of an ask: one module of the pages has a row for each, and no other module names one.

use std::collections::BTreeSet;

use third_umpire_test_support::files::files_below;

const FOLDER: &str = "src/web/assets/js";
const TABLE: &str = "src/web/assets/js/kinds.js";

/// The kinds that the document of the API has, as `rules/asking` declares them.
fn kinds() -> BTreeSet<String> {
    let document: serde_json::Value =
        serde_json::from_str(include_str!("../../openapi/openapi.json")).expect("a document");
    let kinds = document["components"]["schemas"]["AskKind"]["enum"].as_array().expect("the kinds");
    kinds.iter().filter_map(|kind| kind.as_str().map(str::to_owned)).collect()
}

/// The kinds that have a row in the table.
fn rows(table: &str) -> BTreeSet<String> {
    let (_, rows) = table.split_once("const KINDS = {\n").expect("the table");
    let (rows, _) = rows.split_once("\n};").expect("its end");
    // A row stands at the margin of the table; what belongs to it stands further in.
    let keys = rows.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(':'));
    let is_name = |key: &str| key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    keys.map(|(key, _)| key).filter(|key| is_name(key)).map(str::to_owned).collect()
}

/// The lines of code of a module that name a kind or read the kind of an ask. An attribute of HTML and a type
/// of JavaScript have a name in quotes as well.
fn lines_naming_a_kind<'a>(text: &'a str, kinds: &BTreeSet<String>) -> Vec<&'a str> {
    let mut is_comment = false;
    let code = text.lines().filter(|line| {
        is_comment |= line.trim_start().starts_with("/*");
        let is_code = !is_comment && !line.trim_start().starts_with("//");
        is_comment &= !line.contains("*/");
        is_code
    });
    let names = |line: &str, kind: &String| {
        line.match_indices(&format!("\"{kind}\"")).any(|(at, _)| {
            let before = &line[..at];
            let typeof_what = before.rsplit_once("typeof ").map(|(_, what)| what);
            let is_type = typeof_what.is_some_and(|what| what.split(' ').skip(1).eq(["===", ""]));
            !before.ends_with('=') && !is_type
        })
    };
    let reads = |line: &str| {
        ["ask.kind", "Ask.kind", "ask?.kind", "Ask?.kind"].iter().any(|read| line.contains(read))
    };
    code.filter(|line| reads(line) || kinds.iter().any(|kind| names(line, kind))).collect()
}

#[test]
fn the_table_has_each_kind_of_an_ask_and_no_other() {
    let table = std::fs::read_to_string(TABLE).expect("the table");
    let (rows, kinds) = (rows(&table), kinds());
    assert!(kinds.len() > 5, "{kinds:?}");
    assert_eq!(rows, kinds);
}

#[test]
fn no_module_but_the_table_names_a_kind_of_an_ask() {
    let kinds = kinds();
    let modules = files_below(FOLDER, "js");
    assert!(modules.len() > 45, "the pages have {} modules", modules.len());
    let others = modules.iter().filter(|(path, _)| !path.ends_with("kinds.js"));
    let faults: Vec<String> = others
        .flat_map(|(path, text)| {
            let lines = lines_naming_a_kind(text, &kinds);
            lines.into_iter().map(move |line| format!("{}: {}", path.display(), line.trim()))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_name_of_a_kind_in_code_is_found_and_one_in_html_or_a_comment_is_not() {
    let kinds = ["die", "number", "one"].map(str::to_owned).into();
    let text = "/** A \"die\". */\n/**\n * ask.kind\n */\n// \"one\"\nconst a = typeof b === \"number\";\n\
                html`<i class=\"die\">`;\nask.kind;\nif (kind === \"one\") a();\ncase \"die\":\n\
                { kind: \"number\" };\ntypeof a === \"string\" && b === \"number\";";
    let expected = [
        "ask.kind;",
        "if (kind === \"one\") a();",
        "case \"die\":",
        "{ kind: \"number\" };",
        "typeof a === \"string\" && b === \"number\";",
    ];
    assert_eq!(lines_naming_a_kind(text, &kinds), expected);
}
