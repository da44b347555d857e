//! The glossary for players, docs/guide/glossary.md, and the lists "I want to" of the guides.

use crate::pages::Page;

const GLOSSARY: &str = "docs/guide/glossary.md";

/// The guides, without the glossary.
fn guides() -> impl Iterator<Item = Page> {
    Page::all().into_iter().filter(|page| page.path.starts_with("docs/guide/") && page.path != GLOSSARY)
}

/// The words of the glossary.
fn terms() -> Vec<String> {
    let rows = Page::read(GLOSSARY).lines;
    let rows = rows.iter().filter_map(|line| line.strip_prefix("| ")).skip(1);
    rows.map(|row| row.split(" | ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_glossary_for_players_is_in_the_order_of_the_alphabet() {
    let terms = terms();
    assert!(terms.len() > 30, "{terms:?}");
    assert!(terms.is_sorted(), "{terms:?}");
}

#[test]
fn every_word_of_the_glossary_is_a_word_of_a_guide() {
    let guides: String = guides().map(|page| page.text().to_lowercase().replace('\n', " ")).collect();
    for term in terms() {
        assert!(guides.contains(&term), "no guide has the word {term:?}");
    }
}

#[test]
fn every_guide_leads_to_the_glossary_for_players() {
    for page in guides() {
        assert!(page.links().iter().any(|link| link == "glossary.md"), "{}", page.path);
    }
}

/// The lines of a section, up to the next heading.
fn section(page: &Page, heading: &str) -> Vec<String> {
    let lines = page.lines.iter().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).cloned().collect()
}

#[test]
fn the_guides_for_scorers_say_where_to_look_when_something_went_wrong() {
    for (path, wishes) in [
        (
            "docs/guide/record.md",
            &["a die that I typed wrong", "the bowler", "my friend", "lost the token"][..],
        ),
        (
            "docs/guide/board-game.md",
            &["a die that I typed wrong", "the bowler", "my friend", "lost the token"],
        ),
        ("docs/guide/remote-play.md", &["a secret choice", "a ball", "my friend", "lost my token"]),
    ] {
        let section = section(&Page::read(path), "## I want to").join("\n");
        for wish in wishes {
            let wished = section.split("\n- **").find(|item| item.contains(wish));
            let item = wished.unwrap_or_else(|| panic!("{path} does not say how to: {wish}"));
            assert!(item.contains("]("), "{path}: {item}");
        }
    }
}
