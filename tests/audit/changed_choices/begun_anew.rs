//! Changed choices of a ball that was begun anew after its outcome was seen, taken back while it waited for
//! an answer, and bowled once more. The choices that count are those with which an outcome was seen.

use serde_json::{Value, json};
use third_umpire::matches::corrections::CorrectionTarget;
use third_umpire::rules::Next;
use third_umpire_test_support::logs::{LogMaker, Setting};

use super::{again_from, ball, changed, over};

/// A T20 of the board game in its first over.
fn board() -> LogMaker {
    first_over(Setting::board_game(json!({"format": "t20"})).seeded().set_up_by_default().home_bats())
}

fn first_over(maker: LogMaker) -> LogMaker {
    over(maker, json!({"bowler": "Thulani Mabasa"}))
}

/// The choices of the first ball with a bowl after which two strokes wait for an answer, with each of them.
fn two_that_wait() -> [Value; 2] {
    let Next::Choose { legal, .. } = board().the_match().next() else { panic!("a ball is due") };
    let all = |name: &str| legal[name].as_array().unwrap().clone();
    let strokes = |bowl: &Value| -> Vec<Value> {
        let choices = |stroke: Value| json!({"bowl": bowl, "stroke": stroke, "attitude": "aggressive"});
        all("stroke")
            .into_iter()
            .map(choices)
            .filter(|choices| waits(&ball(board(), choices.clone())))
            .collect()
    };
    let two = all("bowl").iter().map(strokes).find(|strokes| strokes.len() > 1);
    let [one, other, ..] = &two.expect("a bowl with two such strokes")[..] else { unreachable!() };
    [one.clone(), other.clone()]
}

fn waits(maker: &LogMaker) -> bool {
    maker.sealed.events.last().is_some_and(|event| event.data.kind() == "roll")
}

/// Takes back the ball that waits for an answer.
fn begin_taken_back(maker: LogMaker) -> LogMaker {
    let begun = maker.sealed.events.last().unwrap().seq;
    maker.corrected(CorrectionTarget::FromEvent(begun), "not yet")
}

fn line(one: &Value, other: &Value) -> String {
    format!("delivery 1 (innings 1, 0.1), stroke: {} -> {}", one["stroke"], other["stroke"])
}

#[test]
fn the_audit_tells_a_stroke_changed_over_a_begun_ball() {
    let [one, other] = two_that_wait();
    let bowled = |maker: LogMaker, choices: &Value| ball(maker, choices.clone()).answering_at_random(1);
    let maker = ball(first_over(again_from(bowled(board(), &one), 1)), other.clone());
    assert!(waits(&maker));
    let due = [line(&one, &other)];
    assert_eq!(changed(&maker, &["stroke"]), due, "told while the ball waits");
    let maker = begin_taken_back(maker);
    assert_eq!(changed(&maker, &["stroke"]), due);
    let maker = bowled(maker, &other);
    assert_eq!(changed(&maker, &["stroke"]), due, "and once");
    let maker = bowled(first_over(again_from(maker, 1)), &one);
    assert_eq!(changed(&maker, &["stroke"]), [line(&one, &other), line(&other, &one)]);
}

#[test]
fn a_stroke_that_was_never_seen_and_one_that_stays_are_not_told() {
    let [one, other] = two_that_wait();
    let maker = ball(board(), one.clone()).answering_at_random(1);
    let maker = begin_taken_back(ball(first_over(again_from(maker, 1)), one.clone()));
    let maker = ball(maker, one.clone());
    assert_eq!(changed(&maker, &["stroke", "attitude", "bowl", "field"]), [""; 0]);
    let maker = begin_taken_back(ball(board(), one.clone()));
    let maker = begin_taken_back(ball(maker, other.clone()));
    let maker = ball(maker, other.clone()).answering_at_random(1);
    assert_eq!(changed(&maker, &["stroke"]), [line(&one, &other)], "dice had been seen with the first");
}

#[test]
fn the_audit_tells_an_answer_changed_over_a_begun_ball() {
    let [one, _] = two_that_wait();
    let maker = ball(board(), one.clone());
    let Next::Choose { what, legal, .. } = maker.the_match().next() else { panic!("an answer is due") };
    let answered = |maker: LogMaker, at: usize| {
        let maker = ball(maker, json!({what: legal[at]}));
        if waits(&maker) { maker.answering_at_random(1) } else { maker }
    };
    let maker = ball(first_over(again_from(answered(maker, 0), 1)), one.clone());
    let maker = answered(ball(begin_taken_back(maker), one.clone()), 1);
    let due = format!("delivery 1 (innings 1, 0.1), {what}: {} -> {}", legal[0], legal[1]);
    assert_eq!(changed(&maker, &[what]), [due]);
}
