//! The rules pages have every ruling with its sentence, and every policy, and no other.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes the rulings there are into the pages instead.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use third_umpire::games::BUILT_IN;
use third_umpire::scorebook::{Ruling, SHARED_RULINGS};

use crate::pages::{PROJECT, Page};

/// The head of the table with which a rules page ends.
const HEAD: &str = "| id | sentence |";

/// The rulings that a page lists, id and sentence, in its order.
fn listed(page: &Page) -> Vec<(String, String)> {
    let rows = page.lines.iter().skip_while(|line| *line != HEAD);
    let row = |line: &String| {
        let (id, text) = line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")?;
        Some((id.to_owned(), text.to_owned()))
    };
    rows.filter_map(row).collect()
}

/// Writes the table of a page, its last part, anew.
fn write_rulings(page: &Page, rulings: &[&Ruling]) {
    let before = page.lines.iter().take_while(|line| *line != HEAD).map(|line| format!("{line}\n"));
    let rows = rulings.iter().map(|ruling| format!("| `{}` | {} |\n", ruling.id, ruling.text));
    let head = format!("{HEAD}\n|---|---|\n");
    let text: String = before.chain([head]).chain(rows).collect();
    fs::write(Path::new(PROJECT).join(&page.path), text).unwrap();
}

#[test]
fn the_rules_page_of_a_game_lists_its_rulings_and_no_other() {
    for game in BUILT_IN.games() {
        let page = Page::read(&format!("docs/rules/{}.md", game.info.id));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            write_rulings(&page, game.info.rulings);
            continue;
        }
        let known: Vec<(String, String)> =
            game.info.rulings.iter().map(|ruling| (ruling.id.to_owned(), ruling.text.to_owned())).collect();
        assert!(!known.is_empty(), "{} has no rulings", game.info.id);
        let (listed, known) = (listed(&page), BTreeMap::from_iter(known));
        assert_eq!(BTreeMap::from_iter(listed.clone()), known, "{}", page.path);
        assert_eq!(listed.len(), known.len(), "{}: a ruling is listed twice", page.path);
    }
}

#[test]
fn the_rules_page_of_a_game_lists_its_policies_with_the_default_first() {
    for game in BUILT_IN.games().iter().filter(|game| game.policies.len() > 1) {
        let page = Page::read(&format!("docs/rules/{}.md", game.info.id));
        let section = page.lines.iter().skip_while(|line| *line != "## Policies").skip(1);
        let rows = section.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
        let named: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(named, game.policies, "{}", page.path);
        let default = format!("| `{}`, the default |", game.policies[0]);
        assert!(page.lines.iter().any(|line| line.starts_with(&default)), "{} has no {default}", page.path);
    }
}

#[test]
fn every_game_has_a_rules_page_and_every_rules_page_a_game() {
    let games: BTreeSet<String> =
        BUILT_IN.games().iter().map(|game| format!("docs/rules/{}.md", game.info.id)).collect();
    let pages = Page::all().into_iter().map(|page| page.path).filter(|path| path.starts_with("docs/rules/"));
    assert_eq!(pages.collect::<BTreeSet<_>>(), games);
}

#[test]
fn the_rulings_of_every_game_are_told_where_balls_are_put_right() {
    let page = Page::read("docs/guide/disputes.md");
    for ruling in SHARED_RULINGS {
        let row = format!("| `{}` | {} |", ruling.id, ruling.text);
        assert!(page.lines.contains(&row), "{} has no line {row}", page.path);
    }
}

#[test]
fn every_ruling_that_is_named_in_a_page_exists() {
    let known: BTreeSet<&str> =
        BUILT_IN.games().iter().flat_map(|game| game.info.rulings).map(|ruling| ruling.id).collect();
    let families: BTreeSet<&str> = known.iter().filter_map(|id| id.split('.').next()).collect();
    let (mut named, mut unknown) = (0, Vec::new());
    for page in Page::all() {
        let text = page.text();
        // What stands between two backquotes is every second part.
        for word in text.split('`').skip(1).step_by(2) {
            let is_ruling = word.split_once('.').is_some_and(|(family, _)| families.contains(family));
            if is_ruling && !word.contains(' ') && !word.ends_with(".md") {
                named += 1;
                if !known.contains(word) {
                    unknown.push(format!("{}: {word}", page.path));
                }
            }
        }
    }
    assert!(named > known.len(), "only {named} rulings are found");
    assert!(unknown.is_empty(), "{unknown:#?}");
}
