//! Innings of Howzat: who bats, when an innings ends, and who wins.

use serde_json::{Value, json};
use third_umpire::log::{Ball, CoinFace, EventData, MatchCompleted, Over, TossChoice};
use third_umpire::matches::{Input, Phase};
use third_umpire::rules::{Next, ResultView};
use third_umpire::scorebook::{MatchResult, Side};
use third_umpire_test_support::logs::{PlayedMatch, ball, dice_for, heads};

use crate::tables::{check_rows, rows};

const STRIKE: &str = include_str!("strike.txt");
const MAIDEN: &str = ". . . . . .";

#[test]
fn the_strike_moves_as_the_table_says() {
    check_rows(rows(STRIKE), |row| {
        let mut innings = PlayedMatch::in_play(json!({}));
        innings.balls(row.given);
        let next = innings.ball(dice_for(".")).outcome;
        format!("{} {}", next.striker, next.non_striker)
    });
}

#[test]
fn the_toss_is_won_by_the_right_call_and_its_winner_bats_or_bowls() {
    let cases = [
        (Side::Home, CoinFace::Heads, 1, TossChoice::Bat, Side::Home, "A1"),
        (Side::Home, CoinFace::Heads, 2, TossChoice::Bat, Side::Away, "B1"),
        (Side::Home, CoinFace::Tails, 2, TossChoice::Bowl, Side::Home, "B1"),
        (Side::Away, CoinFace::Tails, 2, TossChoice::Bat, Side::Away, "B1"),
        (Side::Away, CoinFace::Tails, 1, TossChoice::Bowl, Side::Home, "B1"),
        (Side::Away, CoinFace::Heads, 1, TossChoice::Bowl, Side::Away, "A1"),
    ];
    for (caller, call, coin, to, winner, striker) in cases {
        let mut a_match = PlayedMatch::created(json!({}));
        a_match.enter(Input::Toss { caller, call }, &[coin]).expect("a toss");
        assert_eq!(a_match.the_match.play().phase(), Phase::TossDecision(winner));
        a_match.enter(Input::TossDecision { to }, &[]).expect("a decision");
        assert_eq!(a_match.ball(dice_for(".")).outcome.striker, striker, "{caller} {call:?} {coin} {to:?}");
    }
}

#[test]
fn a_match_says_what_it_waits_for_at_every_step() {
    fn pending(a_match: &PlayedMatch) -> (Option<Side>, &'static str) {
        match a_match.the_match.next() {
            Next::Choose { side, what, .. } => (side, what),
            Next::Roll { what, sides } => {
                assert_eq!(sides, 6);
                (None, what)
            }
            Next::Finished { .. } => (None, "nothing"),
        }
    }
    let mut a_match = PlayedMatch::created(json!({"overs": 1}));
    let mut steps = vec![pending(&a_match)];
    a_match.enter(heads(), &[1]).expect("heads");
    steps.push(pending(&a_match));
    a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A bats");
    for balls in ["", ".", "W", ". . . W"] {
        a_match.balls(balls);
        steps.push(pending(&a_match));
    }
    a_match.balls("W 1");
    steps.push(pending(&a_match));
    let expected = [
        (None, "toss"),
        (Some(Side::Home), "toss_decision"),
        (Some(Side::Away), "over"),
        (None, "bowl"),
        (Some(Side::Home), "next_batter"),
        // The sixth ball took a wicket and ended the innings: nobody comes in, and the other side chooses its
        // field.
        (Some(Side::Home), "over"),
        (None, "nothing"),
    ];
    assert_eq!(steps, expected);
}

#[test]
fn after_a_wicket_on_the_last_ball_of_an_over_the_over_is_chosen_before_the_batter() {
    let mut innings = PlayedMatch::in_play(json!({}));
    innings.balls(". . . . . W");
    assert!(matches!(innings.the_match.next(), Next::Choose { side: Some(Side::Away), what: "over", .. }));
    innings.over(json!({}));
    let Next::Choose { side, what, legal, default } = innings.the_match.next() else {
        panic!("a batter is due")
    };
    assert_eq!((side, what, default), (Some(Side::Home), "next_batter", json!("A3")));
    assert_eq!(legal, json!(["A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11"]));
    let next = innings.ball_with(json!({"next_batter": "A9"}), dice_for(".")).outcome;
    assert_eq!([next.striker, next.non_striker], ["A2", "A9"]);
}

#[test]
fn the_next_batter_may_come_with_the_ball_that_begins_an_over_by_default() {
    let mut innings = PlayedMatch::in_play(json!({}));
    innings.balls(". . . . . W");
    let events = innings.enter(ball(json!({"next_batter": "A9"})), dice_for(".")).expect("legal");
    let [EventData::Over(Over { over: 2, .. }), EventData::Ball(ball)] = events.as_slice() else {
        panic!("the second over and its first ball are due, not {events:?}");
    };
    assert_eq!(ball.outcome.non_striker, "A9");
}

/// The batters who came in with each ball, as the log has them; `-` for nobody.
fn came_in(balls: &[Ball]) -> Vec<&str> {
    let name = |ball: &Ball| ball.choices.len() == usize::from(ball.choices.contains_key("next_batter"));
    assert!(balls.iter().all(name), "next_batter is all there is to choose");
    balls
        .iter()
        .map(|ball| ball.choices.get("next_batter").map_or("-", |name| name.as_str().unwrap()))
        .collect()
}

#[test]
fn batters_come_in_by_team_order_but_for_those_who_were_chosen_before() {
    let mut innings = PlayedMatch::in_play(json!({}));
    innings.over(json!({"openers": ["A10", "A2"]}));
    let first = innings.ball(dice_for("W"));
    assert_eq!([first.outcome.striker.as_str(), &first.outcome.non_striker], ["A10", "A2"]);
    let chosen = [Some("A4"), None, None, Some("A11"), None];
    let balls: Vec<Ball> = chosen
        .into_iter()
        .map(|name| {
            innings.ball_with(name.map_or(json!({}), |name| json!({"next_batter": name})), dice_for("W"))
        })
        .collect();
    assert_eq!(came_in(&balls), ["A4", "A1", "A3", "A11", "A5"]);
    innings.ball(dice_for("."));
    assert_eq!(came_in(&[innings.ball(dice_for("."))]), ["-"]);
}

#[test]
fn the_openers_that_are_left_out_are_the_first_two_and_are_written_down() {
    let mut innings = PlayedMatch::in_play(json!({}));
    assert_eq!(innings.over(json!({})).choices["openers"], json!(["A1", "A2"]));
    innings.balls(MAIDEN);
    assert_eq!(innings.over(json!({})).choices.get("openers"), None);
}

/// The end of a played match: the place of each innings' last ball, and the result.
fn played(rules: Value, first: &str, second: &str) -> (Vec<(u16, u32)>, MatchResult) {
    let mut a_match = PlayedMatch::in_play(rules);
    a_match.balls(first);
    a_match.balls(second);
    let last = |innings: u16| {
        let last = a_match.log.iter().rev().find_map(|event| match event {
            EventData::Ball(ball) if ball.innings == innings => Some((ball.over, ball.ball)),
            _ => None,
        });
        last.expect("an innings has a ball")
    };
    let Some(EventData::MatchCompleted(MatchCompleted { result, seeds: None })) = a_match.log.last() else {
        panic!("the match is not over, or has seeds to open: {:?}", a_match.log.last());
    };
    assert_eq!(a_match.the_match.play().phase(), Phase::Completed(*result));
    assert_eq!(
        (a_match.the_match.play().status(), a_match.the_match.play().result()),
        ("completed", Some(*result))
    );
    let told = ResultView::of(&a_match.the_match.play().info().created, *result);
    assert_eq!(a_match.the_match.next(), Next::Finished { result: Some(told) });
    (vec![last(1), last(2)], *result)
}

fn one_over() -> Value {
    json!({"overs": 1})
}

const ALL_OUT: &str = "W W W W W W  W W W W";

#[test]
fn the_side_defending_wins_by_runs() {
    let expected = (vec![(1, 6), (1, 6)], MatchResult::by_runs(Side::Home, 1));
    assert_eq!(played(one_over(), "6 4 . . . 1", "4 6 . . . ."), expected);
    let expected = (vec![(1, 6), (1, 6)], MatchResult::by_runs(Side::Home, 36));
    assert_eq!(played(one_over(), "6 6 6 6 6 6", MAIDEN), expected);
}

#[test]
fn the_side_chasing_wins_by_wickets_on_the_ball_that_reaches_the_target() {
    let expected = (vec![(1, 6), (1, 3)], MatchResult::by_wickets(Side::Away, 10));
    assert_eq!(played(one_over(), "4 . . . . .", ". 4 1"), expected);
    // The target is passed with a six, and on the very last ball.
    let expected = (vec![(1, 6), (1, 6)], MatchResult::by_wickets(Side::Away, 8));
    assert_eq!(played(one_over(), "4 . . . . .", "W 2 W . . 6"), expected);
}

#[test]
fn a_target_can_be_reached_by_a_wide_a_no_ball_or_byes() {
    for (winning, place) in [("wd", (1, 3)), ("nb", (1, 3)), ("b1", (1, 3)), ("lb4", (1, 3))] {
        let expected = (vec![(1, 6), place], MatchResult::by_wickets(Side::Away, 9));
        assert_eq!(played(one_over(), "4 . . . . .", &format!("4 W {winning}")), expected, "{winning}");
    }
}

#[test]
fn one_run_wins_after_an_innings_of_none() {
    let expected = (vec![(1, 6), (1, 1)], MatchResult::by_wickets(Side::Away, 10));
    assert_eq!(played(one_over(), MAIDEN, "wd"), expected);
}

#[test]
fn level_scores_are_a_tie_whether_the_overs_or_the_wickets_run_out() {
    let ten = "4 6 . . . .";
    assert_eq!(played(one_over(), ten, "6 4 . . . ."), (vec![(1, 6), (1, 6)], MatchResult::tie()));
    let two_overs = json!({"overs": 2});
    let expected = (vec![(2, 6), (2, 6)], MatchResult::tie());
    let all_out = "W W W W W W  b4 6 W W W W";
    assert_eq!(played(two_overs, &format!("{ten} {MAIDEN}"), all_out), expected);
    assert_eq!(played(one_over(), MAIDEN, "W W W W W W"), (vec![(1, 6), (1, 6)], MatchResult::tie()));
}

#[test]
fn an_innings_ends_with_its_tenth_wicket_wherever_that_falls_in_an_over() {
    let expected = (vec![(2, 4), (1, 2)], MatchResult::by_wickets(Side::Away, 10));
    assert_eq!(played(json!({}), ALL_OUT, ". 1"), expected);
    let expected = (vec![(2, 5), (2, 4)], MatchResult::by_runs(Side::Home, 1));
    assert_eq!(played(json!({}), "W W W W W W  wd W W W W", ALL_OUT), expected);
}

#[test]
fn a_chase_in_which_the_last_pair_wins_is_won_by_one_wicket() {
    let expected = (vec![(2, 6), (2, 4)], MatchResult::by_wickets(Side::Away, 1));
    let maidens = format!("{MAIDEN} {MAIDEN}");
    assert_eq!(played(json!({"overs": 2}), &maidens, "W W W W W W  W W W 1"), expected);
}

#[test]
fn a_run_off_the_ball_that_ends_the_overs_counts() {
    let expected = (vec![(1, 6), (1, 6)], MatchResult::by_wickets(Side::Away, 10));
    assert_eq!(played(one_over(), MAIDEN, ". . . . . 1"), expected);
    let expected = (vec![(1, 7), (1, 6)], MatchResult::by_runs(Side::Home, 2));
    assert_eq!(played(one_over(), ". . . . . wd 1", MAIDEN), expected);
}

#[test]
fn deliveries_are_numbered_through_the_match_and_places_through_the_over() {
    let mut a_match = PlayedMatch::in_play(json!({"overs": 2}));
    let numbers = |ball: Ball| (ball.innings, ball.over, ball.ball, ball.delivery);
    assert_eq!(a_match.balls("wd nb . .").map(numbers), Some((1, 1, 4, 4)));
    assert_eq!(a_match.balls(". . . .").map(numbers), Some((1, 1, 8, 8)));
    assert_eq!(a_match.balls(".").map(numbers), Some((1, 2, 1, 9)));
    assert_eq!(a_match.balls(". . . . . .").map(numbers), Some((2, 1, 1, 15)));
}

// A wide is bowled again, and no rule limits how often: at a table somebody may enter any number of them.
#[test]
fn an_over_may_have_more_wides_than_sixteen_bits_count() {
    let mut innings = PlayedMatch::in_play(json!({}));
    for place in 1..=65_600 {
        assert_eq!(i64::from(innings.ball(dice_for("wd")).ball), place);
        innings.log.clear();
    }
}

#[test]
fn fifty_overs_a_side_is_six_hundred_balls() {
    let innings = format!("{MAIDEN} ").repeat(50);
    let mut a_match = PlayedMatch::in_play(json!({"overs": 50}));
    a_match.balls(&innings);
    let last = a_match.balls(&innings).expect("a last ball");
    assert_eq!((last.innings, last.over, last.ball, last.delivery), (2, 50, 6, 600));
    assert_eq!(a_match.the_match.play().result(), Some(MatchResult::tie()));
    let overs = a_match.log.iter().filter(|event| matches!(event, EventData::Over(_))).count();
    assert_eq!(overs, 100);
}

#[test]
fn an_abandoned_match_has_no_result() {
    let mut a_match = PlayedMatch::in_play(json!({}));
    a_match.balls("4 W");
    let events = a_match.enter(Input::Abandon { reason: "rain".to_owned() }, &[]).expect("legal");
    let [EventData::MatchAbandoned(abandoned)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((abandoned.reason.as_str(), &abandoned.seeds), ("rain", &None));
    assert_eq!((a_match.the_match.play().status(), a_match.the_match.play().result()), ("abandoned", None));
    assert_eq!(a_match.the_match.next(), Next::Finished { result: None });
}
