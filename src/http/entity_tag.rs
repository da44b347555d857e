//! Entity tags. That of a match is `"HASH.FORM"`, where HASH is the hash of an event and FORM is the form of
//! what the service answers. A version that answers in another form has other tags, so that no client keeps
//! an answer of the version before. After the form stands what distinguishes answers as of one event, as in
//! `"HASH.FORM-scorer"`. The last is the coding of the representation, as in `"HASH.FORM-gz"`: two
//! representations of one thing differ in their bytes, so a strong tag may not stand for both.

use actix_web::http::header::{HeaderMap, IF_NONE_MATCH};

use super::coding::Coding;
use crate::log::given_hash;
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
/// may have made the tag weak, and a tool may have written the digits in capitals.
pub fn hash_in(tag: &str) -> Result<Option<String>, NotATag> {
    let tag = tag.trim();
    let strong = tag.strip_prefix("W/").unwrap_or(tag);
    let inside = strong.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(NotATag)?;
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let split = inside.split_at_checked(DIGITS).filter(|(_, rest)| ends(rest));
    Ok(split.and_then(|(hash, _)| given_hash(hash)))
}

/// The tag of the representation in this coding, of the thing with this tag. Both are without quotes.
pub fn coded(tag: &str, coding: Coding) -> String {
    format!("{tag}{}", coding.tag_suffix())
}

/// A tag without its coding, and the coding if it has one. Both tags are without quotes.
pub fn without_coding(tag: &str) -> (&str, Option<Coding>) {
    let coded =
        Coding::ALL.into_iter().find_map(|coding| Some((tag.strip_suffix(coding.tag_suffix())?, coding)));
    coded.map_or((tag, None), |(tag, coding)| (tag, Some(coding)))
}

/// The tag, in quotes, of a representation that the client has already and can read, of the thing with this
/// tag; none if `If-None-Match` names no such representation.
pub fn known(headers: &HeaderMap, tag: &str) -> Option<String> {
    let lines = headers.get_all(IF_NONE_MATCH).filter_map(|line| line.to_str().ok());
    // Proxies make a tag weak (`W/`) when they compress the answer themselves.
    let mut listed = lines.flat_map(|line| line.split(',')).map(|one| one.trim().trim_start_matches("W/"));
    listed.find_map(|one| {
        if one == "*" {
            return Some(quoted(tag));
        }
        // No tag of ours has capitals.
        let one = one.to_ascii_lowercase();
        let (of, coding) = without_coding(one.strip_prefix('"')?.strip_suffix('"')?);
        let is_known = of == tag && coding.is_none_or(|coding| coding.is_accepted(headers));
        is_known.then_some(one)
    })
}

/// An entity tag in its quotes.
pub fn quoted(tag: &str) -> String {
    format!("\"{tag}\"")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ACCEPT_ENCODING, HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn a_tag_is_read_into_its_hash_whatever_follows() {
        let hash = "0123456789abcdef".repeat(4);
        let own = [of_event(&hash), of_variant(&hash, "scorer"), of_variant(&hash, &"f0".repeat(32))];
        for inside in own {
            for coding in ["", "-gz", "-br"] {
                for weak in ["", "W/"] {
                    let tag = format!(" {weak}\"{inside}{coding}\" ");
                    assert_eq!(hash_in(&tag), Ok(Some(hash.clone())), "{tag}");
                    assert_eq!(hash_in(&tag.replace('f', "F")), Ok(Some(hash.clone())), "{tag}");
                }
            }
        }
        for rest in ["", ".0", ".17", "-scorer", "-edition"] {
            assert_eq!(hash_in(&format!("\"{hash}{rest}\"")), Ok(Some(hash.clone())), "{rest}");
        }
    }

    #[test]
    fn a_tag_of_something_else_has_no_hash_and_other_text_is_no_tag() {
        let hash = "0123456789abcdef".repeat(4);
        for other in ["", "other", &hash[1..], &format!("{hash}0"), &format!("{hash}z"), &"é".repeat(40)] {
            assert_eq!(hash_in(&format!("\"{other}\"")), Ok(None), "{other}");
        }
        for text in
            ["", "\"", hash.as_str(), &format!("\"{hash}"), &format!("{hash}\""), "W/", "w/\"x\"", "'x'"]
        {
            assert_eq!(hash_in(text), Err(NotATag), "{text}");
        }
    }

    #[test]
    fn a_coding_is_put_on_a_tag_and_taken_off_again() {
        for tag in ["abc", "abc.2", "abc.2-scorer", "abc-edition", ""] {
            assert_eq!(without_coding(tag), (tag, None));
            for coding in Coding::ALL {
                assert_eq!(without_coding(&coded(tag, coding)), (tag, Some(coding)));
            }
        }
        assert_eq!([Coding::Gzip, Coding::Brotli].map(|coding| coded("a", coding)), ["a-gz", "a-br"]);
    }

    /// The tag that a client with these headers knows, of the thing with the tag `a-home`.
    fn known_by(accepts: &'static str, lines: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        let mut add = |name: HeaderName, value| headers.append(name, HeaderValue::from_static(value));
        add(ACCEPT_ENCODING, accepts);
        lines.iter().for_each(|line| add(IF_NONE_MATCH, line));
        known(&headers, "a-home")
    }

    #[test]
    fn a_client_knows_each_representation_that_it_can_read() {
        for (accepts, lines, tag) in [
            ("", &["\"a-home\""][..], Some("\"a-home\"")),
            ("gzip", &["\"a-home-gz\""], Some("\"a-home-gz\"")),
            ("br", &["W/\"a-home-br\""], Some("\"a-home-br\"")),
            ("gzip", &["\"x\", \"a-home-br\"", "\"y\" ,\"a-home-gz\""], Some("\"a-home-gz\"")),
            ("gzip", &["*"], Some("\"a-home\"")),
            ("gzip", &["W/\"A-home-gz\""], Some("\"a-home-gz\"")),
            ("gzip", &["\"a-home-br\""], None),
            ("gzip;q=0", &["\"a-home-gz\""], None),
            ("gzip", &["\"a-gz\"", "\"a\"", "a-home", "\"a-home", "\"a-home-gz-gz\"", ""], None),
            ("gzip", &[], None),
        ] {
            assert_eq!(known_by(accepts, lines).as_deref(), tag, "{accepts} {lines:?}");
        }
    }
}
