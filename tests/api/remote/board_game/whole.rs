use std::collections::BTreeSet;
use third_umpire_test_support::{on_both_stores, on_own_stores};

use serde_json::{Value, json};

use super::*;

/// Plays a match of this format to its end.
fn played_out(service: &Service, format: &str) -> Board {
    let mut board = Board::with_client_seeds(service, &with(board(), "/rules/format", json!(format)));
    while board.next["kind"] != "over" {
        board.play_step();
    }
    board
}

on_both_stores!(a_whole_t10_is_played_remotely_and_audits_clean, |service| {
    let board = played_out(service, "t10");
    board.holds();
    let events = board.sides.scorer.events();
    let of_kind = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count();
    assert!(of_kind("ball") > 40 && of_kind("roll") > 20, "{:?}", of_kind("ball"));
    assert_eq!((of_kind("set_up"), of_kind("match_completed")), (1, 1));
    let called = |event: &Value| event["data"]["choices"]["power_play"] == true;
    let power_plays = events.iter().filter(|event| event["kind"] == "over" && called(event)).count();
    assert!((1..=2).contains(&power_plays), "{power_plays} power plays were called");
    let open = events.iter().filter(|event| event["kind"] == "choice" && !event["data"]["choice"].is_null());
    let open: BTreeSet<&str> = open.filter_map(|event| event["data"]["for"].as_str()).collect();
    assert_eq!(open, BTreeSet::from(OPEN_CHOICES), "everything that is chosen in the open was");
    for event in events.iter().filter(|event| event["kind"] == "choice") {
        assert_eq!(event["actor"], event["data"]["side"], "{event}");
    }
});

on_both_stores!(a_whole_t20_is_played_remotely_and_audits_clean, |service| {
    let board = played_out(service, "t20");
    board.holds();
    let events = board.sides.scorer.events();
    let overs: Vec<&Value> = events.iter().filter(|event| event["kind"] == "over").collect();
    assert!(overs.len() >= 8, "{}", overs.len());
    assert!(overs.iter().all(|over| over["data"]["choices"].get("power_play").is_none()));
});

on_own_stores!(another_instance_goes_on_in_the_middle_of_a_ball_with_what_was_sealed, |deployment| {
    let mut service = deployment.serve();
    let mut board = Board::until(deployment, &board(), "delivery");
    board.sides = board.sides.through(service.client());
    for killed_with in ["bowl", "stroke"] {
        board.play_to("delivery");
        let (batting, bowling) = (board.batting().side, board.bowling().side);
        let (bowl, stroke) = (board.bowl(), board.stroke());
        let (by_service, own) = if killed_with == "bowl" {
            ((bowling, bowl), (batting, stroke))
        } else {
            ((batting, stroke), (bowling, bowl))
        };
        let [closed, opening] = board.seals(own.0, own.1.clone());
        board.does(own.0, "/choices", &closed);
        board.chooses(by_service.0, by_service.1.clone());
        service.kill();
        service = deployment.serve();
        board.sides = board.sides.through(service.client());
        assert_eq!(board.captain(by_service.0).own()["choice"], by_service.1);
        assert_eq!(board.captain(own.0).own()["choice"], Value::Null, "the choice is sealed, and not open");
        let opened = board.does(own.0, "/choices", &opening);
        let roll = &opened["events"][0];
        assert_eq!((&roll["kind"], &roll["actor"]), (&json!("roll"), &json!(own.0)));
        for (place, side) in ["home", "away"].into_iter().enumerate() {
            let choice = if side == own.0 { &own.1 } else { &by_service.1 };
            assert_eq!(&roll["data"]["reveals"][place]["choice"], choice);
        }
    }
    board.holds();
});
