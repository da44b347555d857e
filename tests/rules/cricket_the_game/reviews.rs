//! Reviews by the card of the edition: every verdict, and what can be reviewed, `reviews.txt`.

use serde_json::json;
use third_umpire::log::{EventData, Review, Reviewed};
use third_umpire::matches::{Input, Phase};
use third_umpire::rules::Next;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::over;
use third_umpire_test_support::words;

use super::last_over;
use super::refusals::in_words;
use super::story::{Story, last_result, without_detail};
use crate::tables::{Row, check_rows, rows};

const TABLE: &str = include_str!("reviews.txt");

/// The rulings on reviews that the table cites.
pub fn cited() -> impl Iterator<Item = String> {
    let words = rows(TABLE).into_iter().flat_map(|row| row.expected.split_whitespace());
    words
        .map(|word| word.strip_prefix("ctg.").unwrap_or(word))
        .filter(|word| word.starts_with("review."))
        .map(|id| format!("ctg.{id}"))
}

/// The result of a row: its last ball, as in the ball table; its last review; or the refusal of a review,
/// with its message.
fn result_of(row: &Row<'_>) -> String {
    let (words, steps) = row.given.split_once('|').expect("a bar before the balls");
    let mut story = Story::begin(row.heading, words);
    let mut result = String::new();
    for step in steps.split(" / ") {
        let step = format!(" {step}");
        let (words, dice) = step.rsplit_once(" :").expect("a colon before the dice");
        let dice: Vec<i64> = dice.split_whitespace().map(|die| die.parse().expect("a die")).collect();
        result = match words.split_whitespace().collect::<Vec<_>>().as_slice() {
            [action @ ("review" | "accept"), by] => {
                let input = input_of(action, by);
                match story.played.enter(input, &dice) {
                    Ok(events) => review_in_words(&events),
                    Err(refusal) => return in_words(&refusal),
                }
            }
            ["over"] => {
                story.played.enter(over(json!({})), &dice).expect("an over is due");
                String::new()
            }
            ["dot"] => last_result(&story.played.clone(), &story.dot(), row),
            _ => {
                story.begin_over();
                let ball = story.bowl(words, &dice).unwrap_or_else(|refusal| panic!("{step}: {refusal}"));
                last_result(&story.played, &ball, row)
            }
        };
    }
    result
}

fn input_of(action: &str, by: &str) -> Input {
    let by = if by == "batting" { Side::Home } else { Side::Away };
    if action == "review" { Input::Review { by } } else { Input::Accept { by } }
}

fn review_in_words(events: &[EventData]) -> String {
    let [EventData::Review(review), ..] = events else { panic!("a review: {events:?}") };
    let Some(made) = review.made() else { return "accepted".to_owned() };
    let verdict = match (made.is_upheld(), made.umpires_call) {
        (true, _) => "upheld",
        (false, true) => "umpire's call",
        (false, false) => "struck down",
    };
    let kept = if made.retained { "kept" } else { "lost" };
    let rulings = words::ids("ctg", &made.rulings);
    format!("{verdict}, {kept} ; {rulings} ; {}", without_detail(&made.outcome))
}

#[test]
fn every_review_comes_to_what_the_table_says() {
    check_rows(rows(TABLE), result_of);
}

const CAUGHT: &[i64] = &[3, 4, 3, 4, 4];
/// An edition in which a missed ball is appealed for, and is out on the face 6.
const APPEAL: &str = r#"drs:on by:B5 blank1=[{"when":{"so_far":["miss"]},"then":{"appeal":{"how":"lbw","die":"d6","out_on":[6]}}},{"then":{"confidence":1}}]"#;

fn begun(words: &str) -> Story {
    let mut story = Story::begin("", words);
    story.begin_over();
    story
}

fn reviewed(story: &mut Story, by: Side, die: i64) -> Reviewed {
    let events = story.played.enter(Input::Review { by }, &[die]).expect("a review");
    let Some(EventData::Review(Review::Made(made))) = events.into_iter().next() else { panic!("a review") };
    *made
}

/// Asserts that the next balls of two matches are equal, to the end of the over.
fn go_on_alike(mut one: Story, mut other: Story) {
    let state = |story: &Story| (story.played.the_match.next(), story.played.the_match.play().next_over());
    for _ in 0..5 {
        assert_eq!(state(&one), state(&other));
        assert_eq!(one.dot(), other.dot());
    }
    assert_eq!(state(&one), state(&other));
    one.begin_over();
    other.begin_over();
    assert_eq!(last_over(&one.played.log), last_over(&other.played.log));
    assert_eq!(state(&one), state(&other));
}

#[test]
fn after_an_upheld_review_the_match_is_as_if_the_revised_ball_had_been_bowled() {
    // A batter given out off a catch comes back; compared with a block of the same cards.
    let card = r#"drs:on by:B5 blank1=[{"then":{"confidence":1}}]"#;
    let [mut given_back, mut blocked] = [begun(card), begun(card)];
    given_back.bowl("", CAUGHT).expect("caught");
    assert_eq!(reviewed(&mut given_back, Side::Home, 5).outcome.wicket, None);
    let ball = blocked.bowl("", &[3, 3]).expect("blocked");
    assert_eq!(ball.outcome.detail["confidence"], 2);
    go_on_alike(given_back, blocked);
    // A batter not out at first is given out; compared with one given out at first.
    let [mut turned_down, mut given] = [begun(APPEAL), begun(APPEAL)];
    turned_down.bowl("", &[4, 3, 5]).expect("not out");
    let revised = reviewed(&mut turned_down, Side::Away, 6).outcome;
    let ball = given.bowl("", &[4, 3, 6]).expect("out");
    assert_eq!(revised.wicket, ball.outcome.wicket);
    given.played.enter(Input::Accept { by: Side::Home }, &[]).expect("accepted");
    go_on_alike(turned_down, given);
}

#[test]
fn an_innings_waits_for_the_review_of_its_last_wicket() {
    let mut story = Story::begin("by:B5", "drs:on format:t10");
    let mut wickets = 0;
    while wickets < 9 {
        wickets += u32::from(story.wicket_or_dot().outcome.wicket.is_some());
    }
    while story.legal().get("stroke").is_none() {
        story.dot();
    }
    story.bowl("", CAUGHT).expect("caught");
    for (die, innings) in [(6, 1), (1, 2)] {
        let mut story = story.clone();
        assert!(matches!(story.played.the_match.next(), Next::Choose { what: "review", .. }));
        assert_eq!(
            story.played.the_match.play().next_over().0,
            2,
            "the innings is over if the wicket stands"
        );
        reviewed(&mut story, Side::Home, die);
        assert_eq!(story.played.the_match.play().next_over().0, innings);
        assert_eq!(story.dot().innings, innings);
    }
}

#[test]
fn the_match_waits_for_the_review_of_its_last_ball() {
    let mut story = Story::begin("by:B5", "drs:on format:t10");
    while story.played.the_match.play().next_over() != (2, 10) {
        story.dot();
    }
    (0..5).for_each(|_| drop(story.dot()));
    story.bowl("", CAUGHT).expect("caught");
    assert_eq!(
        (story.played.the_match.play().phase(), story.played.the_match.play().result()),
        (Phase::Play, None)
    );
    reviewed(&mut story, Side::Away, 6);
    let last = story.played.log.last().expect("an event");
    assert_eq!(last.kind(), "match_completed");
    assert!(story.played.the_match.play().result().is_some());
}
