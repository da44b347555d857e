//! HEAD has the headers of GET, in every coding, and no body.

use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::exchange;

use super::{LARGE, whole_match};

const HEADERS: [&str; 8] = [
    "content-length",
    "content-type",
    "content-encoding",
    "transfer-encoding",
    "etag",
    "vary",
    "cache-control",
    "location",
];

on_own_stores!(head_has_the_headers_of_get_and_no_body, |deployment| {
    let played = whole_match(deployment);
    let client = deployment.client();
    let others = ["/v1/matches", "/v1/editions", "/healthz", "/openapi.json", "/docs", "/nothing"];
    let paths = LARGE.map(|rest| played.path(rest)).into_iter().chain(others.map(str::to_owned));
    let small = ["/events/2", "/audit", "/scorecard?at=99999"].map(|rest| played.path(rest));
    for path in paths.chain(small) {
        for codings in ["", "gzip", "br"] {
            let send =
                |method| client.request(method, &path).header("Accept-Encoding", codings).unlisted().send();
            let (get, head) = (send("GET"), send("HEAD"));
            assert_eq!((head.status, head.bytes_sent), (get.status, 0), "HEAD {path} {codings}");
            for name in HEADERS {
                assert_eq!(head.header(name), get.header(name), "{name} of HEAD {path} {codings}");
            }
            let tag = get.header("etag");
            if !tag.is_empty() && get.status == 200 {
                let known = client.request("HEAD", &path).header("Accept-Encoding", codings);
                known.header("If-None-Match", tag).unlisted().send().has_status(304);
            }
        }
    }
});

on_own_stores!(head_of_a_log_leaves_its_connection_usable, |deployment| {
    let played = whole_match(deployment);
    let authority = deployment.client().authority();
    let request = |method: &str, path: &str, connection: &str| {
        format!("{method} {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: {connection}\r\n\r\n")
    };
    let both = request("HEAD", &played.path("/log"), "keep-alive") + &request("GET", "/healthz", "close");
    let answers = exchange(authority, both.as_bytes());
    let parts: Vec<&str> = answers.split("HTTP/1.1 ").collect();
    assert_eq!(parts.len(), 3, "{answers}");
    assert!(parts[1].starts_with("200 OK") && parts[1].ends_with("\r\n\r\n"), "{answers}");
    assert!(parts[2].starts_with("200 OK") && parts[2].contains("{\"status\":\"ok\""), "{answers}");
});
