//! Choices of the board game made by timeout, at every step of a match.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::corrections::agree;
use super::*;
use third_umpire_test_support::on_both_stores;

/// Calls on the side that the match waits for until its timeout has passed, and returns the events of its
/// choice.
fn times_out(board: &mut Board) -> Vec<Value> {
    if board.pending() == "delivery" && board.next["side"].is_null() {
        let (side, choice) = if board.turn.is_multiple_of(2) {
            (board.batting().side, board.stroke())
        } else {
            (board.bowling().side, board.bowl())
        };
        board.chooses(side, choice);
    }
    let choice = board.pending().to_owned();
    let [called, caller] = board.due().map(|captain| captain.side);
    let own_call = board.captain(called).post("/choices/call", &json!({}));
    own_call.refused(409, "awaiting-choice").says(&["your own"]);
    let call = board.does(caller, "/choices/call", &json!({}));
    let event = &call["events"][0];
    assert_eq!((&event["kind"], &event["data"]["on"]), (&json!("choice_called"), &json!(called)));
    assert_eq!(event["data"]["for"], choice.as_str());
    let early = board.captain(caller).post("/choices/call", &json!({}));
    if early.status == 201 {
        let appended = early.json();
        board.read(&appended);
        return appended["events"].as_array().expect("events").clone();
    }
    early.refused(409, "awaiting-choice");
    let taken = board.calls_until_answered(caller);
    let events = taken["events"].as_array().expect("events").clone();
    assert_eq!(events[0]["actor"], caller, "{taken}");
    check_taken(&choice, called, &events[0]);
    events
}

/// Asserts that a timeout takes no risk and otherwise the default, and draws a secret choice.
#[track_caller]
fn check_taken(choice: &str, called: &str, event: &Value) {
    let data = &event["data"];
    match choice {
        "toss_decision" => {
            assert_eq!((&event["kind"], &data["by"]), (&json!("toss_decided"), &json!(called)))
        }
        "over" => assert_eq!(event["kind"], "over"),
        "review" => assert_eq!((&data["by"], &data["accepted"]), (&json!(called), &json!(true))),
        "delivery" => {
            assert_eq!(event["kind"], "roll");
            let reveal =
                data["reveals"].as_array().and_then(|all| all.iter().find(|one| one["side"] == called));
            let reveal = reveal.expect("the choice is revealed");
            assert!(reveal.get("salt").is_none() && !reveal["draw"].is_null(), "{reveal}");
        }
        _ if OPEN_CHOICES.contains(&choice) => {
            let event_of = (&event["kind"], &data["side"], &data["for"]);
            assert_eq!(event_of, (&json!("choice"), &json!(called), &json!(choice)));
            match choice {
                "bowler_skills" | "batter_skills" => assert_eq!(data["choice"]["skills"], json!([])),
                "power_play" => assert_eq!(data["choice"]["power_play"], json!(false)),
                _ => assert!(!data["choice"].as_object().expect("an object").is_empty()),
            }
        }
        _ => {
            assert!(["ball", "roll"].contains(&event["kind"].as_str().expect("a kind")), "{event}");
            let cautious = match choice {
                "longer" => json!(false),
                "reroll_bowler" | "reroll_batter" => json!("no"),
                _ => data["choices"][choice].clone(),
            };
            assert_eq!(data["choices"][choice], cautious, "{event}");
            assert!(!cautious.is_null(), "{event}");
        }
    }
}

on_both_stores!(for_a_side_that_times_out_the_match_goes_on_at_every_step, |service| {
    let mut board = Board::with_client_seeds(service, &with_short_timeout());
    let mut timed_out = BTreeSet::new();
    while board.next["kind"] != "over" {
        let choice = board.pending().to_owned();
        let either = board.next["side"].is_null() && choice != "delivery";
        if either || choice == "toss" || timed_out.contains(&choice) {
            board.play_step();
            continue;
        }
        times_out(&mut board);
        timed_out.insert(choice);
    }
    for choice in OPEN_CHOICES.into_iter().chain(["toss_decision", "over", "delivery", "run", "review"]) {
        assert!(timed_out.contains(choice), "no side timed out with {choice}: {timed_out:?}");
    }
    board.holds();
});

on_both_stores!(two_unopened_seals_are_both_drawn, |service| {
    let mut board = Board::until(service, &with_short_timeout(), "delivery");
    for side in ["home", "away"] {
        let choice = if side == board.batting().side { board.stroke() } else { board.bowl() };
        let [closed, _] = board.seals(side, choice);
        board.does(side, "/choices", &closed);
    }
    assert_eq!((board.pending(), &board.next["side"]), ("opening", &Value::Null));
    board.does("home", "/choices/call", &json!({}));
    let taken = board.calls_until_answered("away");
    let reveals = taken["events"][0]["data"]["reveals"].as_array().expect("both").clone();
    assert_eq!(reveals.len(), 2);
    assert!(reveals.iter().all(|reveal| !reveal["draw"].is_null()), "{reveals:?}");
    board.play_to("delivery");
    board.holds();
});

on_both_stores!(whoever_is_called_may_still_answer_until_it_is_taken, |service| {
    let mut board = Board::until(service, &with_short_timeout(), "field");
    let [called, caller] = board.due().map(|captain| captain.side);
    board.does(caller, "/choices/call", &json!({}));
    board.chooses(called, json!({}));
    assert_eq!(board.pending(), "delivery");
    let second_call = service.untouched_by(board.captain(caller).posting("/choices/call", &json!({})));
    second_call.refused(409, "awaiting-choice");
    board.holds();
});

on_both_stores!(a_voided_draw_does_not_come_again, |service| {
    let mut board = Board::until(service, &with_short_timeout(), "delivery");
    let turned_up =
        |board: &Board| board.events.iter().filter(|event| !event["data"]["reveals"].is_null()).count();
    while turned_up(&board) < 2 {
        board.play_step();
    }
    board.play_to("delivery");
    times_out(&mut board);
    board.play_to("delivery");
    let ball = board.events.iter().find(|event| event["kind"] == "ball").expect("a ball")["data"].clone();
    let runs = ball["outcome"]["runs"]["batter"].as_u64().expect("runs");
    let agreed = json!({"outcome": {"runs": {"batter": runs + 2}}, "reason": "as both saw it"});
    let body =
        json!({"amends": ball["delivery"], "reason": "misread", "as_stood": agreed, "cascade": "void_rest"});
    let made = agree(&mut board, &body);
    let again = made.iter().filter(|event| !event["data"]["reveals"].is_null()).count();
    assert!((1..=2).contains(&again), "chosen deliveries come again, and drawn ones do not");
    let last = made.last().expect("events");
    assert!(last["data"]["sealed"].is_null() && last["kind"] != "choice_opened", "{last}");
    // With other dice a wicket may have fallen, and the next batter comes first.
    board.play_to("delivery");
    assert_eq!(board.next["side"], Value::Null);
    times_out(&mut board);
    board.play_to("over");
    board.holds();
});
