//! The next step of a match over HTTP: what it waits for, and the requests that answer it, each with its
//! path.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::OF_A_MATCH;
use crate::matches::{Match, RequestKind, StepRequest};
use crate::rules::{Ask, Next};

/// The next step of a match, and the requests that answer it.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextStep {
    /// What the match waits for.
    #[serde(flatten)]
    pub next: Next,
    /// The requests that answer the step, the plain one first.
    pub requests: Vec<NextRequest>,
}

/// A request that answers the next step of a match. The first required ask of all requests is what a screen
/// asks for; every other one has a default, and can be changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextRequest {
    /// What the request does, in words for a button: `Bowl the over`.
    pub title: String,
    /// The id of the operation in this document.
    pub operation: &'static str,
    /// The path of the request, which is a POST.
    pub path: String,
    /// The part of the body that is fixed.
    #[schema(value_type = Object)]
    pub body: Map<String, Value>,
    /// Whether the other side must not see what is entered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// What is asked for the body, in the order in which a screen shows it.
    pub asks: Vec<Ask>,
    /// The ids of the rulings behind the request as a whole, of those of the game: of a review and of its
    /// acceptance. They are listed where the options are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<&'static str>,
}

impl NextStep {
    /// The next step with all values of all asks.
    pub fn whole(state: &Match) -> NextStep {
        NextStep::of(state, StepRequest::decided(state))
    }

    /// The next step without the values of the asks, for the answer to an append.
    pub fn brief(state: &Match) -> NextStep {
        NextStep::of(state, StepRequest::brief(state))
    }

    /// The next step of a match with these requests.
    pub fn of(state: &Match, requests: Vec<StepRequest>) -> NextStep {
        let of_match = OF_A_MATCH.replace("{id}", &state.play().info().match_id.to_string());
        let requests = requests.into_iter().map(|request| NextRequest::of(&of_match, request)).collect();
        NextStep { next: state.next(), requests }
    }
}

impl NextRequest {
    fn of(of_match: &str, request: StepRequest) -> NextRequest {
        let StepRequest { title, kind, body, secret, asks, rulings } = request;
        let (operation, below) = address(kind);
        let path = [of_match, below].concat();
        NextRequest { title, operation, path, body, secret, asks, rulings }
    }
}

/// The operation of a kind of request, and its path below the match.
const fn address(kind: RequestKind) -> (&'static str, &'static str) {
    match kind {
        RequestKind::SetUp => ("set_up_match", "/set-up"),
        RequestKind::Toss => ("make_toss", "/toss"),
        RequestKind::TossDecision => ("decide_toss", "/toss/decision"),
        RequestKind::Over => ("begin_over", "/overs"),
        RequestKind::Ball => ("bowl_ball", "/balls"),
        RequestKind::Review => ("review_decision", "/reviews"),
        RequestKind::Choice => ("make_choice", "/choices"),
        RequestKind::Seed => ("add_seed", "/seeds"),
        RequestKind::Autoplay => ("autoplay", "/autoplay"),
        RequestKind::Amendment => ("correct_match", "/corrections"),
    }
}

#[cfg(test)]
mod tests {
    use utoipa::OpenApi;

    use super::super::routes::EndpointsDoc;
    use super::*;

    #[test]
    fn each_kind_of_request_has_an_operation_of_the_document_at_its_path() {
        let paths = EndpointsDoc::openapi().paths.paths;
        for kind in RequestKind::ALL {
            let (operation, below) = address(kind);
            let path = paths.get(&format!("{OF_A_MATCH}{below}"));
            let found = path.and_then(|path| path.post.as_ref()?.operation_id.as_deref());
            assert_eq!(found, Some(operation), "{kind:?}");
        }
    }
}
