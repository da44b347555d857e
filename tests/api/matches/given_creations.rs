//! `POST /v1/matches` with tokens that the client has made: `token_sha256`, `invite_sha256` and `id`.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Captain, Match, Request, Service, Serving, at_once, chained, claiming, fresh_hex, seeded, sha256, table,
    with,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};
use uuid::{NoContext, Timestamp, Uuid};

const TABLES: &[(&str, &[&str])] = &[("heads", &["match_id", "seq"]), ("match_list", &["match_id"])];

/// The tokens and the id that a client makes for a match.
struct Made {
    id: String,
    scorer: String,
    home: String,
    away: String,
}

impl Made {
    fn new() -> Made {
        let token = || format!("tu_{}", fresh_hex());
        Made { id: Uuid::now_v7().to_string(), scorer: token(), home: token(), away: token() }
    }

    /// The body of the creation.
    fn body(&self) -> Value {
        let body = with(seeded(1), "/id", json!(self.id));
        let body = with(body, "/token_sha256", json!(sha256(&self.scorer)));
        let invites = json!({"home": sha256(&self.home), "away": sha256(&self.away)});
        with(body, "/invite_sha256", invites)
    }

    /// The match at a service.
    fn at(&self, service: &Service) -> Match {
        Match { client: service.client().clone(), id: self.id.clone(), token: self.scorer.clone() }
    }
}

fn creating(service: &Service, body: &Value) -> Request {
    service.client().request("POST", "/v1/matches").json(body)
}

/// The id of a time so many seconds from now.
fn id_of(seconds: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let at = now.as_secs().checked_add_signed(seconds).expect("a time");
    Uuid::new_v7(Timestamp::from_unix(NoContext, at, 0)).to_string()
}

on_both_stores!(a_creation_with_hashes_is_answered_without_tokens, |service| {
    let made = Made::new();
    let answer = creating(service, &made.body()).send();
    let created = answer.expect(201);
    let played = made.at(service);
    assert_eq!(created, json!({"match": played.view()}));
    assert_eq!(created["match"]["id"], made.id);
    assert_eq!(answer.header("location"), format!("/v1/matches/{}", made.id));
    assert_eq!(answer.header("cache-control"), "no-store");
    for token in [&made.scorer, &made.home, &made.away] {
        assert!(!answer.text().contains(token.as_str()) && !answer.text().contains(&sha256(token)));
    }
    Captain::claim(&played, "home", &made.home);
    Captain::claim(&played, "away", &made.away);
    played.begin();
    chained(&played.events());
});

on_own_stores!(a_creation_with_a_hash_alone_makes_no_invites, |deployment| {
    let token = format!("tu_{}", fresh_hex());
    let body = with(table(1), "/token_sha256", json!(sha256(&token)));
    let created = creating(deployment, &body).send().expect(201);
    let id = created["match"]["id"].as_str().expect("the service makes an id").to_owned();
    let stored = deployment.database().texts("select role || ' ' || purpose from tokens order by purpose");
    assert_eq!(stored, ["scorer creation", "scorer token"]);
    let played = Match { client: deployment.client().clone(), id, token };
    let refused = deployment.untouched_by(claiming(&played, &fresh_hex())).refused(403, "token-refused");
    refused.at("body.invite");
    played.play_step();
});

on_own_stores!(a_creation_that_is_sent_again_makes_one_match, |deployment| {
    let made = Made::new();
    let create = |key: &str| creating(deployment, &made.body()).key(key);
    let first = create("create-1").send().expect(201);
    let played = made.at(deployment);
    played.begin();
    assert_eq!(create("create-1").send().expect(201), first);
    assert_eq!(creating(deployment, &made.body()).send().expect(201), first, "id and hash are enough");
    let token = format!("tu_{}", fresh_hex());
    played.post("/tokens/scorer/rotate", &json!({"token_sha256": sha256(&token)})).expect(201);
    deployment.database().run("delete from idempotency").expect("the owner can");
    let before = deployment.database().everything();
    assert_eq!(create("create-1").send().expect(201), first, "keys are swept, and the token is replaced");
    assert_eq!(deployment.database().everything(), before);
    assert!(deployment.database().rows(TABLES).values().all(|rows| rows.len() == 1));
    let refused = deployment.untouched_by(played.posting("/balls", &json!({})));
    refused.refused(403, "token-refused");
});

on_own_stores!(a_key_of_a_creation_is_kept_for_its_request, |service| {
    let made = Made::new();
    creating(service, &made.body()).key("create-1").send().expect(201);
    let renamed = with(made.body(), "/home/name", json!("Harbour Road II"));
    let refused = service.untouched_by(creating(service, &renamed).key("create-1"));
    refused.refused(422, "idempotency-key-reused").at("header.Idempotency-Key");
});

on_own_stores!(creations_of_one_match_at_the_same_time_make_one, |deployment| {
    let made = Made::new();
    let requests = (0..8).map(|n| match n % 2 {
        0 => creating(deployment, &made.body()).key("create-1"),
        _ => creating(deployment, &made.body()),
    });
    let answers = at_once(requests.collect());
    let bodies: Vec<Value> = answers.iter().map(|answer| answer.expect(201)).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert!(deployment.database().rows(TABLES).values().all(|rows| rows.len() == 1));
    made.at(deployment).begin();
});

on_own_stores!(a_creation_is_known_at_another_instance, |deployment| {
    let made = Made::new();
    let first = creating(deployment, &made.body()).key("create-1").send().expect(201);
    let other = deployment.serve();
    let again = other.client().request("POST", "/v1/matches").json(&made.body()).key("create-1");
    assert_eq!(again.send().expect(201), first);
});

on_own_stores!(an_id_under_another_hash_is_taken, |service| {
    let made = Made::new();
    creating(service, &made.body()).key("create-1").send().expect(201);
    let other = with(made.body(), "/token_sha256", json!(sha256(fresh_hex())));
    for request in [creating(service, &other), creating(service, &other).key("create-1")] {
        service.untouched_by(request).refused(409, "taken").at("body.id").says(&["another match", "new one"]);
    }
    let older = service.create(&table(1));
    let of_older = with(made.body(), "/id", json!(older.id));
    service.untouched_by(creating(service, &of_older)).refused(409, "taken").at("body.id");
    let by_its_token = with(of_older, "/token_sha256", json!(sha256(&older.token)));
    service.untouched_by(creating(service, &by_its_token)).refused(409, "taken").at("body.id");
});

on_own_stores!(an_id_of_another_time_is_refused_with_the_time_of_the_service, |deployment| {
    let made = Made::new();
    for seconds in [-86_400, -660, 660, 86_400] {
        let body = with(made.body(), "/id", json!(id_of(seconds)));
        let refused = deployment.untouched_by(creating(deployment, &body)).refused(422, "illegal-input");
        refused.at("body.id").says(&["the time of the service is 20", "ten minutes"]);
    }
    for seconds in [-540, 540] {
        let made = Made { id: id_of(seconds), ..Made::new() };
        creating(deployment, &made.body()).send().expect(201);
        assert!(SystemTime::now().elapsed().is_ok_and(|since| since < Duration::from_secs(1)));
    }
});

on_own_stores!(an_id_that_was_taken_is_answered_whatever_its_time, |deployment| {
    // A match of another day comes with a backup.
    let made = Made::new();
    let first = creating(deployment, &made.body()).key("create-1").send().expect(201);
    let (old, database) = (Made { id: id_of(-86_400), ..made }, deployment.database());
    let moved = |table: &str, id: &str| {
        format!("update {table} set match_id = {} where match_id = {}", database.id(&old.id), database.id(id))
    };
    let id = first["match"]["id"].as_str().expect("an id").to_owned();
    ["heads", "tokens"]
        .iter()
        .for_each(|table| assert!(database.run(&moved(table, &id)).is_ok_and(|rows| rows > 0)));
    // Only the log names its match, so the answer cannot be made: what matters is that the time is not asked.
    let answer = creating(deployment, &old.body()).send();
    assert_eq!(answer.status, 500, "{}", answer.text());
    answer.refused(500, "broken-log");
});

on_own_stores!(an_id_that_is_none_is_refused, |service| {
    let made = Made::new();
    let v4 = "0ee4ae4a-91c1-4f0c-a6a4-3d1f4c0a8f5b";
    let bare = made.id.replace('-', "");
    for id in ["", "match-1", v4, bare.as_str(), "00000000-0000-0000-0000-000000000000"] {
        let request = creating(service, &with(made.body(), "/id", json!(id)));
        let refused = service.untouched_by(request).refused(422, "illegal-input");
        refused.at("body.id").says(&["UUID of version 7"]);
    }
});

on_own_stores!(hashes_of_a_creation_that_do_not_go_together_are_refused, |service| {
    let made = Made::new();
    let without = |names: &[&str]| {
        let mut body = made.body();
        names.iter().for_each(|name| drop(body.as_object_mut().expect("an object").remove(*name)));
        body
    };
    for body in [
        without(&["token_sha256"]),
        without(&["token_sha256", "id"]),
        without(&["token_sha256", "invite_sha256"]),
    ] {
        let refused = service.untouched_by(creating(service, &body)).refused(422, "needs-input");
        refused.at("body.token_sha256").says(&["goes with token_sha256"]);
    }
    let keyed = creating(service, &without(&["id"])).key("create-1");
    service.untouched_by(keyed).refused(400, "invalid-parameter").at("header.Idempotency-Key").says(&["id"]);
    let bare = creating(service, &table(1)).key("create-1");
    service.untouched_by(bare).refused(400, "invalid-parameter").says(&["token_sha256"]);
    for (member, hash) in [("home", &made.scorer), ("away", &made.scorer), ("away", &made.home)] {
        let body = with(made.body(), &format!("/invite_sha256/{member}"), json!(sha256(hash)));
        let refused = service.untouched_by(creating(service, &body)).refused(422, "illegal-input");
        refused.at(&format!("body.invite_sha256.{member}")).says(&["already"]);
    }
    let one = with(made.body(), "/invite_sha256", json!({"home": sha256(&made.home)}));
    service.untouched_by(creating(service, &one)).refused(422, "needs-input").at("body.invite_sha256.away");
});

on_own_stores!(the_admin_creates_a_match_with_hashes, |deployment| {
    let admin = "keys-to-the-pavilion";
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", admin], ..Serving::default() });
    let made = Made::new();
    let create = || service.client().request("POST", "/v1/matches").json(&made.body()).key("create-1");
    create().send().refused(401, "token-missing");
    create().token(&made.scorer).send().refused(403, "token-refused");
    let first = create().token(admin).send().expect(201);
    assert_eq!(create().token(admin).send().expect(201), first);
    create().send().refused(401, "token-missing");
});
