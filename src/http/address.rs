//! The address of a request in its one form: without a slash at the end, with the id of a match in lower
//! case, and without needless escapes. A redirect would cost a round trip, and lose the body of a POST in
//! some clients.

use std::borrow::Cow;

use actix_web::dev::ServiceRequest;
use actix_web::http::Uri;
use uuid::Uuid;

use super::OF_A_MATCH;

/// The length of a match id.
const ID: usize = 36;

/// Brings the address of a request into its one form, before anything looks at it: routes, metrics, the
/// handlers, and the hash of a request with an idempotency key.
pub fn normalise(request: &mut ServiceRequest) {
    let Cow::Owned(path) = normal(request.path()) else { return };
    let target = match request.uri().query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let mut parts = request.uri().clone().into_parts();
    parts.path_and_query = target.parse().ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
}

/// The one form of a path. The page of the document keeps its slash: it is a folder of files.
fn normal(path: &str) -> Cow<'_, str> {
    let path = unescaped(path);
    let shorter = path.strip_suffix('/').filter(|shorter| !shorter.is_empty() && !path.starts_with("/docs/"));
    let path = match shorter {
        Some(shorter) => Cow::Owned(shorter.to_owned()),
        None => path,
    };
    let before = OF_A_MATCH.trim_end_matches("{id}");
    let id = path.strip_prefix(before).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let is_in_capitals =
        id.len() == ID && id.bytes().any(|byte| byte.is_ascii_uppercase()) && Uuid::try_parse(id).is_ok();
    if !is_in_capitals {
        return path;
    }
    let rest = path.get(before.len() + ID..).unwrap_or_default();
    Cow::Owned([before, &id.to_ascii_lowercase(), rest].concat())
}

/// A path without the escapes that need not be there: `%30` is `0` (RFC 3986, 6.2.2.2).
fn unescaped(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut parts = path.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escaped = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).map(char::from);
        match escaped.filter(|sign| sign.is_ascii_alphanumeric() || "-._~".contains(*sign)) {
            Some(sign) => plain.extend([sign.to_string().as_str(), part.get(2..).unwrap_or_default()]),
            None => plain.extend(["%", part]),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_that_need_not_be_there_is_dropped() {
        for (path, plain) in [
            (
                "/v1/matches/%30%31A20082-5925-720E-A587-EBD95C5E0B8F",
                "/v1/matches/01a20082-5925-720e-a587-ebd95c5e0b8f",
            ),
            ("/v1/m%61tches%2f%7E/", "/v1/matches%2f~"),
            ("/%2530/%/%3/%zz/%é/%+1", "/%2530/%/%3/%zz/%é/%+1"),
        ] {
            assert_eq!(normal(path), plain);
        }
    }

    #[test]
    fn a_slash_at_the_end_and_capitals_in_an_id_are_dropped() {
        const ID: &str = "/v1/matches/01a20082-5925-720e-a587-ebd95c5e0b8f";
        let capitals = "/v1/matches/01A20082-5925-720E-a587-EBD95C5E0B8F";
        for (path, one) in [
            ("/v1/matches/", "/v1/matches"),
            ("/healthz/", "/healthz"),
            (&format!("{ID}/"), ID),
            (capitals, ID),
            (&format!("{capitals}/"), ID),
            (&format!("{capitals}/balls/"), &format!("{ID}/balls")),
            (&format!("{capitals}/tokens/HOME/rotate"), &format!("{ID}/tokens/HOME/rotate")),
        ] {
            assert_eq!(normal(path), one);
        }
        for path in [
            "/",
            "*",
            "/v1/matches",
            ID,
            "/docs/",
            "/docs/index.html/",
            "/v1/matches/01A2008259257",
            "/v1/matches/01A20082592525720EAA587AEBD95C5E0B8F",
            "/v1/matches/NOT-AN-ID-BUT-AS-LONG-AS-ONE-IS-HERE",
            "/v1/editions/01A20082-5925-720E-A587-EBD95C5E0B8F",
        ] {
            assert!(matches!(normal(path), Cow::Borrowed(same) if same == path), "{path}");
        }
        assert_eq!(normal("//"), "/", "one slash is dropped, and no more");
    }
}
