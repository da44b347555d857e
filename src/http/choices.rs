//! Remote play over HTTP: a side adds its client seed, chooses in secret or in the open, and calls on the
//! other side to act.

use actix_web::HttpResponse;

use super::append::{AppendRequest, answer};
use super::response::AppendedBody;
use crate::commands::Problem;
use crate::commands::bodies::{CallBody, ChoiceBody, SeedBody};

/// Add a side's client seed before the toss, in a match with `client_seeds: "both"`.
#[utoipa::path(
    post, path = "/v1/matches/{id}/seeds", operation_id = "add_seed", tag = "play",
    request_body = SeedBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn seeds(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<SeedBody>().await?).await
}

/// Make a side's choice, in secret or in the open. When both secret choices are revealed, or the last open
/// choice is made, the events that follow from them are appended as well.
#[utoipa::path(
    post, path = "/v1/matches/{id}/choices", operation_id = "make_choice", tag = "play",
    request_body = ChoiceBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn choose(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<ChoiceBody>().await?).await
}

/// Call on the other side to do what the match waits for: in remote play, or where it has to reveal its
/// sealed choice. After the timeout, a second call draws the choice for each side that has not revealed its
/// own.
#[utoipa::path(
    post, path = "/v1/matches/{id}/choices/call", operation_id = "call_for_choice", tag = "play",
    request_body = Option<CallBody>, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn call(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<CallBody>().await?).await
}
