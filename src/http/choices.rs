//! Remote play over HTTP: a side adds its client seed, chooses in secret or in the open, and calls on the
//! other side to act.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Service;
use super::play::{answer, submit};
use super::request::{self, MatchPath};
use super::response::AppendedBody;
use crate::commands::{Command, Problem, ProblemType};
use crate::log::Role;
use crate::matches::{ClaimedChoice, RemoteCommand};
use crate::scorebook::Side;

/// A side's client seed: first the hash that commits to it; then, once both sides have committed, the seed
/// itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedBody {
    /// The side whose seed it is; left out with a side's own token.
    pub side: Option<Side>,
    /// The commitment to the seed: SHA-256, in lower-case hexadecimal, of the canonical form of
    /// `{match, side, commitment, client_seed}`.
    pub hash: Option<String>,
    /// The seed: 64 lower-case hexadecimal digits.
    pub client_seed: Option<String>,
}

/// A side's own choice. For a secret choice, `choice` lets the service seal it; `sealed` is the seal of a
/// client, which reveals the choice later with `salt` and `choice`. An open choice is made with `choice`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceBody {
    /// The side that chooses; left out with a side's own token.
    pub side: Option<Side>,
    /// The choice that the match waits for, as `next.what` names it: `order` in CubeRoots cricket. In remote
    /// play of Cricket: The Game, `delivery` is chosen in secret, and `drop`, `openers`, `bowler`,
    /// `power_play`, `next_batter`, `field`, `bowler_skills` and `batter_skills` in the open.
    #[serde(rename = "for")]
    pub what: String,
    /// The innings that the choice is for; if given, a choice for another innings is refused.
    pub innings: Option<u16>,
    /// The over that the choice is for; if given, a choice for another over is refused.
    pub over: Option<u16>,
    /// The ball of the over that the choice is for; if given, a choice for another ball is refused.
    pub ball: Option<u32>,
    /// The choice; a member that is left out takes the game's default.
    #[schema(value_type = Option<Object>)]
    pub choice: Option<Map<String, Value>>,
    /// The seal: SHA-256, in lower-case hexadecimal, of the canonical form of
    /// `{match, side, for, innings, over, ball, salt, choice}`.
    pub sealed: Option<String>,
    /// The salt of the seal: 64 lower-case hexadecimal digits.
    pub salt: Option<String>,
}

/// A side's call on the other side to act.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CallBody {
    /// The side that calls; left out with a side's own token.
    pub side: Option<Side>,
}

/// Add a side's client seed before the toss, in a match with `client_seeds: "both"`.
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
    let remote = service.matches.projection(path.0).await?.created().remote;
    let command = |SeedBody { side, hash, client_seed }, role| {
        let side = request::side(role, side, remote)?;
        let command = match (hash, client_seed) {
            (Some(hash), None) => RemoteCommand::CommitSeed { hash },
            (None, Some(client_seed)) => RemoteCommand::ShowSeed { client_seed },
            (None, None) | (Some(_), Some(_)) => {
                let message = "send either hash or, once both sides have sent theirs, client_seed";
                return Err(Problem::at(ProblemType::NeedsInput, "body", message));
            }
        };
        Ok(Command::Remote(side, command))
    };
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}

/// Make a side's choice, in secret or in the open. When both secret choices are revealed, or the last open
/// choice is made, the events that follow from them are appended as well.
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
    let remote = service.matches.projection(path.0).await?.created().remote;
    let command = |body, role| choice_command(body, role, remote);
    answer(&submit(&service, &http, &path, payload, "body.choice", command).await?)
}

fn choice_command(body: ChoiceBody, role: Role, remote: bool) -> Result<Command, Problem> {
    let ChoiceBody { side, what, innings, over, ball, choice, sealed, salt } = body;
    let side = request::side(role, side, remote)?;
    let claimed = ClaimedChoice { what, innings, over, ball };
    let command = match (choice, sealed, salt) {
        (Some(choice), None, None) => RemoteCommand::Choose { claimed, salt: request::random_hex()?, choice },
        (None, Some(sealed), None) => RemoteCommand::Seal { claimed, sealed },
        (Some(choice), None, Some(salt)) => RemoteCommand::Open { claimed, salt, choice },
        _ => {
            let message = "send choice; or sealed; or, to reveal a sealed choice, salt and choice";
            return Err(Problem::at(ProblemType::NeedsInput, "body", message));
        }
    };
    Ok(Command::Remote(side, command))
}

/// Call on the other side to do what the match waits for: in remote play, or where it has to reveal its
/// sealed choice. After the timeout, a second call draws the choice for each side that has not revealed its
/// own.
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
    let remote = service.matches.projection(path.0).await?.created().remote;
    let command = |CallBody { side }, role| {
        Ok(Command::Remote(request::side(role, side, remote)?, RemoteCommand::Call))
    };
    answer(&submit(&service, &http, &path, payload, "body", command).await?)
}
