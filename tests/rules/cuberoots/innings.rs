//! Innings: who bats and bowls, when an innings ends, and who wins.

use serde_json::{Value, json};
use third_umpire::matches::Phase;
use third_umpire::scorebook::{MatchResult, Method};
use third_umpire_test_support::logs::PlayedMatch;

use super::{at_the_table, balls, bowl, overs};
use crate::tables::{check_rows, rows};

const INNINGS: &str = include_str!("innings.txt");
const STRIKE: &str = include_str!("strike.txt");

#[test]
fn innings_end_and_matches_are_won_as_the_table_says() {
    check_rows(rows(INNINGS), |row| {
        let (rules, signs) = row.given.split_once("} ").expect("options, and then balls");
        let mut rules: Value = serde_json::from_str(&format!("{rules}}}")).expect("JSON");
        rules["variant"] = json!(row.heading);
        let a_match = played(rules, signs);
        let Phase::Completed(result) = a_match.the_match.play().phase() else { return "not over".to_owned() };
        let target = match a_match.the_match.reviews().target() {
            Some(target) => format!("target {target}"),
            None => "no target".to_owned(),
        };
        format!("{target}; {}", in_words(result))
    });
}

/// Plays innings separated by `/`, and asserts that each ends where it should.
fn played(rules: Value, signs: &str) -> PlayedMatch {
    let innings: Vec<&str> = signs.split('/').collect();
    let of_all = if rules["variant"] == "test" { 4 } else { 2 };
    let mut a_match = at_the_table(rules);
    for (number, signs) in (1..).zip(innings) {
        assert_eq!(a_match.the_match.play().next_over().0, number, "the innings before has ended");
        assert!(number == of_all || a_match.the_match.reviews().target().is_none(), "no target as yet");
        let last = bowl(&mut a_match, signs).expect("an innings has a ball");
        assert_eq!(last.innings, number, "the log ends with the last ball");
    }
    a_match
}

fn in_words(result: MatchResult) -> String {
    match (result.winner, result.method) {
        (None, Method::Tie) => "a tie".to_owned(),
        (Some(winner), Method::Innings) => format!("{winner} by an innings and {}", result.margin),
        (Some(winner), Method::Runs | Method::Wickets) => format!("{winner} by {}", result.margin),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_strike_moves_as_the_table_says() {
    check_rows(rows(STRIKE), |row| {
        let mut innings = at_the_table(json!({}));
        bowl(&mut innings, row.given);
        let next = bowl(&mut innings, "1").expect("a ball").outcome;
        format!("{} {}", next.striker, next.non_striker)
    });
}

#[test]
fn dots_in_a_row_count_in_the_next_over_but_not_in_the_next_innings() {
    let mut a_match = at_the_table(json!({"overs": 2}));
    let needed = |a_match: &mut PlayedMatch, sign| {
        bowl(a_match, sign).expect("a ball").outcome.detail["needed"].clone()
    };
    bowl(&mut a_match, "1 . 1 . . .");
    assert_eq!(needed(&mut a_match, "."), 2);
    bowl(&mut a_match, "1 . . . .");
    assert_eq!(a_match.the_match.play().next_over(), (2, 1));
    assert_eq!(needed(&mut a_match, "."), 5);
}

#[test]
fn an_innings_ends_after_a_thousand_overs() {
    let mut a_match = at_the_table(json!({"overs": 1000}));
    let mut unlimited = at_the_table(json!({}));
    for innings in [&mut a_match, &mut unlimited] {
        for _ in 0..1000 {
            bowl(innings, "1 1 1 1 1 1");
        }
        assert_eq!(innings.the_match.play().next_over(), (2, 1));
    }
}

#[test]
fn anybody_of_the_side_bowls_also_twice_running_and_else_the_side_itself() {
    let mut a_match = at_the_table(json!({}));
    for (choices, bowler) in [
        (json!({}), "B"),
        (json!({"bowler": "B4"}), "B4"),
        (json!({"bowler": "B4"}), "B4"),
        (json!({"bowler": "B"}), "B"),
        (json!({"bowler": null}), "B"),
    ] {
        assert_eq!(
            a_match.over(choices).choices,
            third_umpire_test_support::logs::object(json!({"bowler": bowler}))
        );
        let last = bowl(&mut a_match, "1 1 1 1 1 W").expect("six balls").outcome;
        assert_eq!(
            (last.bowler.as_str(), last.wicket.expect("out").bowler.as_deref()),
            (bowler, Some(bowler))
        );
    }
    // A ball that begins an over does so for its side.
    bowl(&mut a_match, "1");
    assert_eq!(overs(&a_match.log).last().expect("an over").choices["bowler"], "B");
}

#[test]
fn a_wicket_on_the_last_ball_of_an_innings_brings_nobody_in() {
    let mut a_match = at_the_table(json!({"overs": 1}));
    bowl(&mut a_match, "1 . . . . W 1");
    let last = balls(&a_match.log).last().expect("a ball");
    assert_eq!((last.innings, last.outcome.striker.as_str(), last.outcome.bowler.as_str()), (2, "B1", "A"));
}
