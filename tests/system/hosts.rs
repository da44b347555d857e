//! `Host` and `Origin`: the service that a request is meant for, and the page it comes from.

use serde_json::Value;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Client, Deployment, Process, Request, Serving, exchange, seeded, table,
};

const ADMIN: &str = "keys-to-the-pavilion-9f86d081";
const PATHS: [&str; 7] =
    ["/v1/matches", "/v1/editions", "/healthz", "/readyz", "/metrics", "/openapi.json", "/nowhere"];

fn creation(client: &Client) -> Request {
    client.request("POST", "/v1/matches").json(&table(1))
}

fn named(deployment: &Deployment, arguments: &[&str]) -> Process {
    deployment.serve_as(Serving { arguments, ..Serving::default() })
}

/// The port of a service.
fn port(client: &Client) -> &str {
    client.authority().rsplit(':').next().expect("a port")
}

on_own_processes!(a_page_whose_name_was_pointed_here_creates_nothing, |deployment| {
    let client = deployment.client();
    for host in ["evil.example", &format!("evil.example:{}", port(client)), "127.0.0.1.evil.example", "evil"]
    {
        let origin = format!("http://{host}");
        let creation = creation(client).header("Host", host).header("Origin", &origin);
        let refusal = deployment.untouched_by(creation).refused(421, "misdirected-request");
        refusal.at("header.Host").says(&[host, "--host"]);
        for path in PATHS {
            let reading = client.request("GET", path).header("Host", host).unlisted().send();
            reading.refused(421, "misdirected-request");
            let asking = client.request("OPTIONS", path).header("Host", host).header("Origin", &origin);
            let asking = asking.header("Access-Control-Request-Method", "GET").unlisted().send();
            asking.refused(421, "misdirected-request");
        }
    }
    let docs = client.request("GET", "/docs/").header("Host", "evil.example").unlisted().send();
    docs.refused(421, "misdirected-request");
});

on_own_processes!(names_of_this_machine_and_addresses_are_answered, |deployment| {
    let client = deployment.client();
    let port = port(client);
    for host in ["localhost", "LOCALHOST", "cards.localhost", "127.0.0.1", "192.0.2.7", "[::1]"] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            creation(client).header("Host", &host).send().expect(201);
            let page = format!("http://{host}");
            creation(client).header("Host", &host).header("Origin", &page).send().expect(201);
        }
    }
});

on_own_processes!(a_name_that_ends_in_local_is_answered_only_by_option, |deployment| {
    let at = |client: &Client, host: &str| creation(client).header("Host", host);
    let unnamed = deployment.untouched_by(at(deployment.client(), "pavilion.local"));
    let refusal = unnamed.refused(421, "misdirected-request");
    refusal.at("header.Host").says(&["pavilion.local", "--host"]);
    let service = named(deployment, &["--host", "pavilion.local"]);
    at(service.client(), "pavilion.local").send().expect(201);
    let page = at(service.client(), "pavilion.local").header("Origin", "http://pavilion.local");
    page.send().expect(201);
    let other = at(service.client(), "scorer.local");
    deployment.untouched_by(other).refused(421, "misdirected-request");
});

on_own_processes!(a_request_without_a_host_or_with_two_is_refused, |deployment| {
    let authority = deployment.client().authority();
    let status =
        |request: &str| exchange(authority, request.as_bytes()).chars().skip(9).take(3).collect::<String>();
    assert_eq!(status("GET /healthz HTTP/1.0\r\n\r\n"), "421");
    let target = |target: &str, host: &str| {
        status(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    assert_eq!(target("http://evil.example/healthz", "localhost"), "421");
    assert_eq!(target("http://localhost/healthz", "evil.example"), "200");
    assert_eq!(target("/healthz", ""), "421");
    // The framework refuses what HTTP/1.1 forbids before the service sees it.
    assert_eq!(target("/healthz", "localhost\r\nHost: localhost"), "400");
    assert_eq!(status("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"), "400");
});

on_own_processes!(a_page_from_elsewhere_changes_nothing, |deployment| {
    let played = deployment.create(&table(1));
    let client = deployment.client();
    let other_port = "http://127.0.0.1:1";
    for origin in ["http://evil.example", "https://evil.example:8443", "null", "", "file://", other_port] {
        let refusal = deployment.untouched_by(creation(client).header("Origin", origin));
        refusal.refused(403, "foreign-origin").at("header.Origin").says(&["--host"]);
        let ball = played.posting("/balls", &serde_json::json!({"dice": [2, 3]}));
        deployment.untouched_by(ball.header("Origin", origin)).refused(403, "foreign-origin");
        let audit = client.request("POST", "/v1/audits").raw("text/plain", "{}\n").header("Origin", origin);
        audit.send().refused(403, "foreign-origin");
        let simulation = client.request("POST", "/v1/simulations").json(&seeded(1)).header("Origin", origin);
        deployment.untouched_by(simulation).refused(403, "foreign-origin");
        client.request("GET", "/v1/matches").header("Origin", origin).send().expect(200);
    }
    let own = format!("http://{}", client.authority());
    creation(client).header("Origin", &own).send().expect(201);
    let twice = creation(client).header("Origin", &own).header("Origin", "http://evil.example");
    deployment.untouched_by(twice).refused(403, "foreign-origin");
    played.play_step();
});

on_own_processes!(a_log_is_audited_with_the_content_type_that_curl_sends, |deployment| {
    let played = deployment.create(&seeded(1));
    let log = played.get("/log").text().to_owned();
    let request =
        deployment.client().request("POST", "/v1/audits").raw("application/x-www-form-urlencoded", log);
    assert_eq!(request.send().expect(200)["verdict"], "clean");
});

on_own_processes!(an_admin_token_opens_all_hosts_until_one_is_set, |deployment| {
    let any = deployment.serve_as(Serving { arguments: &["--admin-token", ADMIN], ..Serving::default() });
    creation(any.client()).token(ADMIN).header("Host", "cricket.example").send().expect(201);
    let foreign = creation(any.client()).token(ADMIN).header("Origin", "http://evil.example");
    deployment.untouched_by(foreign).refused(403, "foreign-origin");
    let answers: Vec<String> =
        any.log().lines().filter(|line| line.contains("--host")).map(str::to_owned).collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let known = named(deployment, &["--admin-token", ADMIN, "--host", "cricket.example"]);
    assert!(!known.log().contains("--host"));
    creation(known.client()).token(ADMIN).header("Host", "cricket.example").send().expect(201);
    creation(known.client()).token(ADMIN).send().expect(201);
    let other = creation(known.client()).token(ADMIN).header("Host", "www.cricket.example");
    deployment.untouched_by(other).refused(421, "misdirected-request");
    assert!(!deployment.process().log().contains("--host"), "without an admin token there is nothing to say");
});

/// The request that nginx sends on with the lines of docs/operations.md: it names the service by its address,
/// and leaves the rest unchanged.
fn through_nginx(client: &Client, origin: &str) -> String {
    let body = table(1).to_string();
    let request = format!(
        "POST /v1/matches HTTP/1.0\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/json\r\nOrigin: {origin}\r\n\r\n{body}",
        client.authority(),
        body.len()
    );
    exchange(client.authority(), request.as_bytes())
}

on_own_processes!(behind_a_proxy_as_readme_has_it_its_own_pages_may_change_something, |deployment| {
    let page = include_str!("../../docs/operations.md");
    assert!(
        page.contains("proxy_pass http://127.0.0.1:8080;") && page.contains("server_name cricket.example;")
    );
    let serve = page.lines().find(|line| line.contains("serve --host")).expect("the page says how to serve");
    let serving: Vec<&str> = serve.split(" serve ").nth(1).expect("arguments").split(' ').collect();
    assert_eq!(serving, ["--host", "cricket.example"]);
    let service = named(deployment, &serving);
    let created = through_nginx(service.client(), "https://cricket.example");
    assert!(created.contains(" 201 Created\r\n"), "{created}");
    let body: Value = serde_json::from_str(created.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    assert!(body["match"]["id"].is_string());
    assert!(through_nginx(service.client(), "https://evil.example").contains("/problems/foreign-origin"));
    // If the proxy passes its own name, the service answers as well; without the name it does not.
    let host = creation(service.client())
        .header("Host", "cricket.example")
        .header("Origin", "https://cricket.example");
    host.send().expect(201);
    let unnamed = through_nginx(deployment.client(), "https://cricket.example");
    assert!(unnamed.contains("/problems/foreign-origin"), "{unnamed}");
    deployment
        .untouched_by(creation(deployment.client()).header("Host", "cricket.example"))
        .refused(421, "misdirected-request");
});
