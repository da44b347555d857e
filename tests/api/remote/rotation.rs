//! `POST /v1/matches/{id}/tokens/{role}/rotate`, where sides have tokens, too.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Captain, Match, Request, Serving, Sides, chained, remote, seeded, sha256,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn rotating(with: &Match, role: &str) -> Request {
    with.client.request("POST", &with.path(&format!("/tokens/{role}/rotate"))).token(&with.token)
}

/// Replaces a captain's token by this actor, and returns the captain with the new one.
#[track_caller]
fn rotated(with: &Match, captain: &Captain, actor: &str) -> Captain {
    let answer = rotating(with, captain.side).send();
    let body = answer.expect(201);
    assert_eq!((&body["role"], answer.header("cache-control")), (&json!(captain.side), "no-store"));
    let event = with.events().pop().expect("an event");
    assert_eq!((&event["kind"], &event["actor"]), (&json!("token_rotated"), &json!(actor)));
    assert_eq!(event["data"], json!({"role": captain.side}));
    assert_eq!(body["head"], json!({"seq": event["seq"], "hash": event["hash"]}));
    let token = body["token"].as_str().expect("a token").to_owned();
    assert_ne!(token, captain.seat.token);
    Captain { seat: Match { token, ..captain.seat.clone() }, ..captain.clone() }
}

fn toss(captain: &Captain) -> Request {
    captain.posting("/toss", &json!({"caller": captain.side, "call": "heads"}))
}

on_own_stores!(a_side_replaces_its_own_token, |deployment| {
    for request in [remote(1), seeded(1)] {
        let sides = Sides::create(deployment.client(), &request);
        let home = rotated(&sides.home.seat, &sides.home, "home");
        let id = deployment.database().id(&home.seat.id);
        let stored = deployment.database().texts(&format!(
            "select hash from tokens where match_id = {id} and role = 'home' and purpose = 'token'"
        ));
        assert_eq!(stored, [sha256(&home.seat.token)]);
        deployment.untouched_by(toss(&sides.home)).refused(403, "token-refused").at("header.Authorization");
        sides.home.sees().refused(403, "token-refused");
        home.sees().expect(200);
        let key = rotating(&home.seat, "home").key("once");
        deployment.untouched_by(key).refused(400, "invalid-parameter").at("header.Idempotency-Key");
        let sides = Sides { home, ..sides };
        if request["remote"] == true {
            sides.add_seeds();
        }
        toss(&sides.home).send().expect(201);
        chained(&sides.scorer.events());
        sides.give_up_and_audit();
    }
});

on_both_stores!(a_side_does_not_replace_the_token_of_another, |service| {
    for request in [remote(1), seeded(1)] {
        let sides = Sides::create(service.client(), &request);
        for role in ["away", "scorer"] {
            service.untouched_by(rotating(&sides.home.seat, role)).refused(403, "token-refused");
        }
        sides.captains().into_iter().for_each(|captain| drop(captain.sees().expect(200)));
    }
});

on_both_stores!(the_scorer_replaces_the_tokens_of_sides_that_sit_at_his_table, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    let away = rotated(&sides.scorer, &sides.away, "scorer");
    service.untouched_by(toss(&sides.away)).refused(403, "token-refused");
    toss(&away).send().expect(201);
});

on_both_stores!(the_scorer_does_not_replace_the_tokens_of_sides_that_play_remotely, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    for side in ["home", "away"] {
        let refused = service.untouched_by(rotating(&sides.scorer, side)).refused(403, "token-refused");
        refused.says(&["own token"]);
    }
    let own = rotating(&sides.scorer, "scorer").send().expect(201);
    assert_eq!(own["role"], "scorer");
});

on_own_stores!(the_admin_replaces_the_token_a_side_has_lost, |deployment| {
    let admin = "keys-to-the-pavilion";
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", admin], ..Serving::default() });
    let creation = service.client().request("POST", "/v1/matches").json(&remote(1)).token(admin);
    let created: Value = creation.send().expect(201);
    let scorer = Match::created(service.client(), &created);
    let invite = created["invites"]["home"].as_str().expect("an invite");
    let home = Captain::claim(&scorer, "home", invite);
    let pavilion = Match { token: admin.to_owned(), ..scorer };
    let found = rotated(&pavilion, &home, "admin");
    home.sees().refused(403, "token-refused");
    found.sees().expect(200);
    deployment
        .untouched_by(rotating(&pavilion, "away"))
        .refused(404, "no-such-token")
        .says(&["away", "claimed"]);
});

on_both_stores!(one_of_two_simultaneous_replacements_gets_the_new_token, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let request = rotating(&sides.home.seat, "home");
            std::thread::spawn(move || request.send())
        })
        .collect();
    let answers: Vec<_> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    let rotated: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(rotated.len(), 1, "{answers:?}");
    let token = rotated[0].json()["token"].as_str().expect("a token").to_owned();
    let home = Captain { seat: Match { token, ..sides.home.seat.clone() }, ..sides.home.clone() };
    toss(&home).send().expect(201);
});
