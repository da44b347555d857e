//! The one sheet of the pages: the sheets as they are, without the lines of their comments.

/// The lines of a sheet that a browser needs. An error begins with the number of its line.
pub fn without_comments(sheet: &str) -> Result<String, String> {
    let mut kept = String::new();
    let mut is_inside = false;
    for (line, number) in sheet.lines().zip(1..) {
        let text = line.trim();
        let begins = is_inside || text.starts_with("/*");
        let rest = if begins { text.split_once("*/").map_or("", |(_, rest)| rest) } else { text };
        let opens = rest.rfind("/*").is_some_and(|at| !rest[at..].contains("*/"));
        if opens || (begins && !rest.is_empty()) {
            return Err(format!(
                "{number}: a comment has lines of its own, or stands behind a rule in one line"
            ));
        }
        is_inside = begins && !text.contains("*/");
        if !begins {
            kept.push_str(line);
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
    fn lines_of_comments_go_and_nothing_else_does() {
        let sheet = "/* A. */\na { b: c; } /* d */\n\n  /* E\n     f { */\ng { h: \"//\"; }\n";
        assert_eq!(without_comments(sheet), Ok("a { b: c; } /* d */\n\ng { h: \"//\"; }\n".to_owned()));
    }

    #[test]
    fn a_comment_that_shares_its_lines_with_rules_is_refused() {
        let fault = "a comment has lines of its own, or stands behind a rule in one line";
        for (sheet, number) in [("a {} /* b\n*/", 1), ("/* b */ a {}", 1), ("/* b\n*/ a {}", 2)] {
            assert_eq!(without_comments(sheet), Err(format!("{number}: {fault}")), "{sheet}");
        }
        assert_eq!(without_comments("/* a"), Err("1: the file ends inside a comment".to_owned()));
    }
}
