//! `POST /v1/matches/{id}/choices/call`: one side calls on the other, whose choice is made for it after the
//! timeout.

use serde_json::{Value, json};
use third_umpire::audit::audit;
use third_umpire::log::at_format;
use third_umpire::service::now;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    Captain, Service, Sides, chained, cubes, remote, until, with, with_event,
};

/// The request for a match with a choice timeout of one second.
fn with_short_timeout(overs: u32) -> Value {
    with(remote(overs), "/choice_timeout", json!(1))
}

/// The request for a match with a choice timeout that is surely longer than a test.
fn with_long_timeout(overs: u32) -> Value {
    with(remote(overs), "/choice_timeout", json!(3))
}

/// Calls on the other side, and returns its deadline.
#[track_caller]
fn calls(captain: &Captain, choice: &str) -> String {
    let other = if captain.side == "home" { "away" } else { "home" };
    let called = captain.post("/choices/call", &json!({})).expect(201);
    let event = &called["events"][0];
    assert_eq!(called["events"].as_array().map(Vec::len), Some(1));
    assert_eq!((&event["kind"], &event["actor"]), (&json!("choice_called"), &json!(captain.side)));
    let until = event["data"]["until"].clone();
    assert_eq!(event["data"], json!({"by": captain.side, "on": other, "for": choice, "until": until}));
    let until = until.as_str().expect("a time").to_owned();
    assert!(event["at"].as_str().is_some_and(|at| at < until.as_str()), "{event}");
    until
}

/// Repeats a call, which does nothing before the deadline, until it makes the choice; returns the events.
#[track_caller]
fn calls_until_answered(captain: &Captain, time: &str) -> Vec<Value> {
    let mut events = Vec::new();
    until("the time of the other side is up", || {
        let answer = captain.post("/choices/call", &json!({}));
        if answer.status == 201 {
            events = answer.json()["events"].as_array().expect("events").clone();
        } else {
            answer.refused(409, "awaiting-choice").says(&[time]);
        }
        !events.is_empty()
    });
    assert!(events[0]["at"].as_str().is_some_and(|at| at >= time), "{} came before {time}", events[0]);
    events
}

/// Waits until this time is past.
#[track_caller]
fn wait_until_after(time: &str) {
    until("the time is up", || at_format::write(&now().expect("a clock")).as_str() > time);
}

/// Asserts that a call of this side is refused.
#[track_caller]
fn call_is_refused(service: &Service, captain: &Captain, slug: &str) {
    service.untouched_by(captain.posting("/choices/call", &json!({}))).refused(409, slug);
}

on_both_stores!(for_a_winner_who_does_not_say_whether_to_bat_it_is_drawn, |service| {
    let sides = Sides::create(service.client(), &with_long_timeout(1));
    let [winner, loser] = sides.add_seeds().toss();
    call_is_refused(service, winner, "awaiting-choice");
    let time = calls(loser, "toss_decision");
    service
        .untouched_by(loser.posting("/choices/call", &json!({})))
        .refused(409, "awaiting-choice")
        .says(&[&time]);
    call_is_refused(service, winner, "awaiting-choice");
    let decided = calls_until_answered(loser, &time);
    assert_eq!((decided.len(), &decided[0]["kind"]), (1, &json!("toss_decided")));
    let data = &decided[0]["data"];
    assert_eq!((&data["by"], &data["draw"]), (&json!(winner.side), &json!({"domain": 6, "ordinal": 0})));
    service.untouched_by(winner.posting("/toss/decision", &json!({"to": "bat"}))).refused(409, "out-of-turn");
    sides.choose_as_dealt();
    sides.bowl_over();
    chained(&sides.scorer.events());
    sides.give_up_and_audit();
});

on_both_stores!(a_drawn_decision_that_was_turned_round_does_not_fit_the_seed, |service| {
    let sides = Sides::create(service.client(), &with_short_timeout(1));
    let [_, loser] = sides.add_seeds().toss();
    let time = calls(loser, "toss_decision");
    calls_until_answered(loser, &time);
    sides.give_up_and_audit();
    let log = sides.scorer.get("/log").text().to_owned();
    let at = log.lines().position(|line| line.contains("toss_decided")).expect("the toss is decided");
    let found = |change: fn(&mut Value)| {
        let report = audit(with_event(&log, at, change).as_bytes(), None).expect("a log");
        let divergence = report.divergence.expect("the log diverges");
        assert_eq!(divergence.seq, at as u64 + 1);
        divergence.findings[0].message.clone()
    };
    let turned = found(|event| {
        let to = if event["data"]["to"] == "bat" { "bowl" } else { "bat" };
        event["data"]["to"] = json!(to);
    });
    assert!(turned.contains("seed"), "{turned}");
    let early = found(|event| event["at"] = json!("2020-01-01T00:00:00.000Z"));
    assert!(early.contains("before its timeout"), "{early}");
    let other = found(|event| event["data"]["draw"]["ordinal"] = json!(1));
    assert!(other.contains("draw"), "{other}");
});

on_both_stores!(whoever_answers_late_but_before_the_draw_has_answered, |service| {
    let sides = Sides::create(service.client(), &with_short_timeout(1));
    let [winner, loser] = sides.add_seeds().toss();
    let time = calls(loser, "toss_decision");
    wait_until_after(&time);
    let decided = winner.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    assert!(decided["events"][0]["data"].get("draw").is_none());
    // A call after that begins anew.
    sides.home.chooses(&sides.home.hand());
    let next = calls(&sides.home, "order");
    assert!(next > time);
    sides.give_up_and_audit();
});

on_both_stores!(for_a_side_that_does_not_choose_its_order_is_drawn, |service| {
    let sides = Sides::in_play(service.client(), &with_short_timeout(2));
    let Sides { home, away, .. } = &sides;
    let hand = away.hand();
    // Nobody has chosen, so each would wait for itself.
    call_is_refused(service, home, "awaiting-choice");
    call_is_refused(service, away, "awaiting-choice");
    let sealed = home.seals_order(&home.hand());
    home.post("/choices", &sealed.seal_body()).expect(201);
    let time = calls(home, "order");
    call_is_refused(service, away, "awaiting-choice");
    wait_until_after(&time);
    // A choice is drawn only beside an open one, and home's is still sealed.
    let closed = service.untouched_by(home.posting("/choices/call", &json!({})));
    assert_eq!(closed.status, 409, "{}", closed.text());
    home.post("/choices", &sealed.opening_body()).expect(201);
    let begun = calls_until_answered(home, &time);
    let over = &begun[0]["data"];
    assert_eq!((&begun[0]["kind"], &over["reveals"][0]["salt"]), (&json!("over"), &json!(sealed.salt)));
    let drawn = &over["reveals"][1];
    assert_eq!((&drawn["side"], &drawn["draw"]), (&json!("away"), &json!({"domain": 6, "ordinal": 65_537})));
    assert!(drawn.get("salt").is_none(), "nothing was sealed");
    let mut order: Vec<u64> = serde_json::from_value(drawn["choice"]["order"].clone()).expect("an order");
    assert_eq!(over["choices"]["orders"]["bowling"], json!(order));
    let mut dealt = hand;
    order.sort_unstable();
    dealt.sort_unstable();
    assert_eq!(order, dealt);
    sides.bowl_over();
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(for_a_side_that_does_not_open_its_seal_is_drawn_as_well, |service| {
    let sides = Sides::in_play(service.client(), &with_short_timeout(2));
    let Sides { home, away, .. } = &sides;
    let sealed = away.seals_order(&away.hand());
    away.post("/choices", &sealed.seal_body()).expect(201);
    home.chooses(&home.hand());
    let time = calls(home, "opening");
    let begun = calls_until_answered(home, &time);
    let drawn = &begun[0]["data"]["reveals"][1];
    assert_eq!((&drawn["draw"]["domain"], &begun[0]["kind"]), (&json!(6), &json!("over")));
    service.untouched_by(away.posting("/choices", &sealed.opening_body())).refused(409, "out-of-turn");
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(a_seal_of_what_is_no_order_is_as_good_as_none, |service| {
    let sides = Sides::in_play(service.client(), &with_short_timeout(2));
    let Sides { home, away, .. } = &sides;
    let hand = away.hand();
    for no_order in [json!(hand[..5]), json!(home.hand()), json!([0, 0, 0, 0, 0, 0])] {
        let sealed = away.seals(json!({"order": no_order}));
        away.post("/choices", &sealed.seal_body()).expect(201);
        let opened = service.untouched_by(away.posting("/choices", &sealed.opening_body()));
        opened.refused(422, "illegal-input").within("body.choice.order");
    }
    home.chooses(&home.hand());
    let time = calls(home, "opening");
    let begun = calls_until_answered(home, &time);
    assert_eq!(begun[0]["data"]["reveals"][1]["draw"]["domain"], 6);
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(a_match_without_both_seeds_draws_nothing_and_can_be_abandoned, |service| {
    let sides = Sides::create(service.client(), &with_long_timeout(1));
    let Sides { home, away, .. } = &sides;
    let rain = json!({"reason": "they did not come"});
    home.committing_seed().send().expect(201);
    let time = calls(home, "seed_commitment");
    service.untouched_by(home.posting("/abandonment", &rain)).refused(403, "token-refused");
    wait_until_after(&time);
    call_is_refused(service, home, "awaiting-choice");
    service.untouched_by(away.posting("/abandonment", &rain)).refused(403, "token-refused");
    let end = home.post("/abandonment", &rain).expect(201);
    assert_eq!(
        (&end["events"][0]["kind"], &end["events"][0]["actor"]),
        (&json!("match_abandoned"), &json!("home"))
    );
    sides.audits_clean();
});

on_both_stores!(a_seed_that_is_not_shown_is_called_for_too, |service| {
    let sides = Sides::create(service.client(), &with_short_timeout(1));
    let Sides { home, away, .. } = &sides;
    sides.commit_seeds();
    away.showing_seed().send().expect(201);
    calls(away, "client_seed");
    home.showing_seed().send().expect(201);
    call_is_refused(service, away, "out-of-turn");
    service.untouched_by(away.posting("/abandonment", &json!({"reason": "-"}))).refused(403, "token-refused");
    sides.toss();
    sides.give_up_and_audit();
});

on_both_stores!(nobody_is_called_for_what_either_side_may_do, |service| {
    let sides = Sides::create(service.client(), &with_short_timeout(1));
    service.untouched_by(sides.scorer.posting("/choices/call", &json!({}))).refused(403, "token-refused");
    let more = service.untouched_by(sides.home.posting("/choices/call", &json!({"on": "away"})));
    more.refused(422, "illegal-input").says(&["on"]);
    sides.add_seeds();
    sides.captains().into_iter().for_each(|captain| call_is_refused(service, captain, "out-of-turn"));
    let [winner, _] = sides.toss();
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    sides.choose_as_dealt();
    sides.captains().into_iter().for_each(|captain| call_is_refused(service, captain, "out-of-turn"));
});

on_both_stores!(a_side_has_the_time_that_was_agreed_on, |service| {
    let sides = Sides::create(service.client(), &with(remote(1), "/choice_timeout", json!(2_592_000)));
    let [winner, loser] = sides.add_seeds().toss();
    let time = calls(loser, "toss_decision");
    let read = |text: &str| third_umpire::log::at_format::read(text).expect("a time");
    let called = sides.scorer.events().pop().expect("an event");
    let waits = read(&time) - read(called["at"].as_str().expect("a time"));
    assert!((waits.num_seconds() - 2_592_000).abs() <= 1, "{waits}");
    call_is_refused(service, loser, "awaiting-choice");
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
});

on_both_stores!(seals_that_nobody_can_open_do_not_end_a_remote_match, |service| {
    let sides = Sides::in_play(service.client(), &with_short_timeout(1));
    for captain in sides.captains() {
        captain.post("/choices", &captain.seals_order(&captain.hand()).seal_body()).expect(201);
    }
    let time = calls(&sides.home, "opening");
    let begun = calls_until_answered(&sides.away, &time);
    let over = &begun[0]["data"];
    for (reveal, side) in [(&over["reveals"][0], "home"), (&over["reveals"][1], "away")] {
        let drawn = json!({"domain": 6, "ordinal": 65_537});
        assert_eq!((&reveal["side"], &reveal["draw"]), (&json!(side), &drawn));
    }
    assert_ne!(over["choices"]["orders"]["bowling"], over["choices"]["orders"]["batting"]);
    sides.bowl_over();
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.audits_clean();
});

on_both_stores!(a_seal_that_is_never_opened_does_not_end_a_match_at_one_table, |service| {
    let sides = Sides::in_play_at_the_table(service.client(), &with(cubes(2), "/choice_timeout", json!(1)));
    let Sides { scorer, home, away } = &sides;
    call_is_refused(service, away, "out-of-turn");
    home.post("/choices", &home.seals_order(&home.hand()).seal_body()).expect(201);
    away.chooses(&away.hand());
    service.untouched_by(scorer.posting("/balls", &json!({}))).refused(409, "awaiting-choice");
    let called = scorer.post("/choices/call", &json!({"side": "away"})).expect(201);
    assert_eq!(called["events"][0]["actor"], "scorer");
    let time = called["events"][0]["data"]["until"].as_str().expect("a time").to_owned();
    let begun = calls_until_answered(away, &time);
    assert_eq!(begun[0]["data"]["reveals"][0]["draw"]["domain"], 6);
    scorer.post("/autoplay", &json!({"until": "match"})).expect(201);
    sides.audits_clean();
});
