//! A table over HTTP: what its key opens, and what it opens no more.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Client, Deployment, Engine, Match, Process, Serving, seeded, table,
};

const ADMIN: &str = "keys-to-the-pavilion-9f86d081";

/// A table on the database of a deployment, and a client on the same machine.
fn serve(deployment: &Deployment, arguments: &[&str]) -> (Process, Client) {
    let addresses = deployment.folder().join("addresses");
    std::fs::write(&addresses, "192.0.2.7 wlan0\n").expect("the folder is ours");
    let addresses = addresses.display().to_string();
    let arguments = [&["--table", "--addresses", &addresses], arguments].concat();
    let process = deployment.serve_as(Serving {
        listen: "0.0.0.0:0",
        log: "debug",
        arguments: &arguments,
        ..Serving::default()
    });
    let port = process.client().authority().rsplit(':').next().expect("a port").to_owned();
    let client = Client::new(&format!("http://127.0.0.1:{port}"));
    (process, client)
}

fn create(client: &Client, key: &str) -> Match {
    let created = client.request("POST", "/v1/matches").json(&table(1)).token(key).send().expect(201);
    Match::created(client, &created)
}

/// The key of the table beside the database.
fn key_of(deployment: &Deployment) -> String {
    let mut file = deployment.file().into_os_string();
    file.push("-table-key");
    std::fs::read_to_string(file).expect("the key is there").trim_end().to_owned()
}

fn plays_with_key(client: &Client, key: &str) {
    let creation = || client.request("POST", "/v1/matches").json(&table(1));
    creation().send().refused(401, "token-missing").at("header.Authorization");
    let played = create(client, key);
    assert_eq!(played.events()[0]["actor"], "admin");
    played.play_step();
    // The key replaces the token of a phone that is lost, and it scores nothing itself.
    let with_key = Match { token: key.to_owned(), ..played.clone() };
    with_key.posting("/toss/decision", &json!({"to": "bat"})).send().refused(403, "token-refused");
    let rotated = with_key.post("/tokens/scorer/rotate", &json!({})).expect(201);
    played.posting("/abandonment", &json!({"reason": "rain"})).send().refused(403, "token-refused");
    let again = Match { token: rotated["token"].as_str().expect("a token").to_owned(), ..played.clone() };
    again.play_step();
    with_key.post("/tokens/umpire/rotate", &json!({})).expect(201);
    let simulation = client.request("POST", "/v1/simulations");
    let body = json!({"game": "howzat", "matches": 1});
    simulation.json(&body).token(key).send().has_status(202);
    played.audits_clean();
}

fn about(client: &Client, key: &str) -> Value {
    client.request("GET", "/v1/about").token(key).send().expect(200)
}

#[test]
fn the_key_of_a_table_makes_matches_and_replaces_tokens() {
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let (process, client) = serve(deployment, &[]);
        let key = key_of(deployment);
        plays_with_key(&client, &key);
        let wrong = "tu_00000000000000000000000000000000";
        for token in [wrong, &key[..20], &key.to_uppercase(), "invite"] {
            let refused = client.request("POST", "/v1/matches").json(&table(1)).token(token).send();
            let refusal = refused.refused(403, "token-refused").at("header.Authorization");
            refusal.says(&["this is not the key of this table", "third-umpire table-key"]);
            let refused = client.request("GET", "/v1/about").token(token).send();
            refused.refused(403, "token-refused").at("header.Authorization").says(&["the key of this table"]);
        }
        let scheme = client.request("GET", "/v1/about").header("Authorization", &key).send();
        scheme.refused(401, "token-missing").at("header.Authorization").says(&["Bearer"]);
        let log = process.log();
        assert!(log.contains("/v1/matches") && !log.contains(&key), "{log}");
    });
}

on_own_processes!(a_table_with_an_admin_token_has_it_as_its_key, |deployment| {
    // A key that an earlier table has left in its file opens nothing here.
    let mut file = deployment.file().into_os_string();
    file.push("-table-key");
    let left = format!("tu_{}", "5eed".repeat(8));
    std::fs::write(&file, &left).expect("the folder is ours");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("the file is ours");
    let (process, client) = serve(deployment, &["--admin-token", ADMIN]);
    plays_with_key(&client, ADMIN);
    for request in [client.request("POST", "/v1/matches").json(&table(1)), client.request("GET", "/v1/about")]
    {
        let refusal = request.token(&left).send().refused(403, "token-refused");
        refusal.at("header.Authorization").says(&["which is its admin token", "--admin-token"]);
    }
    assert_eq!(std::fs::read_to_string(&file).expect("the file is there"), left);
    // An admin token alone would open the service to every name.
    let foreign = client.request("GET", "/v1/matches").header("Host", "cricket.example").unlisted().send();
    foreign.refused(421, "misdirected-request").says(&["its own machine", "--host"]);
    assert!(!process.log().contains(ADMIN) && !process.log().contains(&left));
});

on_own_processes!(a_table_tells_its_addresses_to_who_holds_its_key, |deployment| {
    let (process, client) = serve(deployment, &["--admin-token", ADMIN]);
    let port = client.authority().rsplit(':').next().expect("a port").to_owned();
    let open = client.get("/v1/about").expect(200);
    assert_eq!(
        (&open["table"], &open["visited"], &open["create"]),
        (&json!(true), &json!(false), &json!("token"))
    );
    assert_eq!((&open["addresses"], &open["firewall"]), (&Value::Null, &Value::Null));
    let held = about(&client, ADMIN);
    assert_eq!(held["addresses"], json!([format!("http://192.0.2.7:{port}/")]));
    let firewall = held["firewall"].as_str().expect("a command");
    assert!(firewall.contains(&port) || firewall.contains("socketfilterfw"), "{firewall}");
    assert_eq!(held["store"], open["store"]);
    drop(process);
});

on_own_processes!(a_service_that_is_no_table_says_so_and_nothing_more, |deployment| {
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", ADMIN], ..Serving::default() });
    for about in [
        service.client().get("/v1/about").expect(200),
        about(service.client(), ADMIN),
        about(service.client(), "another"),
    ] {
        assert_eq!(about["table"], json!(false));
        let members = about.as_object().expect("an object");
        assert!(["visited", "addresses", "firewall"].iter().all(|name| !members.contains_key(*name)));
    }
});

on_own_processes!(a_code_stands_in_no_log_of_the_service, |deployment| {
    let (process, client) = serve(deployment, &["--admin-token", ADMIN]);
    let link = format!("http://192.0.2.7/m/1/score#scorer={ADMIN}");
    let drawn = client.post("/v1/codes", &json!({"text": link}));
    drawn.has_status(200);
    client.post("/v1/codes", &json!({"text": link.repeat(200)})).refused(422, "illegal-input");
    let foreign = client.request("POST", "/v1/codes").json(&json!({"text": link}));
    foreign.header("Origin", "http://evil.example").send().refused(403, "foreign-origin");
    let log = process.log();
    assert!(log.contains("/v1/codes") && !log.contains(ADMIN) && !log.contains("#scorer"), "{log}");
});

on_own_processes!(a_table_listens_on_ipv6_too_where_the_machine_has_it, |deployment| {
    let (_process, client) = serve(deployment, &["--admin-token", ADMIN]);
    if std::net::TcpListener::bind("[::1]:0").is_err() {
        return;
    }
    let port = client.authority().rsplit(':').next().expect("a port").to_owned();
    let over_ipv6 = Client::new(&format!("http://[::1]:{port}"));
    assert_eq!(over_ipv6.get("/v1/about").expect(200)["visited"], json!(false), "it is this machine");
    create(&over_ipv6, ADMIN).play_step();
    let seeded = over_ipv6.request("POST", "/v1/matches").json(&seeded(1)).token(ADMIN).send();
    seeded.has_status(201);
});
