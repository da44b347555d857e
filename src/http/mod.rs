//! The service over HTTP: requests in, problems and views out. Nothing is decided here.

mod audits;
mod cards;
mod choices;
mod corrections;
mod disputes;
mod editions;
mod events;
mod matches;
mod openapi;
mod plays;
mod problem;
mod request;
mod response;
mod reviews;
mod server;
mod simulations;
mod status;
mod tokens;

use metrics_exporter_prometheus::PrometheusHandle;

use crate::play::Matches;
use crate::simulate::Queue;

pub use openapi::document_text;
pub use server::{ServeError, Served, bind, serve};

/// What all handlers share.
pub struct Service {
    matches: Matches,
    simulations: Queue,
    /// SHA-256 of the admin token, where there is one.
    admin_token: Option<String>,
    metrics: PrometheusHandle,
    openapi: String,
}
