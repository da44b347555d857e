//! `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, `/docs`, and what every path has in common.

use std::collections::HashSet;

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Answer, CONTRACT, Client, DOCUMENT, Deployment, Serving, table, until,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn page(client: &Client, path: &str) -> Answer {
    client.request("GET", path).unlisted().send()
}

on_both_stores!(it_is_well_and_ready, |service| {
    let document: Value = serde_json::from_str(DOCUMENT).expect("the document is JSON");
    for path in ["/healthz", "/readyz"] {
        let health = service.client().get(path).expect(200);
        assert_eq!(health, json!({"status": "ok", "version": document["info"]["version"]}));
    }
});

/// The value of a metric with these labels.
fn figure(metrics: &str, name: &str, labels: &[&str]) -> f64 {
    let fits = |line: &&str| line.starts_with(name) && labels.iter().all(|label| line.contains(label));
    let line = metrics.lines().find(fits);
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_default()
}

on_own_stores!(metrics_count_requests_and_events, |deployment| {
    let played = deployment.create(&table(1));
    played.begin();
    (0..3).for_each(|_| drop(played.bowl(&[2, 3])));
    played.post("/balls", &json!({"dice": [9]})).refused(422, "illegal-input");
    let metrics = deployment.client().get("/metrics");
    assert_eq!(metrics.essence(), "text/plain");
    let metrics = metrics.text();
    assert_eq!(figure(metrics, "third_umpire_events_total", &["kind=\"ball\""]), 3.0, "{metrics}");
    assert_eq!(figure(metrics, "third_umpire_events_total", &["kind=\"over\""]), 1.0);
    let requests = |status: &str| {
        let labels = ["method=\"POST\"", "route=\"/v1/matches/{id}/balls\"", status];
        figure(metrics, "third_umpire_requests_total", &labels)
    };
    assert_eq!([requests("status=\"201\""), requests("status=\"422\"")], [3.0, 1.0]);
    assert!(
        figure(metrics, "third_umpire_request_seconds_count", &["route=\"/v1/matches/{id}/balls\""]) == 4.0
    );
    assert!(!metrics.contains(&played.id) && !metrics.contains(&played.token), "figures name no match");
});

on_own_stores!(metrics_show_what_the_service_has_at_the_moment, |deployment| {
    let played = deployment.create(&table(1));
    played.begin();
    let now =
        |name: &str| figure(deployment.client().get("/metrics").text(), &format!("third_umpire_{name}"), &[]);
    assert_eq!(
        ["matches_cached", "appends_waiting", "matches_followed", "subscribers"].map(now),
        [1.0, 0.0, 0.0, 0.0]
    );
    let follow = || played.client.request("GET", &played.path("/events/stream")).follow();
    let mut streams = [follow(), follow()];
    streams.iter_mut().for_each(|stream| drop(stream.take(3)));
    deployment.create(&table(1));
    assert_eq!(["matches_cached", "matches_followed", "subscribers"].map(now), [2.0, 1.0, 2.0]);
    drop(streams);
    until("the streams have ended", || {
        played.bowl(&[2, 3]);
        now("subscribers") == 0.0
    });
});

on_own_stores!(services_in_one_process_count_each_for_itself, |deployment| {
    Deployment::in_process(deployment.engine(), |other| {
        let (here, there) = (deployment.create(&table(1)), other.create(&table(1)));
        here.begin().bowl(&[2, 3]);
        there.begin();
        let balls = |client: &Client| {
            figure(client.get("/metrics").text(), "third_umpire_events_total", &["kind=\"ball\""])
        };
        assert_eq!([deployment, other].map(|one| balls(one.client())), [1.0, 0.0]);
    });
});

on_both_stores!(the_document_that_is_served_is_the_one_that_is_committed, |service| {
    let served = service.client().get("/openapi.json");
    assert_eq!(served.has_status(200).text(), DOCUMENT);
});

/// The addresses that a page loads: the values of `src` and `href`.
fn loaded(html: &str) -> Vec<String> {
    let quoted = |rest: &str| rest.split(['"', '\'']).nth(1).map(str::to_owned);
    ["src=", "href="].into_iter().flat_map(|name| html.split(name).skip(1).filter_map(quoted)).collect()
}

on_both_stores!(the_documentation_and_all_it_loads_is_served_from_here, |service| {
    let client = service.client();
    let to_folder = page(client, "/docs");
    assert_eq!((to_folder.status, to_folder.header("location")), (308, "/docs/"));
    let html = page(client, "/docs/");
    assert_eq!(html.has_status(200).essence(), "text/html");
    let loaded = loaded(html.text());
    assert!(loaded.iter().any(|url| url.ends_with(".js")) && loaded.iter().any(|url| url.ends_with(".css")));
    let mut configured = false;
    for url in loaded {
        assert!(!url.contains("//"), "{url} is somewhere else");
        let file = page(client, &format!("/docs/{}", url.trim_start_matches("./")));
        let text = String::from_utf8_lossy(&file.has_status(200).body);
        if url.ends_with(".css") {
            assert!(!text.contains("url(http") && !text.contains("@import"), "{url} loads from elsewhere");
        }
        configured |= text.contains("\"/openapi.json\"");
        assert!(!text.contains("petstore.swagger.io") || url.contains("bundle"), "{url} shows another API");
    }
    assert!(configured, "the page shows this service's document");
});

/// A path of the document with values for its parameters.
fn filled_in(template: &str) -> String {
    let path = template.replace("{id}", "01a20082-5925-720e-a587-ebd95c5e0b8f");
    path.replace("{seq}", "1").replace("{role}", "scorer")
}

on_own_stores!(an_unknown_method_is_refused_with_the_allowed_ones, |deployment| {
    for (template, methods) in CONTRACT.paths() {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            if methods.contains(&method) {
                continue;
            }
            let answer = deployment.client().request(method, &filled_in(template)).send();
            answer.refused(405, "method-not-allowed").says(&[method]);
            let allowed: HashSet<&str> = answer.header("allow").split(", ").collect();
            assert!(methods.iter().all(|method| allowed.contains(method)), "{template}: {allowed:?}");
            let head = deployment.client().request("HEAD", &filled_in(template)).unlisted().send();
            assert_eq!(head.status == 405, !allowed.contains("HEAD"), "{template} allows {allowed:?}");
        }
    }
});

on_both_stores!(an_unknown_path_is_refused_by_its_name, |service| {
    for path in ["/m", "/v1", "/v2/matches", "/v1/match", "/favicon.ico", "/v1/matches/x/y/z", "/v1/audits/1"]
    {
        service.client().get(path).refused(404, "not-found").says(&[path]);
        service.client().post(path, &json!({})).refused(404, "not-found");
    }
});

on_own_stores!(every_answer_has_an_id_of_its_own_and_is_what_it_says_it_is, |deployment| {
    let client = deployment.client();
    let played = deployment.create(&table(1));
    let (view, stale) = (played.path(""), played.head());
    let mut ids = HashSet::new();
    let answers = [
        client.get("/healthz"),
        client.get(&view),
        client
            .request("GET", &view)
            .header("If-None-Match", &format!("\"{}\"", stale.hash))
            .unlisted()
            .send(),
        client.get("/nothing"),
        client.request("DELETE", &view).send(),
        client.post(&played.path("/toss"), &json!({})),
        played.post("/balls", &json!({"dice": [1]})),
        page(client, "/docs/"),
        client.request("POST", "/v1/matches").raw("application/json", "x".repeat(2 << 20)).send(),
        client.request("HEAD", &view).send(),
    ];
    for answer in &answers {
        assert!(ids.insert(answer.header("x-request-id").to_owned()), "{} has a used id", answer.request);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{}", answer.request);
    }
    assert_eq!(ids.len(), answers.len());
});

on_own_stores!(a_request_is_logged_under_the_id_the_client_saw, |deployment| {
    let service = deployment.serve_as(Serving { log: "info", ..Serving::default() });
    for path in ["/v1/matches", "/nothing"] {
        let answer = service.client().get(path);
        let (id, status) = (answer.header("x-request-id"), format!("status={}", answer.status));
        let logged = |line: &str| line.contains(id) && line.contains(&status) && line.contains(path);
        until("the request is logged", || service.log().lines().any(logged));
    }
});

on_own_stores!(the_list_of_problems_in_an_error_is_a_list, |deployment| {
    let problem = deployment.client().get("/v1/matches?limit=0").expect(400);
    assert_eq!(problem["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(problem["errors"][0]["location"], "query.limit");
    assert_eq!(deployment.client().get("/nothing").json()["errors"], Value::Array(Vec::new()));
});
