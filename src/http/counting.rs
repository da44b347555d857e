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

/// What tells the answers of a route apart: the label of the method, and the status.
type AnswerLabels = (&'static str, u16);

impl CountedRoute {
    /// The route with this pattern. The path of a request would name the match, and make a time series for
    /// each.
    pub fn new(pattern: &str) -> CountedRoute {
        CountedRoute { pattern: pattern.to_owned(), counts: RefCell::default() }
    }

    /// The route to which a request has led, if it is that of an endpoint.
    pub fn of(request: &HttpRequest) -> Option<&CountedRoute> {
        request.app_data()
    }

    /// The path by which the document names the route, such as `/v1/matches/{id}`.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    fn count(&self, metrics: &Metrics, method: &'static str, status: u16, took: Duration) {
        let mut counts = self.counts.borrow_mut();
        let at = counts.iter().position(|(known, _)| *known == (method, status)).unwrap_or_else(|| {
            counts.push(((method, status), metrics.requests(method, &self.pattern, status)));
            counts.len() - 1
        });
        counts[at].1.count(took);
    }
}

/// Counts a request that is answered.
pub fn count_request(metrics: &Metrics, request: &HttpRequest, status: StatusCode, took: Duration) {
    let (method, status) = (method_label(request.method()), status.as_u16());
    match CountedRoute::of(request) {
        Some(route) => route.count(metrics, method, status, took),
        None => {
            let pattern = request.match_pattern();
            metrics.requests(method, pattern.as_deref().unwrap_or("none"), status).count(took);
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
