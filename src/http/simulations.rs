use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Service;
use super::openapi;
use super::problem::{Problem, ProblemType};
use super::request;
use super::response;
use crate::dice::ServerSeed;
use crate::games;
use crate::log::EditionRecord;
use crate::rules::Edition;
use crate::service::random_seed;
use crate::service::{QueueRefusal, QueuedSimulation, SimulationQueue, SimulationStatus};
use crate::simulate::{Policies, Simulation, SimulationReport};

/// What to simulate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSimulation {
    /// The game's id.
    #[schema(schema_with = openapi::game_id)]
    pub game: String,
    /// Options of the game; those left out take their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// Other options, under which the same seeds are played too, to compare.
    #[schema(value_type = Option<Object>)]
    pub compare: Option<Map<String, Value>>,
    /// The edition to play with, where the game has editions: its `sha256`; the game's own if left out. Its first two teams
    /// play.
    pub edition: Option<String>,
    /// How the home side chooses, where the game has more than one way; the first of them if left out. `cuberoots` has
    /// `dealt`, `random`, `sorted` and `low_after_dots`.
    pub home_policy: Option<String>,
    /// How the away side chooses.
    pub away_policy: Option<String>,
    /// How many matches: 1 to 1,000,000.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub matches: u64,
    /// The seed of all matches, 64 hexadecimal digits; the operating system's random bytes if left out.
    pub seed: Option<String>,
}

/// A simulation, in its own member.
#[derive(Serialize, ToSchema)]
pub struct SimulationBody {
    /// The simulation.
    pub simulation: SimulationView,
}

/// A simulation as it stands. It is kept in memory only, by the instance that was asked for it.
#[derive(Serialize, ToSchema)]
pub struct SimulationView {
    /// Its id.
    pub id: Uuid,
    /// `waiting|running|completed|cancelled|failed`.
    pub status: &'static str,
    /// The game's id.
    pub game: &'static str,
    /// Its options, every one.
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The options it is compared with, every one; null without any.
    #[schema(value_type = Option<Object>)]
    pub compare: Option<Map<String, Value>>,
    /// The edition it is played with; only where the game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// How the sides choose; only where the game has more than one way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policies: Option<Policies>,
    /// How many matches there are to play.
    pub matches: u64,
    /// The seed of all of them.
    pub seed: String,
    /// How many have been played.
    pub done: u64,
    /// Why it failed; null if it did not.
    pub fault: Option<String>,
    /// What it came to, once it is completed.
    #[schema(value_type = Option<SimulationReport>)]
    pub result: Option<Arc<SimulationReport>>,
}

impl SimulationView {
    fn of(queued: &QueuedSimulation) -> SimulationView {
        let simulation = &queued.simulation;
        let (status, result, fault) = match queued.status() {
            SimulationStatus::Waiting => ("waiting", None, None),
            SimulationStatus::Running => ("running", None, None),
            SimulationStatus::Completed(report) => ("completed", Some(report), None),
            SimulationStatus::Cancelled => ("cancelled", None, None),
            SimulationStatus::Failed(fault) => ("failed", None, Some(fault)),
        };
        SimulationView {
            id: queued.id,
            status,
            game: simulation.game().id,
            rules: simulation.rules().clone(),
            compare: simulation.compared_rules().cloned(),
            edition: simulation.edition().map(Edition::record),
            policies: Policies::of(simulation),
            matches: simulation.matches(),
            seed: simulation.seed().reveal(),
            done: queued.progress.done(),
            fault,
            result,
        }
    }
}

fn body(queued: &QueuedSimulation) -> Result<String, Problem> {
    response::text(&SimulationBody { simulation: SimulationView::of(queued) })
}

/// Simulate many matches, in the background. Needs the admin token where the service has one.
#[utoipa::path(
    post, path = "/v1/simulations", operation_id = "create_simulation", tag = "simulations",
    request_body = CreateSimulation,
    responses((status = 202, description = "Taken; look at its `Location` for the result", body = SimulationBody,
        headers(("Location" = String, description = "The simulation")))),
    security((), ("admin" = []))
)]
pub async fn create(
    service: Data<Service>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    request::creator(&http, &service)?;
    let (asked, _) = request::json::<CreateSimulation>(&http, payload).await?;
    let queued = service.simulations.submit(simulation_of(&service, asked).await?)?;
    Ok(HttpResponse::Accepted()
        .insert_header((LOCATION, format!("/v1/simulations/{}", queued.id)))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(body(&queued)?))
}

async fn simulation_of(service: &Service, asked: CreateSimulation) -> Result<Simulation, Problem> {
    let illegal =
        |at: &str, message: String| Problem::at(ProblemType::IllegalInput, format!("body.{at}"), message);
    let game = games::find(&asked.game)
        .ok_or_else(|| illegal("game", format!("there is no game {:?}", asked.game)))?;
    if !(1..=SimulationQueue::MOST_MATCHES).contains(&asked.matches) {
        let most = SimulationQueue::MOST_MATCHES;
        let message = format!(
            "a simulation here has 1 to {most} matches, not {}; the command line plays more",
            asked.matches
        );
        return Err(illegal("matches", message));
    }
    let seed = match &asked.seed {
        Some(text) => ServerSeed::from_hex(text).map_err(|fault| illegal("seed", fault.to_string()))?,
        None => random_seed().map_err(|error| {
            tracing::error!(%error, "the operating system gives no random bytes");
            Problem::new(ProblemType::Internal, "the service cannot make a seed")
        })?,
    };
    let edition = service.matches.edition_for(game, asked.edition.as_deref()).await?;
    Simulation::with_edition(edition, game, &asked.rules, asked.compare.as_ref(), asked.matches, seed)
        .and_then(|simulation| {
            simulation.with_policies(asked.home_policy.as_deref(), asked.away_policy.as_deref())
        })
        .map_err(|refusal| Problem::refused(refusal, "body"))
}

/// A simulation: how far it has come, and what it came to.
#[utoipa::path(
    get, path = "/v1/simulations/{id}", operation_id = "get_simulation", tag = "simulations",
    params(("id" = Uuid, Path, description = "The simulation")),
    responses((status = 200, description = "The simulation", body = SimulationBody,
        headers(("ETag" = String, description = "Of this state of it"))))
)]
pub async fn get(service: Data<Service>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let queued = id(&http).and_then(|id| service.simulations.find(id)).ok_or_else(nothing)?;
    response::fresh_by_content(&http, body(&queued)?)
}

/// Cancel a simulation; one that is over stays as it is. Needs the admin token where the service has one.
#[utoipa::path(
    post, path = "/v1/simulations/{id}/cancel", operation_id = "cancel_simulation", tag = "simulations",
    params(("id" = Uuid, Path, description = "The simulation")),
    responses((status = 200, description = "The simulation, which is over", body = SimulationBody)),
    security((), ("admin" = []))
)]
pub async fn cancel(service: Data<Service>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    request::creator(&http, &service)?;
    let queued = id(&http).and_then(|id| service.simulations.cancel(id)).ok_or_else(nothing)?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(body(&queued)?))
}

fn id(http: &HttpRequest) -> Option<Uuid> {
    Uuid::try_parse(http.match_info().get("id").unwrap_or_default()).ok()
}

fn nothing() -> Problem {
    let message = "there is no such simulation here; those that are over are kept for a while, by the instance that was \
                   asked for them";
    Problem::new(ProblemType::NoSuchSimulation, message)
}

impl From<QueueRefusal> for Problem {
    fn from(reason: QueueRefusal) -> Problem {
        let kind = match reason {
            QueueRefusal::Full => ProblemType::SimulationsFull,
            QueueRefusal::Closing | QueueRefusal::NoThread => ProblemType::Unavailable,
        };
        Problem::new(kind, reason.to_string())
    }
}
