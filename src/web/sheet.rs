//! The one sheet of the pages: the sheets as they are, without comments and without the white space around
//! their lines.

/// A sheet as a browser needs it. An error begins with the number of its line.
pub fn without_comments(sheet: &str) -> Result<String, String> {
    let mut kept = String::new();
    let mut is_inside = false;
    for (line, number) in sheet.lines().zip(1..) {
        let mut rest = line.trim();
        while !rest.is_empty() {
            let (read, left) = rest.split_once(if is_inside { "*/" } else { "/*" }).unwrap_or((rest, ""));
            let has_changed = read.len() < rest.len();
            if !is_inside {
                if has_changed && read.contains(['"', '\'']) {
                    return Err(format!("{number}: no comment stands behind a quoted text in one line"));
                }
                kept.push_str(read.trim_end());
            }
            is_inside ^= has_changed;
            rest = left.trim_start();
        }
        if !kept.is_empty() && !kept.ends_with('\n') {
            kept.push('\n');
        }
    }
    if is_inside {
        return Err(format!("{}: the file ends inside a comment", sheet.lines().count()));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_the_white_space_around_lines_go_and_nothing_else_does() {
        let sheet = "/* A. */\na {\n  b: c; /* d */\n}\n\n  /* E\n     f { */\ng { h: \"//\"; }\n/**/i {} /*\n*/ j {}";
        let kept = "a {\nb: c;\n}\ng { h: \"//\"; }\ni {}\nj {}\n";
        assert_eq!(without_comments(sheet), Ok(kept.to_owned()));
    }

    #[test]
    fn a_sheet_that_cannot_be_read_is_refused() {
        for (sheet, fault) in [
            ("a { b: \"/*\"; }", "1: no comment stands behind a quoted text in one line"),
            ("a {}\n/* b", "2: the file ends inside a comment"),
        ] {
            assert_eq!(without_comments(sheet), Err(fault.to_owned()), "{sheet}");
        }
    }
}
