use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

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

/// A text without unsafe characters. A store refuses some of these, and finds no name by the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SafeText(String);

impl SafeText {
    /// The text, if it has no unsafe character.
    pub fn new(text: String) -> Option<SafeText> {
        Some(SafeText(text)).filter(|SafeText(text)| !text.chars().any(is_unsafe))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for SafeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SafeText, D::Error> {
        let text = String::deserialize(deserializer)?;
        SafeText::new(text.clone()).ok_or_else(|| {
            D::Error::invalid_value(
                Unexpected::Str(&text),
                &"text without control characters and marks of direction",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_safe_text_has_no_unsafe_character() {
        for text in ["a\0b", "a\nb", "\u{202e}a", "\u{7f}"] {
            assert_eq!(SafeText::new(text.to_owned()), None, "{text:?}");
            assert!(serde_json::from_value::<SafeText>(text.into()).is_err());
        }
        let safe = SafeText::new("Zoë 大谷".to_owned()).expect("a safe text");
        assert_eq!(safe.as_str(), "Zoë 大谷");
    }

    #[test]
    fn unsafe_characters_are_escaped_and_names_do_not_change() {
        assert_eq!(printable("Zoë 大谷 👍🏽"), "Zoë 大谷 👍🏽");
        assert_eq!(printable("a\u{1b}[2J\nb\u{202e}"), "a\\u{1b}[2J\\u{a}b\\u{202e}");
    }
}
