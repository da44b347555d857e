//! Reading requests: their ids, queries, headers and tokens, each refused with a problem that names the part
//! at fault.

mod query;

use std::str::FromStr;

use actix_web::http::header::{AUTHORIZATION, IF_MATCH};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev};
use sha2::{Digest, Sha256};

pub use self::query::query;
use super::AppState;
use super::entity_tag::{self, NotATag};
use super::table::NetworkTable;
use crate::commands::{IdempotencyKey, Problem, ProblemType, VerifiedToken};
use crate::log::{Actor, MatchId, Role};

const LONGEST_KEY: usize = 255;

/// The match id in the path, which is in lower case by now.
pub struct MatchPath(pub MatchId);

impl FromRequest for MatchPath {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut dev::Payload) -> Self::Future {
        let text = request.match_info().get("id").unwrap_or_default();
        let canonical = MatchId::try_parse(text).ok().filter(|id| id.to_string() == text);
        std::future::ready(canonical.map(MatchPath).ok_or_else(|| {
            Problem::at(ProblemType::MalformedId, "path.id", "a match id is a UUID with hyphens")
        }))
    }
}

/// The hashes in `If-Match`; `None` where any head is accepted.
pub fn if_match(request: &HttpRequest) -> Result<Option<Vec<String>>, Problem> {
    let Some(value) = request.headers().get(IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let hashes: Result<Vec<Option<String>>, NotATag> = text.split(',').map(entity_tag::hash_in).collect();
    let hashes = hashes.map_err(|NotATag| {
        let message = "is the head's hash in double quotes, as in \"HASH\", or an ETag of the match";
        Problem::header("If-Match", message)
    })?;
    // The tag of something else matches no head.
    Ok(Some(hashes.into_iter().flatten().collect()))
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

/// The token of a request that rotates the token of a role: a verified one, or the way back.
pub async fn rotating_token(
    request: &HttpRequest,
    service: &AppState,
    match_id: MatchId,
    role: Role,
) -> Result<VerifiedToken, Problem> {
    let token = service.matches.rotating(match_id, role, &token_hash(bearer(request)?)).await?;
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

/// Refuses an idempotency key, with the reason why the request takes none.
pub fn no_key(request: &HttpRequest, why: &str) -> Result<(), Problem> {
    match request.headers().contains_key("Idempotency-Key") {
        true => Err(Problem::header("Idempotency-Key", why)),
        false => Ok(()),
    }
}

/// The reason why a request takes no idempotency key whose answer holds tokens of the service.
pub const SHOWN_ONCE: &str =
    "goes with token_sha256 here: a token that the service makes cannot be shown twice";

/// Whether a request has the admin token.
pub fn is_admin(request: &HttpRequest, service: &AppState) -> bool {
    let token = bearer(request).ok().map(token_hash);
    service.admin_token.is_some() && token == service.admin_token
}

/// Whether a request to a table shows the table's key. A request without a token does not, and another token
/// is refused.
pub fn shows_key(request: &HttpRequest, service: &AppState, table: &NetworkTable) -> Result<bool, Problem> {
    if !request.headers().contains_key(AUTHORIZATION) {
        return Ok(false);
    }
    bearer(request)?;
    if is_admin(request, service) { Ok(true) } else { Err(not_the_key(table)) }
}

/// The refusal of a token that is not the key of the table.
fn not_the_key(table: &NetworkTable) -> Problem {
    refused(&format!("this is not {}", table.key_in_words()))
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
        match &service.table {
            None => Err(refused("creating a match needs the admin token")),
            Some(table) => Err(not_the_key(table)),
        }
    }
}
