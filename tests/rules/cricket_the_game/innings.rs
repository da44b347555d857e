//! The end of an innings and of a match.

use serde_json::json;
use third_umpire::log::EventData;
use third_umpire::matches::Phase;
use third_umpire::rules::Next;
use third_umpire::scorebook::{Method, Side};

use super::story::Story;
use super::{last_ball, overs};

/// Plays the first innings of a T10 with this number of runs in its first over, and none after it.
fn first_innings(story: &mut Story, runs: &[&str]) {
    story.begin_over();
    for run in runs {
        match *run {
            "1" => story.bowl("run:1", &[3, 4, 3, 1]),
            "2" => story.bowl("run:2", &[3, 4, 5, 1]),
            "4" => story.bowl("", &[1, 6]),
            other => panic!("no dice for {other}"),
        }
        .unwrap_or_else(|refusal| panic!("{run}: {refusal}"));
    }
    while story.played.the_match.play().next_over().0 == 1 {
        story.dot();
    }
}

fn t10() -> Story {
    Story::begin("by:B5", "format:t10")
}

#[test]
fn level_scores_after_all_overs_are_a_win_for_the_side_that_batted_first() {
    for (format, length) in [("t10", 10), ("t20", 20)] {
        let mut story = Story::begin("", &format!("format:{format}"));
        while story.played.the_match.play().result().is_none() {
            story.dot();
        }
        let result = story.played.the_match.play().result().expect("a result");
        assert_eq!((result.winner, result.method), (Some(Side::Home), Method::LevelFirstSide));
        assert_eq!(last_ball(&story.played.log).expect("a ball").delivery, 2 * 6 * length);
        assert_eq!(overs(&story.played.log).count() as u32, 2 * length);
    }
}

#[test]
fn an_innings_ends_with_its_tenth_wicket_and_the_other_side_has_to_exceed_the_total() {
    let mut story = t10();
    story.begin_over();
    story.bowl("", &[1, 6]).expect("four");
    while story.played.the_match.play().next_over().0 == 1 {
        story.wicket_or_dot();
    }
    let wickets = |innings: u16, story: &Story| {
        let balls = story.played.log.iter().filter_map(|event| match event {
            EventData::Ball(ball) if ball.innings == innings => Some(ball.outcome.wicket.is_some()),
            _ => None,
        });
        balls.filter(|wicket| *wicket).count()
    };
    assert_eq!(wickets(1, &story), 10);
    assert_eq!(story.played.the_match.reviews().target(), Some(5));
    // The chase begins anew, and four is not enough.
    story.begin_over();
    let ball = story.bowl("", &[1, 6]).expect("four");
    assert_eq!((ball.outcome.striker.as_str(), ball.outcome.bowler.as_str()), ("B1", "A5"));
    assert_eq!(ball.outcome.detail["confidence"], 2);
    assert_eq!(story.played.the_match.play().phase(), Phase::Play);
    while story.played.the_match.play().result().is_none() {
        story.wicket_or_dot();
    }
    let result = story.played.the_match.play().result().expect("a result");
    assert_eq!((result.winner, result.method), (Some(Side::Home), Method::LevelFirstSide));
    assert_eq!(wickets(2, &story), 10);
}

#[test]
fn the_match_ends_with_the_ball_that_reaches_the_target() {
    let mut story = t10();
    first_innings(&mut story, &["4"]);
    story.begin_over();
    story.bowl("", &[6, 1]).expect("out");
    story.bowl("", &[1, 6]).expect("four");
    let ball = story.bowl("", &[1, 8]).expect("six");
    assert_eq!(ball.outcome.runs.total, 6);
    let result = story.played.the_match.play().result().expect("a result");
    assert_eq!(
        (result.winner, result.method, result.margin.wickets),
        (Some(Side::Away), Method::Wickets, Some(9))
    );
    assert!(matches!(story.played.the_match.next(), Next::Finished { .. }));
    assert_eq!(story.played.log.last().expect("an event").kind(), "match_completed");
}

#[test]
fn the_side_that_falls_short_loses_by_runs() {
    let mut story = t10();
    first_innings(&mut story, &["4", "4"]);
    while story.played.the_match.play().result().is_none() {
        story.dot();
    }
    let result = story.played.the_match.play().result().expect("a result");
    assert_eq!((result.winner, result.method, result.margin.runs), (Some(Side::Home), Method::Runs, Some(8)));
}

#[test]
fn no_further_run_is_offered_once_the_target_is_reached() {
    // One run is needed, and one is safe.
    let mut story = t10();
    first_innings(&mut story, &[]);
    story.begin_over();
    let refused = story.clone().bowl("run:2", &[3, 4, 1, 1, 1]).expect_err("not asked");
    assert_eq!(refused.ruling.map(|ruling| ruling.id), Some("ctg.ball.not_asked"));
    let ball = story.bowl("", &[3, 4, 1, 1]).expect("nobody is asked");
    assert_eq!((ball.outcome.runs.total, ball.choices.contains_key("run")), (1, false));
    assert!(story.played.the_match.play().result().is_some());
    // Two runs are needed: the second may be tried.
    let mut story = t10();
    first_innings(&mut story, &["1"]);
    story.begin_over();
    let Err(refusal) = story.clone().bowl("", &[3, 4, 1, 1]) else { panic!("the match asks for a decision") };
    assert_eq!(refusal.legal, json!([1, 2]));
    story.bowl("run:2", &[3, 4, 1, 1, 4]).expect("two");
    assert!(story.played.the_match.play().result().is_some());
    // No run is safe out of the air: the one that is needed may be tried, and a run out gains nothing.
    let mut story = t10();
    first_innings(&mut story, &[]);
    story.begin_over();
    let ball = story.bowl("run:1", &[3, 4, 1, 5, 6]).expect("run out");
    assert_eq!((ball.outcome.runs.total, ball.outcome.wicket.is_some()), (0, true));
    assert_eq!(story.played.the_match.play().result(), None);
}

#[test]
fn a_no_ball_counts_towards_the_target_before_a_further_run_is_offered() {
    let mut story = Story::begin("by:B5", r#"format:t10 rip=[{"then":"no_ball"}]"#);
    first_innings(&mut story, &["1"]);
    story.begin_over();
    let ball = story.bowl("skill:rip", &[3, 4, 1, 1]).expect("nobody is asked");
    assert_eq!((ball.outcome.runs.extras, ball.outcome.runs.batter), (1, 1));
    assert!(story.played.the_match.play().result().is_some());
}

#[test]
fn runs_that_were_completed_count_with_the_tenth_wicket_and_on_the_last_ball() {
    let mut story = t10();
    let mut wickets = 0;
    while wickets < 9 {
        wickets += u32::from(story.wicket_or_dot().outcome.wicket.is_some());
    }
    while story.legal().get("stroke").is_none() {
        story.dot();
    }
    // Whoever bats or bowls, two run on the ground of the infield are a run out on 5, with one completed.
    let ball = story.bowl("stroke:off_cover run:2", &[2, 4, 1, 1, 5]).expect("run out");
    assert_eq!((ball.outcome.runs.total, ball.outcome.wicket.is_some()), (1, true));
    assert_eq!(story.played.the_match.reviews().target(), Some(2));
    // The last ball of the match is next.
    let mut story = t10();
    first_innings(&mut story, &["1"]);
    while story.played.the_match.play().next_over() != (2, 10) {
        story.dot();
    }
    (0..5).for_each(|_| drop(story.dot()));
    let ball = story.bowl("stroke:off_cover run:2", &[2, 4, 1, 1, 5]).expect("run out");
    assert_eq!((ball.over, ball.ball, ball.outcome.runs.total), (10, 6, 1));
    let result = story.played.the_match.play().result().expect("the last ball");
    assert_eq!((result.winner, result.method), (Some(Side::Home), Method::LevelFirstSide));
}
