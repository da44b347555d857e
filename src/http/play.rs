//! Play over HTTP: set up a match, make the toss, begin overs, bowl balls, abandon a match, and let the
//! service play on.

use actix_web::HttpResponse;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::append::{AppendRequest, answer};
use super::next_step::NextStep;
use super::response::AppendedBody;
use crate::commands::Problem;
use crate::commands::bodies::{
    AbandonmentBody, AutoplayBody, BallBody, DecisionBody, OverBody, SetUpBody, TossBody,
};
use crate::log::Head;
use crate::service::Appended;
use crate::views::{MatchNow, MatchSituation, Score};

/// The result of autoplay.
#[derive(Serialize, ToSchema)]
pub struct AutoplayedBody {
    /// The number of events that were appended.
    pub appended: usize,
    /// The score after them.
    pub score: Score,
    /// The situation after them; null before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
    /// What the match waits for now.
    pub next: NextStep,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
    /// The hands and the secret choices of the sides, shown only to a holder of their tokens, as in the view
    /// of the match. It is left out where there are none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub own: Map<String, Value>,
}

/// Set up the match before the toss, in a game with choices to set up.
#[utoipa::path(
    post, path = "/v1/matches/{id}/set-up", operation_id = "set_up_match", tag = "play",
    request_body = Option<SetUpBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn set_up(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<SetUpBody>().await?).await
}

/// Make the toss.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss", operation_id = "make_toss", tag = "play",
    request_body = TossBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn toss(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<TossBody>().await?).await
}

/// Decide, as the winner of the toss, to bat or to bowl.
#[utoipa::path(
    post, path = "/v1/matches/{id}/toss/decision", operation_id = "decide_toss", tag = "play",
    request_body = DecisionBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn toss_decision(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<DecisionBody>().await?).await
}

/// Begin an over.
#[utoipa::path(
    post, path = "/v1/matches/{id}/overs", operation_id = "begin_over", tag = "play",
    request_body = Option<OverBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn overs(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<OverBody>().await?).await
}

/// Bowl a ball. At the start of an over, the over is begun with default choices where none has begun.
#[utoipa::path(
    post, path = "/v1/matches/{id}/balls", operation_id = "bowl_ball", tag = "play",
    request_body = Option<BallBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn balls(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<BallBody>().await?).await
}

/// Abandon the match.
#[utoipa::path(
    post, path = "/v1/matches/{id}/abandonment", operation_id = "abandon_match", tag = "play",
    request_body = AbandonmentBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn abandonment(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<AbandonmentBody>().await?).await
}

/// Play on with default choices and seeded dice. Either all events are appended, or none.
#[utoipa::path(
    post, path = "/v1/matches/{id}/autoplay", operation_id = "autoplay", tag = "play",
    request_body = AutoplayBody,
    responses((status = 201, description = "Appended", body = AutoplayedBody,
        headers(("ETag" = String, description = "The head's hash, a dot and the form")))), security(("scorer" = []))
)]
pub async fn autoplay(request: AppendRequest) -> Result<HttpResponse, Problem> {
    let body = |appended, next, own| {
        let Appended { entries, loaded, now: MatchNow { score, situation }, .. } = appended;
        let head = loaded.head().clone();
        Ok(AutoplayedBody { appended: entries.len(), score, situation, next, head, own })
    };
    request.append::<AutoplayBody>().await?.answer(body).await
}
