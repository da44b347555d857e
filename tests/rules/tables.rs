//! Text tables with an input, an arrow and an expected result in each row.

/// A row of a text table: the text left of the arrow, and the expected result right of it.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub line: usize,
    /// The `[heading]` above the row, without the brackets.
    pub heading: &'a str,
    pub given: &'a str,
    pub expected: &'a str,
}

/// The rows of a text table, without blank lines and comments after `#`.
pub fn rows(table: &str) -> Vec<Row<'_>> {
    let mut heading = "";
    let mut rows = Vec::new();
    for (at, line) in table.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(words) = line.strip_prefix('[') {
            heading = words.strip_suffix(']').expect("a heading ends in a bracket");
        } else if !line.is_empty() {
            let (given, expected) = line.split_once(" -> ").unwrap_or_else(|| panic!("no arrow: {line}"));
            rows.push(Row { line: at + 1, heading, given: given.trim(), expected: expected.trim() });
        }
    }
    rows
}

/// Compares every row of a table with the result that `found` gives, and shows all differences at once.
pub fn check_rows<'a>(rows: impl IntoIterator<Item = Row<'a>>, mut found: impl FnMut(&Row<'a>) -> String) {
    let mut differing = Vec::new();
    for row in rows {
        let Row { line, given, expected, .. } = row;
        let found = found(&row);
        if single_spaced(expected) != single_spaced(&found) {
            differing.push(format!("line {line}: {given}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(differing.is_empty(), "{} rows differ:\n{}", differing.len(), differing.join("\n"));
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
