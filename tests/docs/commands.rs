//! Runs the commands of every page, in their order, and compares what they print with what the page says they
//! print.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes what they print into the pages instead, where a page shows
//! all of it.

use std::fs;
use std::path::Path;

use crate::not_run::why_not;
use crate::pages::{Block, PROJECT, Page};
use crate::shell::{Shell, may_run};

/// A command of a page.
#[derive(Debug, PartialEq, Eq)]
struct ShownCommand {
    command: String,
    /// The lines it prints, as the page has them; `...` stands for any number of lines.
    prints: Vec<String>,
    /// The place in the page of what it prints.
    at: usize,
}

/// The commands of a block: all of an `sh` block is one, and prints nothing; in a `console` block each line
/// after `$ ` is one.
fn commands(page: &Page, block: &Block) -> Vec<ShownCommand> {
    let end = block.begins + block.lines.len();
    if block.language == "sh" {
        return vec![ShownCommand { command: block.lines.join("\n"), prints: Vec::new(), at: end }];
    }
    let mut shown: Vec<ShownCommand> = Vec::new();
    for (at, line) in (block.begins..).zip(&block.lines) {
        // A reader copies a line and pastes it, so a command is one line.
        assert!(!line.starts_with("> "), "{}:{}: a command goes on in another line", page.path, at + 1);
        if let Some(command) = line.strip_prefix("$ ") {
            shown.push(ShownCommand { command: command.to_owned(), prints: Vec::new(), at: at + 1 });
        } else {
            let last = shown
                .last_mut()
                .unwrap_or_else(|| panic!("{}:{}: output without a command", page.path, at + 1));
            last.prints.push(line.clone());
        }
    }
    shown
}

/// The blocks of a page that are run.
fn blocks_run(page: &Page) -> Vec<Block> {
    page.blocks().into_iter().filter(|block| why_not(page, block).is_none()).collect()
}

/// The commands of a page that are run.
fn commands_run(page: &Page) -> Vec<ShownCommand> {
    blocks_run(page).iter().flat_map(|block| commands(page, block)).collect()
}

/// What differs from one run to the next is masked: ids, hashes, times.
fn masked(line: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-:.".contains(letter);
    let mut out = String::new();
    let mut word = String::new();
    for letter in line.chars().chain(['\n']) {
        if is_part(letter) {
            word.push(letter);
            continue;
        }
        let hash = word.len() == 64 && word.chars().all(|letter| letter.is_ascii_hexdigit());
        let id = word.len() == 36 && word.matches('-').count() == 4;
        let time = word.len() == 24 && word.ends_with('Z') && word.contains('T');
        out.push_str(match (hash, id, time) {
            (true, ..) => "<hash>",
            (_, true, _) => "<id>",
            (_, _, true) => "<time>",
            _ => &word,
        });
        word.clear();
        out.push(letter);
    }
    out.trim_end().to_owned()
}

/// How exactly a page says what commands print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Saying {
    /// To the letter: others check their programs by it.
    Exactly,
    /// But for ids, hashes and times.
    Masked,
}

impl Saying {
    fn of(page: &Page) -> Saying {
        if page.path.starts_with("docs/spec/") { Saying::Exactly } else { Saying::Masked }
    }

    fn read(self, line: &str) -> String {
        match self {
            Saying::Exactly => line.to_owned(),
            Saying::Masked => masked(line),
        }
    }

    /// Whether lines are those expected, where `...` stands for any number of lines.
    fn fits(self, expected: &[String], found: &[String]) -> bool {
        match expected.split_first() {
            None => found.is_empty(),
            Some((first, rest)) if first == "..." => {
                (0..=found.len()).any(|from| self.fits(rest, &found[from..]))
            }
            Some((first, rest)) => found
                .split_first()
                .is_some_and(|(line, others)| self.is_line(first, line) && self.fits(rest, others)),
        }
    }

    /// Whether a line is the one expected, which may leave its end open with `...`.
    fn is_line(self, expected: &str, found: &str) -> bool {
        match expected.strip_suffix("...") {
            Some(beginning) => self.read(found).starts_with(&self.read(beginning)),
            None => self.read(found) == self.read(expected),
        }
    }
}

/// Runs the commands of a page in a shell of its own.
fn run(path: &str) {
    if !may_run() {
        return;
    }
    let (page, mut shell, mut wrong) = (Page::read(path), Shell::open(), Vec::new());
    let saying = Saying::of(&page);
    let mut lines = page.lines.clone();
    // From the end of the page on, places before stay what they are.
    let mut updates: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for ShownCommand { command, prints, at } in commands_run(&page) {
        let found = shell.run(&command);
        if saying.fits(&prints, &found) {
            continue;
        }
        let shows_all = !prints.iter().any(|line| line.ends_with("..."));
        if shows_all && command.lines().count() == 1 {
            updates.push((at, at + prints.len(), found.clone()));
        }
        let (found, prints) = (found.join("\n"), prints.join("\n"));
        wrong.push(format!("{path}:{at}: {command}\nprints\n{found}\nand the page says\n{prints}\n"));
    }
    assert_eq!(shell.end(), Vec::<u32>::new(), "{path}: processes are left running");
    if std::env::var_os("UPDATE_DOCS").is_some() && updates.len() == wrong.len() {
        for (from, to, found) in updates.into_iter().rev() {
            lines.splice(from..to, found);
        }
        fs::write(Path::new(PROJECT).join(path), lines.join("\n") + "\n").unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! pages_that_are_run {
    ($($name:ident $path:literal $blocks:literal blocks, $commands:literal commands;)+) => {
        $(
            #[test]
            fn $name() {
                run($path);
            }
        )+

        /// The pages, how many of their blocks are run, and how many commands those have.
        const RUN: &[(&str, usize, usize)] = &[$(($path, $blocks, $commands)),+];
    };
}

pages_that_are_run! {
    the_commands_of_readme_print_what_it_says "README.md" 4 blocks, 6 commands;
    the_commands_of_the_api_page_print_what_it_says "docs/api.md" 6 blocks, 8 commands;
    the_commands_of_audit_print_what_it_says "docs/guide/audit.md" 6 blocks, 12 commands;
    the_commands_of_board_game_print_what_it_says "docs/guide/board-game.md" 8 blocks, 18 commands;
    the_commands_of_disputes_print_what_it_says "docs/guide/disputes.md" 13 blocks, 26 commands;
    the_commands_of_record_print_what_it_says "docs/guide/record.md" 11 blocks, 19 commands;
    the_commands_of_remote_play_print_what_it_says "docs/guide/remote-play.md" 9 blocks, 25 commands;
    the_commands_of_simulate_print_what_it_says "docs/guide/simulate.md" 5 blocks, 8 commands;
    the_commands_of_operations_print_what_it_says "docs/operations.md" 4 blocks, 7 commands;
    the_commands_of_the_logs_specification_print_what_it_says "docs/spec/log-v1.md" 2 blocks, 4 commands;
}

/// The pages that have blocks to run, with the numbers of these and of their commands.
fn counted(pages: &[Page]) -> Vec<(&str, usize, usize)> {
    let counted =
        pages.iter().map(|page| (page.path.as_str(), blocks_run(page).len(), commands_run(page).len()));
    counted.filter(|(_, blocks, _)| *blocks > 0).collect()
}

#[test]
fn every_page_with_commands_is_run_and_has_as_many_as_when_it_was_written() {
    assert_eq!(counted(&Page::all()), RUN);
}

#[test]
fn a_page_that_loses_a_block_or_a_command_is_seen() {
    let page =
        |text: &str| [Page { path: "a.md".to_owned(), lines: text.lines().map(str::to_owned).collect() }];
    let whole = "```sh\na\n```\n```console\n$ b\nc\n$ d\n```";
    assert_eq!(counted(&page(whole)), [("a.md", 2, 3)]);
    assert_eq!(counted(&page(&whole.replacen("```sh\na\n```\n", "", 1))), [("a.md", 1, 2)]);
    assert_eq!(counted(&page(&whole.replacen("\n$ d", "", 1))), [("a.md", 2, 2)]);
    assert!(counted(&page("no block")).is_empty());
}

#[test]
fn a_guide_begins_with_its_own_service_or_needs_none() {
    for page in Page::all().into_iter().filter(|page| page.path.starts_with("docs/guide/")) {
        let commands = commands_run(&page);
        let serves = commands.iter().position(|shown| shown.command == "third-umpire serve");
        let asks = commands.iter().position(|shown| shown.command.contains("http://127.0.0.1:8080"));
        assert!(serves.is_some() && serves < asks, "{} asks a service that it has not started", page.path);
    }
}

#[test]
fn a_page_that_starts_a_second_service_says_to_stop_the_first() {
    for page in Page::all() {
        let serves = |line: &String| line.starts_with("$ third-umpire serve");
        let places = page.lines.iter().enumerate().filter(|(_, line)| serves(line)).map(|(at, _)| at);
        let places: Vec<usize> = places.collect();
        for pair in places.windows(2) {
            let says_so = page.lines[pair[0]..pair[1]].join(" ").contains("stop it first");
            assert!(says_so, "{}:{}: the service before it still runs", page.path, pair[1] + 1);
        }
    }
}

#[test]
fn what_a_page_says_is_compared_line_by_line_and_dots_stand_for_anything() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (hash, other) = ("a".repeat(64), "b".repeat(64));
    for (expected, found, fits) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a", false),
        ("a", "a\nb", false),
        ("a\n...", "a", true),
        ("...\nc", "a\nb\nc", true),
        ("...\nc", "a\nb", false),
        ("ab...", "abc", true),
        ("ab...", "a", false),
        ("", "a", false),
        (&format!("head {hash}"), &format!("head {other}"), true),
        (&format!("head {hash}"), "head", false),
    ] {
        assert_eq!(Saying::Masked.fits(&lines(expected), &lines(found)), fits, "{expected:?} and {found:?}");
    }
    assert!(!Saying::Exactly.fits(&[hash], &[other]));
}
