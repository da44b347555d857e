//! Balls with an agreed outcome: whatever it is, the over and the match go on from it.

use serde_json::{Value, json};
use third_umpire::log::{AgreedOutcome, Ball, EventData};
use third_umpire::matches::{Input, Phase};
use third_umpire::rules::Next;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, built_in_edition, object, over};

use super::story::print_on;
use super::{as_edition, in_play, last_ball, overs, plain, put, seeded};

fn agreed(outcome: Value) -> AgreedOutcome {
    AgreedOutcome { outcome: object(outcome), faces: None, reason: "so they say".to_owned() }
}

/// Bowls a ball with an agreed outcome, with dice of an edition whose cards do nothing.
fn stands(a_match: &mut PlayedMatch, choices: Value, dice: &[i64], outcome: Value) -> Ball {
    let input = Input::Agreed(object(choices), agreed(outcome));
    a_match.enter(input, dice).unwrap_or_else(|refusal| panic!("{refusal}"));
    last_ball(&a_match.log).expect("a ball").clone()
}

fn begun(drs: &str) -> PlayedMatch {
    let mut edition = plain();
    let lbw = json!([{"when": {"so_far": ["miss"]}, "then": {"appeal": {"how": "lbw", "die": "d6", "out_on": [5, 6]}}}]);
    print_on(&mut edition, "blank5", &lbw);
    print_on(&mut edition, "blank4", &json!([{"then": "dead_ball"}]));
    let mut a_match = in_play(&as_edition(edition), json!({"format": "t20", "drs": drs}), "neutral", 1);
    a_match.enter(over(json!({})), &[]).expect("an over");
    a_match
}

/// A match in its second over, in which the first two balls are express play, with this number of wickets
/// down by agreement.
fn in_over_two(drs: &str, wickets: usize) -> PlayedMatch {
    let mut a_match = begun(drs);
    for (k, card) in ["blank1", "blank2", "blank3", "snick", "one", "two"].into_iter().enumerate() {
        let choices = json!({"over_card": card});
        if k < wickets {
            stands(&mut a_match, choices, &[3, 3], json!({"wicket": {"kind": "bowled"}}));
        } else {
            a_match.ball_with(choices, &[3, 3]);
        }
    }
    a_match.enter(over(json!({})), &[]).expect("an over");
    a_match
}

fn waits_for_ball_of(a_match: &PlayedMatch) -> Vec<String> {
    match a_match.the_match.next() {
        Next::Choose { what: "ball", legal, .. } => {
            legal.as_object().expect("choices").keys().cloned().collect()
        }
        other => panic!("a ball is due, not {other:?}"),
    }
}

#[test]
fn an_express_ball_that_stands_as_a_no_ball_is_followed_by_a_free_hit_in_full() {
    let mut a_match = in_over_two("off", 0);
    assert_eq!(waits_for_ball_of(&a_match), ["over_card"]);
    let no_ball =
        stands(&mut a_match, json!({"over_card": "blank1"}), &[], json!({"extras": {"no_balls": 1}}));
    assert!(!no_ball.outcome.legal);
    let due = waits_for_ball_of(&a_match);
    assert!(due.contains(&"bowl".to_owned()) && !due.contains(&"over_card".to_owned()), "{due:?}");
    let free_hit = a_match.ball_with(json!({}), &[6, 1]);
    assert_eq!((free_hit.outcome.wicket, &free_hit.outcome.detail["free_hit"]), (None, &json!(true)));
    assert_eq!(waits_for_ball_of(&a_match), ["over_card"], "the second card is express");
    let express = a_match.ball_with(json!({"over_card": "one"}), &[]);
    assert_eq!(express.outcome.runs.total, 1);
    assert!(waits_for_ball_of(&a_match).contains(&"bowl".to_owned()));
}

#[test]
fn a_dead_ball_that_stands_as_one_of_the_six_is_not_bowled_again() {
    let mut a_match = begun("off");
    let counted = stands(&mut a_match, json!({"over_card": "blank4"}), &[], json!({"legal": true}));
    assert!(counted.outcome.legal);
    assert!(waits_for_ball_of(&a_match).contains(&"over_card".to_owned()));
    let refused = a_match
        .enter(third_umpire_test_support::logs::ball(json!({})), &[3, 3])
        .expect_err("a card is to be turned");
    assert_eq!(refused.ruling.map(|ruling| ruling.id), Some("ctg.ball.over_card"));
}

#[test]
fn an_over_has_cards_enough_however_many_of_its_balls_do_not_count() {
    let mut a_match = begun("off");
    let not_legal = || json!({"legal": false});
    stands(&mut a_match, json!({"over_card": "blank1"}), &[3, 3], not_legal());
    for _ in 0..20 {
        assert!(!waits_for_ball_of(&a_match).contains(&"over_card".to_owned()));
        stands(&mut a_match, json!({}), &[3, 3], not_legal());
    }
    a_match.ball_with(json!({}), &[3, 3]);
    for card in ["blank2", "blank3", "snick", "one", "two"] {
        a_match.ball_with(json!({"over_card": card}), &[3, 3]);
    }
    assert_eq!(a_match.the_match.play().next_over(), (1, 2));
}

/// Outcomes that a table may agree on.
fn outcomes() -> [Value; 8] {
    [
        json!({"extras": {"no_balls": 1}}),
        json!({"legal": false}),
        json!({"runs": {"batter": 4}, "extras": {}, "wicket": null}),
        json!({"extras": {"no_balls": 1}, "legal": true}),
        json!({"runs": {"batter": 0}, "extras": {}, "wicket": {"kind": "run out"}}),
        json!({"legal": true}),
        json!({"extras": {"wides": 2}, "wicket": null}),
        json!({"runs": {"batter": 3}, "extras": {"byes": 1}, "wicket": null}),
    ]
}

#[test]
fn a_match_comes_to_its_end_whatever_the_table_agrees_on_at_every_third_ball() {
    let built_in = as_edition(serde_json::from_str(built_in_edition()).expect("JSON"));
    for (k, byte) in ["07", "5e", "a1", "c3", "d8", "f0"].into_iter().enumerate() {
        let format = if k % 2 == 0 { "t10" } else { "t20" };
        let mut a_match = seeded(&built_in, json!({"format": format, "drs": "on"}), byte);
        let (mut accepted, mut steps) = (0, 0);
        while !matches!(a_match.the_match.play().phase(), Phase::Completed(_)) {
            steps += 1;
            assert!(steps < 2_000, "{:?}", a_match.the_match.next());
            if steps % 3 == 0 {
                let outcome = outcomes()[(steps / 3 + k) % outcomes().len()].clone();
                let input = Input::Agreed(object(json!({})), agreed(outcome));
                let mut dice = a_match.seeded_dice().expect("a seed");
                accepted += usize::from(a_match.put(input, &mut dice).is_ok());
                continue;
            }
            let input = a_match.the_match.default_input();
            put(&mut a_match, input);
        }
        assert!(accepted > 20, "{accepted} balls have an agreed outcome");
        assert!(overs(&a_match.log).all(|over| over.over <= if format == "t10" { 10 } else { 20 }));
    }
}

#[test]
fn there_is_no_target_while_a_review_may_open_the_first_innings_again() {
    for (input, dice, due) in
        [(Input::Review { by: Side::Home }, &[6][..], None), (Input::Accept { by: Side::Home }, &[], Some(1))]
    {
        let mut a_match = in_over_two("on", 6);
        for card in ["blank1", "blank2", "blank3"] {
            let dice: &[i64] = if card == "blank3" { &[3, 3] } else { &[] };
            stands(&mut a_match, json!({"over_card": card}), dice, json!({"wicket": {"kind": "bowled"}}));
        }
        let lbw = a_match.ball_with(json!({"over_card": "blank5"}), &[6, 2, 6]);
        assert!(lbw.outcome.wicket.is_some());
        assert_eq!(a_match.the_match.reviews().open().map(|open| open.by), Some(Side::Home));
        assert_eq!(a_match.the_match.reviews().target(), None, "nine or ten are out");
        let events = a_match.enter(input, dice).expect("a review is due");
        assert!(matches!(events[0], EventData::Review(_)));
        assert_eq!(a_match.the_match.reviews().target(), due);
    }
}
