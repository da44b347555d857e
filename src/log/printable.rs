use std::borrow::Cow;

/// A text from a log, made safe to print. Characters that would move the cursor, end the line or change the
/// direction of writing become escapes, so that no text of a log can pass for a message of the program.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_unsafe(letter) {
            out.extend(letter.escape_unicode());
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Whether a character is unsafe to print: control characters, line and paragraph separators, direction marks
/// and overrides, blanks without width.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}')
        || matches!(letter, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped_and_names_do_not_change() {
        assert_eq!(printable("Zoë 大谷 👍🏽"), "Zoë 大谷 👍🏽");
        assert_eq!(printable("a\u{1b}[2J\nb\u{202e}"), "a\\u{1b}[2J\\u{a}b\\u{202e}");
    }
}
