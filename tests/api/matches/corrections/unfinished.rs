//! A dry run of an amendment whose ball misses a die or a choice: the answer asks for it, with what each
//! value would mean.

use serde_json::{Value, json};

use super::*;
use crate::next::played::put;
use third_umpire_test_support::on_both_stores;

/// The dry run of an amendment that is not whole; the amendment itself is refused.
#[track_caller]
fn unfinished(service: &Service, played: &Match, body: &Value) -> Value {
    service.untouched_by(played.posting("/corrections", body)).refused(422, "needs-input");
    let before = service.rows_of(played);
    let answer = dry_run(played, body).expect(200);
    assert_eq!(service.rows_of(played), before, "a dry run stores nothing");
    assert_eq!((&answer["dry_run"], &answer["done"]), (&json!(true), &json!(false)), "{answer}");
    assert_eq!(answer["head"], played.view()["head"]);
    let request = &answer["next"]["requests"][0];
    assert_eq!(request["path"], played.path("/corrections"));
    assert_eq!(request["operation"], "correct_match");
    answer
}

/// The asks of an unfinished amendment.
fn asks(answer: &Value) -> &Vec<Value> {
    answer["next"]["requests"][0]["asks"].as_array().expect("asks")
}

fn required(answer: &Value) -> &Value {
    asks(answer).iter().find(|ask| ask["required"] == true).expect("something is missing")
}

/// The first legal value of an ask.
fn first(ask: &Value) -> &Value {
    let options = ask["options"].as_array().expect("options");
    &options.iter().find(|option| option.get("why_not").is_none()).expect("one is legal")["value"]
}

/// Answers what is asked until the amendment is whole, and makes it. Returns the places that were asked for.
#[track_caller]
fn finish(service: &Service, played: &Match, mut body: Value) -> Vec<String> {
    let mut asked = Vec::new();
    loop {
        let dry = dry_run(played, &body).expect(200);
        if dry.get("done").is_none() {
            let made = correct(played, &body);
            assert_eq!((&dry["after"], &dry["difference"]), (&made["score"], &made["difference"]));
            played.audits_clean();
            return asked;
        }
        let answer = unfinished(service, played, &body);
        let ask = required(&answer);
        let at = ask["at"].as_str().expect("a place");
        asked.push(at.to_owned());
        let dice = std::mem::take(&mut body["dice"]);
        body = answer["next"]["requests"][0]["body"].clone();
        if !dice.is_null() {
            body["dice"] = dice;
        }
        put(&mut body, ask, first(ask).clone());
    }
}

on_both_stores!(an_amended_ball_of_howzat_is_asked_for_its_next_die, |service| {
    let played = with_balls(service, 5, &[&[2, 4], &[2, 5], &[2, 3]]);
    let asked = unfinished(service, &played, &dice(1, &[2]));
    assert_eq!((&asked["so_far"], &asked["next"]["what"]), (&json!("a legal ball"), &json!("bowl")));
    let request = &asked["next"]["requests"][0];
    assert_eq!(request["body"], json!({"amends": 1, "reason": WHY, "choices": {}}));
    assert_eq!(request["title"], "Amend delivery 1");
    let strike = required(&asked);
    assert_eq!((&strike["at"], &strike["title"]), (&json!("dice[1]"), &json!("Strike die")));
    let six = &strike["options"][5];
    assert_eq!((&six["title"], &six["runs"], &six["boundary"]), (&json!("SIX"), &json!(6), &json!(6)));
    let whole = dry_run(&played, &dice(1, &[2, 6])).expect(200);
    assert_eq!((&whole["done"], &whole["after"]["text"]), (&Value::Null, &json!("Harbour Road 6/1 (0.3)")));
    let batter = played.events().last().expect("a ball")["data"]["choices"]["next_batter"].clone();
    let again = unfinished(service, &played, &dice(3, &[3]));
    let asked_batter = asks(&again).iter().find(|ask| ask["at"] == "choices.next_batter");
    assert_eq!(asked_batter.map(|ask| &ask["default"]), Some(&batter), "what is not amended stands");
    let void_rest = with(dice(1, &[]), "/cascade", json!("void_rest"));
    let asked = unfinished(service, &played, &void_rest);
    assert_eq!(asked["next"]["requests"][0]["body"]["cascade"], "void_rest");
    assert_eq!(finish(service, &played, dice(1, &[])), ["dice[0]", "dice[1]", "dice[2]"]);
});

on_both_stores!(an_amended_ball_of_cuberoots_is_asked_for_the_other_number, |service| {
    let played = with_cubes(service, 2, &[[3, 4], [5, 6]]);
    let asked = unfinished(service, &played, &amend(1, json!({"choices": {"bowler_number": 1}})));
    assert_eq!(asked["so_far"], "the bowler shows 1");
    let number = required(&asked);
    assert_eq!((&number["at"], &number["kind"]), (&json!("choices.batter_number"), &json!("number")));
    assert_eq!((&number["options"][5]["title"], &number["options"][5]["runs"]), (&json!("FOUR"), &json!(4)));
    assert_eq!(asks(&asked)[0]["default"], 1, "the number that was given");
    let body = amend(1, json!({"choices": {}}));
    assert_eq!(finish(service, &played, body), ["choices.bowler_number", "choices.batter_number"]);
});

/// A match of the board game with one ball, which its batters ran.
fn board_game(service: &Service, chosen: Value, dice: [i64; 4]) -> Match {
    let team = |name: &str| json!({"name": name, "players": {"team": name}});
    let played = service.create(&json!({
        "game": "cricket-the-game", "rules": {"format": "t10"}, "dice": "table",
        "home": team("Harbour Terns"), "away": team("Copperfield Larks"),
    }));
    played.post("/set-up", &json!({"pitch": "neutral"})).expect(201);
    played.begin();
    played.post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    let mut choices = json!({"over_card": "on_a_length", "longer": false, "run": 1});
    choices.as_object_mut().expect("choices").extend(chosen.as_object().expect("choices").clone());
    played.post("/balls", &json!({"choices": choices, "dice": dice})).expect(201);
    played
}

on_both_stores!(an_amended_ball_of_the_board_game_is_asked_for_dice_and_for_answers, |service| {
    let played = board_game(service, json!({}), [2, 5, 3, 2]);
    let body = amend(1, json!({"choices": {"over_card": "on_a_length"}, "dice": [2, 5, 3, 2]}));
    let asked = unfinished(service, &played, &body);
    let longer = required(&asked);
    assert_eq!((&longer["at"], &longer["title"]), (&json!("choices.longer"), &json!("One longer?")));
    let body = amend(1, json!({"choices": {"over_card": "on_a_length"}, "dice": [2]}));
    let asked = unfinished(service, &played, &body);
    assert_eq!(required(&asked)["title"], "Batter\u{2019}s die, d8");
    assert!(!asked["so_far"].as_str().expect("words").is_empty());
    assert_eq!(finish(service, &played, body)[0], "dice[1]");
});

on_both_stores!(an_amendment_that_is_wrong_is_refused_in_a_dry_run_as_before, |service| {
    let played = with_balls(service, 5, &[&[2, 4], &[2, 5], &[2, 3]]);
    let long = "x".repeat(10_000);
    for (body, at) in [
        (dice(1, &[7]), "body.dice[0]"),
        (dice(1, &[2, 3, 1]), "body.dice[2]"),
        (dice(4, &[2]), "body.amends"),
        (with(dice(1, &[2]), "/reason", json!("")), "body.reason"),
        (with(dice(1, &[2]), "/reason", json!(long)), "body.reason"),
        (amend(3, json!({"dice": [2], "choices": {"next_batter": long}})), "body.choices.next_batter"),
    ] {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input").at(at);
        }
    }
});

on_both_stores!(an_amendment_by_its_asks_keeps_the_choices_that_were_made_before_the_dice, |service| {
    let chosen = json!({"attitude": "aggressive", "stroke": "off_cover"});
    let played = board_game(service, chosen, [1, 3, 1, 1]);
    let ball = balls(&played)[0].clone();
    let asked = unfinished(service, &played, &dice(1, &[]));
    let mut kept = ball["choices"].clone();
    for name in ["longer", "run"] {
        kept.as_object_mut().expect("choices").remove(name).expect("an answer");
    }
    assert_eq!(asked["next"]["requests"][0]["body"]["choices"], kept, "but for the answers to the old dice");
    for name in ["attitude", "stroke", "over_card"] {
        let at = json!(format!("choices.{name}"));
        let ask = asks(&asked).iter().find(|ask| ask["at"] == at).expect("it can be changed");
        assert_eq!((&ask["default"], &ask["required"]), (&kept[name], &json!(false)), "{ask}");
    }
    finish(service, &played, dice(1, &[]));
    let amended = balls(&played)[0].clone();
    for (name, choice) in kept.as_object().expect("choices") {
        assert_eq!(amended["choices"][name], *choice, "{name} stays as it was");
    }
});

on_both_stores!(an_answer_that_only_the_old_dice_asked_for_bars_no_face_of_the_new_dice, |service| {
    let played = board_game(service, json!({}), [2, 5, 3, 2]);
    let recorded = balls(&played)[0]["choices"].clone();
    assert_eq!(recorded["run"], 1, "{recorded}");
    let mut open = vec![dice(1, &[])];
    let mut dice_asked = 0;
    while let Some(body) = open.pop().filter(|_| dice_asked < 40) {
        let answer = unfinished(service, &played, &body);
        let (request, ask) = (&answer["next"]["requests"][0], required(&answer));
        for name in ["longer", "run"] {
            assert!(request["body"]["choices"].get(name).is_none(), "{name} is asked for, or is not: {body}");
        }
        if ask["kind"] != "die" {
            continue;
        }
        dice_asked += 1;
        for option in ask["options"].as_array().expect("faces") {
            assert!(option["why_not"].is_null(), "{body}: {ask}");
            // A face that ends the ball asks for nothing.
            if option["asks"].as_array().is_some_and(|asks| !asks.is_empty()) {
                let mut next = with(request["body"].clone(), "/dice", body["dice"].clone());
                put(&mut next, ask, option["value"].clone());
                open.push(next);
            }
        }
    }
    assert!(dice_asked > 20, "{dice_asked}");
});

on_both_stores!(new_dice_keep_a_recorded_answer_that_they_ask_for_and_drop_another, |service| {
    let played = board_game(service, json!({}), [2, 5, 3, 2]);
    correct(&played, &dice(1, &[1, 3, 1, 2]));
    assert_eq!(balls(&played)[0]["choices"]["run"], 1, "it is asked for again");
    correct(&played, &dice(1, &[1, 7]));
    let amended = balls(&played)[0].clone();
    assert!(amended["choices"].get("run").is_none(), "{amended}");
    assert_eq!(amended["choices"]["over_card"], "on_a_length");
    played.audits_clean();
});

on_both_stores!(a_given_answer_that_the_dice_do_not_ask_for_is_refused, |service| {
    let played = board_game(service, json!({}), [2, 5, 3, 2]);
    let choices = json!({"over_card": "on_a_length", "run": 1});
    let body = with(dice(1, &[1, 7]), "/choices", choices);
    for path in ["/corrections", "/corrections?dry_run=true"] {
        service
            .untouched_by(played.posting(path, &body))
            .refused(422, "illegal-input")
            .at("body.choices.run");
    }
});
