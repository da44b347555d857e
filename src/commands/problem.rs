//! The registry of problems (RFC 9457), and how a refusal becomes one of them. It is the only place that
//! knows slugs, titles and statuses.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::log::{BrokenLine, Head};
use crate::rules::{EditionFault, Next, Place, Refusal, RefusalKind, RulingCited};

macro_rules! problems {
    ($($name:ident $status:literal $slug:literal $title:literal;)+) => {
        /// A type of problem that the service answers with (RFC 9457).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ProblemType {
            $(#[doc = $title] $name),+
        }

        impl ProblemType {
            /// The HTTP status of this type.
            pub const fn status(self) -> u16 {
                match self { $(ProblemType::$name => $status),+ }
            }

            /// The `type` of the problem: a path that never changes.
            pub const fn type_uri(self) -> &'static str {
                match self { $(ProblemType::$name => concat!("/problems/", $slug)),+ }
            }

            /// The `title` of the problem.
            pub const fn title(self) -> &'static str {
                match self { $(ProblemType::$name => $title),+ }
            }
        }
    };
}

problems! {
    MalformedJson 400 "malformed-json" "The body is not JSON";
    MalformedId 400 "malformed-id" "A match id is a UUID";
    InvalidParameter 400 "invalid-parameter" "A query parameter or header is not valid";
    BadCursor 400 "bad-cursor" "The cursor is not from this service";
    TokenMissing 401 "token-missing" "The request needs a token";
    TokenRefused 403 "token-refused" "The token does not allow this";
    ForeignOrigin 403 "foreign-origin" "A foreign page may not change anything here";
    NotFound 404 "not-found" "There is nothing at this path";
    NoSuchMatch 404 "no-such-match" "There is no such match";
    NoSuchEvent 404 "no-such-event" "There is no such event";
    NoSuchEdition 404 "no-such-edition" "There is no such edition";
    NoSuchSimulation 404 "no-such-simulation" "There is no such simulation";
    NoSuchGame 404 "no-such-game" "There is no such game";
    NoSuchToken 404 "no-such-token" "There is no such token to replace";
    NoSuchDelivery 404 "no-such-delivery" "There is no such delivery";
    NoSuchDispute 404 "no-such-dispute" "There is no such dispute";
    NoSuchCorrection 404 "no-such-correction" "There is no such correction";
    NoLuck 404 "no-luck" "The rest of this match is not dice alone";
    MethodNotAllowed 405 "method-not-allowed" "The path does not allow this method";
    SlowBody 408 "slow-body" "The body arrives too slowly";
    OutOfTurn 409 "out-of-turn" "The match waits for something else";
    AwaitingChoice 409 "awaiting-choice" "The match waits for a choice of a side";
    ReviewOpen 409 "review-open" "A decision must be reviewed or accepted first";
    MatchOver 409 "match-over" "The match is finished";
    SeedOpen 409 "seed-open" "The seeds of the match are revealed";
    NoPreview 409 "no-preview" "The outcome stays hidden until it is in the log";
    NoHandOver 409 "no-hand-over" "The scoring of this match is not handed over";
    Taken 409 "taken" "Somebody else has this";
    AlreadySettled 409 "already-settled" "This is decided already";
    StaleHead 412 "stale-head" "The match has moved on";
    BodyTooLarge 413 "body-too-large" "The body is too large";
    UnsupportedMediaType 415 "unsupported-media-type" "The body must be application/json";
    MisdirectedRequest 421 "misdirected-request" "This service does not answer to this Host";
    NeedsInput 422 "needs-input" "A die or a choice is missing";
    IllegalInput 422 "illegal-input" "A die, a choice or a field is not legal";
    KeyReused 422 "idempotency-key-reused" "The idempotency key was used for another request";
    NotAnEdition 422 "not-an-edition" "This is not a valid edition";
    NotAMatchLog 422 "not-a-match-log" "This is not a match log";
    Internal 500 "internal" "The service has failed";
    BrokenLog 500 "broken-log" "The stored log of this match is not valid";
    Unavailable 503 "store-unavailable" "The database does not answer now";
    Contended 503 "contended" "Too many requests append to this match at once";
    SimulationsFull 503 "simulations-full" "No more simulations can wait now";
    AuditsFull 503 "audits-full" "No more audits and checks can wait now";
    PreviewsFull 503 "previews-full" "No more previews can wait now";
    LuckFull 503 "luck-full" "No more tables of chances can wait now";
    NoRoom 503 "no-room" "There is no memory for this request now";
}

/// The fault of one part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemError {
    /// The part at fault, e.g. `body.dice[1]`, `query.at`, `header.If-Match`.
    pub location: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

/// A problem in the form of RFC 9457 (`application/problem+json`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    #[serde(skip)]
    kind: ProblemType,
    /// The type of the problem: `/problems/<slug>`.
    #[serde(rename = "type")]
    type_uri: &'static str,
    /// The title of the type.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request.
    detail: String,
    /// The parts of the request that are at fault.
    errors: Vec<ProblemError>,
    /// The rule that refused the request, where a rule did.
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<RulingCited>,
    /// The rulings that the ball has come to so far, in order, where it misses a die or a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rulings_so_far: Vec<RulingCited>,
    /// What would be legal instead, where that can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value)]
    legal: Option<Value>,
    /// The step that the match waits for, where it does not wait for the request's.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
    /// The head of the match now, where the request named another.
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<Head>,
    /// The later delivery of which a correction asks a die or a choice, with its `place` and its `requests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    later: Option<Value>,
    /// The ball of which a correction asks that an innings misses, with its `innings` and its `requests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    missing: Option<Value>,
}

/// A problem with a request, or with the service that it was sent to.
#[derive(Debug)]
pub struct Problem(Box<ProblemBody>);

impl Problem {
    /// A problem of a type, with its detail.
    pub fn new(kind: ProblemType, detail: impl Into<String>) -> Problem {
        Problem(Box::new(ProblemBody {
            kind,
            type_uri: kind.type_uri(),
            title: kind.title(),
            status: kind.status(),
            detail: detail.into(),
            errors: Vec::new(),
            ruling: None,
            rulings_so_far: Vec::new(),
            legal: None,
            next: None,
            head: None,
            later: None,
            missing: None,
        }))
    }

    /// A problem with one part of the request.
    pub fn at(kind: ProblemType, location: impl Into<String>, message: impl Into<String>) -> Problem {
        let message = message.into();
        let error = ProblemError { location: location.into(), message: message.clone() };
        let mut problem = Problem::new(kind, message);
        problem.0.errors.push(error);
        problem
    }

    /// The type of the problem.
    pub fn kind(&self) -> ProblemType {
        self.0.kind
    }

    /// The problem as RFC 9457 has it, to be written as JSON.
    pub fn body(&self) -> &ProblemBody {
        &self.0
    }

    /// A problem with a parameter in the query.
    pub fn query(name: &str, message: impl Into<String>) -> Problem {
        Problem::at(ProblemType::InvalidParameter, format!("query.{name}"), message)
    }

    /// A problem with a header.
    pub fn header(name: &str, message: impl Into<String>) -> Problem {
        let message = format!("{name} {}", message.into());
        Problem::at(ProblemType::InvalidParameter, format!("header.{name}"), message)
    }

    /// The problem with each location `of` replaced by another.
    pub fn instead(mut self, of: &str, location: &str) -> Problem {
        for error in self.0.errors.iter_mut().filter(|error| error.location == of) {
            location.clone_into(&mut error.location);
        }
        self
    }

    /// The problem with another detail.
    pub fn with_detail(mut self, detail: &str) -> Problem {
        detail.clone_into(&mut self.0.detail);
        self
    }

    /// The problem with the later delivery of which a correction asks a die or a choice.
    pub fn with_later(mut self, later: Value) -> Problem {
        self.0.later = Some(later);
        self
    }

    /// The problem with the ball of which a correction asks that an innings misses.
    pub fn with_missing(mut self, missing: Value) -> Problem {
        self.0.missing = Some(missing);
        self
    }

    /// The problem with the step that the match waits for.
    pub fn with_next(mut self, next: Next) -> Problem {
        self.0.next = Some(next);
        self
    }

    /// The problem with the head of the match as it is now.
    pub fn with_head(mut self, head: Head) -> Problem {
        self.0.head = Some(head);
        self
    }

    /// The problem of an edition that is not valid, with its faults, up to a limit.
    pub fn not_an_edition(faults: &[EditionFault]) -> Problem {
        const MOST: usize = 1_000;
        let detail = match faults {
            [one] => format!("this is not an edition: {one}"),
            _ => format!("this is not an edition: {} faults", faults.len()),
        };
        let mut problem = Problem::new(ProblemType::NotAnEdition, detail);
        problem.0.errors = faults.iter().take(MOST).map(edition_error).collect();
        problem
    }

    /// The problem of a refusal by the rules; `choices_at` is the place of the choices in the body.
    pub fn refused(refusal: Refusal, choices_at: &str) -> Problem {
        let kind = match refusal.kind {
            RefusalKind::NeedsInput => ProblemType::NeedsInput,
            RefusalKind::IllegalInput => ProblemType::IllegalInput,
            RefusalKind::OutOfTurn => ProblemType::OutOfTurn,
            RefusalKind::AwaitingChoice => ProblemType::AwaitingChoice,
            RefusalKind::NotYours => ProblemType::TokenRefused,
            RefusalKind::NoSuchToken => ProblemType::NoSuchToken,
            RefusalKind::NoSuchDispute => ProblemType::NoSuchDispute,
            RefusalKind::NoSuchCorrection => ProblemType::NoSuchCorrection,
            RefusalKind::Settled => ProblemType::AlreadySettled,
            RefusalKind::ReviewOpen => ProblemType::ReviewOpen,
            RefusalKind::MatchOver => ProblemType::MatchOver,
            RefusalKind::SeedOpen => ProblemType::SeedOpen,
            RefusalKind::NoPreview => ProblemType::NoPreview,
        };
        let location = match &refusal.place {
            Place::Input if kind == ProblemType::NoSuchToken => Some("path.role".to_owned()),
            Place::Input if matches!(kind, ProblemType::NoSuchDispute | ProblemType::NoSuchCorrection) => {
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
        problem.0.rulings_so_far = refusal.so_far.iter().map(|ruling| RulingCited::from(*ruling)).collect();
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

impl From<BrokenLine> for Problem {
    fn from(broken: BrokenLine) -> Problem {
        Problem::at(ProblemType::NotAMatchLog, format!("body.line[{}]", broken.line), broken.to_string())
    }
}
