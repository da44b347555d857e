//! Reading requests: their ids, queries, headers, bodies and tokens, each refused with a problem that names
//! the part at fault.

mod query;

use std::str::FromStr;

use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE, IF_MATCH};
use actix_web::web::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

pub use self::query::query;
use super::AppState;
use super::body::{self, Body};
use crate::commands::{IdempotencyKey, Problem, ProblemType, TokenRow, VerifiedToken};
use crate::log::{Actor, MOST_VALUES_OF_EVENT, MatchId, NotPlain, Role, plain_json};

/// The most bytes of a body, except a match log to be audited.
pub const BODY_LIMIT: usize = 1 << 20;
/// The most bytes of a match log to be audited.
pub const LOG_LIMIT: usize = 32 << 20;
const LONGEST_KEY: usize = 255;

/// The match id in the path.
pub struct MatchPath(pub MatchId);

impl FromRequest for MatchPath {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut dev::Payload) -> Self::Future {
        let text = request.match_info().get("id").unwrap_or_default();
        let canonical = MatchId::try_parse(text).ok().filter(|id| id.to_string() == text);
        std::future::ready(canonical.map(MatchPath).ok_or_else(|| {
            Problem::at(
                ProblemType::MalformedId,
                "path.id",
                "a match id is a UUID in lower case, with hyphens",
            )
        }))
    }
}

/// A JSON body: its value and its bytes. An empty body is an empty object. The memory for both is held until
/// the request ends.
pub async fn json<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
) -> Result<(T, Body), Problem> {
    let mut body = body::read(request, payload, BODY_LIMIT).await?;
    if body.is_empty() {
        return Ok((read(b"{}")?, body));
    }
    is_json(request)?;
    // A body becomes at most one event's data, so it may not have more values than an event.
    body.share.take_for_values(plain(&body, MOST_VALUES_OF_EVENT)?)?;
    body.share.take(body.len())?;
    let value = read(&body)?;
    request.extensions_mut().insert(body.share.move_out());
    Ok((value, body))
}

/// Refuses a body with a `Content-Type` other than JSON.
pub fn is_json(request: &HttpRequest) -> Result<(), Problem> {
    let media_type =
        request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let message = format!("the body must be application/json, not {essence:?}");
        return Err(Problem::at(ProblemType::UnsupportedMediaType, "header.Content-Type", message));
    }
    Ok(())
}

/// The number of values in a JSON text. A text that is not JSON or has more than `most` values is refused.
pub fn plain(body: &[u8], most: usize) -> Result<usize, Problem> {
    plain_json(body, most).map_err(|fault| match fault {
        NotPlain::Json(_) => Problem::at(ProblemType::MalformedJson, "body", format!("the body {fault}")),
        NotPlain::TooMany(most) => Problem::at(
            ProblemType::BodyTooLarge,
            "body",
            format!("a body here has at most {most} JSON values"),
        ),
    })
}

/// Reads a JSON object. A body that is not JSON at all was refused before.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::at(ProblemType::IllegalInput, "body", "the body must be a JSON object"));
    }
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(body)).map_err(|error| {
        let path = error.path().to_string();
        let location = if path == "." { "body".to_owned() } else { format!("body.{path}") };
        // The line and column are cut off: the path says the same.
        let fault = error.into_inner();
        let (text, place) =
            (fault.to_string(), format!(" at line {} column {}", fault.line(), fault.column()));
        let message = text.strip_suffix(&place).unwrap_or(&text);
        let missing = message.starts_with("missing field");
        Problem::at(
            if missing { ProblemType::NeedsInput } else { ProblemType::IllegalInput },
            location,
            message,
        )
    })
}

/// The hashes in `If-Match`; `None` where any head is accepted.
pub fn if_match(request: &HttpRequest) -> Result<Option<Vec<String>>, Problem> {
    let Some(value) = request.headers().get(IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    // The tag of a match as a token's holder sees it is the hash, a hyphen and the role.
    let head = |tag: &str| tag.split('-').next().unwrap_or_default().to_owned();
    let tag = |tag: &str| tag.trim().strip_prefix('"')?.strip_suffix('"').map(head);
    let tags: Option<Vec<String>> = text.split(',').map(tag).collect();
    tags.map(Some)
        .ok_or_else(|| Problem::header("If-Match", "is a head hash in double quotes, as ETag gives it"))
}

/// The idempotency key of a request, with the hash of its path and body.
pub fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = request.headers().get("Idempotency-Key") else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        let message = format!("is 1 to {LONGEST_KEY} visible ASCII characters");
        return Err(Problem::header("Idempotency-Key", message));
    }
    let mut hash = Sha256::new();
    hash.update(request.path().as_bytes());
    hash.update([0]);
    hash.update(body);
    Ok(Some(IdempotencyKey { key: key.to_owned(), request: hex::encode(hash.finalize()) }))
}

/// 64 random hexadecimal digits from the operating system.
pub fn random_hex() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| Problem::new(ProblemType::Internal, "the operating system gives no random bytes"))?;
    Ok(hex::encode(bytes))
}

/// A new token: the text for its holder, and the hash for the store.
pub fn new_token() -> Result<(String, String), Problem> {
    let token = format!("tu_{}", random_hex()?);
    let hash = token_hash(&token);
    Ok((token, hash))
}

/// The hash of a token, which is all that the store keeps of it.
pub fn token_hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

/// The tokens of a new match: the scorer's, and an invite for each side.
pub struct NewTokens {
    /// The scorer's token.
    pub scorer: String,
    /// The home side's invite.
    pub home: String,
    /// The away side's invite.
    pub away: String,
    /// The hashes of the tokens, for the store.
    pub rows: Vec<TokenRow>,
}

impl NewTokens {
    /// Makes new random tokens.
    pub fn make() -> Result<NewTokens, Problem> {
        let mut rows = Vec::new();
        let mut make = |role, invite| {
            let (token, hash) = new_token()?;
            rows.push(TokenRow { role, invite, hash });
            Ok::<_, Problem>(token)
        };
        let (scorer, home, away) =
            (make(Role::Scorer, false)?, make(Role::Home, true)?, make(Role::Away, true)?);
        Ok(NewTokens { scorer, home, away, rows })
    }
}

/// The bearer token of a request.
pub fn bearer(request: &HttpRequest) -> Result<&str, Problem> {
    let missing = || {
        let message = "send the token as `Authorization: Bearer <token>`";
        Problem::at(ProblemType::TokenMissing, "header.Authorization", message)
    };
    let value = request.headers().get(AUTHORIZATION).ok_or_else(missing)?;
    let (scheme, token) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(missing)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(missing()) }
}

fn refused(message: &str) -> Problem {
    Problem::at(ProblemType::TokenRefused, "header.Authorization", message)
}

/// The mark of a request with a valid token of its match, or the admin's.
pub struct TokenShown;

/// The verified token of a request for a match.
pub async fn verified_token(
    request: &HttpRequest,
    service: &AppState,
    match_id: MatchId,
) -> Result<VerifiedToken, Problem> {
    let token = service.matches.authenticate(match_id, &token_hash(bearer(request)?)).await?;
    request.extensions_mut().insert(TokenShown);
    Ok(token)
}

/// The number in the path at `name`; the message of a problem begins with `expected`.
pub fn number<N: FromStr>(request: &HttpRequest, name: &str, expected: &str) -> Result<N, Problem> {
    let text = request.match_info().get(name).unwrap_or_default();
    text.parse().map_err(|_| {
        let message = format!("{expected}, 1 or more, not {text:?}");
        Problem::at(ProblemType::InvalidParameter, format!("path.{name}"), message)
    })
}

/// Refuses an idempotency key where the answer holds tokens, which cannot be shown twice.
pub fn no_key(request: &HttpRequest) -> Result<(), Problem> {
    if request.headers().contains_key("Idempotency-Key") {
        return Err(Problem::header(
            "Idempotency-Key",
            "is not supported here: tokens cannot be shown twice",
        ));
    }
    Ok(())
}

/// Whether a request has the admin token.
pub fn is_admin(request: &HttpRequest, service: &AppState) -> bool {
    let token = bearer(request).ok().map(token_hash);
    service.admin_token.is_some() && token == service.admin_token
}

/// The actor that creates a match: the admin where the service has an admin token, otherwise the scorer.
pub fn creator(request: &HttpRequest, service: &AppState) -> Result<Actor, Problem> {
    if service.admin_token.is_none() {
        return Ok(Actor::Scorer);
    }
    bearer(request)?;
    if is_admin(request, service) {
        request.extensions_mut().insert(TokenShown);
        Ok(Actor::Admin)
    } else {
        Err(refused("creating a match needs the admin token"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bodies::AbandonmentBody;

    #[test]
    fn a_fault_in_a_body_is_told_in_full_and_without_its_line() {
        for (body, location, message) in [
            ("{}", "body", "missing field `reason`"),
            ("{\"reason\": 1}", "body.reason", "invalid type: integer `1`, expected a string"),
            (
                "{\"rain at line 1\": 1}",
                "body.rain at line 1",
                "unknown field `rain at line 1`, expected `reason`",
            ),
            ("[]", "body", "the body must be a JSON object"),
        ] {
            let problem = read::<AbandonmentBody>(body.as_bytes()).expect_err(body);
            let errors = serde_json::to_value(problem.body()).expect("a problem is JSON");
            assert_eq!(errors["errors"], serde_json::json!([{"location": location, "message": message}]));
        }
    }
}
