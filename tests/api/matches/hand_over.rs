//! The scoring is handed over by an invite: `POST` and `DELETE .../tokens/scorer/invite`, its claim, and the
//! way back of the one that gave.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Deployment, Match, Mending, Request, Serving, Sides, at_once, chained, forge, fresh_hex, remote, seeded,
    sha256, table,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn fresh_token() -> String {
    format!("tu_{}", fresh_hex())
}

fn offering(giver: &Match, invite: &str) -> Request {
    giver.posting("/tokens/scorer/invite", &json!({"invite_sha256": sha256(invite)}))
}

fn stopping(giver: &Match) -> Request {
    giver.client.request("DELETE", &giver.path("/tokens/scorer/invite")).token(&giver.token)
}

fn claiming(played: &Match, invite: &str, token: &str) -> Request {
    let body = json!({"invite": invite, "token_sha256": sha256(token)});
    played.client.request("POST", &played.path("/tokens/claim")).json(&body)
}

fn rotating(held: &Match, token: &str) -> Request {
    held.posting("/tokens/scorer/rotate", &json!({"token_sha256": sha256(token)}))
}

fn ball(held: &Match) -> Request {
    held.posting("/balls", &json!({"dice": [2, 3]}))
}

fn holding(played: &Match, token: &str) -> Match {
    Match { token: token.to_owned(), ..played.clone() }
}

/// Hands the scoring over, and returns the match as the one that took over has it.
#[track_caller]
pub fn hand_over(giver: &Match) -> Match {
    let (invite, token) = (fresh_token(), fresh_token());
    offering(giver, &invite).send().expect(201);
    claiming(giver, &invite, &token).send().expect(201);
    holding(giver, &token)
}

on_both_stores!(an_invite_hands_over_the_scoring_once, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    let (invite, token) = (fresh_token(), fresh_token());
    let before = giver.head();
    let answer = offering(&giver, &invite).send();
    let ends_at = answer.expect(201)["ends_at"].as_str().expect("a time").to_owned();
    assert!(ends_at.ends_with('Z'), "{ends_at}");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(giver.head(), before, "an offer is no event");
    let taken = claiming(&giver, &invite, &token).send().expect(201);
    assert_eq!(taken, json!({"role": "scorer", "head": giver.view()["head"]}));
    let event = giver.events().pop().expect("an event");
    assert_eq!((&event["kind"], &event["actor"]), (&json!("token_rotated"), &json!("scorer")));
    assert_eq!(event["data"], json!({"role": "scorer"}));
    service.untouched_by(ball(&giver)).refused(403, "token-refused");
    let again = service.untouched_by(claiming(&giver, &invite, &fresh_token()));
    again.refused(409, "taken").at("body.invite").says(&["somebody has this already", "new one"]);
    let taker = holding(&giver, &token);
    ball(&taker).send().expect(201);
    chained(&taker.events());
    taker.audits_clean();
});

on_both_stores!(a_claim_of_the_scoring_that_is_sent_again_is_answered_as_the_first, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    let (invite, token) = (fresh_token(), fresh_token());
    offering(&giver, &invite).send().expect(201);
    let claim = || claiming(&giver, &invite, &token);
    let first = claim().key("claim-1").send().expect(201);
    ball(&holding(&giver, &token)).send().expect(201);
    assert_eq!(claim().key("claim-1").send().expect(201), first);
    assert_eq!(claim().send().expect(201), first, "the hash is enough");
    let next = hand_over(&holding(&giver, &token));
    assert_eq!(claim().key("claim-1").send().expect(201), first, "its invite is forgotten");
    ball(&next).send().expect(201);
});

on_both_stores!(an_offer_that_is_sent_again_has_the_end_of_the_first, |service| {
    let giver = service.create(&table(1));
    let (one, other) = (fresh_token(), fresh_token());
    let first = offering(&giver, &one).send().expect(201);
    assert_eq!(offering(&giver, &one).send().expect(201), first);
    offering(&giver, &other).send().expect(201);
    assert_eq!(offering(&giver, &one).send().expect(201), first);
    let late = service.untouched_by(claiming(&giver, &one, &fresh_token()));
    late.refused(403, "token-refused").at("body.invite").says(&["has ended", "another invite"]);
    stopping(&giver).send().has_status(204);
    assert_eq!(offering(&giver, &one).send().expect(201), first, "a late repeat opens nothing");
    offering(&giver, &other).send().expect(201);
    for invite in [&one, &other] {
        service.untouched_by(claiming(&giver, invite, &fresh_token())).refused(403, "token-refused");
    }
});

on_both_stores!(a_stopped_invite_opens_nothing, |service| {
    let giver = service.create(&table(1));
    stopping(&giver).send().has_status(204);
    let invite = fresh_token();
    offering(&giver, &invite).send().expect(201);
    for _ in 0..2 {
        let answer = stopping(&giver).send();
        assert_eq!((answer.status, answer.text()), (204, ""));
    }
    let refused = service.untouched_by(claiming(&giver, &invite, &fresh_token()));
    refused.refused(403, "token-refused").at("body.invite").says(&["stopped", "new one"]);
    let taker = hand_over(&giver);
    service.untouched_by(stopping(&giver)).refused(403, "token-refused").at("header.Authorization");
    stopping(&taker).send().has_status(204);
    ball(taker.begin()).send().expect(201);
});

on_own_stores!(an_old_invite_opens_nothing, |deployment| {
    let giver = deployment.create(&table(1));
    let invite = fresh_token();
    offering(&giver, &invite).send().expect(201);
    let database = deployment.database();
    database
        .run("update tokens set ends_at = 1700000000000 where purpose = 'scoring_invite'")
        .expect("the owner can");
    database
        .run("update idempotency set request = '1700000000000' where actor = 'service'")
        .expect("the owner can");
    let refused = deployment.untouched_by(claiming(&giver, &invite, &fresh_token()));
    refused
        .refused(403, "token-refused")
        .at("body.invite")
        .says(&["ran out at 2023-11-14T22:13:20Z", "new one"]);
    giver.play_step();
});

on_both_stores!(a_rotation_ends_the_invite, |service| {
    let giver = service.create(&table(1));
    let (invite, token) = (fresh_token(), fresh_token());
    offering(&giver, &invite).send().expect(201);
    rotating(&giver, &token).send().expect(201);
    let refused = service.untouched_by(claiming(&giver, &invite, &fresh_token()));
    refused.refused(403, "token-refused").at("body.invite").says(&["another token of the scorer"]);
    service.untouched_by(rotating(&giver, &fresh_token())).refused(403, "token-refused").says(&["replaced"]);
    holding(&giver, &token).play_step();
});

on_both_stores!(an_invite_is_of_its_match, |service| {
    let (giver, other) = (service.create(&table(1)), service.create(&table(1)));
    let invite = fresh_token();
    offering(&giver, &invite).send().expect(201);
    let refused = service.untouched_by(claiming(&other, &invite, &fresh_token()));
    refused.refused(403, "token-refused").at("body.invite").says(&["not an invite of this match"]);
    let bare = json!({"invite": invite});
    let refused =
        service.untouched_by(giver.client.request("POST", &giver.path("/tokens/claim")).json(&bare));
    refused.refused(422, "needs-input").at("body.token_sha256").says(&["token of their own"]);
    let as_token = service.untouched_by(ball(&holding(&giver, &invite)));
    as_token.refused(403, "token-refused").at("header.Authorization");
    for known in [&giver.token, &invite] {
        let refused = service.untouched_by(claiming(&giver, &invite, known));
        refused.refused(422, "illegal-input").at("body.token_sha256").says(&["already"]);
    }
    let known = service.untouched_by(offering(&giver, &giver.token));
    known.refused(422, "illegal-input").at("body.invite_sha256").says(&["already"]);
    let keyed = service.untouched_by(offering(&giver, &fresh_token()).key("once"));
    keyed.refused(400, "invalid-parameter").at("header.Idempotency-Key").says(&["not needed"]);
});

on_both_stores!(only_the_scorer_and_the_admin_hand_over_the_scoring, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    for captain in sides.captains() {
        for request in [offering(&captain.seat, &fresh_token()), stopping(&captain.seat)] {
            let refused = service.untouched_by(request).refused(403, "token-refused");
            refused.at("header.Authorization").says(&["by the scorer"]);
        }
    }
    let bare = sides.scorer.client.request("DELETE", &sides.scorer.path("/tokens/scorer/invite"));
    service.untouched_by(bare).refused(401, "token-missing");
});

on_own_stores!(no_match_without_a_scorer_is_handed_over, |deployment| {
    let sides = Sides::create(deployment.client(), &remote(1));
    let refused = deployment.untouched_by(offering(&sides.scorer, &fresh_token()));
    refused.refused(409, "no-hand-over").says(&["remote play"]);
    stopping(&sides.scorer).send().has_status(204);
    let over = deployment.create(&table(1));
    over.begin();
    over.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let refused = deployment.untouched_by(offering(&over, &fresh_token()));
    refused.refused(409, "match-over").says(&["nothing left to score"]);
    let played = deployment.create(&seeded(1));
    deployment.database().drop_triggers();
    forge(deployment.database(), &played, 1, Mending::Chain, |created| created["actor"] = json!("service"));
    let refused = deployment.untouched_by(offering(&played, &fresh_token()));
    refused.refused(409, "no-hand-over").says(&["the service plays this match"]);
});

on_both_stores!(the_one_that_gave_comes_back_while_nothing_was_written, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    let taker = hand_over(&giver);
    let token = fresh_token();
    let back = || rotating(&giver, &token).key("back");
    let first = back().send().expect(201);
    assert_eq!(first, json!({"role": "scorer", "head": giver.view()["head"]}));
    assert_eq!(back().send().expect(201), first);
    service.untouched_by(ball(&taker)).refused(403, "token-refused");
    let refused = service.untouched_by(rotating(&taker, &fresh_token())).refused(403, "token-refused");
    refused.at("header.Authorization").says(&["replaced"]);
    let refused = service.untouched_by(rotating(&giver, &fresh_token())).refused(403, "token-refused");
    refused.says(&["replaced"]);
    let held = holding(&giver, &token);
    ball(&held).send().expect(201);
    assert_eq!(back().send().expect(201), first);
    held.audits_clean();
});

on_both_stores!(the_way_back_opens_nothing_else, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    let taker = hand_over(&giver);
    for request in [
        ball(&giver),
        offering(&giver, &fresh_token()),
        stopping(&giver),
        giver.posting("/tokens/umpire/rotate", &json!({})),
        giver.posting("/tokens/home/rotate", &json!({})),
        giver.client.request("GET", &giver.path("")).token(&giver.token),
    ] {
        service.untouched_by(request).refused(403, "token-refused").at("header.Authorization");
    }
    let made = giver.post("/tokens/scorer/rotate", &json!({})).expect(201);
    service.untouched_by(ball(&taker)).refused(403, "token-refused");
    ball(&holding(&giver, made["token"].as_str().expect("a token"))).send().expect(201);
});

on_both_stores!(the_way_back_ends_with_the_first_event_by_the_scorer, |service| {
    let acts: [fn(&Match); 3] = [
        |taker| drop(ball(taker).send().expect(201)),
        |taker| drop(taker.post("/tokens/umpire/rotate", &json!({})).expect(201)),
        // What is void and taken back was written all the same.
        |taker| {
            ball(taker).send().expect(201);
            let void = json!({"voids_from": "last", "reason": "slipped"});
            taker.posting("/corrections", &void).if_match(&taker.head().hash).send().expect(201);
        },
    ];
    for act in acts {
        let giver = service.create(&table(1));
        giver.begin();
        let taker = hand_over(&giver);
        act(&taker);
        let refused = service.untouched_by(rotating(&giver, &fresh_token())).refused(403, "token-refused");
        refused.at("header.Authorization").says(&["handed over", "has written since"]);
        taker.play_step();
    }
});

on_own_stores!(a_correction_does_not_open_the_way_back_again, |deployment| {
    let giver = deployment.create(&table(1));
    giver.begin();
    ball(&giver).send().expect(201);
    let taker = hand_over(&giver);
    // The correction goes back behind the hand-over, and the log is folded anew by another instance.
    let void = json!({"voids_from": 1, "reason": "slipped"});
    taker.posting("/corrections", &void).if_match(&taker.head().hash).send().expect(201);
    let other = deployment.serve();
    for held in [giver.clone(), giver.through(other.client())] {
        let refused = deployment.untouched_by(rotating(&held, &fresh_token())).refused(403, "token-refused");
        refused.says(&["has written since"]);
    }
    taker.play_step();
});

on_both_stores!(an_event_by_a_side_leaves_the_way_back_open, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    let giver = &sides.scorer;
    giver.begin();
    giver.ball();
    let taker = hand_over(giver);
    let dispute = json!({"delivery": 1, "claim": "the die fell off the table"});
    sides.home.post("/disputes", &dispute).expect(201);
    let token = fresh_token();
    rotating(giver, &token).send().expect(201);
    service.untouched_by(taker.posting("/balls", &json!({}))).refused(403, "token-refused");
    holding(giver, &token).ball();
});

on_both_stores!(the_way_back_belongs_to_the_last_token_that_was_handed_over, |service| {
    let first = service.create(&table(1));
    first.begin();
    let second = hand_over(&first);
    let third = hand_over(&second);
    let refused = service.untouched_by(rotating(&first, &fresh_token())).refused(403, "token-refused");
    refused.says(&["replaced"]);
    let token = fresh_token();
    rotating(&second, &token).send().expect(201);
    for held in [&second, &third] {
        service
            .untouched_by(rotating(held, &fresh_token()))
            .refused(403, "token-refused")
            .says(&["replaced"]);
    }
    // Any other rotation ends it.
    let fourth = hand_over(&holding(&first, &token));
    rotating(&fourth, &fresh_token()).send().expect(201);
    let refused = service.untouched_by(rotating(&holding(&first, &token), &fresh_token()));
    refused.refused(403, "token-refused").says(&["replaced"]);
});

on_both_stores!(sides_and_umpire_have_no_way_back, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    for (role, held) in [("home", &sides.home.seat), ("away", &sides.away.seat)] {
        let path = format!("/tokens/{role}/rotate");
        held.post(&path, &json!({})).expect(201);
        service
            .untouched_by(held.posting(&path, &json!({})))
            .refused(403, "token-refused")
            .says(&["replaced"]);
    }
    let umpire = sides.scorer.post("/tokens/umpire/rotate", &json!({})).expect(201);
    let umpire = holding(&sides.scorer, umpire["token"].as_str().expect("a token"));
    umpire.post("/tokens/umpire/rotate", &json!({})).expect(201);
    let refused = service.untouched_by(umpire.posting("/tokens/umpire/rotate", &json!({})));
    refused.refused(403, "token-refused").says(&["replaced"]);
});

on_own_stores!(the_admin_offers_the_scoring_where_the_phone_that_had_it_is_dead, |deployment| {
    let admin = "keys-to-the-pavilion";
    let service = deployment.serve_as(Serving { arguments: &["--admin-token", admin], ..Serving::default() });
    let created =
        service.client().request("POST", "/v1/matches").json(&table(1)).token(admin).send().expect(201);
    let dead = Match::created(service.client(), &created);
    let laptop = holding(&dead, admin);
    let (stopped, invite, token) = (fresh_token(), fresh_token(), fresh_token());
    offering(&laptop, &stopped).send().expect(201);
    stopping(&laptop).send().has_status(204);
    claiming(&dead, &stopped, &fresh_token()).send().refused(403, "token-refused");
    offering(&laptop, &invite).send().expect(201);
    claiming(&dead, &invite, &token).send().expect(201);
    holding(&dead, &token).begin();
    // The key of the table ends a token at once, and leaves no way back.
    let taken = rotating(&laptop, &fresh_token()).send().expect(201);
    assert_eq!(taken["role"], "scorer");
    rotating(&holding(&dead, &token), &fresh_token())
        .send()
        .refused(403, "token-refused")
        .says(&["replaced"]);
});

/// Two claims of one invite at the same moment, at two instances.
fn race(deployment: &Deployment, serving: Serving<'_>) {
    let other = deployment.serve_as(serving);
    for _ in 0..8 {
        let giver = deployment.create(&table(1));
        let (invite, tokens) = (fresh_token(), [fresh_token(), fresh_token()]);
        offering(&giver, &invite).send().expect(201);
        let there = giver.through(other.client());
        let answers =
            at_once(vec![claiming(&giver, &invite, &tokens[0]), claiming(&there, &invite, &tokens[1])]);
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        let won = usize::from(answers[1].status == 201);
        answers[1 - won].refused(409, "taken").says(&["somebody has this already"]);
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409]);
        holding(&giver, &tokens[won]).begin();
    }
}

on_own_stores!(one_of_two_claims_at_two_instances_takes_over, |deployment| race(
    deployment,
    Serving::default()
));

on_own_stores!(one_of_two_claims_takes_over_where_each_append_is_written_alone, |deployment| {
    race(deployment, Serving { arguments: &["--no-group-commit"], ..Serving::default() });
});

on_own_stores!(a_ball_and_the_way_back_at_two_instances_do_not_both_stand, |deployment| {
    let other = deployment.serve();
    for _ in 0..8 {
        let giver = deployment.create(&table(1));
        giver.begin();
        let taker = hand_over(&giver).through(other.client());
        let token = fresh_token();
        let answers = at_once(vec![rotating(&giver, &token), ball(&taker)]);
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert!([[201, 403], [403, 201]].contains(&[statuses[0], statuses[1]]), "{statuses:?}");
        let kinds: Vec<Value> =
            giver.events().into_iter().skip(4).map(|event| event["kind"].clone()).collect();
        assert_eq!(kinds.iter().any(|kind| kind == "ball"), statuses[1] == 201, "{kinds:?}");
    }
});
