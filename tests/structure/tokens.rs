//! The tokens of Rust code, as far as paths need them.

/// The tokens of a code: words, `::`, single marks, and string literals from their quote on. Comments, chars
/// and lifetimes are left out.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let (token, length) = first(rest);
        tokens.extend(token);
        rest = rest[length..].trim_start();
    }
    tokens
}

pub fn is_word(token: &str) -> bool {
    token.chars().all(of_a_word)
}

fn of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The first token of a text, if it is one, and how long it is.
fn first(text: &str) -> (Option<&str>, usize) {
    let whole = |length: usize| (Some(&text[..length]), length);
    if text.starts_with("//") {
        return (None, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (None, comment(text));
    }
    if let Some((from, length)) = raw_string(text) {
        return (Some(&text[from..length]), length);
    }
    if text.starts_with("r#") {
        return (None, 2);
    }
    match text.chars().next() {
        Some('"') => whole(quoted(text, '"')),
        Some('\'') => (None, char_or_lifetime(text)),
        Some(letter) if of_a_word(letter) => whole(text.find(|c| !of_a_word(c)).unwrap_or(text.len())),
        _ if text.starts_with("::") => whole(2),
        other => whole(other.map_or(0, char::len_utf8)),
    }
}

/// The length of a block comment, in which there may be others.
fn comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let mark = ["/*", "*/"].into_iter().find(|mark| text[at..].starts_with(mark));
        depth += mark.map_or(0, |mark| if mark == "/*" { 1 } else { -1 });
        at += mark.map_or_else(|| text[at..].chars().next().map_or(1, char::len_utf8), str::len);
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Where the quote of a raw string is, and where the string ends.
fn raw_string(text: &str) -> Option<(usize, usize)> {
    let begins = ["r", "br", "cr"].into_iter().find(|begin| text.starts_with(begin))?.len();
    let hashes = text[begins..].chars().take_while(|letter| *letter == '#').count();
    let from = begins + hashes;
    let inside = text[from..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some((from, inside.find(&end).map_or(text.len(), |at| from + 1 + at + end.len())))
}

/// The length of a literal in quotes, in which `\` takes a quote its meaning.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == quote {
            return at + 1;
        }
        if letter == '\\' {
            letters.next();
        }
    }
    text.len()
}

/// The length of `'a'`, of `'\n'`, or of the quote of `'static`.
fn char_or_lifetime(text: &str) -> usize {
    let mut letters = text.chars().skip(1);
    let (first, second) = (letters.next(), letters.next());
    if first == Some('\\') || second == Some('\'') { quoted(text, '\'') } else { 1 }
}

#[test]
fn comments_and_literals_are_no_code() {
    let code = r####"a::b("http://x \" y", 'c', '\'', '"', b'/', &'d ()); // e
/* f /* g */ h */ r"\", br##"i "# j"##, r#type"####;
    let expected = [
        "a",
        "::",
        "b",
        "(",
        r#""http://x \" y""#,
        ",",
        ",",
        ",",
        ",",
        "b",
        ",",
        "&",
        "d",
        "(",
        ")",
        ")",
        ";",
        r#""\""#,
        ",",
        r###""i "# j"##"###,
        ",",
        "type",
    ];
    assert_eq!(tokens(code), expected);
}
