use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Service;
use super::cards::{self, AtQuery};
use super::plays::{Shown, answer, submit};
use super::problem::{Kind, Problem};
use super::request::MatchPath;
use super::response::AppendedBody;
use crate::commands::{Asked, Entered};
use crate::matches::Input;
use crate::scorebook::Side;
use crate::views::{Page, Reviews};

/// A side has the decision on the last ball reviewed, or accepts it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// The side.
    pub by: Side,
    /// What the die showed; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<Vec<Shown>>,
    /// Whether it accepts the decision; nothing is rolled then.
    #[serde(default)]
    pub accept: bool,
}

/// Have the decision on the last ball reviewed, or accept it, before anything else happens.
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
    let asked = |ReviewBody { by, dice, accept }, _| match (accept, dice) {
        (true, Some(_)) => {
            let message = "no die is rolled for a decision that is accepted; leave dice out";
            Err(Problem::at(Kind::IllegalInput, "body.dice", message))
        }
        (true, None) => Ok(Asked::One(Input::Accept { by }, Entered::Nothing)),
        (false, dice) => {
            let dice = dice.map(|dice| dice.into_iter().map(Shown::value).collect());
            Ok(Asked::One(Input::Review { by }, Entered::Dice(dice)))
        }
    };
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// The reviews of a match, and how many each side has left.
#[utoipa::path(
    get, path = "/v1/matches/{id}/reviews", operation_id = "get_reviews", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The reviews", body = Reviews,
        headers(("ETag" = String, description = "Of the event it is true after, and of what is known since"))))
)]
pub async fn list(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    cards::page(&service, &http, &path, Page::Reviews).await
}
