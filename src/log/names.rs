//! Names as requests give them. Unicode writes one name in several ways that nobody can tell apart, so a
//! request is brought into one of them, NFC. A log is read as it is, and its names are found by any of them.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

use super::is_unsafe;

/// The joiners, with which some scripts write letters apart or together.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];
/// The combining class of a virama, which a joiner may follow at the end of a word.
const VIRAMA: u8 = 9;

/// A name in the form in which a request records it: NFC.
pub fn normal_name(name: &str) -> String {
    name.nfc().collect()
}

/// What the eye sees of a name: without joiners, which would keep a letter and its mark apart, in NFC.
fn seen(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|sign| !JOINERS.contains(sign)).nfc()
}

/// A name as the eye sees it. Two names that look alike have the same.
pub fn seen_name(name: &str) -> String {
    seen(name).collect()
}

/// Whether two names are equal to the eye.
pub fn is_same_name(name: &str, other: &str) -> bool {
    name == other || (!(name.is_ascii() && other.is_ascii()) && seen(name).eq(seen(other)))
}

/// A name for a message: its first hundred characters, with escapes for what nobody sees.
pub fn shown_name(name: &str) -> String {
    let mut shown = String::from("\"");
    for sign in name.chars().take(100) {
        if is_ignorable(sign) || is_unsafe(sign) {
            shown.extend(sign.escape_unicode());
        } else {
            shown.push(sign);
        }
    }
    shown + "\""
}

/// The first character of a name that nobody sees. A joiner within a word is none: it changes letters.
pub fn invisible_in(name: &str) -> Option<char> {
    let mut before = None;
    let mut signs = name.chars().peekable();
    while let Some(sign) = signs.next() {
        let joins = JOINERS.contains(&sign) && is_in_word(before, signs.peek().copied());
        if is_ignorable(sign) && !joins {
            return Some(sign);
        }
        before = Some(sign);
    }
    None
}

/// Whether a joiner between these two characters is within a word, or after a virama. Latin letters are not
/// joined, and no joiner parts a letter from its mark.
fn is_in_word(before: Option<char>, after: Option<char>) -> bool {
    if before.is_some_and(|sign| canonical_combining_class(sign) == VIRAMA) {
        return true;
    }
    let (Some(before), Some(after)) = (before, after) else { return false };
    let is_of_a_letter = before.is_alphabetic() || is_combining_mark(before);
    is_of_a_letter && after.is_alphabetic() && !(before.is_ascii() || after.is_ascii())
}

/// Whether a character has the property `Default_Ignorable_Code_Point` of Unicode: what cannot show it shows
/// nothing.
fn is_ignorable(sign: char) -> bool {
    matches!(sign,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_in_both_forms_with_and_without_joiners() {
        for (one, other) in [
            ("José", "Jose\u{301}"),
            ("Ångström", "A\u{30a}ngstro\u{308}m"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("Å", "\u{212b}"),
            ("می\u{200c}خواهم", "میخواهم"),
            ("क्\u{200d}ष", "क्ष"),
            ("\u{1100}\u{200d}\u{1161}", "가"),
            ("é", "e\u{200d}\u{301}"),
        ] {
            assert!(is_same_name(one, other) && is_same_name(other, one), "{one}");
            assert_eq!(seen_name(other), seen_name(one));
        }
        for (one, other) in [("Jose", "José"), ("Smith", "smith"), ("ﬁ", "fi"), ("Ａ", "A")] {
            assert!(!is_same_name(one, other), "{one}");
        }
        assert_eq!(normal_name("Jose\u{301}"), "José");
    }

    #[test]
    fn an_invisible_character_is_seen_but_for_a_joiner_within_a_word() {
        for sign in [
            '\u{ad}',
            '\u{34f}',
            '\u{115f}',
            '\u{180e}',
            '\u{200b}',
            '\u{200e}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{e0041}',
        ] {
            assert_eq!(invisible_in(&format!("Ada{sign} Marsh")), Some(sign), "{sign:?}");
        }
        for name in ["Ada Marsh", "Zoë", "大谷", "می\u{200c}خواهم", "क्\u{200d}ष", "ന\u{d4d}\u{200d}", "🏏"]
        {
            assert_eq!(invisible_in(name), None, "{name}");
        }
        for name in [
            "\u{200d}Ada",
            "Ada\u{200c}",
            "A\u{200d}\u{200d}da",
            "Ada \u{200c}Marsh",
            "👨\u{200d}👩",
            "bow\u{200d}ler",
            "Jose\u{200d}\u{301}",
        ] {
            assert!(invisible_in(name).is_some_and(|sign| JOINERS.contains(&sign)), "{name:?}");
        }
    }
}
