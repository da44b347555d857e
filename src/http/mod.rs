//! The service over HTTP: handlers translate requests into commands and queries, and their results into
//! responses. Nothing is decided here.

mod about;
mod address;
mod answer_text;
mod append;
mod audits;
mod board;
mod body;
mod choices;
mod codes;
mod coding;
mod corrections;
mod counting;
mod deliveries;
mod disputes;
mod docs;
mod editions;
mod entity_tag;
mod events;
mod game_id;
mod games;
mod hindsight;
mod host;
mod json_text;
mod list_query;
mod log_pages;
mod luck;
mod match_view;
mod matches;
mod memory;
mod new_tokens;
mod next_step;
mod openapi;
mod origin;
mod other_pages;
mod outgoing;
mod pages;
mod play;
mod prefer;
mod previews;
mod problem;
mod representation;
mod request;
mod resource;
mod response;
mod reviews;
mod routes;
mod scan_code;
mod scorecards;
mod server;
mod simulations;
mod status;
mod table;
mod tokens;
mod work_queue;
mod writers;

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Data;

use self::memory::Memory;
use self::outgoing::Outgoing;
use self::work_queue::WorkQueue;
use crate::commands::{Problem, ProblemType};
use crate::metrics::Metrics;
use crate::service::{MatchService, SimulationQueue};

pub use host::{Host, NoHost};
pub use openapi::document_text;
pub use scan_code::ScanCode;
pub use server::{Access, RunningServer, ServeError, bind, bind_table, serve};
pub use table::{NetworkTable, OwnAddress, OwnAddresses, TableSetup};

/// The path of a match, with which all paths below it begin.
pub(crate) const OF_A_MATCH: &str = "/v1/matches/{id}";

/// The state that all handlers share.
pub struct AppState {
    matches: MatchService,
    simulations: SimulationQueue,
    /// SHA-256 of the admin token; none where the service has no admin token.
    admin_token: Option<String>,
    /// The table, where the service is one.
    table: Option<Arc<NetworkTable>>,
    audits: WorkQueue,
    previews: WorkQueue,
    memory: Memory,
    outgoing: Outgoing,
    metrics: Metrics,
    /// The OpenAPI document that is served.
    document: Cow<'static, str>,
}

/// The service that answers a request.
fn service_of(http: &HttpRequest) -> Result<&Data<AppState>, Problem> {
    http.app_data().ok_or_else(|| Problem::new(ProblemType::Internal, "the service is not there"))
}
