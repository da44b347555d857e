//! The endpoints of the service: one table, from which follow the routes, the operations of the OpenAPI
//! document, and the problems that the document lists.
//!
//! The path and the method of an endpoint stand in the `#[utoipa::path]` attribute of its handler. utoipa
//! keeps them in a type beside the handler, whose name is `__path_` and the handler's. A row names both,
//! since `macro_rules!` cannot make one name of two; a test compares them.

use actix_web::web::{self, ServiceConfig};
use actix_web::{Resource, Route};
use utoipa::openapi::HttpMethod;
use utoipa::{OpenApi, Path};

use super::counting::CountedRoute;
use super::resource::{EndpointMethod, get_route, read_only, resource};
use super::{
    OF_A_MATCH, about, audits, board, choices, codes, corrections, deliveries, disputes, docs, editions,
    events, games, hindsight, luck, matches, play, previews, reviews, scorecards, simulations, status,
    tokens, writers,
};
use crate::commands::ProblemType::{self, *};

/// An endpoint of the service: a row of the table.
pub struct Endpoint {
    /// The path, as the document has it.
    pub path: fn() -> String,
    methods: fn() -> Vec<HttpMethod>,
    /// The function that gives a route the handler.
    with_handler: fn(Route) -> Route,
    /// The problems that the endpoint can answer with, beside those of all endpoints.
    pub problems: &'static [&'static [ProblemType]],
}

impl Endpoint {
    /// The method of the endpoint. HEAD shares that of a GET.
    pub fn method(&self) -> EndpointMethod {
        match (self.methods)().as_slice() {
            [HttpMethod::Get] => EndpointMethod::Get,
            [HttpMethod::Delete] => EndpointMethod::Delete,
            [HttpMethod::Put] => EndpointMethod::Put,
            _ => EndpointMethod::Post,
        }
    }
}

/// Makes the table of all endpoints, a row each: a handler with its path, and the problems of its answers.
macro_rules! endpoints {
    ($($module:ident::{$handler:ident, $path:ident} => [$($problems:expr),*];)+) => {
        /// The part of the OpenAPI document that follows from the table: the paths, and the schemas that they
        /// refer to.
        #[derive(OpenApi)]
        #[openapi(paths($($module::$handler),+))]
        pub struct EndpointsDoc;

        /// The endpoints, in the order in which a request is compared with them.
        pub static ENDPOINTS: &[Endpoint] = &[$(Endpoint {
            path: <$module::$path as Path>::path,
            methods: <$module::$path as Path>::methods,
            with_handler: |route| route.to($module::$handler),
            problems: &[$($problems),*],
        }),+];

        /// The name that the type with a handler's path has to have, and the name in its row.
        #[cfg(test)]
        const NAMES: &[(&str, &str)] = &[$((concat!("__path_", stringify!($handler)), stringify!($path))),+];
    };
}

/// The problems of any endpoint on the store.
const STORE: &[ProblemType] = &[Internal, Unavailable];
/// The problems of any read of the store: its answer may have to wait for a client that does not read.
const READ: &[ProblemType] = &[Internal, Unavailable, NoRoom];
/// The problems of any endpoint on a match.
const ON_A_MATCH: &[ProblemType] = &[MalformedId, NoSuchMatch];
/// The problems of any JSON body.
const BODY: &[ProblemType] =
    &[MalformedJson, SlowBody, BodyTooLarge, UnsupportedMediaType, NeedsInput, IllegalInput, NoRoom];
/// The problems of any command to a match, beside those of its body.
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
/// The problems of any preview, beside those of its body.
const PREVIEW: &[ProblemType] = &[
    InvalidParameter,
    OutOfTurn,
    AwaitingChoice,
    ReviewOpen,
    MatchOver,
    SeedOpen,
    NoPreview,
    PreviewsFull,
    BrokenLog,
];
const CLAIM: &[ProblemType] = &[
    InvalidParameter,
    TokenRefused,
    OutOfTurn,
    MatchOver,
    SeedOpen,
    Taken,
    StaleHead,
    KeyReused,
    Contended,
    BrokenLog,
];
const ROTATE: &[ProblemType] =
    &[InvalidParameter, TokenMissing, TokenRefused, NoSuchToken, StaleHead, KeyReused, Contended, BrokenLog];
/// The problems of an offer of the scoring, and of its end.
const OFFER: &[ProblemType] = &[InvalidParameter, TokenMissing, TokenRefused, Contended, BrokenLog];
/// The problems of any view of a match.
const CARD: &[ProblemType] = &[InvalidParameter, NoSuchEvent, BrokenLog];
const AUDIT: &[ProblemType] =
    &[MalformedJson, InvalidParameter, SlowBody, BodyTooLarge, NotAMatchLog, AuditsFull, NoRoom];
const EDITION: &[ProblemType] = &[
    MalformedJson,
    TokenMissing,
    TokenRefused,
    SlowBody,
    BodyTooLarge,
    UnsupportedMediaType,
    NotAnEdition,
    AuditsFull,
    NoRoom,
];

// The endpoints that are asked for most come first. A path without a parameter comes before one that has a
// parameter in its place.
endpoints! {
    matches::{get, __path_get} => [READ, ON_A_MATCH, &[TokenMissing, TokenRefused, BrokenLog]];
    play::{balls, __path_balls} => [STORE, ON_A_MATCH, BODY, APPEND];
    previews::{ball, __path_ball} => [STORE, ON_A_MATCH, BODY, PREVIEW];
    previews::{over, __path_over} => [STORE, ON_A_MATCH, BODY, PREVIEW];
    previews::{review, __path_review} => [STORE, ON_A_MATCH, BODY, PREVIEW];
    scorecards::{scorecard, __path_scorecard} => [READ, ON_A_MATCH, CARD];
    play::{set_up, __path_set_up} => [STORE, ON_A_MATCH, BODY, APPEND];
    play::{toss, __path_toss} => [STORE, ON_A_MATCH, BODY, APPEND];
    play::{toss_decision, __path_toss_decision} => [STORE, ON_A_MATCH, BODY, APPEND];
    play::{overs, __path_overs} => [STORE, ON_A_MATCH, BODY, APPEND];
    play::{abandonment, __path_abandonment} => [STORE, ON_A_MATCH, BODY, APPEND];
    play::{autoplay, __path_autoplay} => [STORE, ON_A_MATCH, BODY, APPEND];
    scorecards::{fall_of_wickets, __path_fall_of_wickets} => [READ, ON_A_MATCH, CARD];
    scorecards::{commentary, __path_commentary} => [READ, ON_A_MATCH, CARD];
    deliveries::{list, __path_list} => [READ, ON_A_MATCH, CARD];
    deliveries::{get, __path_get} =>
        [READ, ON_A_MATCH, &[InvalidParameter, NoSuchDelivery, BrokenLog]];
    luck::{get, __path_get} => [READ, ON_A_MATCH, CARD, &[NoLuck, LuckFull]];
    scorecards::{replay, __path_replay} => [READ, ON_A_MATCH, CARD];
    audits::{stored, __path_stored} =>
        [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog, AuditsFull]];
    events::{log, __path_log} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    events::{list, __path_list} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    events::{stream, __path_stream} => [STORE, ON_A_MATCH, &[InvalidParameter]];
    events::{get, __path_get} => [READ, ON_A_MATCH, &[InvalidParameter, NoSuchEvent]];
    choices::{seeds, __path_seeds} => [STORE, ON_A_MATCH, BODY, APPEND];
    choices::{choose, __path_choose} => [STORE, ON_A_MATCH, BODY, APPEND];
    choices::{call, __path_call} => [STORE, ON_A_MATCH, BODY, APPEND];
    reviews::{list, __path_list} => [READ, ON_A_MATCH, CARD];
    reviews::{create, __path_create} => [STORE, ON_A_MATCH, BODY, APPEND];
    corrections::{list, __path_list} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    hindsight::{changed_choices, __path_changed_choices} =>
        [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    hindsight::{read_anew, __path_read_anew} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    hindsight::{exceptions, __path_exceptions} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    corrections::{create, __path_create} => [STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled]];
    corrections::{consent, __path_consent} =>
        [STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled, NoSuchCorrection]];
    disputes::{list, __path_list} => [READ, ON_A_MATCH, &[InvalidParameter, BrokenLog]];
    disputes::{create, __path_create} => [STORE, ON_A_MATCH, BODY, APPEND];
    disputes::{get, __path_get} => [READ, ON_A_MATCH, &[InvalidParameter, NoSuchDispute, BrokenLog]];
    disputes::{rule, __path_rule} =>
        [STORE, ON_A_MATCH, BODY, APPEND, &[AlreadySettled, NoSuchDispute]];
    tokens::{claim, __path_claim} => [STORE, ON_A_MATCH, BODY, CLAIM];
    tokens::{offer, __path_offer} => [STORE, ON_A_MATCH, BODY, OFFER, &[MatchOver, NoHandOver]];
    tokens::{stop, __path_stop} => [STORE, ON_A_MATCH, OFFER];
    tokens::{rotate, __path_rotate} => [STORE, ON_A_MATCH, BODY, ROTATE];
    writers::{list, __path_list} => [READ, ON_A_MATCH, &[TokenMissing, TokenRefused, BrokenLog]];
    writers::{name, __path_name} => [STORE, ON_A_MATCH, BODY, &[TokenMissing, TokenRefused]];
    matches::{list, __path_list} => [READ, &[InvalidParameter, BadCursor]];
    matches::{create, __path_create} =>
        [STORE, BODY, &[InvalidParameter, TokenMissing, TokenRefused, Taken, KeyReused, BrokenLog, Contended]];
    games::{list, __path_list} => [READ];
    games::{rulings, __path_rulings} => [READ, &[NoSuchGame]];
    editions::{list, __path_list} => [READ];
    editions::{create, __path_create} => [STORE, EDITION];
    editions::{get, __path_get} => [READ, &[NoSuchEdition]];
    audits::{given, __path_given} => [STORE, AUDIT];
    simulations::{create, __path_create} => [STORE, BODY, &[TokenMissing, TokenRefused, SimulationsFull]];
    simulations::{get, __path_get} => [READ, &[NoSuchSimulation]];
    simulations::{cancel, __path_cancel} => [STORE, &[TokenMissing, TokenRefused, NoSuchSimulation]];
    board::{get, __path_get} => [READ, &[InvalidParameter]];
    codes::{create, __path_create} => [STORE, BODY];
    about::{get, __path_get} => [STORE, &[TokenMissing, TokenRefused]];
    status::{healthz, __path_healthz} => [];
    status::{readyz, __path_readyz} => [STORE];
    // These do not answer while the service waits for its tables.
    status::{metrics, __path_metrics} => [&[Unavailable, NoRoom]];
    status::{openapi, __path_openapi} => [&[Unavailable, NoRoom]];
}

/// Adds the routes of all endpoints, and the page that shows the document.
pub fn configure(config: &mut ServiceConfig) {
    // The scope matches the id once; the paths inside it are compared literally, which is fast.
    let mut of_a_match = web::scope(OF_A_MATCH);
    let mut others = Vec::new();
    for (path, endpoints) in paths() {
        match path.strip_prefix(OF_A_MATCH) {
            Some(rest) => of_a_match = of_a_match.service(resource_of(&path, rest, &endpoints)),
            None => others.push(resource_of(&path, &path, &endpoints)),
        }
    }
    config.service(of_a_match);
    for resource in others {
        config.service(resource);
    }
    config.service(read_only("/docs", docs::to_folder));
    config.service(read_only("/docs/{file:.*}", docs::file));
}

/// The paths in the order of the table, each with its endpoints.
fn paths() -> Vec<(String, Vec<&'static Endpoint>)> {
    let mut paths: Vec<(String, Vec<&Endpoint>)> = Vec::new();
    for endpoint in ENDPOINTS {
        let path = (endpoint.path)();
        match paths.iter_mut().find(|(known, _)| *known == path) {
            Some((_, endpoints)) => endpoints.push(endpoint),
            None => paths.push((path, vec![endpoint])),
        }
    }
    paths
}

/// The resource of a path with its endpoints; `below` is the path below its scope.
fn resource_of(path: &str, below: &str, endpoints: &[&Endpoint]) -> Resource {
    let routes = endpoints.iter().map(|endpoint| {
        let method = endpoint.method();
        let route = match method {
            EndpointMethod::Get => get_route(),
            EndpointMethod::Post => web::post(),
            EndpointMethod::Delete => web::delete(),
            EndpointMethod::Put => web::put(),
        };
        (method, (endpoint.with_handler)(route))
    });
    resource(below, routes.collect()).app_data(CountedRoute::new(path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use actix_web::http::Method;
    use actix_web::test::{TestRequest, call_service, init_service};
    use actix_web::{App, http::StatusCode};

    use super::*;

    /// The operations of the document: the path of each, and its method.
    fn documented() -> Vec<(String, EndpointMethod)> {
        let mut documented = Vec::new();
        for (path, item) in EndpointsDoc::openapi().paths.paths {
            documented.extend(item.get.is_some().then(|| (path.clone(), EndpointMethod::Get)));
            documented.extend(item.delete.is_some().then(|| (path.clone(), EndpointMethod::Delete)));
            documented.extend(item.put.is_some().then(|| (path.clone(), EndpointMethod::Put)));
            documented.extend(item.post.is_some().then_some((path, EndpointMethod::Post)));
        }
        documented
    }

    #[test]
    fn each_row_names_the_path_of_its_own_handler_and_no_other_row_has_it() {
        for (path_of_handler, named) in NAMES {
            assert_eq!(path_of_handler, named);
        }
        let rows: BTreeSet<(String, EndpointMethod)> =
            ENDPOINTS.iter().map(|endpoint| ((endpoint.path)(), endpoint.method())).collect();
        assert_eq!(rows.len(), ENDPOINTS.len());
        assert_eq!(rows, documented().into_iter().collect(), "every operation is a GET, a POST or a DELETE");
    }

    #[actix_web::test]
    async fn each_operation_of_the_document_is_served_and_no_path_hides_another() {
        let app = init_service(App::new().configure(configure)).await;
        let documented = documented();
        assert!(documented.len() > 40, "{}", documented.len());
        for (path, method) in documented {
            let uri = path.replace("{id}", "01a20082-5925-720e-a587-ebd95c5e0b8f").replace(['{', '}'], "");
            let methods = match method {
                EndpointMethod::Get => vec![Method::GET, Method::HEAD],
                EndpointMethod::Post => vec![Method::POST],
                EndpointMethod::Delete => vec![Method::DELETE],
                EndpointMethod::Put => vec![Method::PUT],
            };
            for method in methods {
                let request = TestRequest::with_uri(&uri).method(method.clone()).to_request();
                let response = call_service(&app, request).await;
                assert_eq!(response.request().match_pattern().as_deref(), Some(&*path), "{method} {uri}");
                let counted = CountedRoute::of(response.request()).map(CountedRoute::pattern);
                assert_eq!(counted, Some(&*path), "{method} {uri}");
                // Without a service behind the routes, most handlers fail, but none refuses the request.
                let status = response.status();
                assert!(status.is_success() || status == StatusCode::INTERNAL_SERVER_ERROR, "{method} {uri}");
            }
        }
    }
}
