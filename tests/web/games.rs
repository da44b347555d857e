//! Whole matches and every kind of ask on the pad. It knows no game, so each game is a test of it.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Client, Cup, Match, seeded_by_service, table, with};

use crate::phone::{Model, Phone};
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// Counts the taps of a page.
const COUNTING: &str = "globalThis.taps = 0; addEventListener('click', () => (taps += 1), true)";

fn is_open(played: &Match) -> bool {
    played.view()["status"] == "in_play"
}

/// The events of a match without times, ids and hashes.
fn told_of(played: &Match) -> Vec<Value> {
    let told =
        |event: &Value| json!([event["seq"], event["kind"], event["actor"], event["data"], event["v"]]);
    // The first event has the seed's commitment and the time of the creation in its data.
    played.events().iter().skip(1).map(told).collect()
}

/// The values of the dice of each ball of a match.
pub fn dice_of(played: &Match) -> Vec<Vec<u8>> {
    let value = |die: &Value| die["value"].as_u64().and_then(|value| u8::try_from(value).ok());
    let events = played.events();
    let balls = events.iter().filter(|event| event["kind"] == "ball");
    let dice = balls.filter_map(|ball| ball["data"]["dice"].as_array());
    dice.map(|dice| dice.iter().filter_map(value).collect()).collect()
}

/// The required asks of the next ball, by their places.
fn required(played: &Match) -> Vec<String> {
    let view = played.view();
    let requests = view["next"]["requests"].as_array().cloned().unwrap_or_default();
    let ball = requests.iter().find(|request| request["operation"] == "bowl_ball");
    let asks = ball.and_then(|ball| ball["asks"].as_array()).cloned().unwrap_or_default();
    let asks = asks.iter().filter(|ask| ask["required"] == true);
    asks.filter_map(|ask| ask["at"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_match_of_howzat_typed_by_touch_equals_that_of_the_api() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let (typed, sent) = (Match::create(service.client(), &table(1)), service.begun(&table(1)));
    sent.post("/overs", &json!({"bowler": "Nash"})).expect(201);
    let mut cup = Cup::new(7);
    while is_open(&sent) {
        sent.throw(&mut cup);
    }
    let balls = dice_of(&sent);
    phone.opens(&pad_of(&typed));
    phone.taps("[data-action='way']");
    for (choice, value) in [("caller", "home"), ("call", "heads"), ("coin", "heads")] {
        phone.taps(&format!("[data-choice='{value}']:has([name='toss-{choice}'])"));
    }
    phone.taps("[data-action='toss']");
    phone.waits_ms(400);
    phone.taps("[data-choice='bat']");
    phone.waits_ms(400);
    phone.run(COUNTING, vec![]);
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Nash']");
    balls.iter().flatten().for_each(|face| phone.rolls(*face));
    // A ball is as many taps as it has dice. A choice that is changed is two: its cell, and its row.
    let taps = phone.run("return taps", vec![]);
    assert_eq!(taps, balls.iter().flatten().count() + 2);
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    assert!(phone.has("[data-action='again']"), "{}", phone.text("body"));
    assert_eq!(told_of(&typed), told_of(&sent));
}

#[test]
fn a_match_of_cuberoots_typed_by_touch_equals_that_of_the_api() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let request = with(table(1), "/game", json!("cuberoots"));
    let (typed, sent) = (service.begun(&request), service.begun(&request));
    let orders = [("bowling", [5, 1, 4, 4, 0, 9]), ("batting", [3, 8, 0, 7, 2, 6])];
    let both = json!({"orders": {"bowling": orders[0].1, "batting": orders[1].1}});
    sent.post("/overs", &both).expect(201);
    let (mut cup, mut balls) = (Cup::new(3), Vec::new());
    while is_open(&sent) {
        let numbers: Vec<(String, i64)> =
            required(&sent).into_iter().map(|at| (at.replace("choices.", ""), cup.throw(10) - 1)).collect();
        let choices: serde_json::Map<String, Value> =
            numbers.iter().map(|(at, number)| (at.clone(), json!(number))).collect();
        sent.post("/balls", &json!({"choices": choices})).expect(201);
        balls.push(numbers);
    }
    phone.opens(&pad_of(&typed));
    lays(&phone, orders.map(|(_, order)| order));
    phone.taps("[data-action='play']");
    phone.waits_ms(400);
    for ball in balls {
        if ball.is_empty() {
            phone.taps("[data-action='bowl']");
            phone.waits_ms(400);
        }
        ball.iter().for_each(|(_, number)| phone.rolls(u8::try_from(*number).expect("a number")));
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    assert_eq!(play_of(&typed), play_of(&sent));
}

#[test]
fn a_match_of_coin_cricket_typed_by_touch_equals_that_of_the_api() {
    let service = Table::with_test_games();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let request = json!({
        "game": "coin-cricket", "rules": {"overs": 2}, "dice": "table",
        "home": {"name": "Harbour Road", "players": {"team": "Pennies"}},
        "away": {"name": "Mill Lane", "players": {"team": "Farthings"}},
    });
    let (typed, sent) = (service.begun(&request), service.begun(&request));
    let mut cup = Cup::new(5);
    let mut coins = Vec::new();
    while is_open(&sent) {
        let coin = cup.throw(2);
        sent.post("/balls", &json!({"dice": [coin]})).expect(201);
        coins.push(coin);
    }
    phone.opens(&pad_of(&typed));
    // Each die is a whole ball, and sends the one before.
    coins.iter().for_each(|coin| phone.rolls(u8::try_from(*coin).expect("a face")));
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    assert_eq!(play_of(&typed), play_of(&sent));
}

/// A match of the board game between two teams of its edition.
pub fn board_game(service: &Table) -> Match {
    board_game_of(service, "t10")
}

/// A match of the board game on this pitch, up to its first ball.
pub fn board_game_on(service: &Table, pitch: &str) -> Match {
    begun_on(board_game(service), pitch)
}

/// Lets a match of the board game begin on this pitch.
pub fn begun_on(played: Match, pitch: &str) -> Match {
    played.post("/set-up", &json!({"pitch": pitch})).expect(201);
    played.begin();
    played
}

/// A match of the game with cards, of a format.
pub fn board_game_of(service: &Table, format: &str) -> Match {
    Match::create(service.client(), &board_game_request(service.client(), format))
}

/// The request for a match of the game with cards, of a format.
pub fn board_game_request(client: &Client, format: &str) -> Value {
    let games = client.get("/v1/games").expect(200);
    let games = games["games"].as_array().cloned().unwrap_or_default();
    let game = games.iter().find(|game| game["sheet"]["card"].is_object()).expect("a game with cards");
    let side = |place: usize| {
        let team = &game["sheet"]["teams"][0]["teams"][place];
        json!({"name": team, "players": {"team": team}})
    };
    json!({"game": game["id"], "rules": {"format": format}, "dice": "table", "home": side(0), "away": side(1)})
}

#[test]
fn the_choices_of_a_ball_and_its_over_are_what_the_log_has() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_game(&service);
    phone.opens(&pad_of(&played));
    phone.reads("#question", "Which pitch card?");
    phone.taps("[data-choice='pace']");
    played.begin();
    phone.waits("the over is due", "return document.querySelector('#question').innerText === 'Bowl, stroke'");
    // An order in which a way may stand twice, some of a list, and one of a list.
    for (ask, choices) in
        [("attitudes", ["aggressive", "aggressive"]), ("choices.skills.bowler", ["effort_ball", ""])]
    {
        phone.taps("[data-action='more']");
        phone.taps(&format!("dialog [data-action='ask:{ask}']"));
        for choice in choices.into_iter().filter(|choice| !choice.is_empty()) {
            phone.taps(&format!("dialog [data-choice='{choice}']"));
        }
        if phone.has("dialog [data-action='confirm']") {
            phone.taps("dialog [data-action='confirm']");
        }
        assert!(!phone.has("dialog"), "{ask}");
    }
    // What stands for each choice is said, and it is what the log has.
    phone.taps("[data-action='more']");
    phone.reads("dialog [data-action='ask:attitudes']", "Aggressive, Aggressive");
    phone.reads("dialog [data-action='ask:choices.bowl']", "Bowl: Seamer");
    phone.reads("dialog [data-action='ask:choices.attitude']", "Attitude: Aggressive");
    phone.reads("dialog [data-action='ask:choices.skills.bowler']", "skills: Effort ball");
    phone.reads("dialog [data-action='ask:choices.skills.batter']", "skills: none");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-action='step']");
    phone.waits_ms(400);
    phone.taps("[data-choice='slog']");
    phone.waits_ms(400);
    while phone.has("[data-die]") {
        // The card is in sight until the ball is over.
        phone.reads("[data-cell='partnership']", "Heave across the line");
        phone.rolls_about(3);
    }
    phone.reads("[data-cell='partnership']", "Partnership");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    let play = play_of(&played);
    let over = play.iter().find(|event| event["kind"] == "over").expect("an over");
    assert_eq!(over["data"]["choices"]["attitudes"], json!(["aggressive", "aggressive"]));
    let ball = play.iter().find(|event| event["kind"] == "ball").expect("a ball");
    assert_eq!(ball["data"]["choices"]["over_card"], "slog", "{ball:#}");
    assert_eq!(ball["data"]["choices"]["skills"]["bowler"], json!(["effort_ball"]), "{ball:#}");
    assert_eq!(ball["data"]["choices"]["bowl"], "seamer", "{ball:#}");
    assert_eq!(ball["data"]["choices"]["attitude"], "aggressive", "{ball:#}");
}

#[test]
fn a_long_list_stands_between_the_question_and_the_foot() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_game_on(&service, "neutral");
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='step']");
    let bottom = "return innerHeight - document.querySelector('.foot').getBoundingClientRect().bottom >= 0";
    assert_eq!(phone.run(bottom, vec![]), true, "the foot is in sight");
    let scrolls =
        "const list = document.querySelector('.ways-keys'); return list.scrollHeight > list.clientHeight";
    assert_eq!(phone.run(scrolls, vec![]), false, "all of it is in sight");
    phone.taps("[data-choice='slog']");
    phone.reads(".undo", "Undo choice");
    assert_eq!(phone.run(bottom, vec![]), true, "Undo is in sight");
}

/// Opens the over at once, whose first order is covered.
pub fn opens_cover(phone: &Phone) {
    phone.taps("[data-action='more']");
    phone.taps("[data-action='lay']");
}

/// A side takes the phone, and types its order.
pub fn types_order(phone: &Phone, order: [u8; 6]) {
    phone.taps("[data-action='uncover']");
    phone.waits_ms(400);
    order.into_iter().for_each(|number| phone.rolls(number));
}

/// A side takes the phone, and lays its order.
pub fn lays_order(phone: &Phone, order: [u8; 6]) {
    types_order(phone, order);
    phone.taps("[data-action='laid']");
}

/// Lays the orders of an over, the bowler's first: each side behind its cover.
pub fn lays(phone: &Phone, orders: [[u8; 6]; 2]) {
    opens_cover(phone);
    orders.into_iter().for_each(|order| lays_order(phone, order));
    phone.taps("[data-action='show-both']");
    phone.waits("both are in sight", "return document.querySelectorAll('.order').length === 2");
}

/// The numbers of an over that are in sight, side after side; a cell that waits is empty.
pub fn laid(phone: &Phone) -> String {
    let rows = "return [...document.querySelectorAll('.order')].map((row) => \
        `${row.querySelector('h3').innerText}: ${[...row.querySelectorAll('.cell')].map(({children, innerText}) => \
        children.length ? '_' : innerText).join('')}`).join(', ')";
    phone.run(rows, vec![]).as_str().unwrap_or_default().to_owned()
}

/// A match of two overs of CubeRoots, whose first ball is due.
pub fn cuberoots(service: &Table) -> Match {
    service.begun(&with(table(2), "/game", json!("cuberoots")))
}

#[test]
fn both_orders_of_an_over_are_in_sight_and_kept_until_its_first_ball_is_played() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = cuberoots(&service);
    phone.opens(&pad_of(&played));
    lays(&phone, [[5, 1, 4, 4, 0, 9], [3, 8, 0, 7, 2, 6]]);
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
    phone.reads(".sync", "kept here");
    phone.taps(".sync");
    phone.reads("dialog", "12 numbers of the next over, not sent.");
    phone.taps("dialog [data-action='close']");
    phone.reads("[data-action='play']", "Play the over");
    phone.taps("[data-action='play']");
    // No ball is played yet, so the over goes nowhere, and Undo is free.
    phone.waits_ms(2 * HOLD);
    phone.reads(".sync", "kept here");
    assert_eq!(phone.text(".undo"), "Undo the over");
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
    assert!(!play_of(&played).iter().any(|event| event["kind"] == "over"));
    phone.taps(".undo");
    phone.reads("[data-action='play']", "Play the over");
    // What both have seen is not changed by one.
    assert_eq!(phone.text(".undo"), "Both anew");
    phone.taps("[data-action='play']");
    phone.reads("[data-action='bowl']", "Turn over ball 1");
    phone.taps("[data-action='bowl']");
    phone.waits_ms(400);
    phone.reads("[data-action='bowl']", "Turn over ball 2");
    assert_eq!(phone.text(".order:last-child [aria-current]"), "8");
    assert_eq!(balls_of(&played), 1);
    phone.reads(".sync", "saved");
    phone.reads(".undo", "Undo no run…");
    // From now on the log has the orders.
    phone.reloads();
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
    assert_eq!(phone.text(".order:last-child [aria-current]"), "8");
}

#[test]
fn the_orders_of_an_over_whose_first_ball_is_taken_back_are_typed_on() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = cuberoots(&service);
    let orders = json!({"orders": {"bowling": [5, 1, 4, 4, 0, 9], "batting": [3, 8, 0, 7, 2, 6]}});
    played.post("/overs", &orders).expect(201);
    played.post("/balls", &json!({})).expect(201);
    phone.opens(&pad_of(&played));
    phone.taps(".undo");
    phone.taps("[data-choice='misread']");
    phone.taps("dialog [data-action='confirm']");
    phone.waits_ms(400);
    phone.reads("[data-action='play']", "Play the over");
    assert_eq!(laid(&phone), "Mill Lane: 514409, Harbour Road: 380726");
    phone.taps(".undo");
    phone.rolls(5);
    phone.taps("[data-action='play']");
    phone.taps("[data-action='bowl']");
    phone.waits_ms(400);
    let play = play_of(&played);
    let over = play.iter().rfind(|event| event["kind"] == "over").expect("an over");
    assert_eq!(over["data"]["choices"]["orders"]["batting"], json!([3, 8, 0, 7, 2, 5]));
}

#[test]
fn an_over_that_is_played_at_once_leaves_the_foot_in_sight() {
    let service = Table::laid();
    let small = Model { width: 320, height: 568, ..Model::PHONE };
    let Some(phone) = Phone::of(small, &service.address()) else { return };
    phone.opens(&pad_of(&cuberoots(&service)));
    let is_in_sight = |at: &str| {
        let foot = "return innerHeight - Math.max(...[...document.querySelectorAll('.undo, .foot')].map((one) => one.getBoundingClientRect().bottom))";
        let room = phone.run(foot, vec![]);
        assert!(room.as_f64() >= Some(0.0), "{at}: the foot is {room} below: {}", phone.text("body"));
    };
    lays(&phone, [[5, 1, 4, 4, 0, 9], [3, 8, 0, 7, 2, 6]]);
    is_in_sight("both orders");
    phone.taps("[data-action='play']");
    is_in_sight("no ball yet");
    phone.taps("[data-action='bowl']");
    phone.waits_ms(400);
    is_in_sight("a ball was played");
}

/// A match with reviews, whose first ball is a catch.
pub fn appealed(service: &Table) -> Match {
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    played.bowl(&[3, 5, 5, 1, 4]);
    played
}

/// A match of an over a side at a table, which the side batting second wins by a six off the last ball.
pub fn won_by_the_last_ball(service: &Table) -> Match {
    let played = service.begun(&table(1));
    for strike in [4, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6] {
        played.bowl(&[2, strike]);
    }
    played
}

#[test]
fn a_decision_is_accepted_or_reviewed_and_each_says_its_outcome() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = appealed(&service);
    phone.opens(&pad_of(&played));
    phone.reads(".pad-ask", "OUT");
    phone.reads("[data-choice='0']", "Abel is out");
    phone.reads("[data-choice='1']", "1, 2, 3, 4 OUT · 5, 6 not out");
    phone.taps("[data-choice='1']");
    phone.reads("#question", "Third umpire");
    phone.reads("[data-die='6']", "not out");
    // The choice is taken back as a die is.
    phone.taps("[data-action='undo']");
    phone.waits_ms(400);
    phone.taps("[data-choice='1']");
    phone.waits_ms(400);
    phone.rolls(6);
    phone.reads("#question", "not out");
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    let last = play_of(&played).pop().expect("an event");
    assert_eq!(last["kind"], "review", "{last:#}");
    phone.reads("h1", "0 for 0");
}

#[test]
fn an_accepted_decision_goes_on_with_the_next_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    phone.opens(&pad_of(&played));
    [3, 5, 5, 1, 4].into_iter().for_each(|face| phone.rolls(face));
    phone.taps("[data-choice='0']");
    phone.waits_ms(400);
    phone.reads("#question", "Bowl die");
    phone.rolls(2);
    phone.rolls(4);
    phone.waits_ms(HOLD);
    phone.reads("h1", "4 for 1");
    assert_eq!(balls_of(&played), 2);
}

#[test]
fn a_ball_of_the_strip_opens_with_its_words_and_dice() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    played.bowl(&[3, 6]);
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    phone.taps("[data-ball='1']");
    phone.reads("dialog", "0.1, four");
    phone.reads("dialog", "FOUR");
    assert_eq!(phone.run("return document.querySelectorAll('dialog .die').length", vec![]), 2);
    assert!(!phone.has("dialog [data-action='correct']"), "only the last ball is taken back");
    // The page of the ball has the rest.
    phone.reads("dialog", "Look at this ball");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-ball='2']");
    phone.reads("dialog", "SIX");
    assert!(phone.has("dialog [data-action='correct']"));
    phone.taps("dialog [data-action='close']");
    phone.rolls(2);
    phone.rolls(1);
    // The held ball is known here alone.
    phone.taps("[data-ball='3']");
    phone.reads("dialog", "1 run");
    assert!(!phone.has("dialog [data-action='correct']"));
}

#[test]
fn a_wicket_by_dice_of_the_service_says_out() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(20));
    while played.view()["situation"]["last"]["wicket"].is_null() {
        played.ball();
    }
    phone.opens(&pad_of(&played));
    phone.reads(".seeded .word", "OUT");
    phone.reads("#question", "The last ball, ");
    phone.reads("[data-action='bowl']", "Bowl");
}

#[test]
fn a_match_with_dice_of_the_service_is_recorded_whole() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&seeded_by_service(1));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='bowl']");
    while phone.has("[data-action='over']") {
        phone.taps("[data-action='over']");
    }
    phone.reads(".sync", "finished");
    played.audits_clean();
}

#[test]
fn a_hint_is_seen_once_and_moves_no_key() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&pad_of(&played));
    let place = "return JSON.stringify(document.querySelector(\"[data-die='1']\").getBoundingClientRect())";
    phone.reads("[data-hint]", "Keep the screen on");
    let before = phone.run(place, vec![]);
    phone.taps("[data-action='heard']");
    assert!(!phone.has("[data-hint]"));
    assert_eq!(phone.run(place, vec![]), before);
    phone.reloads();
    assert!(!phone.has("[data-hint]"));
}

#[test]
fn a_decision_waits_for_as_long_as_the_table_talks() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    phone.opens(&pad_of(&played));
    [3, 5, 5, 1, 4].into_iter().for_each(|face| phone.rolls(face));
    for _ in 0..4 {
        phone.reads("[data-choice='0']", "Accept, Abel is out");
        phone.reads("[data-choice='1']", "Review");
        phone.waits_ms(HOLD);
    }
    phone.taps("[data-choice='1']");
    phone.waits_ms(400);
    phone.waits_ms(2 * HOLD);
    phone.reads("#question", "Third umpire");
    phone.rolls(6);
    phone.waits_ms(HOLD);
    assert_eq!(play_of(&played).pop().expect("an event")["kind"], "review");
}
