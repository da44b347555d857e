//! Matches that are scored without a pointer: what has a digit or a letter by that, and the rest by Tab and
//! Enter.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, Match, table};

use crate::board_game::{raised, thrown};
use crate::games::{board_game_on, dice_of};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;
/// More parts than a page has where Tab stops.
const MOST: usize = 80;

/// Goes on with Tab until a part has the focus.
#[track_caller]
fn tabs_to(phone: &Phone, selector: &str) {
    let script = "return document.activeElement?.matches(arguments[0]) ?? false";
    for _ in 0..MOST {
        if phone.run(script, vec![json!(selector)]) == true {
            return;
        }
        phone.presses("Tab", 0);
    }
    panic!("Tab never comes to {selector}: {}", phone.text("body"));
}

/// Presses a part by the keyboard.
#[track_caller]
fn enters(phone: &Phone, selector: &str) {
    tabs_to(phone, selector);
    phone.presses("Enter", 0);
    phone.waits_ms(400);
}

/// Takes one of several ways, which a radio button is for.
#[track_caller]
fn picks(phone: &Phone, selector: &str) {
    // Tab comes to a group of radio buttons once, and arrows lead through it.
    let group = format!(
        "input[name='{}']",
        phone
            .run("return document.querySelector(arguments[0]).name", vec![json!(selector)])
            .as_str()
            .expect("a name")
    );
    tabs_to(phone, &group);
    phone.presses(" ", 0);
    for _ in 0..MOST {
        if phone.has(&format!("{selector}:checked")) {
            return;
        }
        phone.presses("ArrowRight", 0);
    }
    panic!("arrows never come to {selector}");
}

fn types(phone: &Phone, face: u8) {
    phone.presses(&face.to_string(), 0);
    phone.waits_ms(400);
}

/// No click was made by a pointer: those of a keyboard have no place.
fn watches(phone: &Phone) {
    phone.run("globalThis.pointed = 0; addEventListener('pointerdown', () => (pointed += 1), true)", vec![]);
}

fn was_by_keyboard(phone: &Phone) {
    assert_eq!(phone.run("return pointed", vec![]), 0);
}

#[test]
fn a_match_of_howzat_is_scored_by_a_keyboard_from_the_toss_to_its_result() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (typed, sent) = (Match::create(service.client(), &table(1)), service.begun(&table(1)));
    sent.post("/overs", &json!({"bowler": "Nash"})).expect(201);
    let mut cup = Cup::new(7);
    while sent.view()["status"] == "in_play" {
        sent.throw(&mut cup);
    }
    phone.opens(&pad_of(&typed));
    watches(&phone);
    enters(&phone, "[data-action='way']");
    for (choice, value) in [("caller", "home"), ("call", "heads"), ("coin", "heads")] {
        picks(&phone, &format!("[name='toss-{choice}'][value='{value}']"));
    }
    enters(&phone, "[data-action='toss']");
    enters(&phone, "[data-choice='bat']");
    enters(&phone, "[data-cell='bowler']");
    enters(&phone, "dialog [data-choice='Nash']");
    let balls = dice_of(&sent);
    for (place, ball) in balls.iter().enumerate() {
        if phone.has("[data-hint]") {
            phone.presses("Enter", 0);
        }
        ball.iter().for_each(|face| types(&phone, *face));
        // A ball that was wrong is taken back by a letter, and typed again.
        if place == 2 {
            phone.presses("u", 0);
            types(&phone, ball[ball.len() - 1]);
        }
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    assert_eq!(play_of(&typed), play_of(&sent));
    was_by_keyboard(&phone);
}

#[test]
fn letters_open_the_card_and_more_and_escape_leads_back() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    phone.opens(&pad_of(&played));
    watches(&phone);
    phone.presses("m", 0);
    phone.waits("the sheet is open", "return document.querySelector('dialog') !== null");
    phone.presses("Escape", 0);
    phone.waits("it is closed", "return document.querySelector('dialog') === null");
    enters(&phone, "[data-action='more']");
    phone.presses("Escape", 0);
    phone.waits("the focus is back", "return document.activeElement?.dataset.action === 'more'");
    phone.presses("c", 0);
    phone.waits("the card is there", "return location.pathname.endsWith('/card')");
    was_by_keyboard(&phone);
}

/// An over of the board game by the API, with other bowls, strokes, attitudes and a moved-on card each ball.
fn over_of_the_board_game(service: &Table) -> Match {
    let sent = board_game_on(service, "spin");
    sent.post("/overs", &json!({})).expect(201);
    let mut cup = Cup::new(5);
    for ball in 0..6 {
        let attitude = ["defensive", "aggressive"][ball % 2];
        let choices = json!({"attitude": attitude}).as_object().cloned().expect("choices");
        let body = thrown(&sent, choices, &mut cup);
        sent.post("/balls", &body).expect(201);
    }
    sent
}

#[test]
fn an_over_of_the_board_game_is_scored_by_a_keyboard() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (sent, typed) = (over_of_the_board_game(&service), board_game_on(&service, "spin"));
    phone.opens(&pad_of(&typed));
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    watches(&phone);
    let events = play_of(&sent);
    for event in events.iter().filter(|event| event["kind"] == "ball") {
        plays(&phone, event);
    }
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&typed), 6);
    for (one, other) in play_of(&typed).iter().zip(&events) {
        assert_eq!(one["data"], other["data"]);
    }
    was_by_keyboard(&phone);
}

/// One ball of the board game: the choices that the log has, and its dice by digits.
fn plays(phone: &Phone, ball: &Value) {
    let choices = &ball["data"]["choices"];
    let text = |name: &str| choices[name].as_str().unwrap_or_default().to_owned();
    if !text("next_batter").is_empty() && !phone.text("[data-cell='striker']").contains(&text("next_batter"))
    {
        enters(phone, "[data-cell='striker']");
        enters(phone, &format!("dialog [data-choice='{}']", text("next_batter")));
    }
    let bowl = "[data-action='ask:choices.bowl']";
    if phone.run("return document.querySelector(arguments[0])?.dataset.value", vec![json!(bowl)])
        != choices["bowl"]
    {
        enters(phone, bowl);
        enters(phone, &format!("dialog [data-choice='{}']", text("bowl")));
    }
    picks(phone, &format!(".step-on input[value='{}']", text("attitude")));
    let zone = format!(".zone[data-choice='{}']", text("stroke"));
    enters(phone, &zone);
    enters(phone, &format!(".pad-ask [data-choice='{}']", text("over_card")));
    let dice = ball["data"]["dice"].as_array().cloned().unwrap_or_default();
    let mut dice = dice.iter().filter_map(|die| die["value"].as_u64());
    let asked = || phone.run("return document.querySelector('.pad-ask').dataset.asks ?? ''", vec![]);
    for _ in 0..raised(choices) + ball["data"]["dice"].as_array().map_or(0, Vec::len) {
        let at = asked();
        match at.as_str().and_then(|at| at.strip_prefix("choices.")) {
            Some("run") => {
                types(phone, u8::try_from(choices["run"].as_u64().expect("a run")).expect("a run"))
            }
            Some(name) => {
                let value = &choices[name];
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                enters(phone, &format!(".pad-ask [data-choice='{value}']"));
            }
            None => types(phone, u8::try_from(dice.next().expect("a die")).expect("a face")),
        }
    }
}
