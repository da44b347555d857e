//! Previews over HTTP: what the body of a request would come to, filled in so far. Any reader may ask, and
//! nothing is stored.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::next_step::NextStep;
use super::request::MatchPath;
use super::{AppState, body, response};
use crate::commands::Problem;
use crate::commands::bodies::{BallPreviewBody, OverBody, PreviewedBody, ReviewBody};
use crate::matches::Preview;
use crate::rules::ResultView;
use crate::scorebook::Outcome;
use crate::service::Previewed;
use crate::views::{DeliveryCell, MatchSituation, Score};

/// What the body of a request would come to.
#[derive(Serialize, ToSchema)]
pub struct PreviewBody {
    /// Whether the body is whole, so that it could be sent.
    pub done: bool,
    /// What the body comes to so far, in words: `a legal ball`.
    pub so_far: String,
    /// What is asked for after this body: the rest of it, or what would follow if it were stored.
    pub next: NextStep,
    /// The outcome of the ball, once the body is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The ball as a cell of the scorebook, once the body is whole; of a review the ball that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<DeliveryCell>,
    /// The sentence of the commentary, once the body is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The score after it, once the body is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// What a screen would show after it, once the body is whole; left out at the end of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub situation: Option<MatchSituation>,
    /// The result, where the body ends the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
}

/// Preview an over: what its choices would come to.
#[utoipa::path(
    post, path = "/v1/matches/{id}/overs/preview", operation_id = "preview_over", tag = "play",
    request_body = Option<OverBody>,
    responses((status = 200, description = "What it would come to; nothing is stored", body = PreviewBody))
)]
pub async fn over(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    preview::<OverBody>(&service, &http, path, payload).await
}

/// Preview a ball: what its choices and dice so far would come to, after the over that `over` would begin.
#[utoipa::path(
    post, path = "/v1/matches/{id}/balls/preview", operation_id = "preview_ball", tag = "play",
    request_body = Option<BallPreviewBody>,
    responses((status = 200, description = "What it would come to; nothing is stored", body = PreviewBody))
)]
pub async fn ball(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    preview::<BallPreviewBody>(&service, &http, path, payload).await
}

/// Preview a review: what each face of its die would come to, or the acceptance of the decision.
#[utoipa::path(
    post, path = "/v1/matches/{id}/reviews/preview", operation_id = "preview_review", tag = "play",
    request_body = ReviewBody,
    responses((status = 200, description = "What it would come to; nothing is stored", body = PreviewBody))
)]
pub async fn review(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    preview::<ReviewBody>(&service, &http, path, payload).await
}

async fn preview<B: PreviewedBody + DeserializeOwned>(
    service: &Data<AppState>,
    http: &HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let (body, _) = body::json_within::<B>(http, payload, body::PREVIEW_LIMIT).await?;
    let request = body.preview()?;
    let turn = service.previews.turn().await?;
    let previewed = service.matches.preview(path.0, request).await;
    let previewed = previewed.map_err(|error| Problem::of_command(error, B::CHOICES_AT))?;
    let text = response::text(&PreviewBody::of(previewed))?;
    drop(turn);
    Ok(HttpResponse::Ok()
        .insert_header((actix_web::http::header::CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(text))
}

impl PreviewBody {
    fn of(previewed: Previewed) -> PreviewBody {
        let Previewed { before, preview, after } = previewed;
        let Preview { words, outcome, requests, .. } = preview;
        let state = after.as_ref().map_or(before.the_match(), |after| after.loaded.the_match());
        PreviewBody {
            done: after.is_some(),
            so_far: words.into_so_far(),
            next: NextStep::of(state, requests),
            ball: after
                .as_ref()
                .filter(|_| outcome.is_some())
                .and_then(|after| DeliveryCell::last_of(&after.loaded)),
            outcome,
            score: after.as_ref().map(|after| Score::of(&after.loaded)),
            situation: after.as_ref().and_then(|after| MatchSituation::of(&after.loaded)),
            result: after.as_ref().and_then(|after| after.loaded.result()),
            text: after.map(|after| after.text),
        }
    }
}
