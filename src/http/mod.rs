//! The service over HTTP: requests in, problems and views out. Nothing is decided here.

mod audit_queue;
mod audits;
mod body;
mod cards;
mod choices;
mod corrections;
mod disputes;
mod editions;
mod events;
mod matches;
mod memory;
mod openapi;
mod origin;
mod plays;
mod problem;
mod request;
mod response;
mod reviews;
mod server;
mod simulations;
mod status;
mod tokens;

use actix_web::HttpRequest;
use actix_web::web::Data;

use self::audit_queue::AuditQueue;
use self::memory::Memory;
use self::problem::{Kind, Problem};
use crate::metrics::Metrics;
use crate::service::Matches;
use crate::service::Queue;

pub use openapi::document_text;
pub use origin::{Host, NoHost};
pub use server::{Access, ServeError, Served, bind, serve};

/// What all handlers share.
pub struct Service {
    matches: Matches,
    simulations: Queue,
    /// SHA-256 of the admin token, where there is one.
    admin_token: Option<String>,
    audits: AuditQueue,
    memory: Memory,
    metrics: Metrics,
}

/// The service that a request is made to.
fn service_of(http: &HttpRequest) -> Result<&Data<Service>, Problem> {
    http.app_data().ok_or_else(|| Problem::new(Kind::Internal, "the service is not there"))
}
