//! Entity tags of a match: `"HASH.FORM"`, where HASH is the hash of an event and FORM is the form of what the
//! service answers. A version that answers in another form has other tags, so that no client keeps an answer
//! of the version before. After the form stands what distinguishes answers as of one event, as in
//! `"HASH.FORM-scorer"`.

use crate::log::is_hash;
use crate::views::FORM;

/// The digits of a hash.
const DIGITS: usize = 64;

/// The error of a text that is not an entity tag.
#[derive(Debug, PartialEq, Eq)]
pub struct NotATag;

/// The tag of an answer about a match as of the event with this hash.
pub fn of_event(hash: &str) -> String {
    format!("{hash}.{FORM}")
}

/// The tag of one of several answers about a match as of the event with this hash.
pub fn of_variant(hash: &str, variant: &str) -> String {
    format!("{hash}.{FORM}-{variant}")
}

/// Reads an entity tag that a client sends into the hash of its event; `None` if it is the tag of something
/// else. Only the 64 digits count: the form, and the rest after it, say nothing about the match. A proxy
/// may have made the tag weak.
pub fn hash_in(tag: &str) -> Result<Option<&str>, NotATag> {
    let tag = tag.trim();
    let strong = tag.strip_prefix("W/").unwrap_or(tag);
    let inside = strong.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(NotATag)?;
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let hash = inside.split_at_checked(DIGITS).filter(|(hash, rest)| is_hash(hash) && ends(rest));
    Ok(hash.map(|(hash, _)| hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_into_its_hash_whatever_follows() {
        let hash = "0123456789abcdef".repeat(4);
        let own = [of_event(&hash), of_variant(&hash, "scorer"), of_variant(&hash, &"f0".repeat(32))];
        for inside in own {
            for coding in ["", "-gz", "-br"] {
                for weak in ["", "W/"] {
                    let tag = format!(" {weak}\"{inside}{coding}\" ");
                    assert_eq!(hash_in(&tag), Ok(Some(hash.as_str())), "{tag}");
                }
            }
        }
        for rest in ["", ".0", ".17", "-scorer", "-edition"] {
            assert_eq!(hash_in(&format!("\"{hash}{rest}\"")), Ok(Some(hash.as_str())), "{rest}");
        }
    }

    #[test]
    fn a_tag_of_something_else_has_no_hash_and_other_text_is_no_tag() {
        let hash = "0123456789abcdef".repeat(4);
        let upper = hash.to_uppercase();
        for other in
            ["", "other", &hash[1..], &format!("{hash}0"), &format!("{hash}z"), &upper, &"é".repeat(40)]
        {
            assert_eq!(hash_in(&format!("\"{other}\"")), Ok(None), "{other}");
        }
        for text in
            ["", "\"", hash.as_str(), &format!("\"{hash}"), &format!("{hash}\""), "W/", "w/\"x\"", "'x'"]
        {
            assert_eq!(hash_in(text), Err(NotATag), "{text}");
        }
    }
}
