use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::audit::RulingCited;
use crate::log::{BrokenLine, Head};
use crate::rules::{EditionFault, Place, Refusal, Why};
use crate::service::PlayError;
use crate::store::StoreError;
use crate::views::Untold;

macro_rules! problems {
    ($($name:ident $status:literal $slug:literal $title:literal;)+) => {
        /// Every kind of problem the service answers with (RFC 9457).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind {
            $(#[doc = $title] $name),+
        }

        impl Kind {
            /// The HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Kind::$name => $status),+ }
            }

            /// The `type`: a path that stays the same for ever.
            pub const fn type_uri(self) -> &'static str {
                match self { $(Kind::$name => concat!("/problems/", $slug)),+ }
            }

            /// The `title`.
            pub const fn title(self) -> &'static str {
                match self { $(Kind::$name => $title),+ }
            }
        }
    };
}

problems! {
    MalformedJson 400 "malformed-json" "The body is not JSON";
    MalformedId 400 "malformed-id" "A match id is a UUID";
    InvalidParameter 400 "invalid-parameter" "A query parameter or header makes no sense";
    BadCursor 400 "bad-cursor" "The cursor is not one this service gave";
    TokenMissing 401 "token-missing" "This needs a token";
    TokenRefused 403 "token-refused" "The token does not open this";
    ForeignOrigin 403 "foreign-origin" "A page from elsewhere may change nothing here";
    NotFound 404 "not-found" "There is nothing here";
    NoSuchMatch 404 "no-such-match" "There is no such match";
    NoSuchEvent 404 "no-such-event" "There is no such event";
    NoSuchEdition 404 "no-such-edition" "There is no such edition";
    NoSuchSimulation 404 "no-such-simulation" "There is no such simulation";
    NoSuchToken 404 "no-such-token" "There is no such token to replace";
    NoSuchDispute 404 "no-such-dispute" "There is no such dispute";
    NoSuchCorrection 404 "no-such-correction" "There is no such correction";
    MethodNotAllowed 405 "method-not-allowed" "This cannot be done here";
    SlowBody 408 "slow-body" "The body comes too slowly";
    OutOfTurn 409 "out-of-turn" "The match waits for something else";
    AwaitingChoice 409 "awaiting-choice" "The match waits for a choice of a side";
    ReviewOpen 409 "review-open" "A decision is to be reviewed or accepted first";
    MatchOver 409 "match-over" "The match is over";
    SeedOpen 409 "seed-open" "The seeds of the match are open";
    AlreadySettled 409 "already-settled" "This has been settled already";
    StaleHead 412 "stale-head" "The match has moved on";
    BodyTooLarge 413 "body-too-large" "The body is too large";
    UnsupportedMediaType 415 "unsupported-media-type" "The body has to be application/json";
    MisdirectedRequest 421 "misdirected-request" "This service does not answer to this Host";
    NeedsInput 422 "needs-input" "A die or a choice is missing";
    IllegalInput 422 "illegal-input" "A die, a choice or a field is not what it has to be";
    KeyReused 422 "idempotency-key-reused" "The idempotency key was used for another request";
    NotAnEdition 422 "not-an-edition" "This is not an edition that can be played with";
    NotAMatchLog 422 "not-a-match-log" "This is not a match log";
    Internal 500 "internal" "The service is at fault";
    BrokenLog 500 "broken-log" "The stored log of this match does not hold";
    Unavailable 503 "store-unavailable" "The database does not answer now";
    Contended 503 "contended" "Too many are appending to this match at once";
    SimulationsFull 503 "simulations-full" "No more simulations can wait now";
    AuditsFull 503 "audits-full" "No more audits and checks can wait now";
    NoRoom 503 "no-room" "There is no memory left for this now";
}

/// What is wrong with one part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemError {
    /// Where, e.g. `body.dice[1]`, `query.at`, `header.If-Match`.
    pub location: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

/// A problem, as RFC 9457 has it (`application/problem+json`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    #[serde(skip)]
    kind: Kind,
    /// Which kind: `/problems/<slug>`.
    #[serde(rename = "type")]
    type_uri: &'static str,
    /// The kind in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong this time.
    detail: String,
    /// The parts of the request that are at fault.
    errors: Vec<ProblemError>,
    /// The rule that refused, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<RulingCited>,
    /// What would be legal instead, where that can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value)]
    legal: Option<Value>,
    /// The head the match has moved on to.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<Head>,
}

/// An error of the service, on its way to becoming a response.
#[derive(Debug)]
pub struct Problem(Box<ProblemBody>);

impl Problem {
    /// A problem of a kind, told in words.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem(Box::new(ProblemBody {
            kind,
            type_uri: kind.type_uri(),
            title: kind.title(),
            status: kind.status(),
            detail: detail.into(),
            errors: Vec::new(),
            ruling: None,
            legal: None,
            head: None,
        }))
    }

    /// A problem with one part of the request.
    pub fn at(kind: Kind, location: impl Into<String>, message: impl Into<String>) -> Problem {
        let message = message.into();
        let error = ProblemError { location: location.into(), message: message.clone() };
        let mut problem = Problem::new(kind, message);
        problem.0.errors.push(error);
        problem
    }

    /// Which kind it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// A problem with a parameter in the query.
    pub fn query(name: &str, message: impl Into<String>) -> Problem {
        Problem::at(Kind::InvalidParameter, format!("query.{name}"), message)
    }

    /// A problem with a header.
    pub fn header(name: &str, message: impl Into<String>) -> Problem {
        let message = format!("{name} {}", message.into());
        Problem::at(Kind::InvalidParameter, format!("header.{name}"), message)
    }

    /// The same, about another place of the request, where it is about this one.
    pub fn instead(mut self, of: &str, location: &str) -> Problem {
        for error in self.0.errors.iter_mut().filter(|error| error.location == of) {
            location.clone_into(&mut error.location);
        }
        self
    }

    /// The problem in other words.
    pub fn saying(mut self, detail: &str) -> Problem {
        detail.clone_into(&mut self.0.detail);
        self
    }

    /// The problem of a request with an `Idempotency-Key`, where the store failed before the key was looked up.
    pub fn of_a_repeat(mut self) -> Problem {
        if self.0.kind == Kind::Unavailable {
            self.0.detail.push_str(", unless it had come before; send it again with its key");
        }
        self
    }

    /// Something that is no edition: every fault, as long as they can be told.
    pub fn not_an_edition(faults: &[EditionFault]) -> Problem {
        const MOST: usize = 1_000;
        let told = match faults {
            [one] => format!("this is not an edition: {one}"),
            _ => format!("this is not an edition: {} faults", faults.len()),
        };
        let mut problem = Problem::new(Kind::NotAnEdition, told);
        problem.0.errors = faults.iter().take(MOST).map(edition_error).collect();
        problem
    }

    /// What `/readyz` answers while nothing can be stored: that it is not ready, and why.
    pub fn not_ready(error: PlayError) -> Problem {
        let store = match error {
            PlayError::Store(store) => store,
            other => return other.into(),
        };
        tracing::warn!(error = %store, "not ready");
        let why = match store {
            StoreError::Hindered(obstacle, _) => format!("nothing can be stored: {obstacle}"),
            StoreError::Unavailable(_) | StoreError::Unsure(_) => {
                "the database does not answer now".to_owned()
            }
            StoreError::Conflict
            | StoreError::Address(_)
            | StoreError::Migration(_)
            | StoreError::Failed(_) => "nothing can be stored: the database refuses a small write".to_owned(),
        };
        Problem::new(Kind::Unavailable, why)
    }

    /// A refusal of the rules; `choices_at` is where choices stand in the body.
    pub fn refused(refusal: Refusal, choices_at: &str) -> Problem {
        let kind = match refusal.why {
            Why::NeedsInput => Kind::NeedsInput,
            Why::IllegalInput => Kind::IllegalInput,
            Why::OutOfTurn => Kind::OutOfTurn,
            Why::AwaitingChoice => Kind::AwaitingChoice,
            Why::NotYours => Kind::TokenRefused,
            Why::NoSuchToken => Kind::NoSuchToken,
            Why::NoSuchDispute => Kind::NoSuchDispute,
            Why::NoSuchCorrection => Kind::NoSuchCorrection,
            Why::Settled => Kind::AlreadySettled,
            Why::ReviewOpen => Kind::ReviewOpen,
            Why::MatchOver => Kind::MatchOver,
            Why::SeedOpen => Kind::SeedOpen,
        };
        let location = match &refusal.place {
            Place::Input if kind == Kind::NoSuchToken => Some("path.role".to_owned()),
            Place::Input if matches!(kind, Kind::NoSuchDispute | Kind::NoSuchCorrection) => {
                Some("path.n".to_owned())
            }
            Place::Field(name) if name == "dry_run" => Some("query.dry_run".to_owned()),
            Place::Input => None,
            Place::Field(name) => Some(format!("body.{name}")),
            Place::Choice(name) if name.is_empty() => Some(choices_at.to_owned()),
            Place::Choice(name) => Some(format!("{choices_at}.{name}")),
            Place::Die(at) => Some(format!("body.dice[{at}]")),
        };
        let mut problem = match location {
            None => Problem::new(kind, refusal.message),
            Some(location) => Problem::at(kind, location, refusal.message),
        };
        problem.0.ruling = refusal.ruling.map(RulingCited::from);
        problem.0.legal = Some(refusal.legal).filter(|legal| !legal.is_null());
        problem
    }
}

fn edition_error(EditionFault { path, reason }: &EditionFault) -> ProblemError {
    let location = if path.is_empty() { "body".to_owned() } else { format!("body.{path}") };
    ProblemError { location, message: reason.clone() }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_TYPE, PROBLEM_JSON));
        match self.0.kind {
            Kind::TokenMissing => response.insert_header((WWW_AUTHENTICATE, "Bearer")),
            Kind::Unavailable | Kind::Contended | Kind::AuditsFull | Kind::NoRoom => {
                response.insert_header((RETRY_AFTER, "1"))
            }
            // What is still to come of the body is not waited for.
            Kind::SlowBody => response.force_close(),
            Kind::SimulationsFull => response.insert_header((RETRY_AFTER, "10")),
            _ => &mut response,
        };
        response.body(serde_json::to_string(&self.0).unwrap_or_default())
    }
}

/// The media type of problems.
pub const PROBLEM_JSON: &str = "application/problem+json";

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Problem {
        let detail = error.to_string();
        match error {
            PlayError::NoSuchMatch(_) => Problem::new(Kind::NoSuchMatch, detail),
            PlayError::Untold(Untold::NoSuchEvent { .. }) => Problem::new(Kind::NoSuchEvent, detail),
            PlayError::Untold(Untold::NotKnownYet { .. }) => Problem::query("as_known_at", detail),
            PlayError::Untold(Untold::Broken(broken)) => {
                tracing::error!(%broken, "a stored log does not fold");
                Problem::new(Kind::BrokenLog, "the stored log does not hold; audit it")
            }
            PlayError::Refused(refusal) => Problem::refused(*refusal, "body.choices"),
            PlayError::TokenRefused => Problem::at(Kind::TokenRefused, "header.Authorization", detail),
            PlayError::StaleHead(head) => {
                let mut problem = Problem::at(Kind::StaleHead, "header.If-Match", detail);
                problem.0.head = Some(head);
                problem
            }
            PlayError::KeyReused => Problem::at(Kind::KeyReused, "header.Idempotency-Key", detail),
            PlayError::Contended => Problem::new(Kind::Contended, detail),
            PlayError::BrokenLog { seq, reason } => {
                tracing::error!(seq, reason, "a stored log does not fold");
                Problem::new(
                    Kind::BrokenLog,
                    format!("the stored log does not hold at event {seq}; audit it"),
                )
            }
            PlayError::NoSuchEdition(_) => Problem::new(Kind::NoSuchEdition, detail),
            PlayError::NoEntropy => {
                tracing::error!("{detail}");
                Problem::new(Kind::Internal, "the service cannot make a seed")
            }
            PlayError::StoredBefore(error) => Problem::from(error).saying(
                "this request was stored when it came first; the answer cannot be read now, so send it again with its key",
            ),
            PlayError::ClockOff(_) => {
                tracing::error!("{detail}");
                Problem::new(Kind::Internal, detail)
            }
            PlayError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Problem {
    /// What the database says stays in the service's own log.
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Conflict => Problem::new(Kind::Contended, "others are writing the same; try again"),
            StoreError::Unavailable(reason) => {
                tracing::warn!(reason, "the store is unavailable");
                let message = "the database does not answer now; nothing was stored by this request";
                Problem::new(Kind::Unavailable, message)
            }
            StoreError::Hindered(obstacle, reason) if obstacle.is_fault() => {
                tracing::error!(reason, "{obstacle}");
                Problem::new(Kind::Internal, "the service could not do this")
            }
            StoreError::Hindered(obstacle, reason) => {
                tracing::warn!(reason, "{obstacle}");
                Problem::new(Kind::Unavailable, format!("{obstacle}; nothing was stored by this request"))
            }
            StoreError::Unsure(reason) => {
                tracing::warn!(reason, "the store went away in the middle of an append");
                let message = "the database went away while this was being stored; look at the head before you try again";
                Problem::new(Kind::Unavailable, message)
            }
            StoreError::Address(reason) | StoreError::Migration(reason) | StoreError::Failed(reason) => {
                tracing::error!(reason, "the store failed");
                Problem::new(Kind::Internal, "the service could not do this")
            }
        }
    }
}

impl From<BrokenLine> for Problem {
    fn from(broken: BrokenLine) -> Problem {
        Problem::at(Kind::NotAMatchLog, format!("body.line[{}]", broken.line), broken.to_string())
    }
}
