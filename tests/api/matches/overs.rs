//! `POST /v1/matches/{id}/overs`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{AWAY, HOME, Match, table};

fn over(played: &Match, choices: &Value) -> Value {
    let begun = played.post("/overs", choices).expect(201);
    assert_eq!(begun["events"].as_array().map(Vec::len), Some(1));
    assert_eq!(begun["events"][0]["kind"], "over");
    begun["events"][0]["data"].clone()
}

fn bowl_it(played: &Match) {
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
}

/// The players on the positions 2 to 12.
fn field(over: &Value) -> Vec<&str> {
    (2..=12)
        .map(|position: u8| over["choices"]["field"][position.to_string()].as_str().unwrap_or("nobody"))
        .collect()
}

on_both_stores!(an_over_left_to_its_defaults_is_recorded_with_every_choice, |service| {
    let played = service.create(&table(5));
    played.begin();
    let first = over(&played, &json!({}));
    assert_eq!((&first["innings"], &first["over"], &first["dice"]), (&json!(1), &json!(1), &json!([])));
    let choices = first["choices"].as_object().expect("choices");
    assert_eq!(choices.keys().collect::<Vec<_>>(), ["bowler", "field", "keeper", "openers"]);
    // The default is team order on 12, 2, 3 and so on; then the last-listed player who may bowl takes 12 from
    // the first.
    let due =
        ["Marsh", "Nash", "Olonga", "Petit", "Quaife", "Rhodes", "Snow", "Trott", "Umar", "Lyon", "Verity"];
    assert_eq!(field(&first), due);
    assert_eq!((&choices["bowler"], &choices["keeper"]), (&json!("Verity"), &json!("Rhodes")));
    assert_eq!(choices["openers"], json!(HOME[..2]));
    bowl_it(&played);
    let second = over(&played, &json!({}));
    assert_eq!(second["choices"]["bowler"], "Umar");
    assert!(second["choices"].get("openers").is_none(), "the innings is open");
    bowl_it(&played);
    assert_eq!(over(&played, &json!({}))["over"], 3);
});

on_both_stores!(at_a_change_of_over_the_bowlers_the_keepers_and_the_new_bowler_change_places, |service| {
    let played = service.create(&table(5));
    played.begin();
    over(&played, &json!({}));
    bowl_it(&played);
    // The players on 2 and 12 swap; the new keeper swaps with the old, and the new bowler with the player on
    // 12.
    let second = over(&played, &json!({"keeper": "Snow", "bowler": "Rhodes"}));
    let due =
        ["Verity", "Nash", "Olonga", "Petit", "Quaife", "Snow", "Marsh", "Trott", "Umar", "Lyon", "Rhodes"];
    assert_eq!(field(&second), due);
});

on_both_stores!(the_captain_may_choose_bowler_keeper_openers_and_field, |service| {
    let played = service.create(&table(5));
    played.begin();
    let field_given: serde_json::Map<String, Value> =
        (2..=12).zip(AWAY).map(|(position, player)| (position.to_string(), json!(player))).collect();
    let chosen = json!({
        "bowler": "Lyon", "keeper": "Verity", "openers": ["Knott", "Abel"], "field": field_given,
    });
    let begun = over(&played, &chosen);
    let due = [
        // Verity goes from 12 to the wicket, where Quaife was; Lyon goes from 2 to 12, where Quaife is by
        // then.
        "Quaife", "Marsh", "Nash", "Olonga", "Petit", "Verity", "Rhodes", "Snow", "Trott", "Umar", "Lyon",
    ];
    assert_eq!(field(&begun), due);
    let outcome = played.bowl(&[2, 1])["events"][0]["data"]["outcome"].clone();
    assert_eq!(
        [&outcome["striker"], &outcome["non_striker"], &outcome["bowler"]],
        [&json!("Knott"), &json!("Abel"), &json!("Lyon")]
    );
    assert_eq!(played.bowl(&[4, 5])["events"][0]["data"]["outcome"]["wicket"]["fielders"], json!(["Verity"]));
});

on_both_stores!(an_over_that_is_due_lists_its_bowlers_and_defaults, |service| {
    let played = service.create(&table(5));
    played.begin();
    over(&played, &json!({"bowler": "Lyon"}));
    bowl_it(&played);
    let next = played.view()["next"].clone();
    assert_eq!((&next["what"], &next["side"]), (&json!("over"), &json!("away")));
    let bowlers: Vec<&str> = AWAY.into_iter().filter(|player| !["Lyon", "Rhodes"].contains(player)).collect();
    assert_eq!(next["legal"]["bowler"], json!(bowlers));
    assert_eq!(next["legal"]["keeper"], json!(AWAY));
    let default = next["default"].clone();
    assert_eq!(over(&played, &json!({}))["choices"], default);
});

on_both_stores!(the_bowler_of_the_over_before_last_goes_on_until_his_overs_are_bowled, |service| {
    let played = service.create(&table(10));
    played.begin();
    over(&played, &json!({"bowler": "Nash"}));
    bowl_it(&played);
    over(&played, &json!({"bowler": "Petit"}));
    bowl_it(&played);
    let mut bowlers = Vec::new();
    for _ in 0..4 {
        bowlers.push(over(&played, &json!({}))["choices"]["bowler"].clone());
        bowl_it(&played);
    }
    // Each bowls two overs; then follow the last-listed player, and the last-listed of the others.
    assert_eq!(bowlers, ["Nash", "Petit", "Verity", "Umar"]);
});
