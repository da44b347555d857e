//! The side and time of every choice in remote play of the board game, and what is refused.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Head, Refusal, Request, Service};

/// The request for an open or a secret choice.
fn choosing(captain: &Captain, name: &str, choice: Value) -> Request {
    captain.posting("/choices", &json!({"for": name, "choice": choice}))
}

#[track_caller]
fn refused(service: &Service, request: Request, status: u16, slug: &str) -> Refusal {
    service.untouched_by(request).refused(status, slug)
}

on_both_stores!(each_step_is_its_sides_and_comes_in_its_turn, |service| {
    let mut board = Board::with_client_seeds(service, &board());
    let mut seen = Vec::new();
    while seen.len() < 7 {
        let pending = board.pending().to_owned();
        if !OPEN_CHOICES.contains(&pending.as_str()) || seen.contains(&pending) {
            board.play_step();
            continue;
        }
        let [whose, other] = board.due();
        let not_theirs = refused(service, choosing(other, &pending, json!({})), 403, "token-refused");
        not_theirs.says(&[whose.side]);
        refused(service, choosing(whose, "delivery", json!({})), 422, "illegal-input")
            .at("body.for")
            .says(&[&pending]);
        let scorers = board.sides.scorer.posting("/choices", &json!({"for": pending, "choice": {}}));
        refused(service, scorers, 403, "token-refused");
        let scorers =
            board.sides.scorer.posting("/choices", &json!({"for": pending, "side": "home", "choice": {}}));
        refused(service, scorers, 403, "token-refused");
        for body in [
            json!({"for": pending, "over": 9, "choice": {}}),
            json!({"for": pending, "innings": 2, "choice": {}}),
        ] {
            refused(service, whose.posting("/choices", &body), 409, "out-of-turn")
                .says(&["the match waits for"]);
        }
        let unknown = choosing(whose, &pending, json!({"umpire": "Shepherd"}));
        refused(service, unknown, 422, "illegal-input").within("body.choice");
        if pending != "drop" {
            for rest in ["/balls", "/overs"] {
                refused(service, other.posting(rest, &json!({})), 403, "token-refused");
                refused(service, board.sides.scorer.posting(rest, &json!({})), 403, "token-refused");
            }
            if pending != "batter_skills" && pending != "bowler_skills" {
                refused(service, whose.posting("/balls", &json!({})), 409, "awaiting-choice");
            }
        }
        let sealed = json!({"for": pending, "sealed": fresh_hex()});
        refused(service, whose.posting("/choices", &sealed), 409, "out-of-turn");
        seen.push(pending);
        board.play_step();
    }
    board.holds();
});

on_both_stores!(the_over_is_the_bowling_sides_and_what_was_chosen_for_it_stands, |service| {
    let mut board = Board::until(service, &board(), "over");
    let (batting, bowling) = (board.batting().clone(), board.bowling().clone());
    refused(service, batting.posting("/overs", &json!({})), 403, "token-refused").says(&[bowling.side]);
    refused(service, board.sides.scorer.posting("/overs", &json!({})), 403, "token-refused");
    refused(service, bowling.posting("/balls", &json!({})), 409, "awaiting-choice");
    let openers = json!({"openers": ["a", "b"]});
    refused(service, bowling.posting("/overs", &openers), 403, "token-refused").at("body.openers");
    board.play_step();
    while board.over < 2 || board.pending() != "bowler" {
        board.play_step();
    }
    let legal = board.next["legal"]["bowler"].as_array().expect("bowlers").clone();
    let side = board.next["side"].as_str().expect("a side").to_owned();
    board.chooses(&side, json!({"bowler": legal[1]}));
    assert_eq!(board.pending(), "power_play");
    let side = board.next["side"].as_str().expect("a side").to_owned();
    board.chooses(&side, json!({"power_play": true}));
    assert_eq!((board.pending(), &board.next["legal"]["bowler"]), ("over", &json!([legal[1]])));
    assert!(board.next["legal"].get("power_play").is_none(), "{}", board.next);
    let bowling = board.due()[0].clone();
    let another =
        refused(service, bowling.posting("/overs", &json!({"bowler": legal[0]})), 422, "illegal-input");
    another.at("body.bowler").says(&["already been chosen"]);
    let called = bowling.posting("/overs", &json!({"power_play": false}));
    refused(service, called, 403, "token-refused");
    board.play_step();
    let over = &board.events.last().expect("an event")["data"]["choices"];
    assert_eq!((&over["bowler"], &over["power_play"]), (&legal[1], &json!(true)));
    board.holds();
});

on_both_stores!(bowl_and_stroke_are_legal_when_they_are_opened_and_do_not_change, |service| {
    let mut board = Board::until(service, &board(), "delivery");
    let (batting, bowling) = (board.batting().clone(), board.bowling().clone());
    let illegal = |captain: &Captain, choice: Value| {
        refused(service, choosing(captain, "delivery", choice), 422, "illegal-input").within("body.choice")
    };
    illegal(&bowling, json!({"bowl": "daisy_cutter"}));
    illegal(&bowling, json!({"stroke": "cut"}));
    illegal(&batting, json!({"stroke": "bye"}));
    illegal(&batting, json!({"stroke": "cut", "attitude": "bored"}));
    illegal(&batting, json!({"bowl": "yorker"}));
    illegal(&batting, json!({"run": 1}));
    for captain in [&batting, &bowling] {
        for (member, value) in [("ball", 2), ("over", 2), ("innings", 2)] {
            let body = with(json!({"for": "delivery", "choice": {}}), &format!("/{member}"), json!(value));
            refused(service, captain.posting("/choices", &body), 409, "out-of-turn")
                .says(&["ball 1 of over 1"]);
        }
        refused(service, choosing(captain, "field", json!({})), 422, "illegal-input").at("body.for");
        refused(service, captain.posting("/balls", &json!({})), 409, "awaiting-choice");
        refused(service, captain.posting("/overs", &json!({})), 409, "awaiting-choice");
    }
    // Nobody can open a seal of an illegal bowl, and it can be replaced until the other side's choice is in.
    let bowl = board.bowl();
    let [closed, opening] = board.seals(bowling.side, json!({"bowl": "daisy_cutter"}));
    board.does(bowling.side, "/choices", &closed);
    let legal: Vec<&String> = board.next["legal"].as_object().expect("choices").keys().collect();
    assert_eq!(board.next["side"], batting.side);
    assert_eq!(legal, ["attitude", "stroke"]);
    refused(service, bowling.posting("/choices", &opening), 422, "illegal-input").within("body.choice.bowl");
    let [closed, opening] = board.seals(bowling.side, bowl.clone());
    board.does(bowling.side, "/choices", &closed);
    for (member, value) in [("/salt", json!(fresh_hex())), ("/choice", json!({}))] {
        let misfit = bowling.posting("/choices", &with(opening.clone(), member, value));
        refused(service, misfit, 422, "illegal-input").at("body.choice").says(&["seal"]);
    }
    let stroke = board.stroke();
    board.chooses(batting.side, stroke.clone());
    for captain in [&batting, &bowling] {
        refused(service, choosing(captain, "delivery", json!({})), 409, "out-of-turn")
            .says(&["cannot change its choice"]);
    }
    let opened = board.does(bowling.side, "/choices", &opening);
    let data = &opened["events"][0]["data"];
    assert_eq!((&data["choices"]["bowl"], &data["choices"]["stroke"]), (&bowl["bowl"], &stroke["stroke"]));
    assert!(
        data["choices"].get("over_card").is_none(),
        "no card is turned before the skills are named: {data}"
    );
    refused(service, bowling.posting("/choices", &opening), 409, "out-of-turn");
    board.holds();
});

on_both_stores!(a_decision_after_dice_is_its_sides, |service| {
    let mut board = Board::until(service, &board(), "run");
    let [whose, other] = board.due();
    assert_eq!(whose.side, board.batting().side);
    let legal = board.next["legal"].as_array().expect("runs").clone();
    let run = |runs: &Value| json!({"choices": {"run": runs}});
    refused(service, other.posting("/balls", &run(&legal[0])), 403, "token-refused");
    refused(service, board.sides.scorer.posting("/balls", &run(&legal[0])), 403, "token-refused");
    refused(service, whose.posting("/balls", &run(&json!(7))), 422, "illegal-input").at("body.choices.run");
    let locked =
        board.events.iter().rfind(|event| event["kind"] == "roll").expect("a roll")["data"]["choices"]
            .clone();
    let other = if locked["stroke"] == "cut" { "off_cover" } else { "cut" };
    let changed = whose.posting("/balls", &json!({"choices": {"stroke": other}}));
    refused(service, changed, 422, "illegal-input").at("body.choices.stroke").says(&["already been chosen"]);
    let body = json!({"choices": {"longer": true}});
    refused(service, whose.posting("/balls", &body), 422, "illegal-input").at("body.choices.longer");
    refused(service, choosing(whose, "run", json!({"run": legal[0]})), 409, "out-of-turn");
    // Nobody has decided: the match waits as before, and the running call is not answered by it.
    let unanswered = refused(service, whose.posting("/balls", &json!({})), 422, "needs-input");
    unanswered.at("body.choices.run").legal(json!(legal));
    let side = whose.side;
    board.does(side, "/balls", &run(&legal[1]));
    board.holds();
});

on_both_stores!(skills_are_used_up_and_stand_in_the_order_of_the_cards, |service| {
    let mut board = Board::until(service, &board(), "bowler_skills");
    let [bowling, _] = board.due();
    let bowling = bowling.clone();
    let ids = board.next["legal"]["skills"].as_array().expect("skills").clone();
    assert_eq!(ids.len(), 2);
    for skills in [json!([ids[0], ids[0]]), json!(["second_sight"]), json!("all"), json!([7])] {
        refused(
            service,
            choosing(&bowling, "bowler_skills", json!({"skills": skills})),
            422,
            "illegal-input",
        )
        .within("body.choice");
    }
    board.chooses(bowling.side, json!({"skills": [ids[1], ids[0]]}));
    let data = &board.events.iter().rfind(|event| event["kind"] == "choice").expect("a choice")["data"];
    assert_eq!(data["choice"]["skills"], json!(ids));
    // Both skills are used up for this over.
    let over = board.over;
    while board.over == over && board.pending() != "over" && board.pending() != "openers" {
        assert_ne!(board.pending(), "bowler_skills");
        board.play_step();
    }
    board.holds();
});

on_both_stores!(a_choice_sent_again_under_its_key_is_made_once, |service| {
    let mut board = Board::until(service, &board(), "field");
    let bowling = board.bowling().clone();
    let field = || choosing(&bowling, "field", json!({})).key("field-1").send().expect(201);
    let first = field();
    board.read(&first);
    assert_eq!(field(), first);
    let bowl = board.bowl();
    let secret = || choosing(&bowling, "delivery", bowl.clone()).key("bowl-1").send().expect(201);
    let sealed = secret();
    board.read(&sealed);
    assert_eq!(secret(), sealed);
    assert_eq!(board.sides.scorer.head().seq, Head::of(&sealed).seq);
    let stroke = board.stroke();
    let batting = board.batting().side;
    board.chooses(batting, stroke);
    assert_eq!(secret(), sealed, "the answer of then, whatever has come since");
    let other = choosing(&bowling, "delivery", json!({})).key("bowl-1");
    refused(service, other, 422, "idempotency-key-reused");
    board.holds();
});
