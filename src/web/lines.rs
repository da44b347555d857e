//! The lines of a module as a browser needs them: without comments, and without the white space around code.
//! Text inside a template stays, whatever it looks like.

/// A line with code or text in it.
#[derive(Debug, PartialEq)]
pub struct CodeLine {
    /// The place in the file, from 1.
    pub number: usize,
    pub text: String,
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

/// The lines of a module. An error begins with the number of its line.
pub fn of(text: &str) -> Result<Vec<CodeLine>, String> {
    let mut open = Vec::new();
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let (is_outermost, begins_in_text) = (open.is_empty(), open.last() == Some(&Opened::Template));
        let mut code = String::new();
        read(line, &mut code, &mut open).map_err(|fault| format!("{number}: {fault}"))?;
        if open.last() != Some(&Opened::Template) {
            code.truncate(code.trim_end().len());
        }
        if begins_in_text || !code.is_empty() {
            lines.push(CodeLine { number, text: code, is_outermost });
        }
    }
    if open.is_empty() {
        return Ok(lines);
    }
    Err(format!("{}: the file ends inside a block, a text or a comment", text.lines().count()))
}

/// Reads a line on, and keeps its code.
fn read(line: &str, code: &mut String, open: &mut Vec<Opened>) -> Result<(), String> {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (length, is_kept) = match open.last() {
            Some(Opened::Template) => (read_text(rest, first, open), true),
            Some(Opened::Comment) => (read_comment(rest, open), false),
            _ if first.is_whitespace() => (first.len_utf8(), false),
            _ if rest.starts_with("//") => (rest.len(), false),
            _ if rest.starts_with("/*") => {
                open.push(Opened::Comment);
                (2, false)
            }
            _ => (read_code(rest, first, code, open)?, true),
        };
        let (read, left) = rest.split_at(length);
        if is_kept {
            code.push_str(read);
        } else if !code.is_empty() && !code.ends_with([' ', '(']) {
            // Two words that a comment parts do not become one.
            code.push(' ');
        }
        rest = left;
    }
    Ok(())
}

/// Reads on in a comment: the length of what was read.
fn read_comment(rest: &str, open: &mut Vec<Opened>) -> usize {
    let Some(end) = rest.find("*/") else { return rest.len() };
    open.pop();
    end + 2
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

    fn kept(text: &str) -> String {
        let lines: Vec<String> = of(text).unwrap().into_iter().map(|line| line.text).collect();
        lines.join("\n")
    }

    #[test]
    fn comments_and_the_white_space_around_code_go_and_nothing_else_does() {
        let text =
            "/** A. */\n/**\n * B `.\n */\nlet a = 1; // c\n\n  // d {\n  let b = /* e */ 2;\n/* f */ // g";
        assert_eq!(kept(text), "let a = 1;\nlet b = 2;");
        assert_eq!(kept("a(/** @type {B} */ (b)); /* c\n*/ d(); let/**/e"), "a((b));\nd(); let e");
    }

    #[test]
    fn text_that_looks_like_a_comment_stays() {
        for text in [
            "html`<p>  \n// a\n\n/* b */\n  </p>`",
            "html`${list.map((one) => html`\n// ${one}\n`)}\n// c\n`",
            "`\\`\n// a`",
            "const a = \"//  \";",
            "const a = '/* `';",
            "const a = /[/`]\\/*/;",
            "return /\"/.test(a) ? 1 : 2 / 3;",
            "a = b / c; d = e / f; g(\"{\")",
        ] {
            assert_eq!(kept(text), text);
        }
        // A hole of a template is code again.
        assert_eq!(kept("`${[\n  // a\n  1]}\n// b\n`"), "`${[\n1]}\n// b\n`");
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
    fn a_module_that_cannot_be_read_is_refused() {
        for (text, fault) in [
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
