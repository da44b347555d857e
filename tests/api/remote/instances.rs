//! Remote play through different instances, which come and go.

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Captain, Match, Sides, chained, remote, until};

fn reversed(hand: &[u64]) -> Vec<u64> {
    hand.iter().rev().copied().collect()
}

fn kinds(appended: &Value) -> Vec<&Value> {
    appended["events"].as_array().expect("events").iter().map(|event| &event["kind"]).collect()
}

/// Waits until both instances show equal heads, since reads may trail another instance's writes.
#[track_caller]
fn wait_for_equal_heads(here: &Sides, there: &Sides) {
    until("both instances show equal heads", || here.scorer.view()["head"] == there.scorer.view()["head"]);
}

on_own_stores!(a_choice_made_at_one_instance_is_turned_up_by_the_other, |deployment| {
    let sides = Sides::in_play(deployment.client(), &remote(2));
    let service = deployment.serve();
    let there = sides.through(service.client());
    for (home, away) in [(&sides.home, &there.away), (&there.home, &sides.away)] {
        wait_for_equal_heads(&sides, &there);
        let order = reversed(&home.hand());
        assert_eq!(kinds(&home.chooses(&order)), ["choice", "choice_opened"]);
        wait_for_equal_heads(&sides, &there);
        let begun = away.chooses(&away.hand());
        assert_eq!(kinds(&begun), ["choice", "over"]);
        assert_eq!(begun["events"][1]["data"]["reveals"][0]["choice"]["order"], json!(order));
        there.bowl_over();
    }
    chained(&sides.scorer.events());
    sides.give_up_and_audit();
});

on_own_stores!(a_choice_outlives_the_instance_that_took_it, |deployment| {
    let mut service = deployment.serve();
    let mut sides = Sides::in_play(service.client(), &remote(2));
    for _ in 0..2 {
        let (home, away) = (&sides.home, &sides.away);
        let (order, sealed) = (reversed(&home.hand()), away.seals_order(&reversed(&away.hand())));
        away.post("/choices", &sealed.seal_body()).expect(201);
        home.chooses(&order);
        service.kill();
        service = deployment.serve();
        sides = sides.through(service.client());
        assert_eq!(sides.home.own()["choice"]["order"], json!(order));
        let begun = sides.away.post("/choices", &sealed.opening_body()).expect(201);
        let reveals = &begun["events"][0]["data"]["reveals"];
        assert_eq!(reveals[0]["choice"]["order"], json!(order));
        assert_eq!(reveals[1]["salt"], sealed.salt.as_str());
        sides.bowl_over();
    }
    chained(&sides.scorer.events());
    sides.give_up_and_audit();
});

on_own_stores!(sides_that_choose_at_the_same_time_at_two_instances_begin_one_over, |deployment| {
    let sides = Sides::in_play(deployment.client(), &remote(6));
    let service = deployment.serve();
    let there = sides.through(service.client());
    for over in 1..=5 {
        wait_for_equal_heads(&sides, &there);
        let choose = |captain: &Captain| {
            let request = captain.choosing(&reversed(&captain.hand()));
            std::thread::spawn(move || request.send().expect(201))
        };
        let both = [choose(&sides.home), choose(&there.away)]
            .map(|one| one.join().expect("the request is answered"));
        let begun = both.iter().filter(|answer| kinds(answer).contains(&&json!("over"))).count();
        assert_eq!(begun, 1, "{both:?}");
        wait_for_equal_heads(&sides, &there);
        let overs = there.scorer.events().iter().filter(|event| event["kind"] == "over").count();
        assert_eq!(overs, over);
        sides.bowl_over();
    }
    chained(&sides.scorer.events());
    sides.give_up_and_audit();
});

on_own_stores!(a_side_claimed_and_a_seed_shown_at_one_instance_are_so_at_the_other, |deployment| {
    let sides = Sides::create(deployment.client(), &remote(1));
    let service = deployment.serve();
    let there = sides.through(service.client());
    sides.home.committing_seed().send().expect(201);
    deployment.untouched_by(there.home.committing_seed()).refused(409, "out-of-turn");
    there.away.committing_seed().send().expect(201);
    sides.home.showing_seed().send().expect(201);
    deployment.untouched_by(there.home.showing_seed()).refused(409, "out-of-turn");
    there.away.showing_seed().send().expect(201);
    let [winner, _] = sides.toss();
    let winner = winner.through(service.client());
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    wait_for_equal_heads(&sides, &there);
    sides.choose_as_dealt();
    there.bowl_over();
    there.give_up_and_audit();
});

on_own_stores!(a_token_replaced_at_one_instance_sees_nothing_at_the_other, |deployment| {
    let sides = Sides::in_play(deployment.client(), &remote(1));
    let service = deployment.serve();
    let there = sides.through(service.client());
    wait_for_equal_heads(&sides, &there);
    assert_eq!(there.home.hand(), sides.home.hand());
    let rotated = sides.home.post("/tokens/home/rotate", &json!({})).expect(201);
    for stolen in [&sides.home, &there.home] {
        stolen.sees().refused(403, "token-refused").at("header.Authorization");
    }
    let token = rotated["token"].as_str().expect("a token").to_owned();
    let home = Captain { seat: Match { token, ..there.home.seat.clone() }, ..there.home.clone() };
    assert_eq!(home.hand().len(), 6);
});
