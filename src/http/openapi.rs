//! The OpenAPI document: generated from the table of endpoints, with the problems that each can answer with.

mod schemas;
mod tokens_taken;
mod unions;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{AllOfBuilder, AnyOfBuilder};
use utoipa::openapi::{
    Content, KnownFormat, Object, OpenApi as Document, PathItem, Ref, RefOr, Required, Response, Schema,
    SchemaFormat, Type,
};
use utoipa::{Modify, OpenApi, ToSchema};

use self::schemas::OpenObjects;
use self::tokens_taken::TokensTaken;
use self::unions::Unions;
use super::OF_A_MATCH;
use super::match_view::MatchStanding;
use super::problem::PROBLEM_JSON;
use super::resource::EndpointMethod;
use super::routes::{ENDPOINTS, EndpointsDoc};
use super::{audits, events, game_id, response};
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
    servers(
        (url = "/", description = "The service that this document was fetched from"),
        (url = "http://127.0.0.1:8080", description = "A service at its default address"),
    ),
    components(schemas(
        crate::commands::ProblemBody, response::AppendedBody, crate::log::Event, crate::views::MatchSummary,
        // An answer to an append has these only where its client prefers it.
        MatchStanding, response::MinimalBody,
        // Only query parameters refer to these, and the derives do not collect schemas from there.
        audits::ReportFormat, events::LogExtra,
        // An ask has options, and an option asks: the derives stop there.
        crate::rules::AskOption,
    )),
    tags(
        (name = "matches", description = "Create and find matches"),
        (name = "sides", description = "Claim a side, and replace tokens"),
        (name = "play", description = "Record a match, or play one"),
        (name = "disputes", description = "Void play, amend a ball, raise disputes and rule on them"),
        (name = "log", description = "The events of a match"),
        (name = "cards", description = "Scorecards, commentary and other views of the events"),
        (name = "audits", description = "Prove that a log is consistent and fair"),
        (name = "games", description = "What to know of each game before a match is created"),
        (name = "editions", description = "The components of games, as data"),
        (name = "simulations", description = "The figures of a game over many matches"),
        (name = "service", description = "The service itself"),
    ),
)]
struct ApiDoc;

/// The additions to what the handlers describe, in order.
const ADDITIONS: [&dyn Modify; 7] =
    [&Unions, &TokensTaken, &MatchIds, &NotModified, &Problems, &PlayHeaders, &OpenObjects];

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
    let mut document = ApiDoc::openapi().merge_from(EndpointsDoc::openapi());
    ADDITIONS.iter().for_each(|addition| addition.modify(&mut document));
    game_id::name_games(&mut document, registry);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The problems of every operation, and those that every write adds: the request is not meant for this
/// service, or comes from a foreign page.
const EVERY: &[ProblemType] = &[MisdirectedRequest];
const EVERY_WRITE: &[ProblemType] = &[ForeignOrigin];

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

/// Adds the id of the match to the parameters of each operation on a match.
struct MatchIds;

impl Modify for MatchIds {
    fn modify(&self, document: &mut Document) {
        let id = || {
            let uuid = Object::builder()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
            let parameter = Parameter::builder()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some("The match"))
                .schema(Some(uuid));
            RefOr::T(parameter.build())
        };
        let of_a_match = document.paths.paths.iter_mut().filter(|(path, _)| path.starts_with(OF_A_MATCH));
        for operation in of_a_match.flat_map(|(_, item)| operations_at(item)) {
            operation.parameters.get_or_insert_default().insert(0, id());
        }
    }
}

/// Lists the problems of each operation, as one response for each status. The responses are components: most
/// operations share them.
struct Problems;

impl Modify for Problems {
    fn modify(&self, document: &mut Document) {
        let mut responses = BTreeMap::new();
        for endpoint in ENDPOINTS {
            let item = document.paths.paths.get_mut(&(endpoint.path)());
            let (operation, of_all) = match endpoint.method() {
                EndpointMethod::Get => (item.and_then(|item| item.get.as_mut()), [EVERY, &[]]),
                EndpointMethod::Post => (item.and_then(|item| item.post.as_mut()), [EVERY, EVERY_WRITE]),
                EndpointMethod::Delete => (item.and_then(|item| item.delete.as_mut()), [EVERY, EVERY_WRITE]),
                EndpointMethod::Put => (item.and_then(|item| item.put.as_mut()), [EVERY, EVERY_WRITE]),
            };
            let Some(operation) = operation else { continue };
            for (status, kinds) in by_status(endpoint.problems.iter().chain(&of_all).copied().flatten()) {
                let name = kinds
                    .iter()
                    .map(|kind| pascal_case(kind.type_uri().trim_start_matches("/problems/")))
                    .collect::<Vec<_>>()
                    .join("Or");
                let response = RefOr::Ref(Ref::from_response_name(&name));
                operation.responses.responses.insert(status.to_string(), response);
                responses.insert(name, RefOr::T(problem_response(&kinds)));
            }
        }
        document.components.get_or_insert_default().responses.extend(responses);
    }
}

/// The problems of an operation, each once, by their status.
fn by_status<'a>(problems: impl Iterator<Item = &'a ProblemType>) -> BTreeMap<u16, BTreeSet<ProblemType>> {
    let mut by_status: BTreeMap<u16, BTreeSet<ProblemType>> = BTreeMap::new();
    for kind in problems {
        by_status.entry(kind.status()).or_default().insert(*kind);
    }
    by_status
}

/// The slug of a problem or the kind of an event as a name: `no-such-match` is `NoSuchMatch`.
fn pascal_case(slug: &str) -> String {
    let capital =
        |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
    slug.split(['-', '_']).map(capital).collect()
}

fn operations(document: &mut Document) -> impl Iterator<Item = &mut Operation> {
    document.paths.paths.values_mut().flat_map(operations_at)
}

fn operations_at(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.delete, &mut item.put].into_iter().flatten()
}

fn problem_response(kinds: &BTreeSet<ProblemType>) -> Response {
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

/// Adds the request headers that every append takes, and what its answer has where its client prefers it.
struct PlayHeaders;

impl Modify for PlayHeaders {
    fn modify(&self, document: &mut Document) {
        for operation in operations(document) {
            let tag = operation.tags.iter().flatten().next().map_or("", String::as_str);
            if !matches!(tag, "play" | "disputes") {
                continue;
            }
            let Some(RefOr::T(appended)) = operation.responses.responses.get_mut("201") else { continue };
            for content in appended.content.values_mut() {
                if let RefOr::T(content) = content {
                    or_as_preferred(content);
                }
            }
            for (name, description) in [
                (
                    "If-Match",
                    "The head to append to: its hash in double quotes, or an ETag of the match. Another head is refused.",
                ),
                (
                    "Idempotency-Key",
                    "A key for retries: a repeated request is answered with the events of the first.",
                ),
                (
                    "Prefer",
                    "`return=representation` (RFC 7240): the answer has all of the match's view that can change, but \
                     for the answer to a repeated request. `return=minimal`: it has the head, the score and the kind \
                     of the next step alone. `Preference-Applied` says which of the two it is.",
                ),
            ] {
                let parameter = Parameter::builder()
                    .name(name)
                    .parameter_in(ParameterIn::Header)
                    .description(Some(description))
                    .schema(Some(Object::with_type(Type::String)))
                    .build();
                operation.parameters.get_or_insert_default().push(RefOr::T(parameter));
            }
        }
    }
}

/// Lets a body stand alone, or with what else can change in the view of the match, or gives way to the
/// shortest answer.
fn or_as_preferred(content: &mut Content) {
    let Some(body) = content.schema.take() else { return };
    let standing = Ref::from_schema_name(MatchStanding::name());
    let minimal = Ref::from_schema_name(response::MinimalBody::name());
    let with_standing = AllOfBuilder::new().item(body.clone()).item(standing);
    content.schema = Some(AnyOfBuilder::new().item(body).item(with_standing).item(minimal).into());
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
