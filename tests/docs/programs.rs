//! The programs that the pages' commands take: a page names them before it takes them.

use crate::commands::blocks_run;
use crate::pages::Page;

/// Programs that a reader may have to install.
const INSTALLED: [&str; 3] = ["curl", "jq", "sha256sum"];

/// Whether commands take a program: it begins a command, also one in a pipe or in `$(...)`.
fn take(commands: &str, program: &str) -> bool {
    let mut beginnings = commands.split(['\n', '|', ';', '(', '{']).map(str::trim_start);
    beginnings.any(|command| command.split(' ').next() == Some(program))
        || commands.split(" do ").skip(1).any(|command| command.starts_with(&format!("{program} ")))
}

#[test]
fn commands_take_the_program_that_begins_them() {
    let commands =
        "cat <<'END' > a\nID=$(jq .id a)\nsay() { curl -s $1; }\nfor N in 1 2; do sha256sum a; done";
    for program in INSTALLED {
        assert!(take(commands, program), "{program}");
        assert!(!take("third-umpire edition check jq curl sha256sum", program), "{program}");
    }
}

#[test]
fn a_page_names_the_programs_that_its_commands_need() {
    let mut found = 0;
    for page in Page::all() {
        for program in INSTALLED {
            let Some(shown) = blocks_run(&page).into_iter().find(|shown| take(&shown.commands, program))
            else {
                continue;
            };
            found += 1;
            let named = page.lines[..shown.at].join("\n").contains(&format!("`{program}`"));
            assert!(named, "{}:{}: the page does not say that it needs {program}", page.path, shown.at);
        }
    }
    assert!(found > 10, "only {found} are found");
}

#[test]
fn commands_read_json_with_jq() {
    for page in Page::all() {
        for shown in blocks_run(&page) {
            let cuts = shown.commands.contains("grep -o '\"") || shown.commands.contains("cut -d'\"'");
            assert!(!cuts, "{}:{}: jq reads JSON, also in another order", page.path, shown.at);
        }
    }
}

#[test]
fn jq_finds_what_a_page_reads() {
    for page in Page::all() {
        // `jq` prints this for a path that leads nowhere.
        let null = page.lines.iter().position(|line| line == "null");
        assert_eq!(null, None, "{}", page.path);
    }
}
