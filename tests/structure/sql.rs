//! The SQL of the store: it has no form that an engine which spreads matches over machines refuses or gets
//! wrong.

use std::path::PathBuf;

use third_umpire_test_support::files::files_below;

/// The lines that lock rows. Such an engine refuses to lock rows of several machines at once, so each has a
/// reason.
const LOCKING: &[(&str, &str)] = &[
    // A group commit, which such an engine is served without.
    ("src/store/postgres/group.rs", "for update of heads skip locked"),
    ("src/store/postgres/mod.rs", "const FOR_UPDATE: &str = \" for update\";"),
    ("src/store/postgres/mod.rs", "const FOR_UPDATE_UNLESS_LOCKED: &str = \" for update skip locked\";"),
    // A scoring invite, which is offered, ended or used while the head of its match stands.
    ("src/store/postgres/mod.rs", "from heads where match_id = $1 for update\";"),
    ("src/store/sqlite/mod.rs", "const FOR_UPDATE: &str = \"\";"),
    ("src/store/sqlite/mod.rs", "const FOR_UPDATE_UNLESS_LOCKED: &str = \"\";"),
    // Projections that are made anew: one match in a transaction where matches are spread.
    ("src/store/writing.rs", ".push(Self::FOR_UPDATE_UNLESS_LOCKED)"),
    // A rebuild.
    ("src/store/writing.rs", ".push(Self::FOR_UPDATE)"),
];

/// The lines of the store's code and of the migrations, without comments.
fn lines() -> Vec<(PathBuf, String)> {
    let files = [files_below("src/store", "rs"), files_below("migrations", "sql")].concat();
    assert!(files.len() > 20, "{} files", files.len());
    files.iter().flat_map(|(file, text)| code(text).into_iter().map(|line| (file.clone(), line))).collect()
}

/// The lines of a file, without comments.
fn code(text: &str) -> Vec<String> {
    let is_code = |line: &&str| !["//", "--"].iter().any(|mark| line.starts_with(mark));
    text.lines().map(str::trim).filter(is_code).map(str::to_owned).collect()
}

/// Whether a line locks rows.
fn locks(line: &str) -> bool {
    let line = line.to_lowercase();
    ["for update", "for no key update", "for share", "for key share", "for_update"]
        .iter()
        .any(|form| line.contains(form))
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a text compares by `case x when`, which such an engine writes wrongly where it hands it on.
fn compares_by_case(text: &str) -> bool {
    let words = words(text);
    let follows = |at: usize| words.get(at + 1).is_some_and(|next| next != "when");
    let is_case =
        |at: &usize| words[*at] == "case" && words.get(at.wrapping_sub(1)).is_none_or(|word| word != "end");
    (0..words.len()).filter(is_case).any(follows)
}

#[test]
fn no_sql_of_the_store_compares_by_case_x_when() {
    let mut text = String::new();
    for (_, line) in lines() {
        text.push_str(&line);
        text.push('\n');
    }
    assert!(words(&text).contains(&"case".to_owned()), "the probe of /readyz has a case");
    assert!(!compares_by_case(&text));
    for bad in ["case views.body when 'a' then 'b' end", "select CASE\n n % 2\n WHEN 1 THEN 2 END"] {
        assert!(compares_by_case(bad), "{bad}");
    }
    for good in ["case when a = 'b' then 'c' end", "select CASE\n WHEN n THEN 2 END, cases, showcase"] {
        assert!(!compares_by_case(good), "{good}");
    }
}

#[test]
fn no_sql_of_the_store_locks_rows_but_where_it_is_listed() {
    let found: Vec<(PathBuf, String)> = lines().into_iter().filter(|(_, line)| locks(line)).collect();
    let listed = |(file, line): &(PathBuf, String)| {
        LOCKING.iter().any(|(known, part)| file.as_os_str() == *known && line.ends_with(part))
    };
    for locking in &found {
        assert!(listed(locking), "a lock of rows that is not listed: {locking:?}");
    }
    assert_eq!(found.len(), LOCKING.len(), "{found:#?}");
    assert!(locks("select seq from heads FOR UPDATE") && locks(".push(Self::FOR_UPDATE)"));
    assert!(
        !locks("on conflict (match_id) do update set seq = 1") && !locks("before update or delete on events")
    );
}
