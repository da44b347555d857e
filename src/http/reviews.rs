use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Service;
use super::play::{EnteredDie, answer, submit};
use super::request::MatchPath;
use super::response::AppendedBody;
use super::scorecards::{self, AtQuery};
use crate::commands::{Command, EnteredDice, Problem, ProblemType};
use crate::matches::Input;
use crate::scorebook::Side;
use crate::views::{Page, Reviews};

/// A side's review of the decision on the last ball, or its acceptance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// The side that reviews or accepts.
    pub by: Side,
    /// The face that the die showed; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<Vec<EnteredDie>>,
    /// Whether the side accepts the decision, without a roll.
    #[serde(default)]
    pub accept: bool,
}

/// Review the decision on the last ball, or accept it, before play goes on.
#[utoipa::path(
    post, path = "/v1/matches/{id}/reviews", operation_id = "review", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = ReviewBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn create(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let command = |ReviewBody { by, dice, accept }, _| match (accept, dice) {
        (true, Some(_)) => {
            let message = "no die is rolled when a decision is accepted; leave dice out";
            Err(Problem::at(ProblemType::IllegalInput, "body.dice", message))
        }
        (true, None) => Ok(Command::Enter(Input::Accept { by }, EnteredDice::Nothing)),
        (false, dice) => {
            let dice = dice.map(|dice| dice.into_iter().map(EnteredDie::value).collect());
            Ok(Command::Enter(Input::Review { by }, EnteredDice::Dice(dice)))
        }
    };
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// The reviews of a match, and how many each side has left.
#[utoipa::path(
    get, path = "/v1/matches/{id}/reviews", operation_id = "get_reviews", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The reviews", body = Reviews,
        headers(("ETag" = String, description = "The event's hash, and the content's where corrections count"))))
)]
pub async fn list(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    scorecards::page(&service, &http, &path, Page::Reviews).await
}
