//! Tokens that a client has made for itself: `token_sha256` of a claim and of a rotation, and what becomes of
//! a request whose answer was lost.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Match, Request, Service, at_once, chained, fresh_hex, remote, seeded, sha256, table,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// A token that a client makes.
fn fresh_token() -> String {
    format!("tu_{}", fresh_hex())
}

/// A match at a table, and the invite of the home side.
fn invited(service: &Service, request: &Value) -> (Match, String) {
    let created = service.client().post("/v1/matches", request).expect(201);
    let invite = created["invites"]["home"].as_str().expect("an invite").to_owned();
    (Match::created(service.client(), &created), invite)
}

fn claiming(played: &Match, invite: &str, token: &str) -> Request {
    let body = json!({"invite": invite, "token_sha256": sha256(token)});
    played.client.request("POST", &played.path("/tokens/claim")).json(&body)
}

fn rotating(played: &Match, role: &str, shown: &str, token: &str) -> Request {
    let path = played.path(&format!("/tokens/{role}/rotate"));
    played.client.request("POST", &path).token(shown).json(&json!({"token_sha256": sha256(token)}))
}

/// The match with another token.
fn holding(played: &Match, token: &str) -> Match {
    Match { token: token.to_owned(), ..played.clone() }
}

/// The events of a kind in the log.
fn count(played: &Match, kind: &str) -> usize {
    played.events().iter().filter(|event| event["kind"] == kind).count()
}

/// The role of a token, as the match tells it.
fn role(played: &Match, token: &str) -> Value {
    played.client.request("GET", &played.path("")).token(token).send().expect(200)["viewer"]["role"].clone()
}

on_both_stores!(a_claim_with_a_hash_is_answered_without_a_token, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let token = fresh_token();
    let answer = claiming(&played, &invite, &token).send();
    let claimed = answer.expect(201);
    assert_eq!(claimed, json!({"role": "home", "head": played.view()["head"]}));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(played.events().pop().expect("an event")["kind"], "side_claimed");
    assert_eq!(role(&played, &token), "home");
    chained(&played.events());
});

on_both_stores!(a_rotation_with_a_hash_is_answered_without_a_token, |service| {
    let played = service.create(&table(1));
    let token = fresh_token();
    let answer = rotating(&played, "scorer", &played.token, &token).send();
    assert_eq!(answer.expect(201), json!({"role": "scorer", "head": played.view()["head"]}));
    assert_eq!(answer.header("cache-control"), "no-store");
    service.untouched_by(played.posting("/toss", &json!({}))).refused(403, "token-refused");
    holding(&played, &token).play_step();
});

on_both_stores!(a_claim_that_is_sent_again_is_answered_as_the_first, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let token = fresh_token();
    let head = played.head();
    let claim = || claiming(&played, &invite, &token).key("claim-1").if_match(&head.hash);
    let first = claim().send().expect(201);
    played.begin();
    assert_eq!(claim().send().expect(201), first);
    assert_eq!(claiming(&played, &invite, &token).send().expect(201), first, "the hash is enough");
    assert_eq!(claiming(&played, &invite, &token).key("claim-2").send().expect(201), first);
    assert_eq!((count(&played, "side_claimed"), role(&played, &token)), (1, json!("home")));
    let next = fresh_token();
    rotating(&played, "home", &token, &next).send().expect(201);
    assert_eq!(claim().send().expect(201), first, "the key is known after the token is replaced");
});

on_both_stores!(a_rotation_that_is_sent_again_with_either_token_is_answered_as_the_first, |service| {
    let played = service.create(&table(1));
    let (new, newest) = (fresh_token(), fresh_token());
    let head = played.head();
    let rotate = |shown: &str| rotating(&played, "scorer", shown, &new).key("rotate-1").if_match(&head.hash);
    let first = rotate(&played.token).send().expect(201);
    for shown in [&played.token, &new] {
        assert_eq!(rotate(shown).send().expect(201), first);
        assert_eq!(rotating(&played, "scorer", shown, &new).send().expect(201), first, "the hash is enough");
    }
    holding(&played, &new).begin();
    assert_eq!(rotate(&played.token).send().expect(201), first);
    rotating(&played, "scorer", &new, &newest).key("rotate-2").send().expect(201);
    for shown in [&played.token, &new, &newest] {
        assert_eq!(rotate(shown).send().expect(201), first, "the key is known after the next rotation");
    }
    assert_eq!(count(&played, "token_rotated"), 2);
    holding(&played, &newest).play_step();
});

on_both_stores!(the_umpires_first_token_is_issued_once, |service| {
    let played = service.create(&table(1));
    let token = fresh_token();
    let issue = || rotating(&played, "umpire", &played.token, &token).key("umpire");
    let first = issue().send().expect(201);
    assert_eq!(issue().send().expect(201), first);
    assert_eq!((count(&played, "token_rotated"), role(&played, &token)), (1, json!("umpire")));
});

on_own_stores!(a_request_is_known_by_its_hash_after_its_key_was_swept, |deployment| {
    let (played, invite) = invited(deployment, &seeded(1));
    let (side, scorer) = (fresh_token(), fresh_token());
    let claim = || claiming(&played, &invite, &side).key("claim-1");
    let rotate = |shown: &str| rotating(&played, "scorer", shown, &scorer).key("rotate-1");
    let (claimed, rotated) = (claim().send().expect(201), rotate(&played.token).send().expect(201));
    holding(&played, &scorer).begin();
    deployment.database().run("delete from idempotency").expect("the owner can");
    let before = deployment.database().everything();
    assert_eq!(claim().send().expect(201), claimed);
    assert_eq!(rotate(&played.token).send().expect(201), rotated);
    assert_eq!(rotate(&scorer).send().expect(201), rotated);
    assert_eq!(deployment.database().everything(), before);
});

on_both_stores!(another_hash_under_a_used_invite_or_a_replaced_token_is_refused, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let (side, scorer) = (fresh_token(), fresh_token());
    claiming(&played, &invite, &side).key("claim-1").send().expect(201);
    rotating(&played, "scorer", &played.token, &scorer).key("rotate-1").send().expect(201);
    for key in ["claim-1", "claim-2"] {
        let other = claiming(&played, &invite, &fresh_token()).key(key);
        let refused = service.untouched_by(other);
        assert!([409, 422].contains(&refused.status), "{}", refused.status);
    }
    let other = claiming(&played, &invite, &fresh_token());
    service.untouched_by(other).refused(409, "out-of-turn").says(&["home", "claimed"]);
    for key in ["rotate-1", "rotate-2"] {
        let other = rotating(&played, "scorer", &played.token, &fresh_token()).key(key);
        service
            .untouched_by(other)
            .refused(403, "token-refused")
            .at("header.Authorization")
            .says(&["replaced"]);
    }
    let reused = rotating(&played, "scorer", &scorer, &fresh_token()).key("rotate-1");
    service.untouched_by(reused).refused(422, "idempotency-key-reused");
    assert_eq!((role(&played, &side), role(&played, &scorer)), (json!("home"), json!("scorer")));
});

on_both_stores!(a_hash_that_the_match_has_is_refused, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let side = fresh_token();
    claiming(&played, &invite, &side).send().expect(201);
    for known in [&played.token, &invite, &side] {
        let refused = service.untouched_by(rotating(&played, "scorer", &played.token, known));
        refused.refused(422, "illegal-input").at("body.token_sha256").says(&["already", "new token"]);
    }
    // The claim has issued this one, and no rotation.
    service.untouched_by(rotating(&played, "home", &side, &side)).refused(422, "illegal-input");
    let (other, invite) = invited(service, &seeded(1));
    claiming(&other, &invite, &side).send().expect(201);
});

on_both_stores!(a_hash_that_is_none_is_refused_and_not_repeated, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let token = fresh_token();
    for hash in [json!(token), json!(""), json!(sha256(&token)[1..]), json!(7)] {
        for (path, body) in [
            ("/tokens/claim", json!({"invite": invite, "token_sha256": hash})),
            ("/tokens/scorer/rotate", json!({"token_sha256": hash})),
        ] {
            let refused = service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input");
            let problem = refused.at("body.token_sha256").problem;
            assert!(!problem.to_string().contains(&token), "{problem}");
        }
    }
    let hashed = json!({"token_sha256": sha256(&token)});
    service.untouched_by(played.posting("/tokens/captain/rotate", &hashed)).refused(404, "no-such-token");
    let bare = played.client.request("POST", &played.path("/tokens/scorer/rotate")).json(&hashed);
    service.untouched_by(bare).refused(401, "token-missing");
});

on_both_stores!(a_hash_in_capitals_is_the_same_hash, |service| {
    let played = service.create(&table(1));
    let token = fresh_token();
    let capitals = json!({"token_sha256": sha256(&token).to_uppercase()});
    let first = played.post("/tokens/scorer/rotate", &capitals).expect(201);
    assert_eq!(rotating(&played, "scorer", &token, &token).send().expect(201), first);
});

on_both_stores!(a_key_without_a_hash_is_refused, |service| {
    let (played, _) = invited(service, &seeded(1));
    let keyed = played.posting("/tokens/scorer/rotate", &json!({})).key("once");
    let refused = service.untouched_by(keyed).refused(400, "invalid-parameter");
    refused.at("header.Idempotency-Key").says(&["token_sha256"]);
});

on_both_stores!(requests_for_one_token_at_the_same_time_issue_it_once, |service| {
    let (played, invite) = invited(service, &seeded(1));
    let (side, scorer) = (fresh_token(), fresh_token());
    let claims = (0..12).map(|n| match n % 2 {
        0 => claiming(&played, &invite, &side).key("claim"),
        _ => claiming(&played, &invite, &side),
    });
    let rotations = (0..12).map(|n| match n % 2 {
        0 => rotating(&played, "scorer", &played.token, &scorer).key("rotate"),
        _ => rotating(&played, "scorer", &played.token, &scorer),
    });
    let answers = at_once(claims.chain(rotations).collect());
    let bodies: Vec<Value> = answers.iter().map(|answer| answer.expect(201)).collect();
    assert!(bodies[..12].iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert!(bodies[12..].iter().all(|body| *body == bodies[12]), "{bodies:?}");
    assert_eq!((count(&played, "side_claimed"), count(&played, "token_rotated")), (1, 1));
    holding(&played, &scorer).play_step();
});

on_both_stores!(a_side_replaces_its_token_in_remote_play_by_its_hash, |service| {
    let (played, invite) = invited(service, &remote(1));
    let (first, second) = (fresh_token(), fresh_token());
    claiming(&played, &invite, &first).send().expect(201);
    let rotated = rotating(&played, "home", &first, &second).key("lost").send().expect(201);
    assert_eq!(rotating(&played, "home", &second, &second).key("lost").send().expect(201), rotated);
    let refused = service.untouched_by(rotating(&played, "home", &played.token, &fresh_token()));
    refused.refused(403, "token-refused").says(&["own token"]);
});

on_own_stores!(a_request_is_known_at_another_instance, |deployment| {
    let (played, invite) = invited(deployment, &seeded(1));
    let other = deployment.serve();
    let there = played.through(other.client());
    let (side, scorer) = (fresh_token(), fresh_token());
    let claimed = claiming(&played, &invite, &side).key("claim-1").send().expect(201);
    let rotated = rotating(&played, "scorer", &played.token, &scorer).send().expect(201);
    assert_eq!(claiming(&there, &invite, &side).key("claim-1").send().expect(201), claimed);
    assert_eq!(rotating(&there, "scorer", &played.token, &scorer).send().expect(201), rotated);
});
