//! What the pages name exists: metrics, options, environment variables, problems. And what exists is named
//! where it belongs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use third_umpire_test_support::files::files_below;
use third_umpire_test_support::service::resolved;

use crate::pages::{PROJECT, Page};
use crate::shell::{Shell, may_run};

/// Options that the pages name and that are cargo's.
const OF_CARGO: &[&str] = &[
    "--all",
    "--all-targets",
    "--benches",
    "--check",
    "--ignored",
    "--lib",
    "--locked",
    "--no-default-features",
    "--nocapture",
    "--package",
    "--profile",
    "--path",
    "--release",
    "--smoke",
    "--test",
    "--workspace",
];

/// Names that look like metrics and are the role's that docs/operations.md makes.
const ROLE: &str = "third_umpire_service";

/// All Rust code below a folder of the project.
fn code(folder: &str) -> String {
    files_below(folder, "rs").into_iter().map(|(_, text)| text + "\n").collect()
}

/// The words of a text that are made of such letters and begin so, not in the middle of a longer word.
fn words<'a>(text: &'a str, begin: &'a str, is_letter: fn(char) -> bool) -> impl Iterator<Item = &'a str> {
    text.match_indices(begin).filter_map(move |(at, _)| {
        let is_whole = !text[..at].chars().next_back().is_some_and(is_letter);
        let end = text[at..].find(|letter| !is_letter(letter)).unwrap_or(text.len() - at);
        is_whole.then(|| &text[at..at + end])
    })
}

fn of_a_name(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'
}

fn of_an_option(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-'
}

fn of_a_variable(letter: char) -> bool {
    letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
}

fn of_a_slug(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter == '-'
}

/// The metrics that the source records.
fn metrics() -> BTreeSet<String> {
    let source = code("src");
    let quoted = words(&source, "third_umpire_", of_a_name).map(str::to_owned);
    quoted.filter(|name| source.contains(&format!("!(\"{name}\""))).collect()
}

#[test]
fn every_metric_is_in_operations_and_no_page_names_another() {
    let metrics = metrics();
    assert!(metrics.len() > 4, "{metrics:?}");
    let operations = Page::read("docs/operations.md").text();
    for metric in &metrics {
        assert!(
            operations.contains(&format!("\n| `{metric}` | ")),
            "docs/operations.md has no row for {metric}"
        );
    }
    for page in Page::all() {
        for name in words(&page.text(), "third_umpire_", of_a_name).filter(|name| *name != ROLE) {
            let base =
                ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            assert!(metrics.contains(base), "{}: there is no metric {name}", page.path);
        }
    }
}

/// What the program says of a command and its options.
fn help(command: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_third-umpire")).args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).expect("help in UTF-8")
}

/// The commands that a help text lists, but for `help`.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// The help texts of all commands, by name.
fn helps() -> BTreeMap<String, String> {
    let top = help(&[]);
    let mut helps = BTreeMap::new();
    for command in commands(&top) {
        let text = help(&[command]);
        for below in commands(&text) {
            helps.insert(format!("{command} {below}"), help(&[command, below]));
        }
        helps.insert(command.to_owned(), text);
    }
    assert!(helps.len() > 10, "{:?}", helps.keys());
    helps
}

/// The options of a command: lines that begin with one.
fn options(help: &str) -> BTreeSet<&str> {
    let lines =
        help.lines().map(|line| line.trim_start().trim_start_matches("-h, ").trim_start_matches("-V, "));
    lines
        .filter_map(|line| words(line, "--", of_an_option).next().filter(|option| line.starts_with(option)))
        .collect()
}

/// The environment variables of a command.
fn variables(help: &str) -> BTreeSet<&str> {
    let after = help.split("[env: ").skip(1);
    after.filter_map(|rest| rest.split(['=', ']']).next()).collect()
}

/// The row of the table of options in docs/operations.md that an option has.
fn row<'a>(page: &'a Page, option: &str) -> &'a str {
    let begins = |line: &&String| {
        line.strip_prefix("| `")
            .and_then(|line| line.strip_prefix(option))
            .is_some_and(|rest| rest.starts_with([' ', '`']))
    };
    let mut rows = page.lines.iter().filter(begins);
    let row = rows.next().unwrap_or_else(|| panic!("{} has no row for {option}", page.path));
    assert!(rows.next().is_none(), "{} has two rows for {option}", page.path);
    row
}

#[test]
fn every_command_option_and_variable_is_in_operations_with_the_commands_that_take_it() {
    let (page, helps) = (Page::read("docs/operations.md"), helps());
    let text = page.text();
    for (command, help) in &helps {
        assert!(text.contains(&format!("`{command}")), "docs/operations.md does not name {command}");
        let options: Vec<&str> = options(help).into_iter().filter(|option| *option != "--help").collect();
        assert!(variables(help).len() <= options.len());
        for option in options {
            let row = row(&page, option);
            assert!(row.contains(&format!("`{command}`")), "{option} of {command}: {row}");
        }
        for variable in variables(help) {
            assert!(text.contains(&format!("| `{variable}` |")), "docs/operations.md has no {variable}");
        }
    }
    // A row says of no option that a command takes it which does not.
    for line in page.lines.iter().filter(|line| line.starts_with("| `--")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let option = words(cells[0], "--", of_an_option).next().expect("an option");
        for command in cells[2].split(", ").map(|cell| cell.trim_matches('`')) {
            let help = helps.get(command).unwrap_or_else(|| panic!("{line}: there is no command {command}"));
            assert!(options(help).contains(option), "{command} takes no {option}");
            let variable = cells[1].trim_matches('`');
            assert!(variables(help).contains(variable), "{command} takes no {variable}");
        }
    }
}

#[test]
fn no_page_names_an_option_that_nobody_takes() {
    let helps = helps();
    let top = help(&[]);
    let own: BTreeSet<&str> = helps.values().chain([&top]).flat_map(|help| options(help)).collect();
    let (mut seen, mut unknown) = (BTreeSet::new(), Vec::new());
    for page in Page::all() {
        for option in words(&page.text(), "--", of_an_option).filter(|option| option.len() > 2) {
            // A line of a table, or the end of a comment.
            if !option[2..].starts_with(|letter: char| letter.is_ascii_lowercase()) {
                continue;
            }
            seen.extend(OF_CARGO.iter().filter(|one| **one == option));
            // What curl is given is curl's.
            let is_curls = option == "--data-binary";
            if !own.contains(option) && !OF_CARGO.contains(&option) && !is_curls {
                unknown.push(format!("{}: {option}", page.path));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(seen, OF_CARGO.iter().collect(), "an option of cargo's is listed that no page names");
}

#[test]
fn no_page_names_a_variable_that_nobody_reads() {
    let helps = helps();
    let read: BTreeSet<&str> = helps.values().flat_map(|help| variables(help)).collect();
    let tests = code("tests");
    let mut named = BTreeSet::new();
    for page in Page::all() {
        for begin in ["THIRD_UMPIRE_", "DATABASE_URL", "TEST_DATABASE_URL", "REQUIRE_", "UPDATE_"] {
            for variable in words(&page.text(), begin, of_a_variable) {
                let is_read = read.contains(variable) || tests.contains(&format!("\"{variable}\""));
                assert!(is_read, "{}: nobody reads {variable}", page.path);
                named.insert(variable.to_owned());
            }
        }
    }
    let unnamed: Vec<&&str> = read.iter().filter(|variable| !named.contains(**variable)).collect();
    assert!(unnamed.is_empty(), "no page names {unnamed:?}");
}

/// The OpenAPI document.
fn openapi() -> Value {
    let text = fs::read_to_string(Path::new(PROJECT).join("openapi/openapi.json")).unwrap();
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_operation_is_on_the_api_page_and_no_other() {
    let document = openapi();
    let paths = document["paths"].as_object().expect("paths").iter();
    let operations = paths.flat_map(|(path, operations)| {
        operations
            .as_object()
            .expect("operations")
            .keys()
            .map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    let operation = |line: &String| {
        let (operation, _) = line.strip_prefix("| `")?.split_once("` | ")?;
        let is_one = ["GET ", "POST ", "DELETE ", "PUT "].iter().any(|method| operation.starts_with(method));
        is_one.then(|| operation.to_owned())
    };
    let listed: Vec<String> = Page::read("docs/api.md").lines.iter().filter_map(operation).collect();
    let operations: BTreeSet<String> = operations.collect();
    assert_eq!(listed.len(), operations.len(), "an operation is listed twice, or not at all");
    assert_eq!(BTreeSet::from_iter(listed), operations);
}

#[test]
fn every_query_parameter_is_on_the_api_page_and_no_other() {
    let document = openapi();
    let operations = document["paths"].as_object().expect("paths").values();
    let operations = operations.flat_map(|path| path.as_object().expect("operations").values());
    let parameters =
        operations.flat_map(|operation| operation["parameters"].as_array().into_iter().flatten());
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    let due: BTreeSet<&str> = queries.map(|query| query["name"].as_str().expect("a name")).collect();
    assert!(due.len() > 10, "{due:?}");
    let page = Page::read("docs/api.md");
    let table = page.lines.iter().skip_while(|line| *line != "| parameter | of | for |").skip(2);
    let rows = table.take_while(|line| line.starts_with("| "));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(BTreeSet::from_iter(listed.iter().copied()), due);
    assert_eq!(listed.len(), due.len(), "a parameter is listed twice");
}

/// A problem as the OpenAPI document has it.
#[derive(Debug, Default)]
struct Documented {
    status: u16,
    /// The titles of the problems that go with it in each answer.
    titles: Vec<BTreeSet<String>>,
}

/// The problems of the OpenAPI document, by slug.
fn problems() -> BTreeMap<String, Documented> {
    let document = openapi();
    let mut problems: BTreeMap<String, Documented> = BTreeMap::new();
    let operations = document["paths"].as_object().expect("paths").values();
    let operations = operations.flat_map(|path| path.as_object().expect("operations").values());
    let responses = operations.flat_map(|operation| operation["responses"].as_object().expect("responses"));
    for (status, response) in responses {
        let (status, response): (u16, _) = (status.parse().expect("a status"), resolved(&document, response));
        let titles = response["description"].as_str().expect("a description").split("; ");
        let titles: BTreeSet<String> = titles.map(str::to_owned).collect();
        let response = response.to_string();
        for slug in response.split("\"/problems/").skip(1).filter_map(|rest| rest.split('"').next()) {
            let problem = problems.entry(slug.to_owned()).or_default();
            assert!(problem.status == 0 || problem.status == status, "{slug} has two statuses");
            problem.status = status;
            problem.titles.push(titles.clone());
        }
    }
    problems
}

/// The problems that no operation lists, since they are answered where there is none: slug, and a request.
const OF_NO_OPERATION: &[(&str, &str)] = &[
    ("not-found", "http://127.0.0.1:8080/v1/nothing"),
    ("method-not-allowed", "-X DELETE http://127.0.0.1:8080/healthz"),
];

/// The problems that docs/api.md lists: slug, status and title.
fn listed_problems() -> Vec<(String, u16, String)> {
    let row = |line: &String| {
        let (slug, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let mut cells = rest.split(" | ");
        let status = cells.next()?.parse::<u16>().ok().filter(|status| (400..600).contains(status))?;
        Some((slug.to_owned(), status, cells.next()?.to_owned()))
    };
    Page::read("docs/api.md").lines.iter().filter_map(row).collect()
}

#[test]
fn every_problem_is_on_the_api_page_with_its_status_and_title() {
    let (problems, listed) = (problems(), listed_problems());
    assert!(problems.len() > 30, "{problems:?}");
    for (slug, status, title) in &listed {
        if OF_NO_OPERATION.iter().any(|(one, _)| one == slug) {
            continue;
        }
        let problem = problems.get(slug).unwrap_or_else(|| panic!("there is no problem {slug}"));
        assert_eq!(problem.status, *status, "{slug}");
        assert!(problem.titles.iter().all(|titles| titles.contains(title)), "{slug}: {title}: {problem:?}");
    }
    let slugs: BTreeSet<&String> = listed.iter().map(|(slug, ..)| slug).collect();
    assert_eq!(slugs.len(), listed.len(), "a problem is listed twice");
    let unlisted: Vec<&String> = problems.keys().filter(|slug| !slugs.contains(slug)).collect();
    assert!(unlisted.is_empty(), "docs/api.md does not list {unlisted:?}");
}

#[test]
fn no_page_names_a_problem_that_does_not_exist_or_with_another_status() {
    let statuses: BTreeMap<String, u16> =
        listed_problems().into_iter().map(|(slug, status, _)| (slug, status)).collect();
    for page in Page::all() {
        let text = page.text();
        for rest in text.split("/problems/").skip(1) {
            let slug: String = rest.chars().take_while(|letter| of_a_slug(*letter)).collect();
            let exists = slug.is_empty() || statuses.contains_key(&slug);
            assert!(exists, "{}: there is no problem {slug}", page.path);
        }
        for (status, slug) in told_with_status(&text) {
            assert_eq!(statuses.get(slug), Some(&status), "{}: {status} {slug}", page.path);
        }
    }
}

/// The problems a text names behind their status, as in 412 `stale-head`.
fn told_with_status(text: &str) -> impl Iterator<Item = (u16, &str)> {
    text.split(" `").zip(text.split(" `").skip(1)).filter_map(|(before, after)| {
        let digits = before.len().checked_sub(3).and_then(|from| before.get(from..))?;
        let status: u16 = digits.parse().ok().filter(|status| (400..600).contains(status))?;
        Some((status, after.split('`').next()?))
    })
}

#[test]
fn the_problems_of_no_operation_are_answered() {
    if !may_run() {
        return;
    }
    let mut shell = Shell::open();
    shell.run("third-umpire serve");
    let listed = listed_problems();
    for (slug, request) in OF_NO_OPERATION {
        let answer = shell.run(&format!("curl -s -w '\\n' {request}")).join("\n");
        let problem: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(problem["type"], format!("/problems/{slug}"), "{answer}");
        let row = listed.iter().find(|(listed, ..)| listed == slug).expect("a row of docs/api.md");
        assert_eq!(problem["status"], row.1, "{answer}");
        assert_eq!(problem["title"], row.2, "{answer}");
    }
    assert_eq!(shell.end(), Vec::<u32>::new());
}

#[test]
fn the_check_reads_a_problem_behind_its_status() {
    let text = "is 412 `stale-head`, or 503 `no-room`. `x` in 1970 `y`, 200 `ok`";
    assert_eq!(told_with_status(text).collect::<Vec<_>>(), [(412, "stale-head"), (503, "no-room")]);
}

/// Types in the glossary that one file has for itself.
const OF_ONE_FILE: &[&str] = &["Subscriber"];

/// The types that a source defines: those that others may name, or those of one file.
fn types(source: &str, is_public: bool) -> BTreeSet<&str> {
    let defined = source.lines().filter_map(|line| defined(line.trim_start()));
    defined.filter(|(_, public)| *public == is_public).map(|(name, _)| name).collect()
}

/// The type that a line defines, and whether others may name it.
fn defined(line: &str) -> Option<(&str, bool)> {
    let visible = line.strip_prefix("pub");
    let rest = match visible.and_then(|rest| rest.strip_prefix('(')) {
        Some(rest) => rest.split_once(')')?.1,
        None => visible.unwrap_or(line),
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let kinds = ["struct ", "enum ", "union ", "trait ", "type "];
    let rest = kinds.into_iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some((&rest[..end], visible.is_some()))
}

#[test]
fn a_type_is_found_where_it_is_defined() {
    let source = "/// A struct Prose, or pub enum Comment.\npub struct A<T>(T);\nmacro_rules! m {\n    pub enum B {\n\
        pub(crate) unsafe trait C {\npub(in a::b) type D = u8;\nstruct E;\nlet text = \"pub struct Text\";\n\
        pub fn type_of() {}\npublic struct F;";
    assert_eq!(types(source, true), BTreeSet::from(["A", "B", "C", "D"]));
    assert_eq!(types(source, false), BTreeSet::from(["E"]));
}

/// The types in the rows of the glossary of architecture.md.
fn glossary_types() -> BTreeSet<String> {
    let architecture = Page::read("docs/architecture.md").text();
    let (_, glossary) = architecture.split_once("## Glossary").expect("a glossary");
    let rows = glossary.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.filter_map(|row| row.trim_end_matches(" |").rsplit('|').next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_type_in_the_glossary_is_defined() {
    let source = code("src");
    let (public, private) = (types(&source, true), types(&source, false));
    let named = glossary_types();
    assert!(named.len() > 50, "{named:?}");
    let unknown: Vec<&str> = named.iter().map(String::as_str).filter(|name| !public.contains(name)).collect();
    assert_eq!(unknown, OF_ONE_FILE, "types that are not public, or not there");
    assert!(OF_ONE_FILE.iter().all(|name| private.contains(name)), "{OF_ONE_FILE:?}");
}

/// Where the types are with which a match says what it asks for: pages and bots are written with them.
const ASKED_WITH: [&str; 3] = ["rules/asking/", "rules/offers.rs", "matches/requests/"];

#[test]
fn the_glossary_has_each_type_with_which_a_match_asks() {
    let glossary = glossary_types();
    let files = files_below("src", "rs").into_iter();
    let files = files.filter(|(path, _)| ASKED_WITH.iter().any(|part| path.to_string_lossy().contains(part)));
    let source: String = files.map(|(_, text)| text + "\n").collect();
    let public = types(&source, true);
    assert!(public.len() > 15, "{public:?}");
    let missing: Vec<&&str> = public.iter().filter(|name| !glossary.contains(**name)).collect();
    assert!(missing.is_empty(), "give these a row in the glossary of architecture.md: {missing:?}");
}

#[test]
fn every_file_of_the_project_that_a_page_names_exists() {
    let of_a_path = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    let mut named = 0;
    for page in Page::all() {
        let text = page.text();
        for begin in ["src/", "tests/", "benches/", "migrations/", "openapi/", ".ci/"] {
            for path in words(&text, begin, of_a_path).map(|path| path.trim_end_matches(['.', '/'])) {
                assert!(Path::new(PROJECT).join(path).exists(), "{}: there is no {path}", page.path);
                named += 1;
            }
        }
    }
    assert!(named > 30, "the pages name {named} files");
}

/// The words behind `begin` up to a quote, in all JavaScript of the pages.
fn quoted_in_the_pages(begin: &str) -> BTreeSet<String> {
    let files = files_below("src/web/assets/js", "js").into_iter();
    files
        .flat_map(|(_, text)| {
            let parts = text.split(begin).skip(1);
            parts.filter_map(|rest| rest.split_once('"').map(|(word, _)| word.to_owned())).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_page_about_contributing_lists_the_actions_of_the_pages() {
    let page = Page::read("docs/contributing.md").text();
    let row = page.lines().find(|line| line.contains("`data-action=\"undo\"`")).expect("a row of buttons");
    let (_, listed) = row.split_once("a button: ").expect("a list of buttons");
    let listed: BTreeSet<String> = listed.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let mut drawn = quoted_in_the_pages("data-action=\"");
    drawn.extend(quoted_in_the_pages("action: \""));
    // It closes a hint, and stands in the row of hints.
    drawn.remove("heard");
    assert_eq!(listed, drawn);
}
