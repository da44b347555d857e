//! The address that the service listens on, and who may create matches there.

use serde_json::json;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Match, Serving, run, sha256, table};

const ADMIN: &str = "keys-to-the-pavilion-9f86d081";

fn open_to_others() -> Serving<'static> {
    Serving { listen: "0.0.0.0:0", log: "debug", arguments: &["--admin-token", ADMIN], ..Serving::default() }
}

on_own_processes!(open_to_others_it_does_not_start_without_an_admin_token, |deployment| {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = run(&["serve", "--listen", address, "--database", &deployment.database().url]);
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("--admin-token") && stderr.contains("loopback"), "{stderr}");
        assert!(refused.stdout.is_empty(), "the service does not say that it listens");
    }
    let empty = run(&[
        "serve",
        "--listen",
        "0.0.0.0:0",
        "--database",
        &deployment.database().url,
        "--admin-token",
        "",
    ]);
    assert_eq!(empty.status.code(), Some(2));
    Match::create(deployment.client(), &table(1)).play_step();
});

on_own_processes!(an_address_that_is_none_is_refused_in_words, |deployment| {
    for address in ["pavilion", "127.0.0.1", "127.0.0.1:66000", ":"] {
        let refused = run(&["serve", "--listen", address, "--database", &deployment.database().url]);
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{address}: {stderr}");
        assert!(stderr.contains("HOST:PORT") && !stderr.contains("panicked"), "{address}: {stderr}");
    }
    let taken = deployment.client().authority();
    let refused = run(&["serve", "--listen", taken, "--database", &deployment.database().url]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot listen"));
});

on_own_processes!(with_an_admin_token_creation_needs_it_and_play_does_not, |deployment| {
    let service = deployment.serve_as(open_to_others());
    let port = service.client().authority().rsplit(':').next().expect("a port").to_owned();
    let client = third_umpire_test_support::service::Client::new(&format!("http://127.0.0.1:{port}"));
    let creation = || client.request("POST", "/v1/matches").json(&table(1));
    let missing = deployment.untouched_by(creation());
    missing.refused(401, "token-missing").at("header.Authorization").says(&["Bearer"]);
    for token in ["wrong", &ADMIN[..10], &ADMIN.to_uppercase()] {
        let refused = deployment.untouched_by(creation().token(token));
        refused.refused(403, "token-refused").at("header.Authorization").says(&["admin"]);
    }
    let created = creation().token(ADMIN).send().expect(201);
    let played = Match::created(&client, &created);
    assert_eq!(played.events()[0]["actor"], "admin", "the admin created the match");
    played.play_step();
    assert_eq!(played.events()[1]["actor"], "scorer");
    // The admin manages tokens, and does not score.
    let toss = json!({"to": "bat"});
    let admin = Match { token: ADMIN.to_owned(), ..played.clone() };
    deployment.untouched_by(admin.posting("/toss/decision", &toss)).refused(403, "token-refused");
    let log = service.log();
    assert!(log.contains("0.0.0.0") || log.len() > 100, "there is a log to look at");
    for secret in [ADMIN, &played.token, &sha256(ADMIN)] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    assert!(!format!("{:?}", deployment.database().everything()).contains(ADMIN));
});

on_own_processes!(a_made_up_token_is_no_admin_of_a_service_that_has_none, |deployment| {
    let played = deployment.create(&table(1));
    let made_up = Match { token: "admin".to_owned(), ..played.clone() };
    let rotate = made_up.client.request("POST", &made_up.path("/tokens/scorer/rotate")).token("admin");
    deployment.untouched_by(rotate).refused(403, "token-refused");
    let creation = deployment.client().request("POST", "/v1/matches").json(&table(1)).token("whatever");
    creation.send().expect(201);
    played.play_step();
});
