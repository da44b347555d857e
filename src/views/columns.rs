//! Text in columns of a page of fixed width. What is too wide is broken into lines and never cut: two names
//! that begin alike are two names.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands before each line of a text but the first.
pub(super) const INDENT: &str = "  ";

/// Breaks a text at blanks into lines of at most so many columns.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    fill(text.split(' '), columns)
}

/// A headed list, broken only between its items, and within an item that is wider than a line.
pub(super) fn list(heading: &str, items: &[String], columns: usize) -> Vec<String> {
    let text = format!("{heading}:\n{}", items.join(",\n"));
    let is_wide = |piece: &str| piece.width() + INDENT.len() > columns;
    let pieces = text.split('\n').flat_map(|piece| piece.split(if is_wide(piece) { ' ' } else { '\n' }));
    fill(pieces, columns)
}

/// Sets pieces in lines of at most so many columns. A piece that is wider than a line is broken between
/// letters.
fn fill<'a>(pieces: impl Iterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + piece.width() <= columns => {
                line.push(' ');
                line.push_str(piece);
            }
            Some(_) | None => add_lines(&mut lines, piece, columns),
        }
    }
    lines
}

/// Adds a piece in lines of its own.
fn add_lines(lines: &mut Vec<String>, piece: &str, columns: usize) {
    let mut rest = piece;
    loop {
        let indent = if lines.is_empty() { "" } else { INDENT };
        let (line, after) = split(rest, columns - indent.len());
        lines.push(format!("{indent}{line}"));
        if after.is_empty() {
            return;
        }
        rest = after;
    }
}

/// The longest beginning of a text that has at most so many columns, and the rest.
fn split(text: &str, columns: usize) -> (&str, &str) {
    if text.width() <= columns {
        return (text, "");
    }
    let ends = || text.char_indices().skip(1).map(|(at, _)| text.split_at(at));
    let fitting = ends().filter(|(line, rest)| line.width() <= columns && are_apart(line, rest)).last();
    fitting.or_else(|| ends().next()).unwrap_or((text, ""))
}

/// Whether no letter goes on from one part of a text into the next. A sign that takes no column belongs to
/// the letter before it, and so does one that changes its width.
fn are_apart(before: &str, after: &str) -> bool {
    let widths = before.width() + after.width();
    let has_width = after.chars().next().is_some_and(|sign| sign.width() != Some(0));
    has_width && format!("{before}{after}").width() == widths
}

/// A text with blanks up to this number of columns.
pub(super) fn pad(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// A row of cells, each in lines and with its number of columns, as many lines as the highest cell has. The
/// figures stand at the end of the first line.
pub(super) fn row(cells: &[(Vec<String>, usize)], figures: &str) -> Vec<String> {
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or_default();
    let line = |at: usize| {
        let text =
            |(lines, columns): &(Vec<String>, usize)| pad(lines.get(at).map_or("", String::as_str), *columns);
        let texts: Vec<String> = cells.iter().map(text).collect();
        texts.join(" ") + if at == 0 { figures } else { "" }
    };
    (0..height).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_and_padded_by_columns_and_not_by_bytes() {
        assert_eq!(pad("Zoë", 5), "Zoë  ");
        assert_eq!(wrap("abcdef", 6), ["abcdef"]);
        assert_eq!(wrap("abcdefghijk", 6), ["abcdef", "  ghij", "  k"]);
        assert_eq!(wrap("大谷翔平", 6), ["大谷翔", "  平"]);
        assert_eq!(wrap("Zoë Zoë", 5), ["Zoë", "  Zoë"]);
    }

    #[test]
    fn a_letter_of_several_signs_stays_whole() {
        let accented = "e\u{301}";
        assert_eq!(wrap(&accented.repeat(4), 3), [accented.repeat(3), format!("  {accented}")]);
        let family = "👨\u{200d}👩\u{200d}👧";
        assert_eq!(
            wrap(&format!("{family} {}", family.repeat(2)), 5),
            [family.to_owned(), format!("  {family}"), format!("  {family}")]
        );
    }

    #[test]
    fn long_texts_are_wrapped_within_the_columns() {
        let text = "word ".repeat(60);
        let lines = wrap(text.trim(), 80);
        assert!(lines.len() > 3 && lines.iter().all(|line| line.width() <= 80));
        assert!(lines[1].starts_with("  word"));
    }

    #[test]
    fn a_list_is_broken_between_its_items() {
        let items = ["Ada Marsh", "Ben Okoro", "Cleo van den Berg-Adeyemi"].map(str::to_owned);
        let lines = ["Out: Ada Marsh,", "  Ben Okoro,", "  Cleo van den", "  Berg-Adeyemi"];
        assert_eq!(list("Out", &items, 16), lines);
    }

    #[test]
    fn a_row_is_as_high_as_its_highest_cell() {
        let cells = [(vec!["a".to_owned()], 3), (vec!["b".to_owned(), "  c".to_owned()], 4)];
        assert_eq!(row(&cells, " 7"), ["a   b    7", "      c "]);
    }
}
