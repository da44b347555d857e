//! Pages of other origins: they read what needs no token, and change nothing.

use serde_json::json;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Match, Request, Service, table};

const ORIGIN: &str = "http://overlay.example";
const ALLOWED: &str = "access-control-allow-origin";
/// What is no read of the API.
const OTHERS: [&str; 7] = ["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs/", "/v10"];

fn from_another(service: &Service, method: &'static str, path: &str) -> Request {
    service.client().request(method, path).header("Origin", ORIGIN).unlisted()
}

/// A browser's question whether a page may send a request with this method and these headers.
fn preflight(service: &Service, path: &str, method: &str, headers: &str) -> Answer {
    from_another(service, "OPTIONS", path)
        .header("Access-Control-Request-Method", method)
        .header("Access-Control-Request-Headers", headers)
        .send()
}

#[track_caller]
fn may_be_read(answer: &Answer) {
    assert_eq!(answer.header(ALLOWED), "*", "{} {}", answer.request, answer.status);
    assert_eq!(answer.header("access-control-expose-headers"), "ETag, Location, Retry-After");
    let varies: Vec<_> = answer.headers.get_all("vary").iter().map(|line| line.to_str().unwrap()).collect();
    assert!(varies.join(", ").contains("Authorization, Accept-Encoding"), "{varies:?}");
}

#[track_caller]
fn may_not_be_read(answer: &Answer) {
    let named: Vec<&str> = answer.headers.keys().map(|name| name.as_str()).collect();
    let given: Vec<_> = named.iter().filter(|name| name.starts_with("access-control-")).collect();
    assert!(given.is_empty(), "{} {} has {given:?}", answer.request, answer.status);
}

/// Paths that a match has, one that it has not, and those beside it; each with its status.
fn reads(played: &Match) -> Vec<(String, u16)> {
    let own = [
        "",
        "/scorecard",
        "/commentary",
        "/deliveries",
        "/events",
        "/events/1",
        "/log",
        "/audit",
        "/disputes",
    ];
    let mut reads: Vec<_> = own.map(|rest| (played.path(rest), 200)).to_vec();
    reads.push((played.path("/events/99"), 404));
    reads.push((played.path("/balls"), 405));
    for (path, status) in
        [("/v1", 404), ("/v1/about", 200), ("/v1/games", 200), ("/v1/matches/x", 400), ("/v1/nowhere", 404)]
    {
        reads.push((path.to_owned(), status));
    }
    reads
}

on_both_stores!(any_page_reads_what_needs_no_token, |service| {
    let played = service.create(&table(1));
    played.begin();
    for (path, status) in reads(&played) {
        for method in ["GET", "HEAD"] {
            let answer = from_another(service, method, &path).send();
            assert_eq!(answer.status, status, "{path}");
            may_be_read(&answer);
        }
        // Caches hand an answer to all pages, so it is the same for a client that is no page.
        may_be_read(&service.client().request("GET", &path).unlisted().send());
    }
    let tag = service.client().get(&played.path("/scorecard")).header("etag").to_owned();
    let again = from_another(service, "GET", &played.path("/scorecard")).header("If-None-Match", &tag);
    let again = again.send();
    may_be_read(again.has_status(304));
    may_be_read(from_another(service, "HEAD", &played.path("/events/stream")).send().has_status(200));
});

on_both_stores!(no_page_of_another_origin_reads_the_answer_to_a_token, |service| {
    let played = service.create(&table(1));
    for token in [played.token.as_str(), "none of this match"] {
        may_not_be_read(&from_another(service, "GET", &played.path("")).token(token).send());
    }
});

on_both_stores!(no_page_of_another_origin_reads_the_metrics_or_the_pages, |service| {
    for path in OTHERS {
        may_not_be_read(&from_another(service, "GET", path).send());
        may_not_be_read(&preflight(service, path, "GET", "if-none-match"));
    }
});

on_both_stores!(a_browser_may_send_a_tag_or_an_event_and_no_token, |service| {
    let played = service.create(&table(1));
    let paths = [played.path("/scorecard"), played.path("/events/stream"), played.path("/balls")];
    for (path, method) in paths.iter().flat_map(|path| ["GET", "POST", "DELETE"].map(|method| (path, method)))
    {
        let allowed = preflight(service, path, method, "authorization,content-type,if-none-match");
        allowed.has_status(204);
        assert_eq!(allowed.header(ALLOWED), "*");
        assert_eq!(allowed.header("access-control-allow-methods"), "GET, HEAD");
        assert_eq!(allowed.header("access-control-allow-headers"), "If-None-Match, Last-Event-ID");
        assert_eq!(allowed.header("access-control-allow-credentials"), "");
    }
    // Without its headers it is no question of a browser.
    let options = from_another(service, "OPTIONS", &played.path("/scorecard")).send();
    options.refused(405, "method-not-allowed");
});

on_both_stores!(a_page_of_another_origin_writes_nothing_and_reads_no_refusal, |service| {
    let played = service.create(&table(1));
    played.begin();
    let ball = played.posting("/balls", &json!({"dice": [2, 3]})).header("Origin", ORIGIN);
    let refused = service.untouched_by(ball);
    refused.refused(403, "foreign-origin");
    may_not_be_read(&refused);
});
