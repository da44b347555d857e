//! The pages: their addresses, their headers and their files. What they do in a browser is in `tests/web/`.

use serde_json::json;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Client, table};

/// What a browser asks for when somebody opens an address.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types templates";
const POLICY_OF_DOCS: &str = "default-src 'none'; script-src 'self'; \
                              style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; \
                              img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                              form-action 'none'; frame-ancestors 'none'";
/// The headers on which every answer may depend. An answer that depends on another one names that first.
const VARY: &str = "Authorization, Accept-Encoding";
const UNKNOWN: &str = "01a20082-5925-720e-a587-ebd95c5e0b8f";

fn in_browser(client: &Client, path: &str) -> Answer {
    client.request("GET", path).header("Accept", BROWSER).unlisted().send()
}

/// The path of a file of the pages.
fn file(client: &Client, name: &str) -> String {
    let about = client.get("/v1/about").expect(200);
    format!("/assets/{}/{name}", about["assets"].as_str().expect("a hash"))
}

on_both_stores!(each_address_of_a_page_is_html_to_a_browser_under_the_policy_of_the_pages, |service| {
    let known = service.create(&table(1)).id;
    let of = |id: &str| ["", "/score", "/board", "/card"].map(|rest| format!("/m/{id}{rest}"));
    let found =
        ["/", "/new", "/new/"].map(str::to_owned).into_iter().chain(of(&known)).map(|path| (path, 200));
    let stray = [format!("{known}%"), format!("{known}%25")];
    let unknown = [UNKNOWN, "nonsense", "%3Cscript%3E", "%FF", "..%2F..%2Fv1", "%", "%25", "%E0%A4%A"];
    let unknown = unknown.into_iter().chain(stray.iter().map(String::as_str)).flat_map(of);
    for (path, status) in found.chain(unknown.map(|path| (path, 404))) {
        let page = in_browser(service.client(), &path);
        page.has_status(status);
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-security-policy", POLICY),
            ("referrer-policy", "no-referrer"),
            ("vary", if status == 200 { VARY } else { "Accept" }),
            ("cache-control", if status == 200 { "private, max-age=86400" } else { "no-cache" }),
        ] {
            assert_eq!(page.header(name), value, "{path}: {name}");
        }
        assert!(page.text().contains("id=\"page\""), "{path}: {}", page.text());
    }
});

on_both_stores!(the_page_tells_an_old_browser_that_it_needs_scripts, |service| {
    let page = in_browser(service.client(), "/");
    let html = page.text();
    let (_, noscript) = html.split_once("<noscript>").expect("words for who has no scripts");
    let (noscript, _) = noscript.split_once("</noscript>").expect("an end");
    for words in
        ["scores tabletop cricket ball by ball", "need JavaScript", "href=\"/docs/\"", "begins at /v1"]
    {
        assert!(noscript.contains(words), "{words}: {noscript}");
    }
    assert!(html.contains("this browser is too old"), "{html}");
});

on_both_stores!(every_file_of_the_docs_has_the_headers_of_a_page, |service| {
    for file in ["", "index.html", "swagger-ui.css", "swagger-initializer.js", "oauth2-redirect.html"] {
        let path = format!("/docs/{file}");
        let answer = in_browser(service.client(), &path);
        answer.has_status(200);
        assert_eq!(answer.header("content-security-policy"), POLICY_OF_DOCS, "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
});

on_both_stores!(no_answer_of_the_api_has_the_policy_of_the_pages, |service| {
    let known = service.create(&table(1));
    for path in ["/v1/about", "/v1/matches", "/v1/games", "/openapi.json", "/v1/nothing", &known.path("")] {
        let answer = in_browser(service.client(), path);
        for name in ["content-security-policy", "referrer-policy"] {
            assert_eq!(answer.header(name), "", "{path}: {name}");
        }
        assert_ne!(answer.essence(), "text/html", "{path}");
    }
});

on_both_stores!(the_first_page_is_a_small_index_to_a_program, |service| {
    let ask = |accept: &str| service.client().request("GET", "/").header("Accept", accept).unlisted().send();
    let index = ask("application/json");
    let version = &service.client().get("/healthz").expect(200)["version"];
    let expected = json!({"name": "third-umpire", "version": version, "pages": "/", "api": "/v1",
        "document": "/openapi.json", "docs": "/docs/"});
    assert_eq!(index.expect(200), expected);
    assert!(index.header("vary").contains("Accept"), "{:?}", index.headers);
    assert_eq!(index.header("cache-control"), "no-store");
    assert_eq!(index.header("content-security-policy"), "");
    for path in ["/v1/matches", "/openapi.json", "/docs/"] {
        service.client().request("GET", path).unlisted().send().has_status(200);
    }
    for accept in ["*/*", "text/html, application/json", "application/json;q=0, */*"] {
        assert_eq!(ask(accept).essence(), "text/html", "{accept}");
    }
});

on_both_stores!(an_address_that_is_none_is_a_page_to_a_browser_and_a_problem_to_a_client, |service| {
    let known = service.create(&table(1)).id;
    let below = ["//", "/Score", "/umpire", "/board/1"].map(|rest| format!("/m/{known}{rest}"));
    let others = ["/nowhere", "/m", "/m/", "/news", "/new/match", "/index.html", "/app.js", "/v2", "/v10/x"];
    let beside = ["/docs/nothing.js", "/healthz/x", "/%", "/assetsx", "//v1/matches"];
    for path in others.into_iter().chain(beside).map(str::to_owned).chain(below) {
        let page = in_browser(service.client(), &path);
        page.has_status(404);
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-security-policy", POLICY),
            ("referrer-policy", "no-referrer"),
            ("vary", "Accept"),
        ] {
            assert_eq!(page.header(name), value, "{path}: {name}");
        }
        assert!(page.text().contains("id=\"page\""), "{path}: {}", page.text());
        for accept in ["*/*", "application/json", "image/*", "text/html;q=0, */*"] {
            let asked = service.client().request("GET", &path).header("Accept", accept).unlisted();
            let refused = asked.send();
            refused.refused(404, "not-found").says(&["/docs lists all paths"]);
            assert_eq!(refused.header("vary"), "Accept", "{path}");
            assert_eq!(refused.header("content-security-policy"), "", "{path}");
        }
        let posted = service.client().request("POST", &path).header("Accept", BROWSER).unlisted();
        assert_eq!(posted.json(&json!({})).send().essence(), "application/problem+json", "{path}");
    }
});

on_both_stores!(below_the_api_and_the_files_a_browser_gets_the_problem_as_well, |service| {
    for path in ["/v1", "/v1/", "/v1/nowhere", "/v1/%", "/assets", "/assets/", "/assets/x/app.js"] {
        in_browser(service.client(), path).refused(404, "not-found");
    }
});

on_both_stores!(a_page_refuses_every_method_but_a_read, |service| {
    let known = service.create(&table(1)).id;
    for path in ["/", "/new", &format!("/m/{known}/score")] {
        let refused = service.client().request("POST", path).unlisted().json(&json!({})).send();
        refused.refused(405, "method-not-allowed").says(&["POST", "GET, HEAD"]);
        assert_eq!(refused.header("allow"), "GET, HEAD");
    }
});

on_both_stores!(a_file_of_the_pages_is_there_below_its_hash_alone, |service| {
    let client = service.client();
    for (name, media) in [
        ("app.js", "text/javascript; charset=utf-8"),
        ("app.css", "text/css; charset=utf-8"),
        ("lang/en.json", "application/json"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let path = file(client, name);
        let ask = |coding| client.request("GET", &path).header("Accept-Encoding", coding).unlisted().send();
        let (plain, gzip) = (ask("identity"), ask("gzip"));
        assert_eq!(
            (plain.has_status(200).header("content-type"), plain.header("content-encoding")),
            (media, "")
        );
        assert_eq!(
            (gzip.has_status(200).header("content-type"), gzip.header("content-encoding")),
            (media, "gzip")
        );
        assert_eq!(plain.body, gzip.body, "{name}");
        assert!(gzip.bytes_sent < plain.bytes_sent, "{name}");
        let kept = "public, max-age=31536000, immutable";
        assert_eq!((gzip.header("vary"), gzip.header("cache-control")), (VARY, kept));
        let other = client.request("GET", &format!("/assets/0123456789abcdef/{name}")).unlisted().send();
        other.refused(404, "not-found").says(&["no such file", "load the page again"]);
    }
});

on_both_stores!(a_file_that_is_not_there_is_a_problem_that_repeats_nothing_of_its_address, |service| {
    let client = service.client();
    let inside = ["nothing.js", "index.html", "js/main.js", "css/base/base.css", "views/pad.js"];
    let outside = ["..%2Fmod.rs", "..%2F..%2Fapi.d.ts", "%2Fetc%2Fpasswd", "app.js%00", "App.js"];
    let hostile = ["%3Cscript%3Ealert(1)%3C%2Fscript%3E.js", "%FF", "%", "board.js%0D%0AX-Echo:%201"];
    let long = "x".repeat(4000);
    for name in inside.into_iter().chain(outside).chain(hostile).chain([long.as_str()]) {
        for accept in [BROWSER, "*/*"] {
            let asked = client.request("GET", &file(client, name)).header("Accept", accept).unlisted();
            let refused = asked.send();
            refused.refused(404, "not-found").says(&["no such file", "load the page again"]);
            assert_eq!(refused.essence(), "application/problem+json", "{name}");
            assert_eq!((refused.header("x-echo"), refused.header("content-security-policy")), ("", ""));
            let text = refused.text();
            let echo = ["script", "passwd", "/assets", "xxxx", "mod.rs"]
                .into_iter()
                .find(|echo| text.contains(echo));
            assert_eq!(echo, None, "{name}: {text}");
        }
    }
});
