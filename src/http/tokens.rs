//! Tokens over HTTP: an invite is exchanged for a token, a token is replaced by a new one, and the scorer
//! offers the scoring by an invite.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::AppState;
use super::body::{self, Body};
use super::request::{self, MatchPath};
use super::response;
use crate::commands::{
    Command, CommandRequest, IdempotencyKey, Problem, ProblemType, TokenHash, VerifiedToken,
};
use crate::log::{Actor, EventData, Head, MatchId, Role};
use crate::scorebook::Side;
use crate::service::{Appended, Invited, IssuedBy, ServiceError, TokenIssue};

/// An invite to be exchanged for a token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimBody {
    /// The side's invite, which the creation of the match returned, or an invite to take over the scoring.
    pub invite: String,
    /// The SHA-256 of the token that the client has made for itself, in 64 hexadecimal digits. The
    /// answer then holds no token, and an `Idempotency-Key` is taken.
    #[schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$")]
    pub token_sha256: Option<TokenHash>,
}

/// A token to be replaced. An empty body is enough.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateBody {
    /// The SHA-256 of the token that the client has made for itself, in 64 hexadecimal digits. The
    /// answer then holds no token, and an `Idempotency-Key` is taken. Digits that begin with 32 zeros are the
    /// hash of nobody's token: the right ends.
    #[schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$")]
    pub token_sha256: Option<TokenHash>,
}

/// A side's own token, which is shown only once.
#[derive(Serialize, ToSchema)]
pub struct ClaimedSide {
    /// The side that was claimed.
    pub side: Side,
    /// The side's token.
    pub token: String,
    /// The last event and its hash.
    pub head: Head,
}

/// A token that replaces another. It is shown only once.
#[derive(Serialize, ToSchema)]
pub struct RotatedToken {
    /// The role of the token.
    pub role: Role,
    /// The new token.
    pub token: String,
    /// The last event and its hash.
    pub head: Head,
}

/// A token that its holder has made, and that the match has taken in.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedToken {
    /// The role of the token.
    pub role: Role,
    /// The event that issued the token, and its hash.
    pub head: Head,
}

/// The answer to a claim: the side with a token of the service, or the role of the client's own token.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ClaimAnswer {
    /// The service has made the token.
    Made(ClaimedSide),
    /// The client has made the token.
    Accepted(AcceptedToken),
}

/// The answer to a rotation: a token of the service, or the role of the client's own token.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum RotateAnswer {
    /// The service has made the token.
    Made(RotatedToken),
    /// The client has made the token.
    Accepted(AcceptedToken),
}

/// Claim a side with its invite, or take over the scoring with a scoring invite. An invite works once, and
/// gives the token with which the side chooses for itself, or the scorer's. Taking over needs
/// `token_sha256`. With `token_sha256` the request can be sent again.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/claim", operation_id = "claim_side", tag = "sides",
    request_body = ClaimBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "A key for retries, only with `token_sha256`")),
    responses((status = 201, description = "Claimed", body = ClaimAnswer,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn claim(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let (ClaimBody { invite, token_sha256 }, bytes) = body::json(&http, payload).await?;
    let new = NewToken::of(&http, token_sha256, &bytes)?;
    let issue = new.issue(path.0, IssuedBy::Claim);
    let invited = match service.matches.invited(path.0, &request::token_hash(&invite)).await {
        Ok(invited) => invited,
        Err(refused) => {
            let first = match &issue {
                Some(issue) if is_of_invite(&refused) => service.matches.issued(issue).await?,
                _ => None,
            };
            return first.map_or_else(
                || Err(refused_invite(refused)),
                |first| accepted(&first, ClaimAnswer::Accepted),
            );
        }
    };
    let token = new.hash().to_owned();
    let (actor, verified, command) = match &invited {
        Invited::Side(side) => (Actor::from(*side), None, Command::Claim { side: *side, token }),
        Invited::Scorer(invite) => {
            let command = Command::RotateToken { role: Role::Scorer, token };
            (Actor::Scorer, Some(invite.clone()), command)
        }
    };
    if let (Invited::Scorer(_), NewToken::Made { .. }) = (&invited, &new) {
        let message = "who takes over the scoring sends token_sha256, the hash of a token of their own";
        return Err(Problem::at(ProblemType::NeedsInput, "body.token_sha256", message));
    }
    let appended = append(&service, &http, path, actor, verified, command, issue.as_ref()).await?;
    match (new, invited) {
        (NewToken::Made { token, .. }, Invited::Side(side)) => {
            let head = appended.loaded.head().clone();
            let claimed = ClaimedSide { side, token, head };
            response::created_with_token(&appended.loaded, &ClaimAnswer::Made(claimed))
        }
        (NewToken::Given { .. } | NewToken::Made { .. }, _) => accepted(&appended, ClaimAnswer::Accepted),
    }
}

/// Whether an invite is refused as what it is, so that the claim may have been made before.
fn is_of_invite(refused: &ServiceError) -> bool {
    matches!(
        refused,
        ServiceError::TokenUnknown
            | ServiceError::ScoringInviteUsed
            | ServiceError::ScoringInviteOld(_)
            | ServiceError::ScoringInviteStopped
    )
}

fn refused_invite(refused: ServiceError) -> Problem {
    match refused {
        ServiceError::TokenUnknown => {
            Problem::at(ProblemType::TokenRefused, "body.invite", "this is not an invite of this match")
        }
        other => other.into(),
    }
}

/// An invite with which another phone takes over the scoring.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferBody {
    /// The SHA-256 of the invite that the client has made, in 64 hexadecimal digits.
    #[schema(value_type = String, pattern = "^[0-9A-Fa-f]{64}$")]
    pub invite_sha256: TokenHash,
}

/// A scoring invite that was taken in.
#[derive(Serialize, ToSchema)]
pub struct OfferedScoring {
    /// The time at which the invite ends, in UTC, unless it is used or stopped before.
    pub ends_at: String,
}

/// Offer the scoring to whoever gets an invite: `POST .../tokens/claim` with it replaces the scorer's token,
/// once, within ten minutes. Another invite takes the place of this one; the same is answered as the first.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/scorer/invite", operation_id = "offer_scoring", tag = "sides",
    request_body = OfferBody,
    responses((status = 201, description = "Offered", body = OfferedScoring)),
    security(("scorer" = []), ("admin" = []))
)]
pub async fn offer(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    request::no_key(&http, "is not needed here: the hash in the body tells a repeat")?;
    let by = giver(&service, &http, &path).await?;
    let (OfferBody { invite_sha256 }, _) = body::json(&http, payload).await?;
    let offered = service.matches.offer_scoring(path.0, by, &invite_sha256).await;
    let ends_at =
        offered.map_err(|error| Problem::from(error).instead("body.token_sha256", "body.invite_sha256"))?;
    let ends_at = ends_at.to_rfc3339_opts(SecondsFormat::Millis, true);
    Ok(HttpResponse::Created()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(response::text(&OfferedScoring { ends_at })?))
}

/// Stop offering the scoring: the invite opens nothing any more. It is no fault if none stands.
#[utoipa::path(
    delete, path = "/v1/matches/{id}/tokens/scorer/invite", operation_id = "stop_offering", tag = "sides",
    responses((status = 204, description = "No invite stands")),
    security(("scorer" = []), ("admin" = []))
)]
pub async fn stop(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let by = giver(&service, &http, &path).await?;
    service.matches.stop_offering(path.0, by).await?;
    Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish())
}

/// Who may hand over the scoring: the scorer, whose token is returned, or the admin.
async fn giver(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<Option<VerifiedToken>, Problem> {
    if request::is_admin(http, service) {
        return Ok(None);
    }
    let token = request::verified_token(http, service, path.0).await?;
    if token.role == Role::Scorer {
        return Ok(Some(token));
    }
    let message = "the scoring is handed over by the scorer, or by the admin";
    Err(Problem::at(ProblemType::TokenRefused, "header.Authorization", message))
}

/// Replace a token, so that the old one is not valid any more. Its holder and the admin may do so, and the
/// scorer except in remote play. With `token_sha256` the request can be sent again, with either token.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/{role}/rotate", operation_id = "rotate_token", tag = "sides",
    params(("role" = String, Path, description = "`scorer|home|away|umpire`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A key for retries, only with `token_sha256`")),
    request_body = RotateBody,
    responses((status = 201, description = "Replaced", body = RotateAnswer,
        headers(("ETag" = String, description = "The head's hash, a dot and the form")))),
    security(("scorer" = []), ("side" = []), ("admin" = []))
)]
pub async fn rotate(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let role = role_in_path(&http)?;
    let shown = match request::is_admin(&http, &service) {
        true => Ok(None),
        false => request::rotating_token(&http, &service, path.0, role).await.map(Some),
    };
    // A replaced token may come with a request that is sent again.
    let shown = match shown {
        Err(problem) if problem.kind() != ProblemType::TokenRefused => return Err(problem),
        shown => shown,
    };
    let (body, shown) = match (body::json::<RotateBody>(&http, payload).await, shown) {
        // Of two faults, that of the token is told.
        (Err(_), Err(refused)) => return Err(refused),
        (body, shown) => (body?, shown),
    };
    let (RotateBody { token_sha256 }, bytes) = body;
    let new = NewToken::of(&http, token_sha256, &bytes)?;
    let issue = new.issue(path.0, IssuedBy::Rotation(role));
    let verified = match shown {
        Ok(verified) => verified,
        Err(problem) => {
            let first = match &issue {
                Some(issue) => service.matches.issued(issue).await?,
                None => None,
            };
            return accepted(&first.ok_or(problem)?, RotateAnswer::Accepted);
        }
    };
    let actor = verified.as_ref().map_or(Actor::Admin, |token| Actor::from(token.role));
    let command = Command::RotateToken { role, token: new.hash().to_owned() };
    let appended = append(&service, &http, path, actor, verified, command, issue.as_ref()).await?;
    match new {
        NewToken::Made { token, .. } => {
            let head = appended.loaded.head().clone();
            let rotated = RotatedToken { role, token, head };
            response::created_with_token(&appended.loaded, &RotateAnswer::Made(rotated))
        }
        NewToken::Given { .. } => accepted(&appended, RotateAnswer::Accepted),
    }
}

/// The role in the path.
fn role_in_path(http: &HttpRequest) -> Result<Role, Problem> {
    let named = http.match_info().get("role").unwrap_or_default();
    Role::ALL.into_iter().find(|role| role.as_str() == named).ok_or_else(|| {
        let message = format!("there is no role {named:?}; the roles are scorer, home, away, umpire");
        Problem::at(ProblemType::NoSuchToken, "path.role", message)
    })
}

/// The new token that a request asks for.
enum NewToken {
    /// A token of the service, which the answer shows once.
    Made { token: String, hash: String },
    /// A token of the client, of which the request has the hash. Such a request can be sent again.
    Given { hash: String, key: Option<IdempotencyKey> },
}

impl NewToken {
    /// The token of which the client gives the hash, or a new one.
    fn of(http: &HttpRequest, given: Option<TokenHash>, body: &Body) -> Result<NewToken, Problem> {
        let Some(hash) = given else {
            request::no_key(http, request::SHOWN_ONCE)?;
            let (token, hash) = request::new_token()?;
            return Ok(NewToken::Made { token, hash });
        };
        Ok(NewToken::Given { hash: hash.as_str().to_owned(), key: request::key(http, body)? })
    }

    fn hash(&self) -> &str {
        match self {
            NewToken::Made { hash, .. } | NewToken::Given { hash, .. } => hash,
        }
    }

    /// The issue of a token of the client.
    fn issue(&self, match_id: MatchId, by: IssuedBy) -> Option<TokenIssue> {
        match self {
            NewToken::Made { .. } => None,
            NewToken::Given { hash, key } => {
                Some(TokenIssue { match_id, by, hash: hash.clone(), key: key.clone() })
            }
        }
    }
}

/// The response 201 to a request with the hash of a token.
fn accepted<Answer: Serialize>(
    issued: &Appended,
    answer: impl FnOnce(AcceptedToken) -> Answer,
) -> Result<HttpResponse, Problem> {
    let role = issued.entries.iter().find_map(|entry| match entry.read().ok()?.data {
        EventData::SideClaimed(claimed) => Some(Role::from(claimed.side)),
        EventData::TokenRotated(rotated) => Some(rotated.role),
        _ => None,
    });
    let role = role.ok_or_else(|| Problem::new(ProblemType::Internal, "the event issues no token"))?;
    let head = issued.loaded.head().clone();
    response::created_with_token(&issued.loaded, &answer(AcceptedToken { role, head }))
}

async fn append(
    service: &AppState,
    http: &HttpRequest,
    path: MatchPath,
    actor: Actor,
    token: Option<VerifiedToken>,
    command: Command,
    issue: Option<&TokenIssue>,
) -> Result<Appended, Problem> {
    let if_match = request::if_match(http)?;
    let key = issue.and_then(|issue| issue.key.clone());
    let request = CommandRequest { match_id: path.0, actor, token, command, if_match, key };
    Ok(match issue {
        Some(issue) => service.matches.issue(issue, &request).await?,
        None => service.matches.submit(&request).await?,
    })
}
