//! Cubes that the service has dealt: each side puts its own in order, unseen by the other, and the service
//! keeps the order until both are there.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, seeded, with};

use crate::covered::all_of;
use crate::games::opens_cover;
use crate::liar::{Fate, Trace};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of, play_of};

fn dealt(service: &Table) -> Match {
    rolled(service, &json!({"overs": 2}))
}

fn rolled(service: &Table, rules: &Value) -> Match {
    let request = with(with(seeded(2), "/game", json!("cuberoots")), "/rules", rules.clone());
    service.begun(&request)
}

/// The cubes of a side, which only whoever holds its token is told.
fn hand(played: &Match, side: &str) -> Vec<Value> {
    let seen = played.client.request("GET", &played.path("")).token(&played.token).send().expect(200);
    seen["own"][side]["hand"].as_array().cloned().expect("a hand")
}

/// The side that bowls first.
fn bowling(played: &Match) -> &'static str {
    if played.view()["situation"]["batting"] == "home" { "away" } else { "home" }
}

fn other(side: &str) -> &'static str {
    if side == "home" { "away" } else { "home" }
}

/// Notes each time that a cube of a side is drawn.
fn watches_cubes(phone: &Phone, hand: &[Value]) {
    let cubes: Vec<String> = hand.iter().map(|cube| cube["value"].to_string()).collect();
    let script = "globalThis.leaked = []; const cubes = arguments[0]; \
        new MutationObserver(() => { for (const cube of cubes) \
          if (document.querySelector(`.pad-ask [data-choice='${cube}']`)) leaked.push(cube); }) \
        .observe(document.body, {childList: true, subtree: true, attributes: true});";
    phone.run(script, vec![json!(cubes)]);
}

/// A side takes the phone, and puts the cubes of its hand in order, the last one first.
fn arranges(phone: &Phone, hand: &[Value]) {
    phone.taps("[data-action='uncover']");
    for cube in hand.iter().rev() {
        phone.waits_ms(400);
        phone.taps(&format!(".pad-ask [data-choice='{}']", cube["value"]));
    }
    // The key that comes next does not count under the same finger.
    phone.waits_ms(400);
}

/// The second order goes, and a ball can be bowled.
fn lays_the_second(phone: &Phone) {
    phone.taps("[data-action='laid']");
    is_ready(phone);
}

fn is_ready(phone: &Phone) {
    phone.waits("a ball can be bowled", "return document.querySelector('[data-action=bowl]') !== null");
}

fn over_of(played: &Match) -> Value {
    let play = play_of(played);
    play.into_iter().find(|event| event["kind"] == "over").expect("an over")["data"]["choices"].clone()
}

fn backwards(hand: &[Value]) -> Value {
    hand.iter().rev().map(|cube| cube["cube"].clone()).collect()
}

#[test]
fn each_order_goes_to_the_service_under_its_cover_and_is_not_asked_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = dealt(&service);
    phone.opens(&pad_of(&played));
    let first = bowling(&played);
    let (bowls, bats) = (hand(&played, first), hand(&played, other(first)));
    opens_cover(&phone);
    phone.reads("#question", "Give the phone to");
    assert!(!phone.has(".order") && !phone.has(".pad-ask [data-choice]"), "{}", phone.text("body"));
    arranges(&phone, &bowls);
    let numbers: Vec<String> =
        bowls.iter().rev().map(|cube| cube["title"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(
        phone.run(
            "return [...document.querySelectorAll('.order .cell')].map(({innerText}) => innerText)",
            vec![]
        ),
        json!(numbers)
    );
    phone.taps(".undo");
    phone.reads(".order", "open");
    phone.waits_ms(400);
    // A digit lays the cube that shows it.
    phone.presses(&numbers[5], 0);
    phone.taps("[data-action='laid']");
    assert!(phone.has("[data-action='laid']"), "the same finger does not lay it");
    phone.waits_ms(400);
    watches_cubes(&phone, &bats);
    phone.taps("[data-action='laid']");
    phone.waits("the other side is named", "return document.querySelector('[data-action=uncover]') !== null");
    assert!(!phone.has(".order"), "the first order is out of sight");
    assert_eq!(
        phone.run("return leaked", vec![]),
        json!([]),
        "no cube of the other side was drawn meanwhile"
    );
    assert_eq!(played.view()["next"]["requests"].as_array().map(Vec::len), Some(1), "the first is sealed");
    // The order stands nowhere in the page: the service has it.
    let orders = backwards(&bowls).to_string();
    let kept = all_of(&phone);
    assert!(!kept.contains(orders.trim_matches(['[', ']'])), "{kept}");
    // After a reload the page asks the other side alone.
    phone.reloads();
    phone.taps("[data-action='lay']");
    arranges(&phone, &bats);
    lays_the_second(&phone);
    let over = over_of(&played);
    assert_eq!(over["orders"], json!({"bowling": backwards(&bowls), "batting": backwards(&bats)}));
    phone.waits_ms(1000);
    assert!(!phone.text("body").contains("Another phone"), "{}", phone.text("body"));
    phone.taps("[data-action='bowl']");
    phone.waits("it is bowled", "return document.querySelector('.seeded .word') !== null");
    assert_eq!(balls_of(&played), 1);
}

#[test]
fn an_order_names_its_bowler_and_the_ball_on_which_a_cube_is_rolled() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = rolled(&service, &json!({"overs": 2, "roll_a_cube": true}));
    phone.opens(&pad_of(&played));
    let first = bowling(&played);
    phone.taps("[data-cell='bowler']");
    let name = played.view()[first]["players"][2].as_str().expect("a name").to_owned();
    phone.taps(&format!("dialog [data-choice='{name}']"));
    for side in [first, other(first)] {
        let cubes = hand(&played, side);
        match side == first {
            true => opens_cover(&phone),
            false => phone.reads("#question", "Give the phone to"),
        }
        arranges(&phone, &cubes);
        if side == first {
            phone.taps(".pad-ask .way:has([value='3'])");
        }
        phone.taps("[data-action='laid']");
    }
    is_ready(&phone);
    let over = over_of(&played);
    assert_eq!((&over["bowler"], &over["roll"]), (&json!(name), &json!({"bowling": 3})));
}

#[test]
fn cubes_of_the_other_side_are_not_drawn_where_an_order_comes_from_elsewhere() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = dealt(&service);
    phone.opens(&pad_of(&played));
    let first = bowling(&played);
    let (bowls, bats) = (hand(&played, first), hand(&played, other(first)));
    opens_cover(&phone);
    arranges(&phone, &bowls[3..]);
    watches_cubes(&phone, &bats);
    let cubes: Vec<Value> = bowls.iter().map(|cube| cube["cube"].clone()).collect();
    let sealed = json!({"side": first, "for": "order", "choice": {"order": cubes}});
    played.post("/choices", &sealed).expect(201);
    phone.waits(
        "it is seen",
        "return document.querySelector('.note')?.innerText.includes('moved on') ?? false",
    );
    assert_eq!(phone.run("return leaked", vec![]), json!([]));
    phone.taps("[data-action='leave']");
    phone.taps("[data-action='lay']");
    phone.reads("#question", "Give the phone to");
    arranges(&phone, &bats);
    lays_the_second(&phone);
    // An abandoned match has no cover.
    let played = dealt(&service);
    phone.opens(&pad_of(&played));
    opens_cover(&phone);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    phone.waits("it is over", "return document.querySelector('[data-action=uncover]') === null");
    phone.reads(".pad-ask", "Abandoned");
}

#[test]
fn an_order_whose_answer_is_lost_is_there_once_and_one_that_is_refused_is_laid_again() {
    let service = Table::laid();
    let (wire, address) = service.lied_about(1, &Trace::default());
    let Some(mut phone) = Phone::at(&address) else { return };
    phone.expected = vec!["net::ERR_", "Failed to load resource"];
    let played = dealt(&service);
    phone.opens(&pad_of(&played));
    let first = bowling(&played);
    opens_cover(&phone);
    arranges(&phone, &hand(&played, first));
    wire.fates_next("POST choices", Fate::Lost);
    phone.taps("[data-action='laid']");
    phone.waits("the other side is named", "return document.querySelector('[data-action=uncover]') !== null");
    let sealed = |played: &Match| played.events().iter().filter(|event| event["kind"] == "choice").count();
    assert_eq!(sealed(&played), 1);
    arranges(&phone, &hand(&played, other(first)));
    wire.fates_next("POST choices", Fate::Refused);
    phone.taps("[data-action='laid']");
    phone.reads("[data-said]", "The service has not answered");
    assert_eq!(sealed(&played), 1);
    lays_the_second(&phone);
    assert_eq!(sealed(&played), 2);
}

#[test]
fn a_phone_that_watches_and_a_board_are_told_no_cube() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = dealt(&service);
    let scorer = pad_of(&played);
    let cubes = |phone: &Phone| {
        phone.run("return document.body.innerHTML.includes('data-choice') || document.body.innerText.includes('Put the cubes')", vec![])
    };
    // The scorer's own board has the token, and draws nothing of it.
    phone.opens(&scorer);
    phone.reads(".sync", "saved");
    phone.opens(&format!("/m/{}/board", played.id));
    phone.waits("the board is there", "return document.querySelector('h1') !== null");
    assert_eq!(cubes(&phone), false);
    phone.cdp("Storage.clearDataForOrigin", &json!({"origin": service.address(), "storageTypes": "all"}));
    phone.opens(&format!("/m/{}/score", played.id));
    phone.reads(".sync", "watching");
    phone.taps("[data-action='more']");
    assert_eq!(cubes(&phone), false);
}
