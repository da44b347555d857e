//! HEAD has the headers of GET, in every coding, and no body.

use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Answer, Match, exchange};

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

/// The addresses that a GET can have: those of the document for this match, the pages, and their files.
fn readable(played: &Match) -> Vec<String> {
    let client = &played.client;
    let document = client.get("/openapi.json").expect(200);
    let paths = document["paths"].as_object().expect("paths");
    let gets = paths.iter().filter(|(path, item)| item.get("get").is_some() && !path.ends_with("/stream"));
    let filled = |path: &str| path.replace("{id}", &played.id).replace("{seq}", "1").replace(['{', '}'], "");
    let mut readable: Vec<String> = gets.map(|(path, _)| filled(path)).collect();
    let page = |rest: &str| format!("/m/{}{rest}", played.id);
    readable.extend(["", "/score", "/board", "/card"].map(page));
    readable.extend(["/", "/new", "/docs"].map(str::to_owned));
    for (folder, before) in [("/docs/", "/docs/"), ("/", "")] {
        let html = client.request("GET", folder).unlisted().send().text().to_owned();
        let links = ["src=\"", "href=\""].map(|mark| html.split(mark).skip(1).collect::<Vec<_>>()).concat();
        let files = links.iter().filter_map(|rest| rest.split('"').next());
        let own = files.filter(|file| file.starts_with("./") || file.starts_with("/assets/"));
        readable.extend(own.map(|file| format!("{before}{}", file.trim_start_matches("./"))));
        readable.push(folder.to_owned());
    }
    readable
}

on_own_stores!(head_answers_wherever_get_does, |deployment| {
    let played = whole_match(deployment);
    let paths = readable(&played);
    assert!(paths.len() > 40, "{paths:?}");
    for path in paths {
        let send = |method| played.client.request(method, &path).unlisted().send();
        let (get, head) = (send("GET"), send("HEAD"));
        let essence = |answer: &Answer| (answer.status, answer.header("content-type").to_owned());
        assert_eq!((essence(&head), head.bytes_sent), (essence(&get), 0), "HEAD {path}");
        assert_ne!(get.status, 405, "GET {path}");
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
