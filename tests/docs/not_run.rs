//! The fenced blocks whose commands are not run, or that hold none, and why.

use crate::pages::{Block, Page};

/// A block that is not run: its page, a word of it that no other such block of the page has, and the reason.
struct NotRun {
    page: &'static str,
    word: &'static str,
    why: &'static str,
}

const NOT_RUN: &[NotRun] = &[
    NotRun { page: "README.md", word: "cargo install", why: "it compiles the program, which the tests have" },
    NotRun { page: "README.md", word: "cargo test", why: "it is this run; CI takes it from here" },
    NotRun { page: "docs/architecture.md", word: "src/scorebook/ ", why: "a list of folders" },
    NotRun { page: "docs/architecture.md", word: "scorebook, dice < log", why: "a list of arrows" },
    NotRun {
        page: "docs/benchmarks.md",
        word: "cargo bench",
        why: "it takes hours; CI runs it with --smoke",
    },
    NotRun { page: "docs/contributing.md", word: "cargo test", why: "it is this run" },
    NotRun { page: "docs/contributing.md", word: "cargo clippy", why: "CI runs both" },
    NotRun {
        page: "docs/operations.md",
        word: "create role",
        why: "it is SQL; tests/api makes this role and serves with it",
    },
    NotRun {
        page: "docs/operations.md",
        word: "proxy_pass",
        why: "it is nginx's; tests/api sends what nginx sends with these lines",
    },
    NotRun {
        page: "docs/operations.md",
        word: ".backup",
        why: "it needs the program sqlite3; tests/api makes such a backup where that is there",
    },
    NotRun { page: "docs/spec/log-v1.md", word: "{\"actor\",", why: "the members of an event" },
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
fn every_block_is_run_or_there_is_a_reason_and_every_reason_is_for_one_block() {
    let mut reasons = 0;
    for page in Page::all() {
        for block in page.blocks() {
            let place = format!("{}:{}", page.path, block.begins);
            match why_not(&page, &block) {
                Some(why) => {
                    assert!(!why.is_empty(), "{place}");
                    reasons += 1;
                }
                None => {
                    let is_run = matches!(block.language.as_str(), "sh" | "console");
                    assert!(
                        is_run,
                        "{place}: a block of {:?} is not run, and no reason is listed",
                        block.language
                    );
                }
            }
        }
    }
    assert_eq!(reasons, NOT_RUN.len(), "a reason is listed for a block that is not there, or for two");
}
