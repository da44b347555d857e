//! The documents that the store keeps for readers, as a sample: bytes that change need another `FORM`.
//!
//! To write the sample of a new form: raise `FORM` in `src/views/rows.rs`, run
//! `UPDATE_DOCUMENTS=1 cargo test --test conformance`, and read the difference.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use third_umpire::editions::{Editions, MatchLog};
use third_umpire::games::BUILT_IN;
use third_umpire::log::Entry;
use third_umpire::service::rows_of;
use third_umpire::views::{FORM, Page};
use third_umpire_test_support::logs::stored;

/// The stored logs whose documents are the sample: matches of every game that are over, with and without
/// reviews, disputes and corrections.
const LOGS: [&str; 5] = [
    "cricket-the-game-t10-seeded",
    "cuberoots-abandoned",
    "cuberoots-remote-corrected",
    "howzat-table-reviewed",
    "howzat-table-settled",
];

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/documents.txt")
}

/// The form, and the documents of each log: one line a document.
fn documents() -> String {
    let mut documents = vec![format!("form {FORM}")];
    let mut games = BTreeSet::new();
    for name in LOGS {
        let text = stored(name).text();
        let mut lines = MatchLog::new(text.as_bytes(), Editions::default());
        let log: Vec<Entry> = lines.by_ref().map(|line| line.expect("a stored log").1).collect();
        let rows = rows_of(&log, lines.editions()).expect("a stored log folds");
        games.insert(rows.game);
        documents.push(format!("{name} list {}", rows.summary));
        assert_eq!(rows.pages.len(), Page::ALL.len(), "{name} is over");
        documents.extend(rows.pages.iter().map(|(page, body)| format!("{name} {} {body}", page.name())));
    }
    let all: BTreeSet<String> = BUILT_IN.ids().iter().map(ToString::to_string).collect();
    assert_eq!(games, all, "the sample has every game");
    documents.join("\n") + "\n"
}

#[test]
fn stored_documents_change_only_with_their_form() {
    let (file, documents) = (sample(), documents());
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    if known == documents {
        return;
    }
    let is_new = !known.starts_with(&format!("form {FORM}\n"));
    let shown = known.lines().zip(documents.lines()).find(|(before, now)| before != now);
    assert!(is_new, "a stored document has changed, so raise FORM in src/views/rows.rs: {shown:#?}");
    assert!(
        std::env::var_os("UPDATE_DOCUMENTS").is_some(),
        "{} has no sample of form {FORM}: UPDATE_DOCUMENTS=1 writes it",
        file.display()
    );
    std::fs::write(file, documents).expect("the sample can be written");
}
