//! Problems over HTTP: their responses, and how each error of the service becomes one of them.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};

use crate::commands::{Problem, ProblemType};
use crate::projection::AsOfError;
use crate::service::ServiceError;
use crate::store::StoreError;

impl Problem {
    /// The problem of a request with an `Idempotency-Key`, where the store failed before the key was looked
    /// up.
    pub fn for_repeated_request(self) -> Problem {
        if self.kind() != ProblemType::Unavailable {
            return self;
        }
        let detail = format!("{self}, unless an earlier try was stored; send it again with its key");
        self.with_detail(&detail)
    }

    /// The problem of a command; `choices_at` is the place of the choices in its body.
    pub fn of_command(error: ServiceError, choices_at: &str) -> Problem {
        match error {
            ServiceError::Refused(refusal) => Problem::refused(*refusal, choices_at),
            ServiceError::OutOfTurn { refusal, next } => {
                Problem::refused(*refusal, choices_at).with_next(*next)
            }
            other => other.into(),
        }
    }

    /// The problem that `/readyz` answers while nothing can be stored, with the reason.
    pub fn not_ready(error: ServiceError) -> Problem {
        let store = match error {
            ServiceError::Store(store) => store,
            other => return other.into(),
        };
        tracing::warn!(error = %store, "not ready");
        let why = match store {
            StoreError::Hindered(obstacle, _) => format!("nothing can be stored: {obstacle}"),
            StoreError::Unavailable(_) | StoreError::Unsure(..) => {
                "the database does not answer now".to_owned()
            }
            StoreError::Closed => STOPPING.to_owned(),
            StoreError::Conflict
            | StoreError::Denied(_)
            | StoreError::Address(_)
            | StoreError::Migration(_)
            | StoreError::Failed(_) => "nothing can be stored: the database refuses a small write".to_owned(),
        };
        Problem::new(ProblemType::Unavailable, why)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.kind().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_TYPE, PROBLEM_JSON));
        match self.kind() {
            ProblemType::TokenMissing => response.insert_header((WWW_AUTHENTICATE, "Bearer")),
            ProblemType::Unavailable
            | ProblemType::Contended
            | ProblemType::AuditsFull
            | ProblemType::LuckFull
            | ProblemType::NoRoom => response.insert_header((RETRY_AFTER, "1")),
            // The connection is closed, since the rest of the body is not waited for.
            ProblemType::SlowBody => response.force_close(),
            ProblemType::SimulationsFull => response.insert_header((RETRY_AFTER, "10")),
            _ => &mut response,
        };
        response.body(serde_json::to_string(self.body()).unwrap_or_default())
    }
}

/// The media type of problems.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// The detail of the problem that a service answers while it stops.
pub const STOPPING: &str = "the service is stopping";

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Problem {
        let detail = error.to_string();
        match error {
            ServiceError::NoSuchMatch(_) => Problem::new(ProblemType::NoSuchMatch, detail),
            ServiceError::AsOf(AsOfError::NoSuchEvent { .. }) => Problem::new(ProblemType::NoSuchEvent, detail),
            ServiceError::AsOf(AsOfError::NotKnownYet { .. }) => Problem::query("as_known_at", detail),
            ServiceError::AsOf(AsOfError::Broken(broken)) => {
                tracing::error!(%broken, "a stored log does not fold");
                Problem::new(ProblemType::BrokenLog, "the stored log is not valid; audit it")
            }
            refused @ (ServiceError::Refused(_) | ServiceError::OutOfTurn { .. }) => {
                Problem::of_command(refused, "body.choices")
            }
            ServiceError::TokenUnknown | ServiceError::TokenIsInvite | ServiceError::InviteIsUsed { .. } => {
                Problem::at(ProblemType::TokenRefused, "header.Authorization", detail)
            }
            ServiceError::StaleHead(head) => {
                Problem::at(ProblemType::StaleHead, "header.If-Match", detail).with_head(head)
            }
            ServiceError::HashKnown => Problem::at(ProblemType::IllegalInput, "body.token_sha256", detail),
            ServiceError::IdTaken => Problem::at(ProblemType::Taken, "body.id", detail),
            ServiceError::ScoringInviteUsed => Problem::at(ProblemType::Taken, "body.invite", detail),
            ServiceError::ScoringInviteOld(_) | ServiceError::ScoringInviteStopped => {
                Problem::at(ProblemType::TokenRefused, "body.invite", detail)
            }
            ServiceError::WayBackClosed => {
                Problem::at(ProblemType::TokenRefused, "header.Authorization", detail)
            }
            ServiceError::NoHandOver(_) => Problem::new(ProblemType::NoHandOver, detail),
            ServiceError::ScoringEnded => Problem::new(ProblemType::MatchOver, detail),
            ServiceError::BrokenTime(_) => Problem::new(ProblemType::Internal, detail),
            ServiceError::KeyReused => Problem::at(ProblemType::KeyReused, "header.Idempotency-Key", detail),
            ServiceError::Contended => Problem::new(ProblemType::Contended, detail),
            ServiceError::BrokenLog { seq, reason } => {
                tracing::error!(seq, reason, "a stored log does not fold");
                Problem::new(
                    ProblemType::BrokenLog,
                    format!("the stored log is not valid at event {seq}; audit it"),
                )
            }
            ServiceError::NoSuchEdition(_) => Problem::new(ProblemType::NoSuchEdition, detail),
            ServiceError::NoEntropy => {
                tracing::error!("{detail}");
                Problem::new(ProblemType::Internal, "the service cannot make a seed")
            }
            ServiceError::StoredBefore(error) => Problem::from(error).with_detail(
                "an earlier try of this request was stored, but its answer cannot be read now; send it again with its key",
            ),
            ServiceError::Busy => Problem::new(ProblemType::Unavailable, detail),
            ServiceError::NotDiceAlone => Problem::new(ProblemType::NoLuck, detail),
            ServiceError::TablesFull => Problem::new(ProblemType::LuckFull, detail),
            ServiceError::Panicked => Problem::new(ProblemType::Internal, detail),
            ServiceError::Unwritable(_) => {
                tracing::error!("{detail}");
                Problem::new(ProblemType::Internal, "the service could not do this")
            }
            ServiceError::ClockOff(_) => {
                tracing::error!("{detail}");
                Problem::new(ProblemType::Internal, detail)
            }
            ServiceError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Problem {
    /// Hides the database's own message, which only the service's log has.
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Conflict => {
                Problem::new(ProblemType::Contended, "other requests write the same rows; try again")
            }
            StoreError::Unavailable(reason) => {
                tracing::warn!(reason, "the store is unavailable");
                let message = "the database does not answer now; nothing was stored by this request";
                Problem::new(ProblemType::Unavailable, message)
            }
            StoreError::Hindered(obstacle, reason) if obstacle.is_fault() => {
                tracing::error!(reason, "{obstacle}");
                Problem::new(ProblemType::Internal, "the service could not do this")
            }
            StoreError::Hindered(obstacle, reason) => {
                tracing::warn!(reason, "{obstacle}");
                Problem::new(
                    ProblemType::Unavailable,
                    format!("{obstacle}; nothing was stored by this request"),
                )
            }
            StoreError::Unsure(obstacle, reason) => {
                tracing::warn!(reason, "it is not known whether an append is stored");
                let why = match obstacle {
                    Some(obstacle) => format!("{obstacle}; it is not known whether this was stored"),
                    None => "the database went away while this was being stored".to_owned(),
                };
                let message = format!("{why}; read the head before you try again");
                Problem::new(ProblemType::Unavailable, message)
            }
            StoreError::Closed => {
                let message = format!("{STOPPING}; nothing was stored by this request");
                Problem::new(ProblemType::Unavailable, message)
            }
            StoreError::Address(reason)
            | StoreError::Migration(reason)
            | StoreError::Denied(reason)
            | StoreError::Failed(reason) => {
                tracing::error!(reason, "the store failed");
                Problem::new(ProblemType::Internal, "the service could not do this")
            }
        }
    }
}

/// Turns a refusal by the framework into a problem like every other.
pub fn as_problem(response: ServiceResponse<impl MessageBody + 'static>) -> ServiceResponse<BoxBody> {
    let status = response.status();
    // The page of an unknown match is a page, and says what is wrong itself.
    let says_itself =
        |value: &HeaderValue| value == PROBLEM_JSON || value.as_bytes().starts_with(b"text/html");
    let is_problem = response.headers().get(CONTENT_TYPE).is_some_and(says_itself);
    if is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response.map_into_boxed_body();
    }
    let kind = match status.as_u16() {
        404 => ProblemType::NotFound,
        405 => ProblemType::MethodNotAllowed,
        413 => ProblemType::BodyTooLarge,
        415 => ProblemType::UnsupportedMediaType,
        400..500 => ProblemType::InvalidParameter,
        _ => ProblemType::Internal,
    };
    response.into_response(Problem::new(kind, kind.title()).error_response())
}
