use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Service;
use super::plays::{answer, submit};
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath};
use super::response::AppendedBody;
use crate::commands::Asked;
use crate::log::Role;
use crate::matches::{Due, Part};
use crate::scorebook::Side;

/// A client seed: first the hash that settles it, and when both sides have settled on theirs, the seed itself. One of the two.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedBody {
    /// Whose it is; a side's own token says so by itself.
    pub side: Option<Side>,
    /// SHA-256, in lower-case hexadecimal, of the canonical form of `{match, side, commitment, client_seed}`.
    pub hash: Option<String>,
    /// 64 lower-case hexadecimal digits.
    pub client_seed: Option<String>,
}

/// A choice a side makes for itself. In secret: with `choice` the service seals it; with `sealed` the client has sealed it, and
/// opens it later with `salt` and `choice`. In the open: with `choice`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceBody {
    /// Whose it is; a side's own token says so by itself.
    pub side: Option<Side>,
    /// What is chosen, as `next.what` has it: `order` in CubeRoots cricket; in Cricket: The Game from afar `delivery` in secret,
    /// and `drop`, `openers`, `bowler`, `power_play`, `next_batter`, `field`, `bowler_skills` and `batter_skills` in the open.
    #[serde(rename = "for")]
    pub what: String,
    /// The innings it is for, if the client wants to be sure.
    pub innings: Option<u16>,
    /// The over it is for, if the client wants to be sure.
    pub over: Option<u16>,
    /// The place in the over of the ball it is for, if the client wants to be sure.
    pub ball: Option<u32>,
    /// The choice; what is left out takes the game's default.
    #[schema(value_type = Option<Object>)]
    pub choice: Option<Map<String, Value>>,
    /// SHA-256, in lower-case hexadecimal, of the canonical form of `{match, side, for, innings, over, ball, salt, choice}`.
    pub sealed: Option<String>,
    /// What it was sealed with: 64 lower-case hexadecimal digits.
    pub salt: Option<String>,
}

/// Who calls on the other side.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CallBody {
    /// Who calls; a side's own token says so by itself.
    pub side: Option<Side>,
}

/// Add to the seed, before the toss, in a match with `client_seeds: "both"`.
#[utoipa::path(
    post, path = "/v1/matches/{id}/seeds", operation_id = "add_seed", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = SeedBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn seeds(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let remote = service.matches.book(path.0).await?.created().remote;
    let asked = |SeedBody { side, hash, client_seed }, role| {
        let side = request::side(role, side, remote)?;
        let part = match (hash, client_seed) {
            (Some(hash), None) => Part::CommitSeed { hash },
            (None, Some(client_seed)) => Part::ShowSeed { client_seed },
            (None, None) | (Some(_), Some(_)) => {
                let message = "say hash or, when both sides have, client_seed: one of the two";
                return Err(Problem::at(Kind::NeedsInput, "body", message));
            }
        };
        Ok(Asked::Part(side, part))
    };
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}

/// Choose, in secret or in the open. When both sides' choices are in and open, or the last in the open is made, what follows from
/// them is appended with them.
#[utoipa::path(
    post, path = "/v1/matches/{id}/choices", operation_id = "choose", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = ChoiceBody,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn choose(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let remote = service.matches.book(path.0).await?.created().remote;
    let asked = |body, role| part_of(body, role, remote);
    answer(&submit(&service, &http, &path, payload, "body.choice", asked).await?)
}

fn part_of(body: ChoiceBody, role: Role, remote: bool) -> Result<Asked, Problem> {
    let ChoiceBody { side, what, innings, over, ball, choice, sealed, salt } = body;
    let side = request::side(role, side, remote)?;
    let due = Due { what, innings, over, ball };
    let part = match (choice, sealed, salt) {
        (Some(choice), None, None) => Part::Choose { due, salt: request::random_hex()?, choice },
        (None, Some(sealed), None) => Part::Seal { due, sealed },
        (Some(choice), None, Some(salt)) => Part::Open { due, salt, choice },
        _ => {
            let message = "say choice; or sealed; or, to open what was sealed, salt and choice";
            return Err(Problem::at(Kind::NeedsInput, "body", message));
        }
    };
    Ok(Asked::Part(side, part))
}

/// Call on the other side to do what the match waits for, where the sides play from afar, or where it has to open what it sealed.
/// Called again when its time is up, what was to be chosen is drawn for whoever is not open by then.
#[utoipa::path(
    post, path = "/v1/matches/{id}/choices/call", operation_id = "call_for_choice", tag = "play",
    params(("id" = Uuid, Path, description = "The match")), request_body = Option<CallBody>,
    responses((status = 201, description = "Appended", body = AppendedBody,
        headers(("ETag" = String, description = "The head's hash")))), security(("scorer" = []), ("side" = []))
)]
pub async fn call(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let remote = service.matches.book(path.0).await?.created().remote;
    let asked = |CallBody { side }, role| Ok(Asked::Part(request::side(role, side, remote)?, Part::Call));
    answer(&submit(&service, &http, &path, payload, "body", asked).await?)
}
