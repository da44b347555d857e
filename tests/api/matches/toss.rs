//! `POST /v1/matches/{id}/toss` and `/toss/decision`

use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, SeededDice, ServerSeed};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Match, Service, Sides, remote, seeded, table, with};

on_both_stores!(the_caller_wins_the_toss_if_the_coin_shows_the_call, |service| {
    for (caller, call, coin, winner) in [
        ("home", "heads", "heads", "home"),
        ("home", "heads", "tails", "away"),
        ("home", "tails", "tails", "home"),
        ("away", "tails", "heads", "home"),
        ("away", "heads", "heads", "away"),
    ] {
        let played = service.create(&table(1));
        let tossed = played.post("/toss", &json!({"caller": caller, "call": call, "coin": coin})).expect(201);
        let due = json!({"caller": caller, "call": call, "coin": coin, "winner": winner});
        assert_eq!(tossed["events"][0]["data"], due);
        assert_eq!(tossed["events"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&tossed["next"]["what"], &tossed["next"]["side"]),
            (&json!("toss_decision"), &json!(winner))
        );
    }
});

on_both_stores!(the_coin_of_a_seeded_match_is_the_first_draw_of_its_seed, |service| {
    for first in ["01", "23", "45", "67", "89", "ab"] {
        let seed = first.repeat(32);
        let played = service.create(&with(seeded(1), "/seed", json!(seed)));
        let tossed = played.post("/toss", &json!({"caller": "away", "call": "tails"})).expect(201);
        let seed = ServerSeed::from_hex(&seed).expect("a seed");
        let mut dice = SeededDice::new(&seed.match_seed(&[]));
        dice.begin(Draw::TOSS);
        let coin = if dice.die(2) == 1 { "heads" } else { "tails" };
        assert_eq!(tossed["events"][0]["data"]["coin"], coin);
    }
});

on_both_stores!(the_winner_of_the_toss_says_who_bats_first, |service| {
    for (winner, to, batting) in
        [("home", "bat", "home"), ("home", "bowl", "away"), ("away", "bat", "away"), ("away", "bowl", "home")]
    {
        let played = service.create(&table(1));
        played.post("/toss", &json!({"caller": winner, "call": "heads", "coin": "heads"})).expect(201);
        let decided = played.post("/toss/decision", &json!({"to": to})).expect(201);
        assert_eq!(decided["events"][0]["data"], json!({"by": winner, "to": to}));
        assert_eq!(decided["events"][0]["kind"], "toss_decided");
        let fielding = if batting == "home" { "away" } else { "home" };
        assert_eq!((&decided["next"]["what"], &decided["next"]["side"]), (&json!("over"), &json!(fielding)));
        assert_eq!(played.bowl(&[2, 1])["score"]["innings"][0]["batting"], batting);
    }
});

on_both_stores!(a_match_says_what_may_be_called_and_decided, |service| {
    let played = service.create(&table(1));
    let legal = |view: &Value| view["next"]["legal"].clone();
    assert_eq!(legal(&played.view()), json!({"caller": ["home", "away"], "call": ["heads", "tails"]}));
    played.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"})).expect(201);
    assert_eq!(legal(&played.view()), json!({"to": ["bat", "bowl"]}));
});

on_both_stores!(sides_that_have_tossed_report_the_winner_and_the_decision_at_once, |service| {
    for (winner, to, batting) in [("home", "bat", "home"), ("home", "bowl", "away"), ("away", "bat", "away")]
    {
        let played = service.create(&table(1));
        let tossed = played.post("/toss", &json!({"winner": winner, "to": to})).expect(201);
        let events = tossed["events"].as_array().expect("events");
        let [toss, decided] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!((&toss["kind"], &toss["v"]), (&json!("toss"), &json!(2)));
        assert_eq!(toss["data"], json!({"winner": winner}));
        assert_eq!((&decided["kind"], &decided["v"]), (&json!("toss_decided"), &json!(1)));
        assert_eq!(decided["data"], json!({"by": winner, "to": to}));
        assert_eq!(tossed["next"]["what"], "over");
        assert_eq!(played.bowl(&[2, 1])["score"]["innings"][0]["batting"], batting);
        assert!(played.events().iter().skip(2).all(|event| event["v"] == 1));
    }
});

on_both_stores!(a_reported_toss_without_its_decision_waits_for_the_winner, |service| {
    let played = service.create(&table(1));
    let tossed = played.post("/toss", &json!({"winner": "away"})).expect(201);
    assert_eq!(tossed["events"].as_array().map(Vec::len), Some(1));
    assert_eq!((&tossed["next"]["what"], &tossed["next"]["side"]), (&json!("toss_decision"), &json!("away")));
    played.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    let told = played.get("/commentary").expect(200);
    let lines: Vec<&str> =
        told["lines"].as_array().expect("lines").iter().filter_map(|line| line["text"].as_str()).collect();
    assert_eq!(lines[1..3], ["Mill Lane win the toss.", "Mill Lane choose to bowl."]);
});

/// Asserts that no winner of a toss is taken, since the coin is the seed's.
#[track_caller]
fn has_the_coin_of_its_seed(service: &Service, played: &Match) {
    for body in [json!({"winner": "home"}), json!({"winner": "home", "to": "bat"}), json!({"winner": "away"})]
    {
        let refused = service.untouched_by(played.posting("/toss", &body)).refused(422, "illegal-input");
        refused.at("body.winner").says(&["the coin of this match comes from its seed", "heads or tails"]);
    }
}

on_both_stores!(no_toss_of_a_seeded_or_remote_match_is_reported, |service| {
    let played = service.create(&seeded(1));
    has_the_coin_of_its_seed(service, &played);
    played.play_step();
    let sides = Sides::create(service.client(), &remote(1));
    sides.add_seeds();
    has_the_coin_of_its_seed(service, &sides.home.seat);
    has_the_coin_of_its_seed(service, &sides.scorer);
    sides.toss();
});

on_both_stores!(a_toss_is_called_or_reported_and_nothing_between, |service| {
    let played = service.create(&table(1));
    let toss = |body: Value| -> Answer { service.untouched_by(played.posting("/toss", &body)) };
    for body in [
        json!({"winner": "home", "coin": "heads"}),
        json!({"winner": "home", "caller": "home", "call": "heads", "coin": "heads"}),
    ] {
        toss(body)
            .refused(422, "illegal-input")
            .at("body.winner")
            .says(&["either winner, or caller, call and coin"]);
    }
    let early = json!({"caller": "home", "call": "heads", "coin": "heads", "to": "bat"});
    toss(early).refused(422, "illegal-input").at("body.to").says(&["/toss/decision"]);
    toss(json!({"to": "bat"})).refused(422, "illegal-input").at("body.to");
    toss(json!({"winner": "both"})).refused(422, "illegal-input").at("body.winner").says(&["home", "away"]);
    toss(json!({"winner": "home", "to": "field"}))
        .refused(422, "illegal-input")
        .at("body.to")
        .says(&["bowl"]);
    toss(json!({})).refused(422, "needs-input").at("body.caller").says(&["caller is missing"]);
    played.post("/toss", &json!({"winner": "home"})).expect(201);
    toss(json!({"winner": "home"})).refused(409, "out-of-turn").says(&["waits for: toss decision"]);
});

on_both_stores!(a_side_reports_a_toss_only_as_its_winner, |service| {
    let sides = Sides::create(service.client(), &table(1));
    let others = sides.home.posting("/toss", &json!({"winner": "away", "to": "bat"}));
    service.untouched_by(others).refused(403, "token-refused").says(&["away side"]);
    let own = sides.home.post("/toss", &json!({"winner": "home", "to": "bat"})).expect(201);
    assert!(own["events"].as_array().expect("events").iter().all(|event| event["actor"] == "home"));
    sides.scorer.audits_clean();
});

on_both_stores!(the_next_step_offers_a_toss_to_report_at_a_table_alone, |service| {
    let offered = |played: &Match| -> Vec<Value> {
        let requests = played.view()["next"]["requests"].clone();
        let requests = requests.as_array().expect("requests").iter();
        let places = |request: &Value| -> Vec<Value> {
            request["asks"].as_array().expect("asks").iter().map(|ask| ask["at"].clone()).collect()
        };
        requests.map(|request| json!([request["title"], request["operation"], places(request)])).collect()
    };
    let [reported, called] = [
        json!(["We have tossed", "make_toss", ["winner"]]),
        json!(["Toss now", "make_toss", ["caller", "call", "coin"]]),
    ];
    assert_eq!(offered(&service.create(&table(1))), [reported, called]);
    let seeded = service.create(&seeded(1));
    assert_eq!(offered(&seeded), [json!(["Toss", "make_toss", ["caller", "call"]])]);
    let winner = &service.create(&table(1)).view()["next"]["requests"][0]["asks"][0];
    let ways: Vec<Value> = winner["options"]
        .as_array()
        .expect("options")
        .iter()
        .map(|side| json!([side["value"], side["title"], side["asks"][0]["at"], side["asks"][0]["title"]]))
        .collect();
    assert_eq!(
        ways,
        [
            json!(["home", "Harbour Road", "to", "Harbour Road won the toss"]),
            json!(["away", "Mill Lane", "to", "Mill Lane won the toss"]),
        ]
    );
});
