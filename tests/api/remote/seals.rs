//! Seals: what can be done with them, and until when.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    Head, Refusal, Request, Service, Sides, chained, fresh_hex, remote,
};

fn in_play(service: &Service) -> Sides {
    Sides::in_play(service.client(), &remote(2))
}

fn reversed(hand: &[u64]) -> Vec<u64> {
    hand.iter().rev().copied().collect()
}

#[track_caller]
fn out_of_turn(service: &Service, request: Request) -> Refusal {
    service.untouched_by(request).refused(409, "out-of-turn")
}

#[track_caller]
fn misfit(service: &Service, request: Request) {
    service.untouched_by(request).refused(422, "illegal-input").at("body.choice").says(&["seal"]);
}

on_both_stores!(an_opening_has_to_fit_its_seal, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let (hand, others) = (home.hand(), away.hand());
    let sealed = home.seals_order(&hand);
    home.post("/choices", &sealed.seal_body()).expect(201);
    let opening = |member: &str, value: Value| {
        let mut body = sealed.opening_body();
        body[member] = value;
        home.posting("/choices", &body)
    };
    misfit(service, opening("choice", json!({"order": reversed(&hand)})));
    misfit(service, opening("choice", json!({"order": others})));
    misfit(service, opening("choice", json!({})));
    misfit(service, opening("choice", json!({"order": hand, "roll": null})));
    misfit(service, opening("salt", json!(fresh_hex())));
    out_of_turn(service, away.posting("/choices", &sealed.opening_body()))
        .says(&["away", "sealed no choice"]);
    home.post("/choices", &sealed.opening_body()).expect(201);
    out_of_turn(service, home.posting("/choices", &sealed.opening_body())).says(&["open"]);
    away.chooses(&others);
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(the_request_that_opens_a_seal_takes_its_salt_and_its_choice, |service| {
    let sides = in_play(service);
    let seals = sides.captains().map(|captain| captain.seals_order(&captain.hand()));
    for (captain, seal) in sides.captains().into_iter().zip(&seals) {
        captain.post("/choices", &seal.seal_body()).expect(201);
    }
    let next = || sides.scorer.view()["next"].clone();
    assert_eq!(next()["what"], "opening");
    for (captain, seal) in sides.captains().into_iter().zip(&seals) {
        let next = next();
        let requests = next["requests"].as_array().expect("requests");
        let request = requests.iter().find(|one| one["body"]["side"] == captain.side).expect("its own");
        assert_eq!((&request["body"]["for"], &request["secret"]), (&json!("order"), &json!(true)));
        assert_eq!(request["asks"], json!([]), "what is sealed is not asked again");
        let mut body = request["body"].clone();
        (body["salt"], body["choice"]) = (json!(seal.salt), seal.choice.clone());
        captain.post("/choices", &body).expect(201);
    }
    sides.bowl_over();
});

on_both_stores!(a_seal_and_its_salt_in_capitals_are_recorded_in_lower_case, |service| {
    let sides = in_play(service);
    let seals = sides.captains().map(|captain| captain.seals_order(&captain.hand()));
    let in_capitals = |mut body: Value, member: &str| {
        body[member] = json!(body[member].as_str().expect("digits").to_uppercase());
        body
    };
    for (captain, seal) in sides.captains().into_iter().zip(&seals) {
        let sealed = captain.post("/choices", &in_capitals(seal.seal_body(), "sealed")).expect(201);
        assert_eq!(sealed["events"][0]["data"]["sealed"], seal.seal);
    }
    for (captain, seal) in sides.captains().into_iter().zip(&seals) {
        captain.post("/choices", &in_capitals(seal.opening_body(), "salt")).expect(201);
    }
    let events = sides.scorer.events();
    let over = events.iter().find(|event| event["kind"] == "over").expect("the over begins");
    assert_eq!(over["data"]["reveals"].to_string().matches("\"salt\"").count(), 2, "{over}");
    assert_eq!(over["data"]["reveals"].to_string(), over["data"]["reveals"].to_string().to_lowercase());
    sides.give_up_and_audit();
});

on_both_stores!(a_seal_of_another_side_over_or_match_opens_nothing, |service| {
    let sides = in_play(service);
    let hand = sides.home.hand();
    let elsewhere = in_play(service).home.seals_order(&hand);
    let others = sides.away.seals_order(&hand);
    for sealed in [elsewhere, others] {
        sides.home.post("/choices", &sealed.seal_body()).expect(201);
        misfit(service, sides.home.posting("/choices", &sealed.opening_body()));
    }
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(the_other_sides_seal_is_not_taken, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let sealed = home.seals_order(&home.hand());
    home.post("/choices", &sealed.seal_body()).expect(201);
    let copied = service.untouched_by(away.posting("/choices", &sealed.seal_body()));
    copied.refused(422, "illegal-input").at("body.sealed").says(&["other side"]);
    away.chooses(&away.hand());
    home.post("/choices", &sealed.opening_body()).expect(201);
    sides.bowl_over();
});

on_both_stores!(a_choice_can_be_replaced_until_the_others_is_in, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let hand = home.hand();
    let (first, second) = (home.seals_order(&hand), home.seals_order(&reversed(&hand)));
    home.post("/choices", &first.seal_body()).expect(201);
    home.post("/choices", &second.seal_body()).expect(201);
    misfit(service, home.posting("/choices", &first.opening_body()));
    away.chooses(&away.hand());
    let third = home.seals_order(&hand);
    out_of_turn(service, home.posting("/choices", &third.seal_body()))
        .says(&["home", "cannot change its choice"]);
    out_of_turn(service, home.choosing(&hand));
    misfit(service, home.posting("/choices", &third.opening_body()));
    let begun = home.post("/choices", &second.opening_body()).expect(201);
    assert_eq!(begun["events"][0]["data"]["reveals"][0]["choice"], second.choice);
    sides.bowl_over();
    chained(&sides.scorer.events());
    sides.give_up_and_audit();
});

on_both_stores!(a_choice_the_service_has_sealed_can_be_replaced_as_well, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let hand = home.hand();
    home.chooses(&hand);
    home.chooses(&reversed(&hand));
    assert_eq!(home.own()["choice"]["order"], json!(reversed(&hand)));
    // A choice that the side seals itself is not open, even if an earlier one was.
    let sealed = home.seals_order(&hand);
    home.post("/choices", &sealed.seal_body()).expect(201);
    assert_eq!(home.own()["choice"], Value::Null);
    let chosen = away.chooses(&away.hand());
    let kinds: Vec<&Value> =
        chosen["events"].as_array().expect("events").iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["choice", "choice_opened"]);
    let begun = home.post("/choices", &sealed.opening_body()).expect(201);
    assert_eq!(begun["events"][0]["data"]["reveals"][0]["salt"], sealed.salt.as_str());
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(nothing_is_chosen_again_once_the_over_has_begun, |service| {
    let sides = in_play(service);
    let hands = sides.captains().map(|captain| captain.hand());
    sides.choose_as_dealt();
    for (captain, hand) in sides.captains().into_iter().zip(&hands) {
        out_of_turn(service, captain.choosing(hand));
        out_of_turn(service, captain.posting("/choices", &captain.seals_order(hand).seal_body()));
        captain.post("/balls", &json!({})).expect(201);
        out_of_turn(service, captain.choosing(&reversed(hand)));
    }
    sides.bowl_over();
});

on_both_stores!(a_choice_is_made_for_the_over_that_is_due_and_for_no_other, |service| {
    let sides = Sides::create(service.client(), &remote(2));
    let due =
        |innings: u16, over: u16| json!({"for": "order", "innings": innings, "over": over, "choice": {}});
    let early = || sides.home.posting("/choices", &due(1, 1));
    out_of_turn(service, early());
    sides.add_seeds();
    out_of_turn(service, early());
    let [winner, _] = sides.toss();
    out_of_turn(service, early());
    winner.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    for (innings, over) in [(1, 2), (2, 1), (1, 0), (0, 1), (2, 2)] {
        out_of_turn(service, sides.home.posting("/choices", &due(innings, over)))
            .says(&["over 1 of innings 1"]);
        let mut sealed = sides.home.seals_order(&sides.home.hand());
        (sealed.innings, sealed.over) = (innings.into(), over.into());
        out_of_turn(service, sides.home.posting("/choices", &sealed.seal_body()));
    }
    sides.home.post("/choices", &due(1, 1)).expect(201);
    sides.away.post("/choices", &json!({"for": "order", "over": 1, "choice": {}})).expect(201);
    sides.bowl_over();
    out_of_turn(service, early());
    sides.home.post("/choices", &due(1, 2)).expect(201);
});

on_both_stores!(simultaneous_choices_keep_one_choice_of_each_side, |service| {
    let sides = in_play(service);
    let hands = sides.captains().map(|captain| (captain, captain.hand()));
    let threads: Vec<_> = (0..12)
        .map(|at| {
            let (captain, hand) = &hands[at % 2];
            let request = captain.choosing(hand);
            std::thread::spawn(move || request.send())
        })
        .collect();
    let answers: Vec<_> =
        threads.into_iter().map(|one| one.join().expect("the request is answered")).collect();
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "out-of-turn");
    }
    let events = sides.scorer.events();
    assert_eq!(events.iter().filter(|event| event["kind"] == "over").count(), 1);
    chained(&events);
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(a_choice_sent_again_under_its_key_is_made_once, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let hand = home.hand();
    let choose = || home.choosing(&hand).key("order-1").send();
    let first = choose().expect(201);
    assert_eq!(choose().expect(201), first);
    assert_eq!(sides.scorer.head().seq, Head::of(&first).seq, "the choice is sealed once");
    away.chooses(&away.hand());
    assert_eq!(choose().expect(201), first, "the answer of then, whatever has come since");
    let other =
        service.untouched_by(home.posting("/choices", &json!({"for": "order", "choice": {}})).key("order-1"));
    other.refused(422, "idempotency-key-reused");
    sides.bowl_over();
});
