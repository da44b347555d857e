//! What is counted of each request: its route, its method, its status and the time that it took.

use std::cell::RefCell;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::{Method, StatusCode};

use crate::metrics::{Metrics, RequestCounts};

/// A route whose requests are counted. The endpoints keep theirs, each with the counters of its answers: the
/// router would compare a request with all paths again, to say to which of them it has led.
pub struct CountedRoute {
    pattern: String,
    counts: RefCell<Vec<(AnswerLabels, RequestCounts)>>,
}

/// What tells the answers of a route apart.
type AnswerLabels = (&'static str, StatusCode);

impl CountedRoute {
    /// The route with this pattern. Its path would name the match, and make a time series for each.
    pub fn new(pattern: &str) -> CountedRoute {
        CountedRoute { pattern: pattern.to_owned(), counts: RefCell::default() }
    }

    /// The route to which a request has led, if it is that of an endpoint.
    pub fn of(request: &HttpRequest) -> Option<&CountedRoute> {
        request.app_data()
    }

    /// Its path as the document has it, such as `/v1/matches/{id}`.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    fn count(&self, metrics: &Metrics, labels: AnswerLabels, took: Duration) {
        let mut counts = self.counts.borrow_mut();
        let at = counts.iter().position(|(known, _)| *known == labels).unwrap_or_else(|| {
            let (method, status) = labels;
            counts.push((labels, metrics.requests(method, &self.pattern, status.as_u16())));
            counts.len() - 1
        });
        counts[at].1.count(took);
    }
}

/// Counts a request that is answered.
pub fn count_request(metrics: &Metrics, request: &HttpRequest, status: StatusCode, took: Duration) {
    let labels = (method_label(request.method()), status);
    match CountedRoute::of(request) {
        Some(route) => route.count(metrics, labels, took),
        None => {
            let pattern = request.match_pattern();
            CountedRoute::new(pattern.as_deref().unwrap_or("none")).count(metrics, labels, took);
        }
    }
}

/// The label of a method. Methods are free text, so all unknown ones share a label.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
