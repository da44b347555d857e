//! Bags, orders and numbers that CubeRoots refuses.

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    AWAY, Deployment, HOME, Match, Refusal, Request, Service, chained, cubes, with,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// A match whose numbers are read off real cubes.
fn at_the_table(service: &Service) -> Match {
    let played = service.create(&with(cubes(2), "/dice", json!("table")));
    played.begin();
    played
}

#[track_caller]
fn refused(service: &Service, request: Request) -> Refusal {
    service.untouched_by(request).refused(422, "illegal-input")
}

fn creating(deployment: &Deployment, request: &Value) -> Request {
    deployment.client().request("POST", "/v1/matches").json(request)
}

/// The default bag: cube k shows (k + 3c) mod 10 in colour c.
fn bag() -> Value {
    (0..210).map(|k| (0..6).map(|c| json!((k + 3 * c) % 10)).collect::<Value>()).collect()
}

fn ball(bowler: Value, batter: Value) -> Value {
    json!({"choices": {"bowler_number": bowler, "batter_number": batter}})
}

on_own_stores!(a_bag_is_210_cubes_of_six_faces_from_0_to_9, |deployment| {
    let create = |bag: Value| refused(deployment, creating(deployment, &with(cubes(1), "/rules/bag", bag)));
    let mut short = bag();
    short.as_array_mut().expect("cubes").pop();
    create(short).at("body.rules.bag").says(&["210", "209"]);
    let mut long = bag();
    long.as_array_mut().expect("cubes").push(json!([0, 1, 2, 3, 4, 5]));
    create(long).at("body.rules.bag").says(&["210", "211"]);
    for cube in [
        json!([0, 1, 2, 3, 4]),
        json!([0, 1, 2, 3, 4, 5, 6]),
        json!([0, 1, 2, 3, 4, 12]),
        json!([0, 1, 2, 3, 4, 10]),
        json!([-1, 1, 2, 3, 4, 5]),
        json!([0.5, 1, 2, 3, 4, 5]),
        json!(["0", 1, 2, 3, 4, 5]),
        json!([null, 1, 2, 3, 4, 5]),
        json!([]),
        json!(7),
        Value::Null,
    ] {
        create(with(bag(), "/209", cube)).at("body.rules.bag[209]");
    }
    for other in [json!("mine"), json!([]), json!({}), json!(210), json!(true)] {
        create(other).at("body.rules.bag");
    }
    let own = with(bag(), "/0", json!([9, 9, 9, 9, 9, 9]));
    let played = deployment.create(&with(cubes(1), "/rules/bag", own.clone()));
    assert_eq!(played.view()["rules"]["bag"], own);
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played.audits_clean();
});

on_own_stores!(the_two_sides_read_different_colours, |deployment| {
    let create = |colours: Value| {
        refused(deployment, creating(deployment, &with(cubes(1), "/rules/colours", colours)))
    };
    create(json!({"home": 2, "away": 2})).within("body.rules.colours").says(&["different"]);
    for colour in [json!(6), json!(-1), json!("1"), json!(1.5), Value::Null] {
        create(json!({"home": 0, "away": colour})).at("body.rules.colours.away");
        create(json!({"home": colour, "away": 0})).at("body.rules.colours.home");
    }
    for colours in [json!({"home": 1}), json!([0, 1]), json!({"home": 0, "away": 1, "umpire": 2}), json!(1)] {
        create(colours).within("body.rules.colours");
    }
    let played = deployment.create(&with(cubes(1), "/rules/colours", json!({"home": 5, "away": 0})));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
});

on_own_stores!(options_out_of_range_are_refused_by_name, |deployment| {
    for (option, values) in [
        ("overs", vec![json!(0), json!(1001), json!(-1), json!("2"), json!(2.5), json!([2])]),
        ("variant", vec![json!("odi"), json!(""), json!(1), Value::Null]),
        ("end_at_target", vec![json!("yes"), json!(1), Value::Null]),
        ("roll_a_cube", vec![json!("no"), json!(0), Value::Null]),
        ("wildcubes", vec![json!(true)]),
    ] {
        for value in values {
            let rules = json!({option: value});
            let refusal = refused(deployment, creating(deployment, &with(cubes(1), "/rules", rules)));
            refusal.within(&format!("body.rules.{option}")).says(&[option]);
        }
    }
    for (overs, variant) in [(1, "limited"), (1000, "test")] {
        let rules = json!({"overs": overs, "variant": variant});
        assert_eq!(deployment.create(&with(cubes(1), "/rules", rules)).view()["rules"]["overs"], overs);
    }
});

on_own_stores!(how_sides_come_together_is_settled_in_terms_that_make_sense, |deployment| {
    let create = |request: Value| {
        deployment.untouched_by(creating(deployment, &request)).refused(422, "illegal-input")
    };
    let remote = || with(with(cubes(1), "/remote", json!(true)), "/client_seeds", json!("both"));
    for seconds in [json!(0), json!(2_592_001), json!(-1), json!(1.5), json!("60")] {
        create(with(remote(), "/choice_timeout", seconds)).at("body.choice_timeout");
    }
    create(with(remote(), "/remote", json!("yes"))).at("body.remote");
    create(with(remote(), "/client_seeds", json!("home"))).at("body.client_seeds");
    create(with(remote(), "/client_seeds", json!("none"))).at("body.client_seeds");
    create(with(remote(), "/seed", json!("5eed".repeat(16)))).at("body.seed");
    create(with(remote(), "/dice", json!("table"))).at("body.client_seeds");
    create(with(with(cubes(1), "/dice", json!("table")), "/client_seeds", json!("both")))
        .at("body.client_seeds");
    deployment.create(&with(remote(), "/choice_timeout", json!(1)));
    deployment.create(&with(remote(), "/choice_timeout", json!(2_592_000)));
});

on_own_stores!(the_sides_are_eleven_or_nobody_in_particular, |deployment| {
    for players in [json!(["Abel"]), json!(HOME[..10])] {
        let refusal = refused(deployment, creating(deployment, &with(cubes(1), "/home/players", players)));
        refusal.at("body.home.players").says(&["11"]);
    }
    let namesake = with(cubes(1), "/away/players/4", json!("Mill Lane"));
    refused(deployment, creating(deployment, &namesake)).at("body.away.players[4]").says(&["Mill Lane"]);
    let played = deployment.create(&with(cubes(1), "/home/players", json!([])));
    assert_eq!(played.view()["home"]["players"][10], "Home 11");
});

on_both_stores!(a_number_on_a_cube_is_0_to_9, |service| {
    let played = at_the_table(service);
    let wrong = [json!(10), json!(-1), json!(2.5), json!("3"), json!([3]), json!(true), json!(256)];
    for number in &wrong {
        let bowl = |choices: Value| refused(service, played.posting("/balls", &choices));
        bowl(ball(number.clone(), json!(3))).at("body.choices.bowler_number");
        bowl(ball(json!(3), number.clone())).at("body.choices.batter_number");
        let orders = |bowling: &Value, batting: &Value| json!({"orders": {"bowling": [0, 1, 2, 3, 4, bowling], "batting": [batting, 1, 2, 3, 4, 5]}});
        let begin = |choices: Value| refused(service, played.posting("/overs", &choices));
        begin(orders(number, &json!(0))).at("body.orders.bowling[5]");
        begin(orders(&json!(9), number)).at("body.orders.batting[0]");
    }
    for (choices, missing) in [
        (json!({}), "bowler_number"),
        (json!({"bowler_number": 3}), "batter_number"),
        (json!({"batter_number": 3}), "bowler_number"),
        (json!({"bowler_number": 3, "batter_number": null}), "batter_number"),
    ] {
        let request = played.posting("/balls", &json!({"choices": choices}));
        let refusal = service.untouched_by(request).refused(422, "needs-input");
        refusal.at(&format!("body.choices.{missing}")).legal((0..=9).collect());
    }
    let dice = with(ball(json!(3), json!(3)), "/dice", json!([1]));
    refused(service, played.posting("/balls", &dice)).within("body.dice");
    played.post("/balls", &ball(json!(0), json!(9))).expect(201);
    chained(&played.events());
});

on_both_stores!(the_orders_of_an_over_are_six_numbers_of_each_side, |service| {
    let played = at_the_table(service);
    let six = json!([0, 1, 2, 3, 4, 5]);
    for (orders, at) in [
        (json!({"bowling": [0, 1, 2, 3, 4], "batting": six}), "bowling"),
        (json!({"bowling": six, "batting": [0, 1, 2, 3, 4, 5, 6]}), "batting"),
        (json!({"bowling": six, "batting": []}), "batting"),
        (json!({"bowling": six, "batting": "012345"}), "batting"),
        (json!({"bowling": six, "batting": six, "keeping": six}), "keeping"),
        (json!({"bowling": six, "batting": [0, 1, 2, null, 4, 5]}), "batting"),
    ] {
        let refusal = refused(service, played.posting("/overs", &json!({"orders": orders})));
        refusal.within(&format!("body.orders.{at}"));
    }
    // The order of the other side is missing, as a die is.
    for (given, missing) in [("bowling", "batting"), ("batting", "bowling")] {
        let answer = played.post("/overs", &json!({"orders": {given: six}}));
        answer.refused(422, "needs-input").at(&format!("body.orders.{missing}"));
    }
    refused(service, played.posting("/overs", &json!({"orders": [six, six]}))).at("body.orders");
    refused(service, played.posting("/overs", &json!({"deal": {}}))).within("body.deal");
    for name in ["Bradman", HOME[0], ""] {
        refused(service, played.posting("/overs", &json!({"bowler": name}))).at("body.bowler");
    }
    let begun = json!({"bowler": AWAY[3], "orders": {"bowling": six, "batting": [9, 9, 9, 9, 9, 9]}});
    played.post("/overs", &begun).expect(201);
    // Both numbers are fixed by the orders of the over, and no others are taken.
    refused(service, played.posting("/balls", &ball(json!(1), json!(9)))).at("body.choices.bowler_number");
    played.post("/balls", &ball(json!(0), json!(9))).expect(201);
    played.post("/balls", &json!({})).expect(201);
    chained(&played.events());
});

on_both_stores!(no_refusal_says_anything_about_a_cube_that_is_rolled, |service| {
    let request = with(with(cubes(1), "/rules/roll_a_cube", json!(true)), "/seed", json!("5eed".repeat(16)));
    let played = service.create(&request);
    played.begin();
    played.post("/overs", &json!({"roll": {"bowling": 1, "batting": 1}})).expect(201);
    for name in ["bowler_number", "batter_number", "bowler_cube", "batter_cube"] {
        let problems: Vec<Value> = (0..=9)
            .map(|number| {
                let body = json!({"choices": {name: number}});
                let mut problem = refused(service, played.posting("/balls", &body)).problem;
                problem["detail"] =
                    problem["detail"].as_str().expect("words").replace(&number.to_string(), "_").into();
                problem["errors"] = Value::Null;
                problem
            })
            .collect();
        assert!(
            problems.iter().all(|problem| *problem == problems[0]),
            "the problem does not depend on the attempt"
        );
    }
    played.post("/balls", &json!({})).expect(201);
});
