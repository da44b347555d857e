//! Where the service listens, and who may create matches there.

use serde_json::json;

use crate::on_both_stores;
use crate::support::{Match, Serving, run, sha256, table};

const ADMIN: &str = "keys-to-the-pavilion-9f86d081";

fn open_to_others() -> Serving<'static> {
    Serving { listen: "0.0.0.0:0", log: "debug", arguments: &["--admin-token", ADMIN], ..Serving::default() }
}

on_both_stores!(open_to_others_it_does_not_start_without_an_admin_token, |house| {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = run(&["serve", "--listen", address, "--database", &house.database().url]);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains("--admin-token") && told.contains("loopback"), "{told}");
        assert!(refused.stdout.is_empty(), "it does not say that it listens");
    }
    let empty =
        run(&["serve", "--listen", "0.0.0.0:0", "--database", &house.database().url, "--admin-token", ""]);
    assert_eq!(empty.status.code(), Some(2));
    Match::create(house.client(), &table(1)).goes_on();
});

on_both_stores!(an_address_that_is_none_is_refused_in_words, |house| {
    for address in ["pavilion", "127.0.0.1", "127.0.0.1:66000", ":"] {
        let refused = run(&["serve", "--listen", address, "--database", &house.database().url]);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{address}: {told}");
        assert!(told.contains("HOST:PORT") && !told.contains("panicked"), "{address}: {told}");
    }
    let taken = house.client().authority();
    let refused = run(&["serve", "--listen", taken, "--database", &house.database().url]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot listen"));
});

on_both_stores!(with_an_admin_token_creation_needs_it_and_play_does_not, |house| {
    let service = house.serve_as(open_to_others());
    let port = service.client().authority().rsplit(':').next().expect("a port").to_owned();
    let client = crate::support::Client::new(&format!("http://127.0.0.1:{port}"));
    let creation = || client.request("POST", "/v1/matches").json(&table(1));
    let missing = house.untouched_by(creation());
    missing.refused(401, "token-missing").at("header.Authorization").says(&["Bearer"]);
    for token in ["wrong", &ADMIN[..10], &ADMIN.to_uppercase()] {
        let refused = house.untouched_by(creation().token(token));
        refused.refused(403, "token-refused").at("header.Authorization").says(&["admin"]);
    }
    let created = creation().token(ADMIN).send().expect(201);
    let played = Match::created(&client, &created);
    assert_eq!(played.events()[0]["actor"], "admin", "it was created on the admin's word");
    played.goes_on();
    assert_eq!(played.events()[1]["actor"], "scorer");
    // The admin keeps the keys, and does not score.
    let toss = json!({"to": "bat"});
    let admin = Match { token: ADMIN.to_owned(), ..played.clone() };
    house.untouched_by(admin.asking("/toss/decision", &toss)).refused(403, "token-refused");
    let log = service.log();
    assert!(log.contains("0.0.0.0") || log.len() > 100, "there is a log to look at");
    for secret in [ADMIN, &played.token, &sha256(ADMIN)] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    assert!(!format!("{:?}", house.database().everything()).contains(ADMIN));
});

on_both_stores!(without_an_admin_token_a_made_up_one_makes_nobody_admin, |house| {
    let played = house.create(&table(1));
    let made_up = Match { token: "admin".to_owned(), ..played.clone() };
    let rotate = made_up.client.request("POST", &made_up.path("/tokens/scorer/rotate")).token("admin");
    house.untouched_by(rotate).refused(403, "token-refused");
    let creation = house.client().request("POST", "/v1/matches").json(&table(1)).token("whatever");
    creation.send().expect(201);
    played.goes_on();
});
