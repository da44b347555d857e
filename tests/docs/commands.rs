//! Runs the commands of every page, in their order, and compares what they print with what the page says they
//! print.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes what they print into the pages instead, where a page shows
//! all of it.

use std::fs;
use std::path::Path;

use crate::not_run::why_not;
use crate::pages::{PROJECT, Page};
use crate::shell::{Shell, may_run};

/// An `sh` block of a page, and what its commands print.
#[derive(Debug, PartialEq, Eq)]
pub struct ShownCommands {
    /// The commands, as a reader copies and pastes them.
    pub commands: String,
    /// The lines of the `text` block below; `...` stands for any number of lines. None without such a block.
    prints: Option<Vec<String>>,
    /// The place in the page of the first line that they print.
    pub at: usize,
}

impl ShownCommands {
    fn starts_a_service(&self) -> bool {
        self.commands.starts_with("third-umpire serve")
    }
}

/// The blocks of a page that are run.
pub fn blocks_run(page: &Page) -> Vec<ShownCommands> {
    let blocks = page.blocks();
    let mut shown = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        if block.language != "sh" || why_not(page, block).is_some() {
            continue;
        }
        let prints = blocks.get(at + 1).filter(|next| page.is_printed_by(next, block));
        shown.push(ShownCommands {
            commands: block.lines.join("\n"),
            prints: prints.map(|block| block.lines.clone()),
            at: prints.map_or(block.begins + block.lines.len(), |block| block.begins),
        });
    }
    shown
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
    for ShownCommands { commands, prints, at } in blocks_run(&page) {
        let found = shell.run(&commands);
        let has_a_place = prints.is_some();
        let prints = prints.unwrap_or_default();
        if saying.fits(&prints, &found) {
            continue;
        }
        if has_a_place && !prints.iter().any(|line| line.ends_with("...")) {
            updates.push((at, at + prints.len(), found.clone()));
        }
        let (found, prints) = (found.join("\n"), prints.join("\n"));
        wrong.push(format!("{path}:{at}: {commands}\nprints\n{found}\nand the page says\n{prints}\n"));
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
    ($($name:ident $path:literal $blocks:literal blocks, $outputs:literal outputs;)+) => {
        $(
            #[test]
            fn $name() {
                run($path);
            }
        )+

        /// The pages, how many of their blocks are run, and below how many of them is what they print.
        const RUN: &[(&str, usize, usize)] = &[$(($path, $blocks, $outputs)),+];
    };
}

pages_that_are_run! {
    the_commands_of_readme_print_what_it_says "README.md" 5 blocks, 4 outputs;
    the_commands_of_the_api_page_print_what_it_says "docs/api.md" 19 blocks, 18 outputs;
    the_commands_of_audit_print_what_it_says "docs/guide/audit.md" 8 blocks, 7 outputs;
    the_commands_of_board_game_print_what_it_says "docs/guide/board-game.md" 8 blocks, 7 outputs;
    the_commands_of_disputes_print_what_it_says "docs/guide/disputes.md" 17 blocks, 16 outputs;
    the_commands_of_the_pad_print_what_it_says "docs/guide/pad.md" 1 blocks, 1 outputs;
    the_commands_of_record_print_what_it_says "docs/guide/record.md" 16 blocks, 12 outputs;
    the_commands_of_remote_play_print_what_it_says "docs/guide/remote-play.md" 9 blocks, 6 outputs;
    the_commands_of_simulate_print_what_it_says "docs/guide/simulate.md" 6 blocks, 6 outputs;
    the_commands_of_operations_print_what_it_says "docs/operations.md" 7 blocks, 7 outputs;
    the_commands_of_the_logs_specification_print_what_it_says "docs/spec/log-v1.md" 2 blocks, 2 outputs;
}

/// The pages that have blocks to run, with the numbers of these and of what they print.
fn counted(pages: &[Page]) -> Vec<(&str, usize, usize)> {
    let counted = pages.iter().map(|page| {
        let blocks = blocks_run(page);
        let outputs = blocks.iter().filter(|shown| shown.prints.is_some()).count();
        (page.path.as_str(), blocks.len(), outputs)
    });
    counted.filter(|(_, blocks, _)| *blocks > 0).collect()
}

/// A page with such a text.
fn page(text: &str) -> Page {
    Page { path: "a.md".to_owned(), lines: text.lines().map(str::to_owned).collect() }
}

#[test]
fn every_page_with_commands_is_run_and_has_as_many_as_when_it_was_written() {
    assert_eq!(counted(&Page::all()), RUN);
}

#[test]
fn a_page_that_loses_a_block_is_seen() {
    let whole = "```sh\na\n```\n\n```text\nb\n```\n```sh\nc\nd\n```\n";
    assert_eq!(counted(&[page(whole)]), [("a.md", 2, 1)]);
    assert_eq!(counted(&[page(&whole.replacen("```sh\nc\nd\n```\n", "", 1))]), [("a.md", 1, 1)]);
    assert_eq!(counted(&[page(&whole.replacen("```text\nb\n```\n", "", 1))]), [("a.md", 2, 0)]);
    assert!(counted(&[page("no block")]).is_empty());
}

#[test]
fn commands_print_the_text_block_below_them_and_no_other() {
    let block = |commands: &str, prints: Option<&[&str]>, at| ShownCommands {
        commands: commands.to_owned(),
        prints: prints.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect()),
        at,
    };
    let text = "```sh\na\nb\n```\n\n```text\nc\n```\n```sh\nd\n```\nwords\n```text\ne\n```";
    assert_eq!(blocks_run(&page(text)), [block("a\nb", Some(&["c"]), 6), block("d", None, 10)]);
}

#[test]
fn every_block_of_commands_can_be_pasted_as_it_is() {
    for page in Page::all() {
        for block in page.blocks() {
            // A prompt would be pasted with its command.
            let prompt = block.lines.iter().find(|line| line.starts_with("$ ") || line.starts_with("> "));
            assert_eq!(prompt, None, "{}:{}: a line has a prompt", page.path, block.begins);
        }
    }
}

#[test]
fn a_block_that_starts_a_service_does_nothing_else() {
    for page in Page::all() {
        for shown in blocks_run(&page).iter().filter(|shown| shown.commands.contains("third-umpire serve")) {
            let is_alone = shown.starts_a_service() && shown.commands.lines().count() == 1;
            assert!(is_alone, "{}:{}: the terminal of a service takes no commands", page.path, shown.at);
        }
    }
}

#[test]
fn a_guide_begins_with_its_own_service_or_needs_none() {
    for page in Page::all().into_iter().filter(|page| page.path.starts_with("docs/guide/")) {
        let blocks = blocks_run(&page);
        let serves = blocks.iter().position(ShownCommands::starts_a_service);
        let asks = blocks.iter().position(|shown| shown.commands.contains("http://127.0.0.1:8080"));
        let is_first = asks.is_none() || serves.is_some() && serves < asks;
        assert!(is_first, "{} asks a service that it has not started", page.path);
    }
}

#[test]
fn a_page_that_starts_a_second_service_says_to_stop_the_first() {
    for page in Page::all() {
        let serves = |line: &String| line.starts_with("third-umpire serve");
        let places = page.lines.iter().enumerate().filter(|(_, line)| serves(line)).map(|(at, _)| at);
        let places: Vec<usize> = places.collect();
        for pair in places.windows(2) {
            let says_so = page.lines[pair[0]..pair[1]].join(" ").contains("stop it first");
            assert!(says_so, "{}:{}: the service before it still runs", page.path, pair[1] + 1);
        }
    }
}

#[test]
fn an_output_is_compared_by_lines_and_dots_stand_for_anything() {
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
