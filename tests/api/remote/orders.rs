//! `POST /v1/matches/{id}/choices`: the orders that are legal.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{AWAY, HOME, Refusal, Service, Sides, chained, remote, with};

fn order(cubes: impl Into<Value>) -> Value {
    json!({"for": "order", "choice": {"order": cubes.into()}})
}

/// Illegal orders of a hand of six cubes, with the location of the fault in the choice.
fn no_orders(hand: &[u64], others: &[u64]) -> Vec<(Value, &'static str)> {
    let with_first = |cube: Value| {
        let mut cubes: Vec<Value> = hand.iter().map(|cube| json!(cube)).collect();
        cubes[0] = cube;
        json!({"order": cubes})
    };
    let seven = |more: &[u64]| [hand, more].concat();
    let at_order = |choice: Value| (choice, ".order");
    let mut wrong: Vec<(Value, &str)> = [
        json!(hand[0]),
        json!(others[0]),
        json!(hand[1]),
        json!(-1),
        json!(10),
        json!(210),
        json!(256),
        json!(u64::from(u32::MAX) + 1 + hand[0]),
        json!(hand[0].to_string()),
        json!(hand[0] as f64 + 0.5),
        json!([hand[0]]),
        Value::Null,
    ]
    .into_iter()
    // The side's own cube would be legal there, and 10 may be one of its cubes.
    .filter(|cube| *cube != json!(hand[0]))
    .map(|cube| at_order(with_first(cube)))
    .collect();
    wrong.push(at_order(json!({"order": hand[..5]})));
    wrong.push(at_order(json!({"order": seven(&hand[..1])})));
    wrong.push(at_order(json!({"order": seven(&others[..1])})));
    wrong.push(at_order(json!({"order": others})));
    wrong.push(at_order(json!({"order": []})));
    wrong.push(at_order(json!({"order": "as dealt"})));
    wrong.push((json!({"order": hand, "umpire": "Shepherd"}), ""));
    wrong.push((json!({"orders": hand}), ""));
    wrong
}

fn in_play(service: &Service) -> Sides {
    Sides::in_play(service.client(), &remote(2))
}

on_both_stores!(an_order_has_the_six_cubes_that_were_dealt_and_no_others, |service| {
    let sides = in_play(service);
    for [captain, other] in [[&sides.home, &sides.away], [&sides.away, &sides.home]] {
        let (hand, others) = (captain.hand(), other.hand());
        for (choice, at) in no_orders(&hand, &others) {
            let request = captain.posting("/choices", &json!({"for": "order", "choice": choice}));
            let refused = service.untouched_by(request).refused(422, "illegal-input");
            refused.within(&format!("body.choice{at}"));
        }
    }
    sides.choose_as_dealt();
    sides.bowl_over();
    chained(&sides.scorer.events());
});

on_both_stores!(no_refusal_tells_what_the_other_side_has_in_its_hand, |service| {
    let sides = in_play(service);
    let (hand, others) = (sides.home.hand(), sides.away.hand());
    let answer_for = |cube: u64| -> Value {
        let mut cubes = hand.clone();
        cubes[0] = cube;
        let answer = service.untouched_by(sides.home.posting("/choices", &order(cubes)));
        let mut problem = answer.refused(422, "illegal-input").problem;
        problem["detail"] = problem["detail"].as_str().expect("words").replace(&cube.to_string(), "_").into();
        problem["errors"] = Value::Null;
        problem
    };
    let in_nobodys = (0..210).find(|cube| !hand.contains(cube) && !others.contains(cube) && *cube > 99);
    let due = answer_for(in_nobodys.expect("twelve of them are dealt"));
    for cube in others {
        assert_eq!(answer_for(cube), due, "cube {cube} is with the other side");
    }
});

on_both_stores!(an_order_that_is_left_out_is_the_one_that_was_dealt, |service| {
    let sides = in_play(service);
    sides.home.post("/choices", &json!({"for": "order", "choice": {}})).expect(201);
    assert_eq!(sides.home.own()["choice"]["order"], json!(sides.home.hand()));
    let over = sides.away.chooses(&sides.away.hand())["events"][1].clone();
    assert_eq!(over["data"]["reveals"][0]["choice"]["order"], over["data"]["choices"]["deal"]["batting"]);
});

on_both_stores!(a_choice_says_one_thing_and_in_one_way, |service| {
    let sides = in_play(service);
    let home = &sides.home;
    let sealed = home.seals_order(&home.hand());
    let (seal, salt, choice) = (json!(sealed.seal), json!(sealed.salt), &sealed.choice);
    let refused = |body: Value| service.untouched_by(home.posting("/choices", &body));
    for body in [
        json!({"for": "order"}),
        json!({"for": "order", "salt": salt}),
        json!({"for": "order", "sealed": seal, "choice": choice}),
        json!({"for": "order", "sealed": seal, "salt": salt}),
        json!({"for": "order", "sealed": seal, "salt": salt, "choice": choice}),
    ] {
        refused(body).refused(422, "needs-input").at("body").says(&["choice", "sealed", "salt"]);
    }
    refused(json!({"choice": choice})).refused(422, "needs-input").says(&["for"]);
    for (member, value) in [
        ("for", json!("field")),
        ("for", json!(7)),
        ("innings", json!("1")),
        ("innings", json!(-1)),
        ("over", json!(70_000)),
        ("choice", json!([1, 2, 3, 4, 5, 6])),
        ("choice", json!("as dealt")),
        ("ball", json!(1)),
        ("umpire", json!("Shepherd")),
    ] {
        let mut body = json!({"for": "order", "choice": choice});
        body[member] = value;
        refused(body).refused(422, "illegal-input").within(&format!("body.{member}"));
    }
    for (member, value) in
        [("sealed", sealed.seal[1..].to_owned()), ("sealed", format!("g{}", &sealed.seal[1..]))]
    {
        let body = json!({"for": "order", member: value});
        refused(body).refused(422, "illegal-input").at("body.sealed").says(&["64"]);
    }
    refused(json!({"for": "order", "sealed": 7})).refused(422, "illegal-input").at("body.sealed");
    home.post("/choices", &sealed.seal_body()).expect(201);
    for salt in ["", "5eed", &format!("g{}", &sealed.salt[1..])] {
        let body = json!({"for": "order", "salt": salt, "choice": choice});
        refused(body).refused(422, "illegal-input").at("body.salt").says(&["64"]);
    }
    home.post("/choices", &sealed.opening_body()).expect(201);
});

on_both_stores!(the_bowling_side_names_its_bowler_with_its_order, |service| {
    let sides = in_play(service);
    let Sides { home, away, .. } = &sides;
    let [home_hand, away_hand] = [home.hand(), away.hand()];
    let named =
        |order: &[u64], name: Value| json!({"for": "order", "choice": {"order": order, "bowler": name}});
    let refused = |refused: Refusal| refused.within("body.choice.bowler");
    for name in [json!(HOME[0]), json!("Bradman"), json!(7)] {
        let request = away.posting("/choices", &named(&away_hand, name));
        refused(service.untouched_by(request).refused(422, "illegal-input"));
    }
    // Home bats.
    let request = home.posting("/choices", &named(&home_hand, json!(HOME[0])));
    service.untouched_by(request).refused(422, "illegal-input").within("body.choice");
    home.chooses(&home_hand);
    let begun = away.post("/choices", &named(&away_hand, json!(AWAY[7]))).expect(201);
    assert_eq!(begun["events"][1]["data"]["choices"]["bowler"], AWAY[7]);
    sides.bowl_over();
    sides.give_up_and_audit();
});

on_both_stores!(one_of_its_six_a_side_may_roll_where_that_was_agreed_on, |service| {
    let sides = in_play(service);
    let rolling =
        |order: &[u64], roll: Value| json!({"for": "order", "choice": {"order": order, "roll": roll}});
    let hand = sides.home.hand();
    let request = sides.home.posting("/choices", &rolling(&hand, json!(1)));
    service.untouched_by(request).refused(422, "illegal-input").within("body.choice.roll");

    let sides = Sides::in_play(service.client(), &with(remote(1), "/rules/roll_a_cube", json!(true)));
    let hand = sides.home.hand();
    for roll in [json!(0), json!(7), json!(-1), json!("1"), json!(1.5), json!([1])] {
        let request = sides.home.posting("/choices", &rolling(&hand, roll));
        service.untouched_by(request).refused(422, "illegal-input").within("body.choice.roll");
    }
    sides.home.post("/choices", &rolling(&hand, json!(2))).expect(201);
    sides.away.post("/choices", &rolling(&sides.away.hand(), json!(2))).expect(201);
    sides.bowl_over();
    let events = sides.scorer.events();
    let balls = events.iter().filter(|event| event["kind"] == "ball");
    let rolled: Vec<usize> = balls.map(|ball| ball["data"]["dice"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(rolled[..2], [0, 2], "a die each for the second ball");
    sides.give_up_and_audit();
});
