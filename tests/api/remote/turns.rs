//! Permissions in remote play: who may do what, and when.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    AWAY, Captain, Match, Request, Service, Sides, cubes, last_event, remote, seeded, table,
};

fn call(caller: &str) -> Value {
    json!({"caller": caller, "call": "heads"})
}

#[track_caller]
fn refused(service: &Service, request: Request) {
    service.untouched_by(request).refused(403, "token-refused");
}

#[track_caller]
fn awaits(service: &Service, request: Request) {
    service.untouched_by(request).refused(409, "awaiting-choice");
}

on_both_stores!(in_remote_play_each_side_does_its_own_and_the_scorer_nothing_of_theirs, |service| {
    let sides = Sides::create(service.client(), &remote(2));
    let Sides { scorer, home, away } = &sides;
    sides.add_seeds();
    for caller in ["home", "away"] {
        refused(service, scorer.posting("/toss", &call(caller)));
    }
    refused(service, home.posting("/toss", &call("away")));
    let tossed = away.post("/toss", &call("away")).expect(201);
    assert_eq!(tossed["events"][0]["actor"], "away");
    let [winner, loser] = sides.sorted(&tossed["events"][0]["data"]["winner"]);
    let bat = json!({"to": "bat"});
    refused(service, scorer.posting("/toss/decision", &bat));
    refused(service, loser.posting("/toss/decision", &bat));
    let decided = winner.post("/toss/decision", &bat).expect(201);
    assert_eq!(decided["events"][0]["actor"], winner.side);

    let as_dealt = json!({"for": "order", "choice": {}});
    refused(service, scorer.posting("/choices", &as_dealt));
    for side in ["home", "away"] {
        let mut named = as_dealt.clone();
        named["side"] = json!(side);
        refused(service, scorer.posting("/choices", &named));
        if side != home.side {
            refused(service, home.posting("/choices", &named));
        }
    }
    sides.choose_as_dealt();
    for with in [scorer, &home.seat, &away.seat] {
        let bowled = with.post("/balls", &json!({})).expect(201);
        let token = if with.token == scorer.token { "scorer" } else { "" };
        assert!(token.is_empty() || last_event(&bowled)["actor"] == token);
    }
});

on_both_stores!(in_remote_play_no_over_begins_before_both_have_chosen, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    let Sides { scorer, home, away } = &sides;
    let nothing_begins = || {
        for with in [scorer, &home.seat, &away.seat] {
            awaits(service, with.posting("/balls", &json!({})));
            awaits(service, with.posting("/overs", &json!({})));
        }
    };
    nothing_begins();
    home.chooses(&home.hand());
    nothing_begins();
    let sealed = away.seals_order(&away.hand());
    away.post("/choices", &sealed.seal_body()).expect(201);
    nothing_begins();
    assert_eq!(scorer.view()["next"]["side"], "away");
    away.post("/choices", &sealed.opening_body()).expect(201);
    sides.bowl_over();
    nothing_begins();
});

on_both_stores!(in_remote_play_nothing_plays_by_itself, |service| {
    let sides = Sides::create(service.client(), &remote(2));
    let autoplay = |with: &Match| {
        for until in ["ball", "over", "match"] {
            let answer = service.untouched_by(with.posting("/autoplay", &json!({"until": until})));
            assert!([403, 409].contains(&answer.status), "{}", answer.text());
        }
    };
    let all = || [&sides.scorer, &sides.home.seat, &sides.away.seat].into_iter().for_each(autoplay);
    all();
    sides.add_seeds();
    all();
    let [winner, _] = sides.toss();
    all();
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    all();
    sides.choose_as_dealt();
    all();
});

on_both_stores!(at_the_table_a_side_does_its_own_and_the_scorer_everything, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &seeded(2));
    let Sides { scorer, home, away } = &sides;
    // Home bats.
    let bowler = |name: &str| json!({"bowler": name});
    refused(service, home.posting("/overs", &bowler(AWAY[0])));
    refused(service, home.posting("/balls", &json!({"choices": {"bowler": AWAY[0]}})));
    let begun = away.post("/overs", &bowler(AWAY[0])).expect(201);
    assert_eq!(
        (&begun["events"][0]["actor"], &begun["events"][0]["data"]["choices"]["bowler"]),
        (&json!("away"), &json!(AWAY[0]))
    );
    home.post("/balls", &json!({})).expect(201);
    scorer.post("/balls", &json!({})).expect(201);
    for captain in sides.captains() {
        refused(service, captain.posting("/autoplay", &json!({"until": "over"})));
        refused(service, captain.posting("/abandonment", &json!({"reason": "we are losing"})));
    }
    scorer.post("/autoplay", &json!({"until": "match"})).expect(201);
    sides.audits_clean();
});

on_both_stores!(at_the_table_only_a_side_itself_calls_its_toss_and_decides_what_it_has_won, |service| {
    let sides = Sides::create(service.client(), &seeded(1));
    let Sides { scorer, home, away } = &sides;
    refused(service, home.posting("/toss", &call("away")));
    refused(service, away.posting("/toss", &call("home")));
    let tossed = scorer.post("/toss", &call("away")).expect(201);
    let [winner, loser] = sides.sorted(&tossed["events"][0]["data"]["winner"]);
    refused(service, loser.posting("/toss/decision", &json!({"to": "bat"})));
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    scorer.play_step();
});

on_both_stores!(at_the_table_orders_may_be_secret_and_need_not_be, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &cubes(2));
    let Sides { scorer, home, away } = &sides;
    let with_side = |side: &str| json!({"for": "order", "side": side, "choice": {}});
    refused(service, home.posting("/choices", &with_side("away")));
    let nobodys = service.untouched_by(scorer.posting("/choices", &json!({"for": "order", "choice": {}})));
    nobodys.refused(422, "needs-input").at("body.side").says(&["home", "away"]);
    // The scorer enters one side's choice, the other chooses for itself; from then on no over begins without
    // both.
    scorer.post("/choices", &with_side("home")).expect(201);
    for with in [scorer, &home.seat, &away.seat] {
        awaits(service, with.posting("/balls", &json!({})));
        awaits(service, with.posting("/overs", &json!({})));
    }
    let begun = away.post("/choices", &with_side("away")).expect(201);
    assert_eq!(begun["events"][1]["kind"], "over");
    assert_eq!(begun["events"][1]["data"]["reveals"].as_array().map(Vec::len), Some(2));
    sides.bowl_over();
    // The next over needs neither.
    let over = scorer.post("/balls", &json!({})).expect(201);
    assert_eq!(over["events"][0]["kind"], "over");
    assert!(over["events"][0]["data"].get("reveals").is_none(), "nothing was sealed");
    scorer.post("/autoplay", &json!({"until": "match"})).expect(201);
    sides.audits_clean();
});

on_both_stores!(at_the_table_nobody_is_called, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &cubes(2));
    for captain in sides.captains() {
        let called = service.untouched_by(captain.posting("/choices/call", &json!({})));
        called.refused(409, "out-of-turn").says(&["scorer"]);
    }
});

on_both_stores!(nothing_is_chosen_in_secret_where_the_game_has_no_such_choice, |service| {
    for request in [seeded(1), table(1)] {
        let sides = Sides::create(service.client(), &request);
        sides.scorer.begin();
        let choose =
            |captain: &Captain, body: Value| service.untouched_by(captain.posting("/choices", &body));
        for captain in sides.captains() {
            for choice in ["order", "over", "bowler"] {
                let refused = choose(captain, json!({"for": choice, "choice": {}}));
                refused.refused(409, "out-of-turn").says(&["secret"]);
            }
        }
        sides.scorer.play_step();
    }
});
