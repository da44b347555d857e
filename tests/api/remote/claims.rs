//! `POST /v1/matches/{id}/tokens/claim`

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Captain, Match, Request, Service, chained, claiming, remote, seeded, seeded_by_service, sha256, table,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// A match, and its two invites.
fn invited(service: &Service, request: &Value) -> (Match, [String; 2]) {
    let created = service.client().post("/v1/matches", request).expect(201);
    let invite = |side: &str| created["invites"][side].as_str().expect("an invite").to_owned();
    (Match::created(service.client(), &created), ["home", "away"].map(invite))
}

on_own_stores!(an_invite_is_turned_into_a_token_once, |deployment| {
    let (played, invites) = invited(deployment, &seeded(1));
    for (side, invite) in ["home", "away"].into_iter().zip(&invites) {
        let answer = claiming(&played, invite).send();
        let claimed = answer.expect(201);
        assert_eq!((&claimed["side"], &claimed["head"]), (&json!(side), &played.view()["head"]));
        assert_eq!(answer.header("cache-control"), "no-store");
        let event = played.events().pop().expect("an event");
        assert_eq!((&event["kind"], &event["actor"]), (&json!("side_claimed"), &json!(side)));
        assert_eq!(event["data"], json!({"side": side}));
        let token = claimed["token"].as_str().expect("a token");
        let stored = deployment
            .database()
            .texts(&format!("select hash from tokens where role = '{side}' and purpose = 'token'"));
        assert_eq!(stored, [sha256(token)], "the store has its hash");
        let again = deployment.untouched_by(claiming(&played, invite));
        again.refused(409, "out-of-turn").says(&[side, "claimed"]);
    }
    chained(&played.events());
    played.play_step();
});

on_both_stores!(a_claim_needs_an_invite_of_this_match, |service| {
    let (played, invites) = invited(service, &seeded(1));
    let (other, _) = invited(service, &seeded(1));
    let refused = |request: Request| {
        service.untouched_by(request).refused(403, "token-refused").at("body.invite").says(&["invite"])
    };
    refused(claiming(&other, &invites[0]));
    refused(claiming(&played, &played.token));
    refused(claiming(&played, &sha256("made up")));
    refused(claiming(&played, ""));
    let home = Captain::claim(&played, "home", &invites[0]);
    refused(claiming(&played, &home.seat.token));
    let bare = |body: Value| played.client.request("POST", &played.path("/tokens/claim")).json(&body);
    service.untouched_by(bare(json!({}))).refused(422, "needs-input").says(&["invite"]);
    service.untouched_by(bare(json!({"invite": 7}))).refused(422, "illegal-input").at("body.invite");
    let more = json!({"invite": invites[1], "side": "away"});
    service.untouched_by(bare(more)).refused(422, "illegal-input").says(&["side"]);
    let keyed = service.untouched_by(claiming(&played, &invites[1]).key("once"));
    keyed.refused(400, "invalid-parameter").at("header.Idempotency-Key").says(&["token"]);
    Captain::claim(&played, "away", &invites[1]);
});

on_both_stores!(an_invite_sent_as_a_token_is_refused_with_the_way_to_the_token, |service| {
    for (request, who) in [(seeded(1), "the scorer"), (remote(1), "the admin")] {
        let (played, invites) = invited(service, &request);
        let toss = json!({"caller": "home", "call": "heads"});
        let as_token = || {
            let token = &invites[0];
            let sent = played.client.request("POST", &played.path("/toss")).token(token).json(&toss);
            service.untouched_by(sent)
        };
        let unused = as_token();
        unused
            .refused(403, "token-refused")
            .at("header.Authorization")
            .says(&["claim the side with it first"]);
        Captain::claim(&played, "home", &invites[0]);
        let used = as_token();
        let says = ["this invite was used when home was claimed", who, "/tokens/home/rotate"];
        used.refused(403, "token-refused").at("header.Authorization").says(&says);
    }
});

on_both_stores!(one_of_many_simultaneous_claims_takes_the_side, |service| {
    let (played, [invite, _]) = invited(service, &seeded(1));
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let request = claiming(&played, &invite);
            std::thread::spawn(move || request.send())
        })
        .collect();
    let answers: Vec<_> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    let (claimed, others): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(claimed.len(), 1, "{answers:?}");
    others.into_iter().for_each(|answer| drop(answer.refused(409, "out-of-turn")));
    let token = claimed[0].json()["token"].as_str().expect("a token").to_owned();
    Match { token, ..played.clone() }.post("/toss", &json!({"caller": "home", "call": "heads"})).expect(201);
    assert_eq!(played.events().len(), 3);
});

on_both_stores!(a_side_is_claimed_at_the_table_and_in_the_middle_of_a_match_too, |service| {
    let (played, invites) = invited(service, &table(1));
    played.begin().bowl(&[2, 3]);
    let home = Captain::claim(&played, "home", &invites[0]);
    home.post("/balls", &json!({"dice": [2, 3]})).expect(201);
    played.play_step();
    chained(&played.events());
    played.audits_clean();
});

on_both_stores!(nobody_claims_a_side_of_a_match_that_is_over, |service| {
    let (played, invites) = invited(service, &seeded_by_service(1));
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    service.untouched_by(claiming(&played, &invites[0])).refused(409, "seed-open");
});

on_both_stores!(a_claim_on_top_of_another_head_is_stale, |service| {
    let (played, [home, away]) = invited(service, &seeded(1));
    let head = played.head();
    Captain::claim(&played, "home", &home);
    let stale = service.untouched_by(claiming(&played, &away).if_match(&head.hash));
    stale.refused(412, "stale-head").at("header.If-Match");
    claiming(&played, &away).if_match(&played.head().hash).send().expect(201);
});
