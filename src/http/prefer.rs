//! What a client prefers: the header `Prefer` of RFC 7240. A preference that is not known, or cannot be
//! read, is passed over.

use std::borrow::Cow;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

/// The header in which a client says what it prefers.
const PREFER: HeaderName = HeaderName::from_static("prefer");
/// The name of that header in the `Vary` of an answer that depends on it.
pub const BY_PREFERENCE: HeaderValue = HeaderValue::from_static("Prefer");
/// The header in which an answer says what it has followed of that.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// What a client prefers to be returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preferred {
    /// As little as possible.
    Minimal,
    /// All that the request has changed.
    Representation,
}

impl Preferred {
    /// What a client prefers; `None` where it says nothing. Where it says several times what is to be
    /// returned, the first counts.
    pub fn of(headers: &HeaderMap) -> Option<Preferred> {
        let mut returned = headers.get_all(PREFER).flat_map(|line| {
            let line = String::from_utf8_lossy(line.as_bytes());
            pieces(&line, ',').filter_map(value_of_return).collect::<Vec<_>>()
        });
        match returned.next()?.as_str() {
            "minimal" => Some(Preferred::Minimal),
            "representation" => Some(Preferred::Representation),
            _ => None,
        }
    }

    /// What an answer that follows the preference says.
    pub fn applied(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Preferred::Minimal => "return=minimal",
            Preferred::Representation => "return=representation",
        })
    }
}

/// The value of the preference `return`, if this is that preference. Its parameters mean nothing.
fn value_of_return(preference: &str) -> Option<String> {
    let without_parameters = pieces(preference, ';').next().unwrap_or_default();
    let (name, value) = without_parameters.split_once('=').unwrap_or((without_parameters, ""));
    name.trim().eq_ignore_ascii_case("return").then(|| word(value.trim()).into_owned())
}

/// A text in pieces. A separator in a quoted string separates nothing.
fn pieces(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |letter| {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        match letter {
            '\\' if is_quoted => is_escaped = !was_escaped,
            '"' if !was_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        letter == separator && !is_quoted
    })
}

/// A word: a token, or the text of a quoted string.
fn word(text: &str) -> Cow<'_, str> {
    let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.into();
    };
    let mut letters = quoted.chars();
    std::iter::from_fn(|| letters.next().and_then(|one| if one == '\\' { letters.next() } else { Some(one) }))
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preferred(lines: &[&str]) -> Option<Preferred> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(PREFER, HeaderValue::from_bytes(line.as_bytes()).expect("a header"));
        }
        Preferred::of(&headers)
    }

    /// Asserts that each of these, the lines of a header, prefers this.
    #[track_caller]
    fn each_prefers(due: Option<Preferred>, all: &[&[&str]]) {
        for lines in all {
            assert_eq!(preferred(lines), due, "{lines:?}");
        }
    }

    #[test]
    fn a_representation_is_preferred_in_every_way_that_the_grammar_has() {
        let all: &[&[&str]] = &[
            &["return=representation"],
            &["RETURN=representation"],
            &["return = representation"],
            &["\treturn=representation ; foo; bar=\"x, return=minimal\" "],
            &["return=\"representation\""],
            &["return=\"represent\\ation\""],
            &["respond-async, wait=10;x=\"a;b\", return=representation"],
            &["wait=10", "handling=lenient,return=representation"],
            &[",, ,return=representation,"],
            &["foo=\"a \\\" , return=minimal\", return=representation"],
            &["foo=\"\\\\\", return=representation"],
            &["foo=é, return=representation"],
            &["return=representation, return=minimal"],
        ];
        each_prefers(Some(Preferred::Representation), all);
    }

    #[test]
    fn little_is_preferred_in_every_way_that_the_grammar_has() {
        let all: &[&[&str]] = &[
            &["return=minimal"],
            &["respond-async, Return = \"minimal\"; x=y"],
            &["return=minimal, return=representation"],
            &["return=minimal", "return=representation"],
        ];
        each_prefers(Some(Preferred::Minimal), all);
    }

    #[test]
    fn nothing_else_is_a_preference_of_what_is_returned() {
        let all: &[&[&str]] = &[
            &[],
            &[""],
            &["return"],
            &["return="],
            &["return=Representation"],
            &["return=MINIMAL"],
            &["return=none, return=minimal"],
            &["return", "return=representation"],
            &["representation"],
            &["return representation"],
            &["returns=representation"],
            &["return=representation=1"],
            &["\"return\"=representation"],
            &["return=\"representation"],
            &["return='representation'"],
            &["foo; return=representation"],
            &["foo=\", return=representation\""],
            &["foo=\", return=representation"],
            &["foo=\"\\\", return=representation"],
        ];
        each_prefers(None, all);
    }
}
