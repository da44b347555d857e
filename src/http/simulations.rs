//! Simulations over HTTP: start one in the background, follow its progress, read its report, and cancel it.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::AppState;
use super::body;
use super::game_id;
use super::request;
use super::response;
use crate::commands::{Problem, ProblemType};
use crate::dice::ServerSeed;
use crate::log::{EditionRecord, one_of, quoted};
use crate::rules::Edition;
use crate::service::random_seed;
use crate::service::{QueueRefusal, QueuedSimulation, SimulationQueue, SimulationStatus};
use crate::simulate::{Policies, Simulation, SimulationReport};

/// A new simulation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSimulation {
    /// The game's id.
    #[schema(schema_with = game_id::schema)]
    pub game: String,
    /// The options of the game; an option that is left out takes its default.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// Other options to compare with, under which the same seeds are played as well.
    #[schema(value_type = Option<Object>)]
    pub compare: Option<Map<String, Value>>,
    /// The `sha256` of the edition to play with, in a game that has editions; the built-in edition if left
    /// out. The first two teams of the edition play.
    pub edition: Option<String>,
    /// The policy by which the home side chooses, in a game with more than one policy; the first of them if
    /// left out. The game defines its policies, and its page in docs/rules/ lists them.
    pub home_policy: Option<String>,
    /// The policy by which the away side chooses.
    pub away_policy: Option<String>,
    /// The number of matches: 1 to 1,000,000.
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub matches: u64,
    /// The seed of all matches, 64 hexadecimal digits; random bytes of the operating system if left out.
    pub seed: Option<String>,
}

/// A simulation, in its own member.
#[derive(Serialize, ToSchema)]
pub struct SimulationBody {
    /// The simulation as it is now.
    pub simulation: SimulationView,
}

/// A simulation as it is now. Only the instance that began it keeps it, in memory.
#[derive(Serialize, ToSchema)]
pub struct SimulationView {
    /// The simulation's id.
    pub id: Uuid,
    /// The status: `waiting|running|completed|cancelled|failed`.
    pub status: &'static str,
    /// The game's id.
    pub game: &'static str,
    /// All options of the game, with their defaults.
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// All options of the comparison; null where nothing is compared.
    #[schema(value_type = Option<Object>)]
    pub compare: Option<Map<String, Value>>,
    /// The edition of the matches; only where the game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// The policies of the sides; only where the game has more than one policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policies: Option<Policies>,
    /// The number of matches to play.
    pub matches: u64,
    /// The seed of all matches.
    pub seed: String,
    /// The number of matches played so far.
    pub done: u64,
    /// The reason of a failure; null without one.
    pub fault: Option<String>,
    /// The report, once the simulation is completed.
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
            game: simulation.game().info.id,
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

/// Simulate many matches in the background. The admin token is needed where the service has one.
#[utoipa::path(
    post, path = "/v1/simulations", operation_id = "create_simulation", tag = "simulations",
    request_body = CreateSimulation,
    responses((status = 202, description = "Accepted; the result will be at its `Location`", body = SimulationBody,
        headers(("Location" = String, description = "The simulation")))),
    security((), ("admin" = []))
)]
pub async fn create(
    service: Data<AppState>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    request::creator(&http, &service)?;
    let (wanted, _) = body::json::<CreateSimulation>(&http, payload).await?;
    let queued = service.simulations.submit(simulation_of(&service, wanted).await?)?;
    Ok(HttpResponse::Accepted()
        .insert_header((LOCATION, format!("/v1/simulations/{}", queued.id)))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(body(&queued)?))
}

async fn simulation_of(service: &AppState, wanted: CreateSimulation) -> Result<Simulation, Problem> {
    let illegal =
        |at: &str, message: String| Problem::at(ProblemType::IllegalInput, format!("body.{at}"), message);
    let editions = service.matches.known_editions();
    let game = editions.registry().find(&wanted.game).ok_or_else(|| {
        let games = editions.registry().ids();
        illegal("game", format!("game is {}, not {}", one_of(&games), quoted(&wanted.game)))
    })?;
    if !(1..=SimulationQueue::MOST_MATCHES).contains(&wanted.matches) {
        let most = SimulationQueue::MOST_MATCHES;
        let message = format!(
            "a simulation here has 1 to {most} matches, not {}; the command line plays more",
            wanted.matches
        );
        return Err(illegal("matches", message));
    }
    let seed = match &wanted.seed {
        Some(text) => ServerSeed::from_hex(text).map_err(|fault| illegal("seed", fault.to_string()))?,
        None => random_seed().map_err(|error| {
            tracing::error!(%error, "the operating system gives no random bytes");
            Problem::new(ProblemType::Internal, "the service cannot make a seed")
        })?,
    };
    let edition = service.matches.edition_for(game, wanted.edition.as_deref()).await?;
    Simulation::with_edition(
        editions,
        edition,
        game,
        &wanted.rules,
        wanted.compare.as_ref(),
        wanted.matches,
        seed,
    )
    .and_then(|simulation| {
        simulation.with_policies(wanted.home_policy.as_deref(), wanted.away_policy.as_deref())
    })
    .map_err(|refusal| Problem::refused(refusal, "body"))
}

/// A simulation, with its progress, and its report once it is completed.
#[utoipa::path(
    get, path = "/v1/simulations/{id}", operation_id = "get_simulation", tag = "simulations",
    params(("id" = Uuid, Path, description = "The simulation")),
    responses((status = 200, description = "The simulation", body = SimulationBody,
        headers(("ETag" = String, description = "Of this state of the simulation"))))
)]
pub async fn get(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let queued = id(&http).and_then(|id| service.simulations.find(id)).ok_or_else(nothing)?;
    response::fresh_by_content(&http, body(&queued)?)
}

/// Cancel a simulation. A finished simulation does not change. The admin token is needed where the service
/// has one.
#[utoipa::path(
    post, path = "/v1/simulations/{id}/cancel", operation_id = "cancel_simulation", tag = "simulations",
    params(("id" = Uuid, Path, description = "The simulation")),
    responses((status = 200, description = "The finished simulation", body = SimulationBody)),
    security((), ("admin" = []))
)]
pub async fn cancel(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
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
    let message = "there is no such simulation here; the instance that began a simulation keeps it for a while after its end";
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
