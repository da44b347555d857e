//! Play over HTTP: set up a match, make the toss, begin overs, bowl balls, abandon a match, and let the
//! service play on. It also holds what all handlers share that turn a request into a command.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::AppState;
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use crate::commands::bodies::{
    AbandonmentBody, AutoplayBody, BallBody, DecisionBody, OverBody, SetUpBody, TossBody,
};
use crate::commands::{Command, CommandRequest, Problem};
use crate::log::{Actor, Head, Role};
use crate::rules::Next;
use crate::service::{Appended, ServiceError};
use crate::store::StoreError;
use crate::views::Score;

/// The result of autoplay.
#[derive(Serialize, ToSchema)]
pub struct AutoplayedBody {
    /// The number of events that were appended.
    pub appended: usize,
    /// The score after them.
    pub score: Score,
    /// What the match waits for now.
    pub next: Next,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
}

/// Submits the command that `command` makes of the body and the role of the token.
pub async fn submit<T: DeserializeOwned>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    choices_at: &str,
    command: impl FnOnce(T, Role) -> Result<Command, Problem>,
) -> Result<Appended, Problem> {
    put(service, &command_request(service, http, path, payload, command).await?, choices_at).await
}

/// Submits a command request; `choices_at` is the place of the choices in the body.
pub async fn put(
    service: &AppState,
    request: &CommandRequest,
    choices_at: &str,
) -> Result<Appended, Problem> {
    service.matches.submit(request).await.map_err(|error| match error {
        // The idempotency key is looked up last: the store may have failed before that.
        ServiceError::Store(fault @ (StoreError::Unavailable(_) | StoreError::Hindered(..)))
            if request.key.is_some() =>
        {
            Problem::from(fault).for_repeated_request()
        }
        other => refused(other, choices_at),
    })
}

/// The command of a request, with its actor and its preconditions.
pub async fn command_request<T: DeserializeOwned>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    payload: Payload,
    command: impl FnOnce(T, Role) -> Result<Command, Problem>,
) -> Result<CommandRequest, Problem> {
    let is_keyed = http.headers().contains_key("Idempotency-Key");
    let of_a_repeat = |problem: Problem| if is_keyed { problem.for_repeated_request() } else { problem };
    let token = request::verified_token(http, service, path.0).await.map_err(of_a_repeat)?;
    let (body, bytes) = request::json::<T>(http, payload).await?;
    Ok(CommandRequest {
        match_id: path.0,
        actor: Actor::from(token.role),
        command: command(body, token.role)?,
        token: Some(token),
        if_match: request::if_match(http)?,
        key: request::key(http, &bytes)?,
    })
}

/// The problem of a refused command; `choices_at` is the place of the choices in the body.
pub fn refused(error: ServiceError, choices_at: &str) -> Problem {
    match error {
        ServiceError::Refused(refusal) => Problem::refused(*refusal, choices_at),
        other => other.into(),
    }
}

/// The response 201 with the appended events.
pub fn answer(appended: &Appended) -> Result<HttpResponse, Problem> {
    response::created(&appended.projection, &AppendedBody::of(appended)?)
}

/// Set up the match before the toss, in a game with choices to set up.
#[utoipa::path(
    post, path = "/v1/matches/{id}/set-up", operation_id = "set_up_match", tag = "play",
    request_body = Option<SetUpBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn set_up(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: SetUpBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Make the toss.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss", operation_id = "make_toss", tag = "play",
    request_body = TossBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn toss(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: TossBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Decide, as the winner of the toss, to bat or to bowl.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss/decision", operation_id = "decide_toss", tag = "play",
    request_body = DecisionBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn toss_decision(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: DecisionBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Begin an over.
#[utoipa::path(
    post, path = "/v1/matches/{id}/overs", operation_id = "begin_over", tag = "play",
    request_body = Option<OverBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn overs(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: OverBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Bowl a ball. At the start of an over, the over is begun with default choices where none has begun.
#[utoipa::path(
    post, path = "/v1/matches/{id}/balls", operation_id = "bowl_ball", tag = "play",
    request_body = Option<BallBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn balls(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: BallBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body.choices", command).await?)
}

/// Abandon the match.
#[utoipa::path(
    post, path = "/v1/matches/{id}/abandonment", operation_id = "abandon_match", tag = "play",
    request_body = AbandonmentBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn abandonment(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: AbandonmentBody, _| Command::try_from(body);
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Play on with default choices and seeded dice. Either all events are appended, or none.
#[utoipa::path(
    post, path = "/v1/matches/{id}/autoplay", operation_id = "autoplay", tag = "play",
    request_body = AutoplayBody,
    responses((status = 201, description = "Appended", body = AutoplayedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []))
)]
pub async fn autoplay(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |body: AutoplayBody, _| Command::try_from(body);
    let appended = submit(&service, &http, &path, payload, "body", command).await?;
    let body = AutoplayedBody {
        appended: appended.entries.len(),
        score: Score::of(&appended.projection),
        next: appended.projection.the_match().next(),
        head: appended.projection.head().clone(),
    };
    response::created(&appended.projection, &body)
}
