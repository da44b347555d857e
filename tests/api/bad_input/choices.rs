//! Choices that a side cannot make: bowlers, keepers, fields, openers and batters who come in.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{AWAY, HOME, Match, Refusal, Service, table, with};

fn in_play(service: &Service, overs: u32) -> Match {
    let played = service.create(&table(overs));
    played.begin();
    played
}

fn over(played: &Match, choices: Value) {
    played.post("/overs", &choices).expect(201);
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
}

#[track_caller]
fn refused(service: &Service, played: &Match, choices: Value) -> Refusal {
    service.untouched_by(played.posting("/overs", &choices)).refused(422, "illegal-input")
}

fn away_but(players: &[&str]) -> Value {
    AWAY.into_iter().filter(|player| !players.contains(player)).collect()
}

on_both_stores!(nobody_bowls_two_overs_running, |service| {
    let played = in_play(service, 5);
    over(&played, json!({"bowler": "Lyon"}));
    let refusal =
        refused(service, &played, json!({"bowler": "Lyon"})).at("body.bowler").says(&["Lyon", "last over"]);
    refusal.by("howzat.over.consecutive").legal(away_but(&["Lyon", "Rhodes"]));
    played.play_step();
});

on_both_stores!(nobody_bowls_more_overs_than_he_has, |service| {
    let played = in_play(service, 5);
    over(&played, json!({"bowler": "Lyon"}));
    over(&played, json!({"bowler": "Marsh"}));
    let refusal = refused(service, &played, json!({"bowler": "Lyon"})).at("body.bowler").says(&["Lyon"]);
    refusal.by("howzat.over.quota").legal(away_but(&["Lyon", "Marsh", "Rhodes"]));
    played.play_step();
});

on_both_stores!(the_keeper_does_not_bowl_unless_another_keeps, |service| {
    let played = in_play(service, 5);
    let refusal = refused(service, &played, json!({"bowler": "Rhodes"}))
        .at("body.bowler")
        .says(&["Rhodes", "keeps wicket"]);
    refusal.by("howzat.over.keeper").legal(away_but(&["Rhodes"]));
    let refusal = refused(service, &played, json!({"bowler": "Lyon", "keeper": "Lyon"}));
    refusal.at("body.bowler").by("howzat.over.keeper").legal(away_but(&["Lyon"]));
    over(&played, json!({"bowler": "Rhodes", "keeper": "Lyon"}));
});

on_both_stores!(a_stranger_neither_bowls_nor_keeps_nor_opens, |service| {
    let played = in_play(service, 5);
    // Abel plays for the other side.
    for name in ["Bradman", "Abel", "", "lyon"] {
        for choice in ["bowler", "keeper"] {
            let refusal = refused(service, &played, json!({choice: name})).at(&format!("body.{choice}"));
            refusal.says(&["not in the side"]).by("howzat.over.player").legal(json!(AWAY));
        }
    }
    let refusal = refused(service, &played, json!({"openers": ["Abel", "Lyon"]})).at("body.openers[1]");
    refusal.by("howzat.over.player").legal(json!(HOME));
    let refusal = refused(service, &played, json!({"openers": ["Abel", "Abel"]})).at("body.openers");
    refusal.by("howzat.over.player");
    played.play_step();
});

on_both_stores!(openers_are_named_when_an_innings_begins_and_at_no_other_time, |service| {
    let played = in_play(service, 5);
    over(&played, json!({"openers": ["Crane", "Dunn"]}));
    let refusal = refused(service, &played, json!({"openers": ["Abel", "Brook"]}));
    refusal.at("body.openers").by("howzat.over.openers");
    played.play_step();
});

on_both_stores!(a_field_puts_each_of_the_eleven_on_a_position_of_his_own, |service| {
    let played = in_play(service, 5);
    let positions = (2..=12).map(|position: u8| position.to_string());
    let whole =
        Value::Object(positions.zip(AWAY).map(|(position, player)| (position, json!(player))).collect());
    let mut short = whole.clone();
    short.as_object_mut().expect("an object").remove("9");
    for (field, words) in [
        (with(whole.clone(), "/3", json!("Lyon")), ["Lyon", "two positions"]),
        (with(whole.clone(), "/5", json!("Abel")), ["Abel", "5"]),
        (with(whole.clone(), "/13", json!("Lyon")), ["2 to 12", "no others"]),
        (short, ["nobody", "9"]),
        (json!({}), ["nobody", "2"]),
        (json!(AWAY), ["\"2\"", "\"12\""]),
    ] {
        let refusal = refused(service, &played, json!({"field": field})).at("body.field").says(&words);
        let legal = refusal.by("howzat.over.field").problem["legal"].clone();
        assert_eq!(legal["players"], json!(AWAY));
    }
    over(&played, json!({"field": whole}));
});

on_both_stores!(a_choice_there_is_not_is_refused_naming_those_there_are, |service| {
    let played = in_play(service, 5);
    refused(service, &played, json!({"umpire": "Shepherd"}))
        .says(&["umpire", "bowler", "keeper", "field", "openers"]);
    refused(service, &played, json!({"bowler": 7})).at("body.bowler");
    refused(service, &played, json!({"openers": ["Abel"]})).at("body.openers");
    let ball =
        |body: Value| service.untouched_by(played.posting("/balls", &body)).refused(422, "illegal-input");
    ball(json!({"dice": [2, 3], "choices": {"bowler": "Lyon"}})).says(&["bowler", "next_batter"]);
    ball(json!({"dice": [2, 3], "choices": []})).at("body.choices");
    ball(json!({"dice": [2, 3], "batter": "Abel"})).says(&["batter", "choices", "dice"]);
    played.play_step();
});

on_both_stores!(a_batter_comes_in_only_after_a_wicket_and_only_once, |service| {
    let played = in_play(service, 5);
    let named = |name: &str| {
        let body = json!({"dice": [2, 3], "choices": {"next_batter": name}});
        service.untouched_by(played.posting("/balls", &body)).refused(422, "illegal-input")
    };
    let early = named("Crane").at("body.choices.next_batter").says(&["no wicket has fallen"]);
    early.by("howzat.ball.next_batter");
    played.bowl(&[2, 5]);
    for name in ["Abel", "Brook", "Lyon", "Bradman"] {
        let refusal = named(name).at("body.choices.next_batter").says(&[name]);
        refusal.by("howzat.ball.next_batter").legal(json!(HOME[2..]));
    }
    played.play_step();
});

on_both_stores!(the_toss_is_decided_for_bat_or_bowl, |service| {
    let played = service.create(&table(1));
    played.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"})).expect(201);
    let decide = |body: Value| service.untouched_by(played.posting("/toss/decision", &body));
    decide(json!({"to": "field"})).refused(422, "illegal-input").at("body.to").says(&["bat", "bowl"]);
    decide(json!({})).refused(422, "needs-input").says(&["to"]);
    decide(json!({"to": "bat", "by": "away"})).refused(422, "illegal-input").says(&["by"]);
    played.play_step();
});
