//! The fenced blocks whose commands are not run, or that hold none, and why.

use std::path::Path;

use crate::pages::{Block, PROJECT, Page};

/// A block that is not run: its page, a word of it that no other such block of the page has, and the reason.
struct NotRun {
    page: &'static str,
    word: &'static str,
    why: &'static str,
}

const NOT_RUN: &[NotRun] = &[
    NotRun { page: "README.md", word: "cargo install", why: "it compiles the program, which the tests have" },
    NotRun { page: "README.md", word: "serve --open", why: "it opens a browser" },
    NotRun { page: "README.md", word: "cargo test", why: "it is this run; CI takes it from here" },
    NotRun { page: "docs/architecture.md", word: "src/scorebook/ ", why: "a list of folders" },
    NotRun { page: "docs/architecture.md", word: "scorebook, dice < log", why: "a list of arrows" },
    NotRun { page: "docs/architecture.md", word: "must places html template", why: "a list of floors" },
    NotRun {
        page: "docs/benchmarks.md",
        word: "cargo bench",
        why: "it takes hours; CI runs it with --smoke",
    },
    NotRun { page: "docs/contributing.md", word: "cargo test", why: "it is this run" },
    NotRun { page: "docs/contributing.md", word: "cargo clippy", why: "CI runs them" },
    NotRun {
        page: "docs/guide/pad.md",
        word: "serve --table",
        why: "a test opens no door to the network; tests/cli/table.rs serves tables and reads what they print",
    },
    NotRun {
        page: "docs/guide/table.md",
        word: "serve --table",
        why: "a test opens no door to the network; tests/cli/table.rs serves tables and reads what they print",
    },
    NotRun {
        page: "docs/operations.md",
        word: "serve --table",
        why: "a test opens no door to the network; tests/cli/table.rs serves tables and reads what they print",
    },
    NotRun {
        page: "docs/operations.md",
        word: "create role",
        why: "it is SQL; tests/system/production_role.rs makes this role and serves with it",
    },
    NotRun {
        page: "docs/operations.md",
        word: "--print citus",
        why: "it needs a cluster; tests/system/cluster/printed.rs runs the SQL on a stand-in",
    },
    NotRun {
        page: "docs/operations.md",
        word: "drop table _sqlx_migrations",
        why: "it needs a cluster; it was run at one by hand",
    },
    NotRun {
        page: "docs/operations.md",
        word: "pg_dump -Fc",
        why: "it needs a cluster; tests/system/cluster/restoring.rs runs it on a stand-in",
    },
    NotRun {
        page: "docs/operations.md",
        word: "pg_restore -e",
        why: "it needs a cluster; tests/system/cluster/restoring.rs runs it on a stand-in",
    },
    NotRun {
        page: "docs/operations.md",
        word: "alter role",
        why: "it is SQL; tests/system/cluster/real.rs runs it at a real cluster",
    },
    NotRun {
        page: "docs/operations.md",
        word: "--no-migrate --no-group-commit",
        why: "it needs a cluster; tests/system/cluster/plays.rs serves on a stand-in",
    },
    NotRun {
        page: "docs/operations.md",
        word: "grant delete",
        why: "it is SQL; tests/system/production_role.rs lets the role sweep with it",
    },
    NotRun {
        page: "docs/operations.md",
        word: "proxy_pass",
        why: "it is nginx's; tests/system/hosts.rs sends what nginx sends with these lines",
    },
    NotRun {
        page: "docs/operations.md",
        word: ".backup",
        why: "it needs the program sqlite3; tests/system/journal.rs makes such a backup where that is there",
    },
    NotRun { page: "docs/spec/log-v1.md", word: "{\"actor\",", why: "the members of an event" },
    NotRun { page: "docs/spec/log-v1.md", word: "\"cascade\":\"refit\"", why: "the data of an event" },
    NotRun { page: "docs/spec/log-v1.md", word: "\"restores\":14", why: "the data of an event" },
    NotRun { page: "docs/spec/log-v1.md", word: "\"unknown\":true", why: "the data of an event" },
    NotRun { page: "docs/spec/log-v1.md", word: "match_created set_up?", why: "a grammar" },
    NotRun { page: "docs/spec/log-v1.md", word: "\"client_seed\": HEX", why: "the members of an object" },
    NotRun { page: "docs/spec/log-v1.md", word: "\"salt\": HEX", why: "the members of an object" },
];

/// The reason for which a block is not run, if it is not.
pub fn why_not(page: &Page, block: &Block) -> Option<&'static str> {
    let text = block.lines.join("\n");
    let one = NOT_RUN.iter().find(|one| one.page == page.path && text.contains(one.word))?;
    Some(one.why)
}

#[test]
fn every_block_is_run_or_there_is_a_reason() {
    for page in Page::all() {
        let blocks = page.blocks();
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| why_not(&page, block).is_none()) {
            let (place, language) = (format!("{}:{}", page.path, block.begins), &block.language);
            let is_printed = at > 0 && page.is_printed_by(block, &blocks[at - 1]);
            let is_run = language == "sh" || is_printed;
            assert!(is_run, "{place}: a block of {language:?} is not run, and no reason is listed");
        }
    }
}

#[test]
fn every_reason_is_for_one_block() {
    for one in NOT_RUN {
        let page = Page::read(one.page);
        let blocks =
            page.blocks().into_iter().filter(|block| block.lines.join("\n").contains(one.word)).count();
        assert_eq!(blocks, 1, "{}: {}", one.page, one.word);
        assert!(!one.why.is_empty(), "{}: {}", one.page, one.word);
    }
}

/// The files of the project that a reason names.
fn files(why: &str) -> impl Iterator<Item = &str> {
    why.split([' ', ';', ',']).filter(|word| word.contains('/'))
}

#[test]
fn a_file_that_a_reason_names_exists_and_is_no_folder() {
    assert_eq!(files("SQL; a/b.rs, c/d make it").collect::<Vec<_>>(), ["a/b.rs", "c/d"]);
    let named: Vec<&str> = NOT_RUN.iter().flat_map(|one| files(one.why)).collect();
    assert_eq!(named.len(), 12, "{named:?}");
    for file in named {
        assert!(Path::new(PROJECT).join(file).is_file(), "there is no file {file}");
    }
}
