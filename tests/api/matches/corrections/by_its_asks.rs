//! Recorded balls at the table that a player amends by what a dry run asks for, and by nothing else. No word
//! of a game stands in the player.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{AWAY, HOME};

use super::*;
use crate::next::played::{Player, put};

/// How the player answers.
#[derive(Clone, Copy)]
enum Answers<'a> {
    /// With any legal value; before the dice a choice is changed now and then.
    Any,
    /// With the values of this recorded ball.
    Of(&'a Value),
}

/// The value that a recorded ball has for an ask.
fn recorded(ball: &Value, ask: &Value) -> Option<Value> {
    let at = ask["at"].as_str().expect("a place");
    match at.strip_prefix("dice[").and_then(|rest| rest.strip_suffix(']')) {
        Some(die) => Some(ball["dice"][die.parse::<usize>().expect("a number")]["value"].clone()),
        None => ball.pointer(&format!("/{}", at.replace('.', "/"))).cloned(),
    }
}

/// Fills in an ask of a ball; returns whether it has changed the body.
fn fill(player: &mut Player, body: &mut Value, ask: &Value, answers: Answers<'_>) -> bool {
    let value = match answers {
        Answers::Of(ball) => recorded(ball, ask).filter(|value| *value != ask["default"]),
        Answers::Any if ask["required"] == true => Some(player.value(ask)),
        Answers::Any => {
            let may_change = ask["kind"] == "one" && body["dice"] == json!([]) && player.below(8) == 0;
            may_change.then(|| player.value(ask))
        }
    };
    let Some(value) = value else {
        assert_eq!(ask["required"], false, "the recorded ball answers {ask}");
        return false;
    };
    if let Some(options) = ask["options"].as_array().filter(|_| ask["kind"] != "some") {
        let option = options.iter().find(|option| option["value"] == value);
        assert!(option.is_some_and(|option| option["why_not"].is_null()), "{value} is legal: {ask}");
    }
    put(body, ask, value);
    true
}

/// The body of the amendment of a recorded ball once nothing more is asked for, and the answer to its dry
/// run.
fn asked_through(player: &mut Player, ball: &Value, answers: Answers<'_>) -> (Value, Answer) {
    // What was entered is entered anew: the dice, or of a ball without dice the choices.
    let anew = if ball["dice"] == json!([]) { json!({"choices": {}}) } else { json!({"dice": []}) };
    let mut body = with(amend(0, anew), "/amends", ball["delivery"].clone());
    body["cascade"] = json!("void_rest");
    for _ in 0..40 {
        let answer = dry_run(&player.played, &body);
        let told = answer.json();
        if answer.status != 200 || told["done"].is_null() {
            return (body, answer);
        }
        let request = &told["next"]["requests"][0];
        let dice = std::mem::take(&mut body["dice"]);
        body = request["body"].clone();
        if !dice.is_null() {
            body["dice"] = dice;
        }
        let asks = request["asks"].as_array().expect("asks");
        let mut changeable = asks.iter().filter(|ask| ask["required"] == false);
        if !changeable.any(|ask| fill(player, &mut body, ask, answers)) {
            let ask = asks.iter().find(|ask| ask["required"] == true).expect("something is missing");
            fill(player, &mut body, ask, answers);
        }
    }
    panic!("the amendment is never whole: {body}");
}

/// Amends a ball and returns it as the log has it then.
fn amended(player: &mut Player, ball: &Value, answers: Answers<'_>) -> Option<Value> {
    let (body, dry) = asked_through(player, ball, answers);
    if dry.status != 200 {
        dry.refused(422, "illegal-input").at("body.amends");
        assert!(dry.text().contains("is already like that"), "{body}: {}", dry.text());
        return None;
    }
    let made = correct(&player.played, &body);
    assert_eq!(dry.json()["after"], made["score"], "the dry run of {body}");
    let dice_entered = |ball: &Value| -> Value {
        let dice = ball["dice"].as_array().expect("dice").iter();
        dice.map(|die| die["value"].clone()).collect()
    };
    let balls = of_kind(appended(&made).to_vec(), "ball");
    let new = balls.into_iter().find(|new| new["delivery"] == ball["delivery"]).expect("the amended ball");
    assert_eq!(dice_entered(&new), *body.get("dice").unwrap_or(&json!([])), "{body}");
    for (name, choice) in body["choices"].as_object().expect("the body says what was chosen") {
        assert_eq!(new["choices"][name], *choice, "{body}");
    }
    Some(new)
}

/// Plays so many steps of a match. Then amends each ball, the last one first: with the dice and the answers
/// that it had, which changes nothing; with others; and back again.
fn amend_every_ball(played: Match, steps: usize, random: u64) {
    let mut player = Player::new(played, random);
    for _ in 0..steps {
        if !player.step() {
            break;
        }
    }
    let balls = of_kind(player.played.events(), "ball");
    assert!(balls.len() > steps / 2, "{} balls", balls.len());
    for ball in balls.iter().rev() {
        assert_eq!(amended(&mut player, ball, Answers::Of(ball)), None, "the same dice change nothing");
        let other = (0..20).find_map(|_| amended(&mut player, ball, Answers::Any)).expect("another ball");
        assert_ne!(other, *ball);
        let back = amended(&mut player, &other, Answers::Of(ball)).expect("the ball changes back");
        assert_eq!(back, *ball);
    }
    player.played.audits_clean();
}

on_both_stores!(every_ball_of_howzat_is_amended_by_its_asks_alone, |service| {
    amend_every_ball(service.create(&with(table(2), "/rules/drs", json!("house"))), 20, 5);
});

on_both_stores!(every_ball_of_cuberoots_is_amended_by_its_asks_alone, |service| {
    let request = json!({
        "game": "cuberoots", "rules": {"overs": 3, "roll_a_cube": true}, "dice": "table",
        "home": {"name": "Harbour Road", "players": HOME}, "away": {"name": "Mill Lane", "players": AWAY},
    });
    amend_every_ball(service.create(&request), 20, 6);
});

on_both_stores!(every_ball_of_the_board_game_is_amended_by_its_asks_alone, |service| {
    let team = |name: &str| json!({"name": name, "players": {"team": name}});
    let request = json!({
        "game": "cricket-the-game", "rules": {"format": "t10", "drs": "on"}, "dice": "table",
        "home": team("Harbour Terns"), "away": team("Copperfield Larks"),
    });
    amend_every_ball(service.create(&request), 20, 7);
});
