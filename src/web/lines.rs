//! The lines of a module that a browser needs: all but those that hold nothing but comments. A line inside a
//! template is text, whatever it looks like.

/// A line that stays.
#[derive(Debug, PartialEq)]
pub struct CodeLine<'a> {
    /// The place in the file, from 1.
    pub number: usize,
    pub text: &'a str,
    /// Whether nothing is open where the line begins: no block, no template.
    pub is_outermost: bool,
}

/// What is open at a place of a module, inside of everything before it.
#[derive(Clone, Copy, PartialEq)]
enum Opened {
    Brace,
    Template,
    /// `${` in a template.
    Hole,
    Comment,
}

/// The lines of a module without its whole-line comments. An error begins with the number of its line.
pub fn of(text: &str) -> Result<Vec<CodeLine<'_>>, String> {
    let mut open = Vec::new();
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let first = open.last().copied();
        let is_outermost = open.is_empty();
        let (has_code, has_comment) = read(line, &mut open).map_err(|fault| format!("{number}: {fault}"))?;
        let crosses = first == Some(Opened::Comment) || open.last() == Some(&Opened::Comment);
        if has_code && crosses {
            return Err(format!("{number}: a comment of several lines shares none with code"));
        }
        if has_code || !has_comment || first == Some(Opened::Template) {
            lines.push(CodeLine { number, text: line, is_outermost });
        }
    }
    if open.is_empty() {
        return Ok(lines);
    }
    Err(format!("{}: the file ends inside a block, a text or a comment", text.lines().count()))
}

/// Reads a line on, and tells whether it has code, and whether it has a comment.
fn read(line: &str, open: &mut Vec<Opened>) -> Result<(bool, bool), String> {
    let (mut has_code, mut has_comment) = (false, false);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_text = open.last() == Some(&Opened::Template);
        let read = if open.last() == Some(&Opened::Comment) {
            has_comment = true;
            rest.find("*/").map_or(rest.len(), |end| {
                open.pop();
                end + 2
            })
        } else if !is_text && first.is_whitespace() {
            first.len_utf8()
        } else if !is_text && rest.starts_with("//") {
            has_comment = true;
            rest.len()
        } else if !is_text && rest.starts_with("/*") {
            has_comment = true;
            open.push(Opened::Comment);
            2
        } else {
            has_code = true;
            let before = &line[..line.len() - rest.len()];
            if is_text { read_text(rest, first, open) } else { read_code(rest, first, before, open)? }
        };
        rest = &rest[read..];
    }
    Ok((has_code, has_comment))
}

/// Reads on in the text of a template: the length of what was read.
fn read_text(rest: &str, first: char, open: &mut Vec<Opened>) -> usize {
    if first == '\\' {
        return 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
    }
    if rest.starts_with("${") {
        open.push(Opened::Hole);
        return 2;
    }
    if first == '`' {
        open.pop();
    }
    first.len_utf8()
}

/// Reads on in code: the length of what was read.
fn read_code(rest: &str, first: char, before: &str, open: &mut Vec<Opened>) -> Result<usize, String> {
    match first {
        '`' => open.push(Opened::Template),
        '{' => open.push(Opened::Brace),
        '}' => drop(open.pop().ok_or("a brace closes that was not opened")?),
        '"' | '\'' => return end_of(rest, first).ok_or_else(|| "a text does not end in its line".to_owned()),
        '/' if is_pattern_after(before) => {
            return end_of(rest, '/').ok_or_else(|| "a pattern does not end in its line".to_owned());
        }
        'i' if rest.starts_with("import(")
            && !before.ends_with(|c: char| c.is_alphanumeric() || c == '.') =>
        {
            return Err("import() is not joined; import at the top of the module".to_owned());
        }
        _ => {}
    }
    Ok(first.len_utf8())
}

/// Whether a slash begins a pattern, and does not divide.
fn is_pattern_after(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with("return") || before.ends_with(|c| "(,=:[!&|?{};>".contains(c))
}

/// Where a quoted text or a pattern ends. A slash among the letters of a class ends no pattern.
fn end_of(rest: &str, end: char) -> Option<usize> {
    let (mut is_escaped, mut is_in_class) = (false, false);
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' | ']' if end == '/' => is_in_class = letter == '[',
            _ if letter == end && !is_in_class => return Some(at + letter.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Vec<&str> {
        of(text).unwrap().into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_of_comments_go_and_nothing_else_does() {
        let text =
            "/** A. */\n/**\n * B `.\n */\nlet a = 1; // c\n\n  // d {\nlet b = /* e */ 2;\n/* f */ // g";
        assert_eq!(kept(text), ["let a = 1; // c", "", "let b = /* e */ 2;"]);
    }

    #[test]
    fn what_looks_like_a_comment_inside_a_text_stays() {
        for text in [
            "html`<p>\n// a\n/* b */\n</p>`",
            "html`${list.map((one) => html`\n// ${one}\n`)}\n// c\n`",
            "`\\`\n// a`",
            "const a = \"//\";",
            "const a = '/* `';",
            "const a = /[/`]\\/*/;",
            "return /\"/.test(a) ? 1 : 2 / 3;",
            "a = b / c; d = e / f; // {",
        ] {
            assert_eq!(kept(text).join("\n"), text);
        }
        // A hole of a template is code again.
        assert_eq!(kept("`${[\n// a\n1]}\n// b\n`").join("\n"), "`${[\n1]}\n// b\n`");
    }

    #[test]
    fn a_line_knows_whether_it_is_outermost() {
        let outermost: Vec<bool> = of("const a = () => {\n  b();\n};\nc`\n`;")
            .unwrap()
            .iter()
            .map(|line| line.is_outermost)
            .collect();
        assert_eq!(outermost, [true, false, false, true, false]);
    }

    #[test]
    fn what_cannot_be_read_line_by_line_is_refused() {
        for (text, fault) in [
            ("a(); /* b\n*/", "1: a comment of several lines shares none with code"),
            ("/* b\n*/ a();", "2: a comment of several lines shares none with code"),
            ("}", "1: a brace closes that was not opened"),
            ("a = \"b", "1: a text does not end in its line"),
            ("a = /b", "1: a pattern does not end in its line"),
            ("\nawait import(\"./b.js\")", "2: import() is not joined; import at the top of the module"),
            ("{", "1: the file ends inside a block, a text or a comment"),
            ("`", "1: the file ends inside a block, a text or a comment"),
            ("/*", "1: the file ends inside a block, a text or a comment"),
        ] {
            assert_eq!(of(text), Err(fault.to_owned()), "{text}");
        }
    }
}
