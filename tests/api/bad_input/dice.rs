//! Dice that are impossible, missing, or too many.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Refusal, Service, seeded, table};

/// A match in which the next ball is due.
fn ready(service: &Service) -> Match {
    let played = service.create(&table(2));
    played.begin();
    played.post("/overs", &json!({})).expect(201);
    played
}

/// Bowls with dice that have to be refused.
#[track_caller]
fn refused(service: &Service, played: &Match, dice: Value, slug: &str) -> Refusal {
    service.untouched_by(played.posting("/balls", &json!({"dice": dice}))).refused(422, slug)
}

fn d6(purpose: &str) -> Value {
    json!({"for": purpose, "minimum": 1, "maximum": 6})
}

on_both_stores!(a_die_shows_none_but_its_own_faces, |service| {
    let played = ready(service);
    for (dice, at, purpose) in [
        (json!([0, 3]), 0, "bowl"),
        (json!([7, 3]), 0, "bowl"),
        (json!([-1, 3]), 0, "bowl"),
        (json!([2, 7]), 1, "strike"),
        (json!([2, 0]), 1, "strike"),
        (json!([1, 9]), 1, "extra"),
        (json!([1, 3, 65537]), 2, "strike"),
        (json!([3, 5, 7, 1, 1]), 2, "fielder"),
        (json!([3, 5, 1, 0, 1]), 3, "fielder"),
        (json!([3, 5, 1, 1, 256]), 4, "catch"),
        (json!([2, i64::MAX]), 1, "strike"),
        (json!([i64::MIN]), 0, "bowl"),
    ] {
        let refusal = refused(service, &played, dice, "illegal-input");
        refusal.at(&format!("body.dice[{at}]")).says(&[purpose, "6 sides"]).legal(d6(purpose));
    }
    played.play_step();
});

on_both_stores!(a_die_that_is_missing_is_asked_for_by_name, |service| {
    let played = ready(service);
    for (dice, at, purpose) in [
        (json!([]), 0, "bowl"),
        (json!([2]), 1, "strike"),
        (json!([1]), 1, "extra"),
        (json!([1, 1]), 2, "strike"),
        (json!([3, 5]), 2, "fielder"),
        (json!([3, 5, 4]), 3, "fielder"),
        (json!([3, 5, 4, 4]), 4, "catch"),
        (json!(null), 0, "bowl"),
    ] {
        let refusal = refused(service, &played, dice, "needs-input");
        refusal.at(&format!("body.dice[{at}]")).says(&[purpose, "missing"]).legal(d6(purpose));
    }
    let without = service.untouched_by(played.posting("/balls", &json!({})));
    without.refused(422, "needs-input").at("body.dice[0]").legal(d6("bowl"));
    played.play_step();
});

on_both_stores!(a_die_too_many_is_refused, |service| {
    let played = ready(service);
    for (dice, rolled) in [(json!([2, 3, 1]), 2), (json!([1, 2, 4]), 2), (json!([3, 5, 4, 4, 6, 6]), 5)] {
        let refusal = refused(service, &played, dice, "illegal-input");
        refusal.at(&format!("body.dice[{rolled}]")).says(&["only", &rolled.to_string()]);
    }
    let many: Vec<u8> = vec![2; 4_000];
    refused(service, &played, json!(many), "illegal-input").at("body.dice[2]");
    // This many values are refused before they are read as dice.
    let endless: Vec<u8> = vec![2; 200_000];
    let answer = service.untouched_by(played.posting("/balls", &json!({"dice": endless})));
    answer.refused(413, "body-too-large").says(&["5000", "JSON values"]);
    played.play_step();
});

on_both_stores!(a_die_shows_a_whole_number_and_nothing_else, |service| {
    let played = ready(service);
    for value in
        [json!(2.5), json!(2.0), json!("2"), json!(null), json!(true), json!([2]), json!({"value": 2})]
    {
        let refusal = refused(service, &played, json!([2, value]), "illegal-input");
        refusal.at("body.dice[1]").says(&["whole number"]);
    }
    for dice in [json!(2), json!("2 3"), json!({"bowl": 2, "strike": 3})] {
        refused(service, &played, dice, "illegal-input").at("body.dice");
    }
    played.play_step();
});

on_both_stores!(numbers_beyond_any_die_are_refused_like_any_other, |service| {
    let played = ready(service);
    for number in ["1e3", "1e400", "-0.0", "99999999999999999999999"] {
        let body = format!("{{\"dice\": [{number}, 3]}}");
        let request = played.client.request("POST", &played.path("/balls")).token(&played.token);
        let answer = service.untouched_by(request.raw("application/json", body));
        assert!([400, 422].contains(&answer.status), "{number}: {}", answer.text());
        assert!(
            ["/problems/malformed-json", "/problems/illegal-input"]
                .iter()
                .any(|due| answer.json()["type"] == *due)
        );
    }
    played.play_step();
});

on_both_stores!(the_dice_of_a_seeded_match_come_from_its_seed, |service| {
    let played = service.create(&seeded(2));
    played.begin();
    for dice in [json!([2, 3]), json!([6]), json!([9, 9])] {
        let refusal = refused(service, &played, dice, "illegal-input")
            .at("body.dice")
            .says(&["seed", "leave dice out"]);
        assert!(refusal.problem.get("legal").is_none(), "the legal values would be a hint");
    }
    played.play_step();
});

on_both_stores!(no_refusal_in_a_seeded_match_says_anything_about_its_dice, |service| {
    let played = service.create(&seeded(2));
    played.begin();
    let problems: Vec<Value> = (1..=6)
        .flat_map(|first| (1..=6).map(move |second| json!([first, second])))
        .map(|dice| refused(service, &played, dice, "illegal-input").problem)
        .collect();
    assert!(
        problems.iter().all(|problem| *problem == problems[0]),
        "the problem does not depend on the attempt"
    );
    played.play_step();
});

on_both_stores!(the_coin_of_a_seeded_match_comes_from_its_seed, |service| {
    let played = service.create(&seeded(1));
    for coin in ["heads", "tails"] {
        let call = json!({"caller": "home", "call": "heads", "coin": coin});
        let answer = service.untouched_by(played.posting("/toss", &call));
        answer.refused(422, "illegal-input").at("body.coin").says(&["seed", "leave coin out"]);
    }
    played.play_step();
});

on_both_stores!(at_the_table_somebody_has_to_say_how_the_coin_came_down, |service| {
    let played = service.create(&table(1));
    let toss = |body: Value| service.untouched_by(played.posting("/toss", &body));
    let missing = toss(json!({"caller": "home", "call": "heads"})).refused(422, "needs-input");
    missing.at("body.coin").says(&["heads", "tails"]).legal(json!(["heads", "tails"]));
    let edge = toss(json!({"caller": "home", "call": "heads", "coin": "edge"})).refused(422, "illegal-input");
    edge.at("body.coin").says(&["heads", "tails"]);
    let call = toss(json!({"caller": "home", "call": "edge", "coin": "heads"})).refused(422, "illegal-input");
    call.at("body.call").says(&["heads", "tails"]);
    let caller = toss(json!({"caller": "umpire", "call": "heads", "coin": "heads"}));
    caller.refused(422, "illegal-input").at("body.caller").says(&["home", "away"]);
    toss(json!({"call": "heads", "coin": "heads"})).refused(422, "needs-input").says(&["caller"]);
    played.play_step();
});
