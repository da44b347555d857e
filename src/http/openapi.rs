//! The OpenAPI document: generated from the handlers, with the problems that each operation can answer with.

mod schemas;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, OpenApi as Document, RefOr, Response, Schema};
use utoipa::{Modify, OpenApi};

use self::schemas::OpenObjects;
pub use self::schemas::game_id;
use super::problem::PROBLEM_JSON;
use super::{
    audits, choices, corrections, disputes, editions, events, matches, play, response, reviews, scorecards,
    simulations, status, tokens,
};
use crate::commands::ProblemType::{self, *};
use crate::games::BUILT_IN;
use crate::rules::Registry;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "third-umpire",
        description = "Record, replay and audit tabletop cricket ball by ball. Every ball is an append-only event; \
                       scorecards are folded from the events; any match can be proved from its seed and its log.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    paths(
        matches::create, matches::list, matches::get, tokens::claim, tokens::rotate,
        choices::seeds, choices::choose, choices::call,
        play::set_up, play::toss, play::toss_decision, play::overs, play::balls, play::abandonment, play::autoplay,
        reviews::create, reviews::list,
        corrections::create, corrections::list, corrections::consent,
        disputes::create, disputes::list, disputes::get, disputes::rule,
        events::list, events::get, events::log, events::stream,
        scorecards::scorecard, scorecards::fall_of_wickets, scorecards::commentary, scorecards::replay,
        audits::stored, audits::given,
        editions::create, editions::list, editions::get,
        simulations::create, simulations::get, simulations::cancel,
        status::healthz, status::readyz, status::metrics, status::openapi,
    ),
    components(schemas(
        crate::commands::ProblemBody, response::AppendedBody, crate::log::Event, crate::views::MatchSummary,
        // Only query parameters refer to these, and the derives do not collect schemas from there.
        audits::ReportFormat, events::LogExtra,
    )),
    tags(
        (name = "matches", description = "Create and find matches"),
        (name = "sides", description = "Claim a side, and replace tokens"),
        (name = "play", description = "Record a match, or play one"),
        (name = "disputes", description = "Void play, amend a ball, raise disputes and rule on them"),
        (name = "log", description = "The events of a match"),
        (name = "cards", description = "Scorecards, commentary and other views of the events"),
        (name = "audits", description = "Prove that a log is consistent and fair"),
        (name = "editions", description = "The components of games, as data"),
        (name = "simulations", description = "The figures of a game over many matches"),
        (name = "service", description = "The service itself"),
    ),
    modifiers(&TokenSchemes, &NotModified, &Problems, &PlayHeaders, &OpenObjects),
)]
struct ApiDoc;

/// The committed text of the document. A service of the built-in games serves it: generating it takes longer
/// than the rest of a start.
const COMMITTED_DOCUMENT: &str = include_str!("../../openapi/openapi.json");

/// The text of the document that a service of these games serves.
pub(super) fn served_document(registry: Registry) -> Cow<'static, str> {
    let named = |registry: Registry| registry.games().iter().map(|game| (game.info.id, game.info.title));
    if named(registry).eq(named(BUILT_IN)) {
        return COMMITTED_DOCUMENT.into();
    }
    document_text(registry).into()
}

/// The text of the OpenAPI document, generated from the code and from a registry of games: indented, with a
/// line end.
pub fn document_text(registry: Registry) -> String {
    let mut document = ApiDoc::openapi();
    schemas::name_games(&mut document, registry);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The kinds of bearer tokens.
struct TokenSchemes;

impl Modify for TokenSchemes {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_default();
        for (name, what) in [
            ("scorer", "The scorer's token, which the creation of the match returns."),
            ("side", "The token of the home or the away side, claimed with its invite."),
            (
                "umpire",
                "An umpire's token, which the scorer issues: POST /v1/matches/{id}/tokens/umpire/rotate.",
            ),
            ("admin", "The admin token that the service was started with."),
        ] {
            let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(what)).build();
            components.add_security_scheme(name, SecurityScheme::Http(bearer));
        }
    }
}

/// The problems of any operation on the store.
const STORE: &[ProblemType] = &[Internal, Unavailable];
const ON_A_MATCH: &[ProblemType] = &[MalformedId, NoSuchMatch];
const BODY: &[ProblemType] =
    &[MalformedJson, SlowBody, BodyTooLarge, UnsupportedMediaType, NeedsInput, IllegalInput, NoRoom];
/// The problems of every operation, and those that every POST adds: the request is not meant for this
/// service, or comes from a foreign page.
const EVERY: &[ProblemType] = &[MisdirectedRequest];
const EVERY_POST: &[ProblemType] = &[ForeignOrigin];
const APPEND: &[ProblemType] = &[
    TokenMissing,
    TokenRefused,
    InvalidParameter,
    OutOfTurn,
    AwaitingChoice,
    ReviewOpen,
    MatchOver,
    SeedOpen,
    StaleHead,
    KeyReused,
    Contended,
    BrokenLog,
];
const CARD: &[ProblemType] = &[InvalidParameter, NoSuchEvent, BrokenLog];

/// The problems that an operation can answer with.
fn problems_of(operation_id: &str) -> Vec<&'static [ProblemType]> {
    match operation_id {
        "create_match" => {
            vec![STORE, BODY, &[InvalidParameter, TokenMissing, TokenRefused, Contended]]
        }
        "list_matches" => vec![STORE, &[InvalidParameter, BadCursor]],
        "get_match" => vec![STORE, ON_A_MATCH, &[TokenMissing, TokenRefused, BrokenLog]],
        "claim_side" => vec![
            STORE,
            ON_A_MATCH,
            BODY,
            &[
                InvalidParameter,
                TokenRefused,
                OutOfTurn,
                MatchOver,
                SeedOpen,
                StaleHead,
                Contended,
                BrokenLog,
            ],
        ],
        "rotate_token" => vec![
            STORE,
            ON_A_MATCH,
            &[InvalidParameter, TokenMissing, TokenRefused, NoSuchToken, StaleHead, Contended, BrokenLog],
        ],
        "set_up_match" | "review" | "add_seed" | "choose" | "call_for_choice" | "make_toss"
        | "decide_toss" | "begin_over" | "bowl_ball" | "abandon_match" | "autoplay" => {
            vec![STORE, ON_A_MATCH, BODY, APPEND]
        }
        "correct" => vec![STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled]],
        "consent" => vec![STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled, NoSuchCorrection]],
        "dispute" => vec![STORE, ON_A_MATCH, BODY, APPEND],
        "rule_on_dispute" => vec![STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled, NoSuchDispute]],
        "list_corrections" | "list_disputes" => vec![STORE, ON_A_MATCH, &[BrokenLog]],
        "get_dispute" => vec![STORE, ON_A_MATCH, &[InvalidParameter, NoSuchDispute, BrokenLog]],
        "list_events" => vec![STORE, ON_A_MATCH, &[InvalidParameter, BrokenLog]],
        "get_event" => vec![STORE, ON_A_MATCH, &[InvalidParameter, NoSuchEvent]],
        "get_log" => vec![STORE, ON_A_MATCH, &[InvalidParameter, BrokenLog]],
        "stream_events" => vec![STORE, ON_A_MATCH, &[InvalidParameter]],
        "get_reviews" | "get_scorecard" | "get_fall_of_wickets" | "get_commentary" | "replay_match" => {
            vec![STORE, ON_A_MATCH, CARD]
        }
        "audit_match" => vec![STORE, ON_A_MATCH, &[InvalidParameter, BrokenLog, AuditsFull, NoRoom]],
        "audit_log" => vec![
            STORE,
            &[MalformedJson, InvalidParameter, SlowBody, BodyTooLarge, NotAMatchLog, AuditsFull, NoRoom],
        ],
        "create_edition" => vec![
            STORE,
            &[
                MalformedJson,
                TokenMissing,
                TokenRefused,
                SlowBody,
                BodyTooLarge,
                UnsupportedMediaType,
                NotAnEdition,
                AuditsFull,
                NoRoom,
            ],
        ],
        "list_editions" => vec![STORE],
        "get_edition" => vec![STORE, &[NoSuchEdition]],
        "create_simulation" => vec![STORE, BODY, &[TokenMissing, TokenRefused, SimulationsFull]],
        "get_simulation" => vec![STORE, &[NoSuchSimulation]],
        "cancel_simulation" => vec![STORE, &[TokenMissing, TokenRefused, NoSuchSimulation]],
        "readyz" => vec![STORE],
        // These do not answer while the service waits for its tables.
        "metrics" | "openapi" => vec![&[Unavailable]],
        _ => Vec::new(),
    }
}

/// Adds the response 304 to each operation with an entity tag.
struct NotModified;

impl Modify for NotModified {
    fn modify(&self, document: &mut Document) {
        for operation in operations(document) {
            let tagged = operation.responses.responses.get("200").is_some_and(|response| match response {
                RefOr::T(response) => response.headers.contains_key("ETag"),
                RefOr::Ref(_) => false,
            });
            if tagged {
                let response = Response::new("Not modified: `If-None-Match` has the tag of this state");
                operation.responses.responses.insert("304".to_owned(), RefOr::T(response));
            }
        }
    }
}

/// Lists the problems of each operation, as one response for each status.
struct Problems;

impl Modify for Problems {
    fn modify(&self, document: &mut Document) {
        for item in document.paths.paths.values_mut() {
            item.get.iter_mut().for_each(|operation| list_problems(operation, &[EVERY]));
            item.post.iter_mut().for_each(|operation| list_problems(operation, &[EVERY, EVERY_POST]));
        }
    }
}

/// Lists the problems of one operation, and those that all operations of its method share.
fn list_problems(operation: &mut Operation, of_all: &[&'static [ProblemType]]) {
    let own = problems_of(operation.operation_id.as_deref().unwrap_or_default());
    let mut by_status: BTreeMap<u16, Vec<ProblemType>> = BTreeMap::new();
    for kind in own.iter().chain(of_all).copied().flatten().copied() {
        by_status.entry(kind.status()).or_default().push(kind);
    }
    for (status, mut kinds) in by_status {
        kinds.sort_unstable();
        kinds.dedup();
        operation.responses.responses.insert(status.to_string(), RefOr::T(problem_response(&kinds)));
    }
}

fn operations(document: &mut Document) -> impl Iterator<Item = &mut Operation> {
    document.paths.paths.values_mut().flat_map(|item| {
        [&mut item.get, &mut item.post].into_iter().filter_map(|operation| operation.as_mut())
    })
}

fn problem_response(kinds: &[ProblemType]) -> Response {
    let types: Vec<&str> = kinds.iter().map(|kind| kind.type_uri()).collect();
    let titles: Vec<&str> = kinds.iter().map(|kind| kind.title()).collect();
    let schema: Schema = match serde_json::from_value(json!({
        "allOf": [
            {"$ref": "#/components/schemas/Problem"},
            {"type": "object", "properties": {"type": {"type": "string", "enum": types}}},
        ]
    })) {
        Ok(schema) => schema,
        Err(error) => unreachable!("the schema of a problem is one: {error}"),
    };
    let mut response = Response::new(titles.join("; "));
    response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(Content::new(Some(RefOr::T(schema)))));
    response
}

/// Adds the request headers that every append takes.
struct PlayHeaders;

impl Modify for PlayHeaders {
    fn modify(&self, document: &mut Document) {
        for operation in operations(document) {
            let appends = operation.responses.responses.contains_key("201");
            let tag = operation.tags.iter().flatten().next().map_or("", String::as_str);
            if !appends || !matches!(tag, "play" | "disputes") {
                continue;
            }
            for (name, description) in [
                ("If-Match", "The head to append to: its hash in double quotes. Another head is refused."),
                (
                    "Idempotency-Key",
                    "A key for retries: a repeated request is answered with the events of the first.",
                ),
            ] {
                let parameter = utoipa::openapi::path::ParameterBuilder::new()
                    .name(name)
                    .parameter_in(utoipa::openapi::path::ParameterIn::Header)
                    .description(Some(description))
                    .schema(Some(
                        utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String),
                    ))
                    .build();
                operation.parameters.get_or_insert_default().push(RefOr::T(parameter));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_document_is_what_the_code_makes() {
        let made = document_text(BUILT_IN);
        let first = made.lines().zip(COMMITTED_DOCUMENT.lines()).find(|(made, text)| made != text);
        assert_eq!(first, None, "write it again: `cargo run -- openapi`, into openapi/openapi.json");
        assert!(made == COMMITTED_DOCUMENT, "one of them goes on where the other ends");
    }
}
