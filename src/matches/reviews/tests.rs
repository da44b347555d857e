use serde_json::json;

use super::*;
use crate::dice::TableDice;
use crate::matches::Match;
use crate::matches::test_match::{entered, howzat_in_play, next_ball};

const LBW: &[i64] = &[5, 5];

/// A match in which the first ball is an lbw that home can have reviewed.
fn reviewable() -> Match {
    entered(&howzat_in_play(json!({"overs": 5, "drs": "house"})), next_ball(), LBW).1
}

fn refused(the_match: &Match, by: Side) -> RefusalKind {
    the_match.reviews().decide(by, &mut TableDice::new(&[1])).expect_err("refused").kind
}

#[test]
fn a_wicket_opens_its_review_for_the_batting_side_only() {
    let the_match = reviewable();
    let reviews = the_match.reviews();
    assert_eq!(reviews.open(), Some(OpenReview { delivery: 1, by: Side::Home, left: 1 }));
    assert!(matches!(reviews.next(), Next::Choose { side: Some(Side::Home), what: REVIEW, .. }));
    assert_eq!(reviews.refuse_if_open().expect_err("open").kind, RefusalKind::ReviewOpen);
    assert_eq!(refused(&the_match, Side::Away), RefusalKind::IllegalInput);
    assert!(!reviews.is_played_out());
}

#[test]
fn a_review_is_spent_unless_it_is_the_umpires_call() {
    // Each face of the review card: whether home has a review left after it, and whether the batter is back.
    for face in 1..=6 {
        let the_match = reviewable();
        let review = the_match.reviews().decide(Side::Home, &mut TableDice::new(&[face])).expect("a review");
        let made = review.made().expect("it is made").clone();
        let mut state = the_match.reviews().state.clone();
        let game = state.apply(&review);
        assert_eq!(game.is_some(), made.is_upheld(), "face {face}");
        assert_eq!(state.spent(Side::Home), u8::from(!made.retained), "face {face}");
        assert!(!state.is_open());
        assert_eq!(made.retained, made.umpires_call);
    }
}

#[test]
fn after_an_acceptance_or_the_next_ball_it_is_too_late() {
    let the_match = reviewable();
    let accepted = the_match.reviews().decide_accept(Side::Home, &mut TableDice::new(&[])).expect("accepted");
    let mut state = the_match.reviews().state.clone();
    assert!(state.apply(&accepted).is_none(), "the decision stands");
    let reviews = MatchReviews::new(the_match.play(), &state);
    assert_eq!((reviews.open(), reviews.left(Side::Home)), (None, 1));
    let late = reviews.decide(Side::Home, &mut TableDice::new(&[1])).expect_err("too late");
    assert_eq!(late.kind, RefusalKind::OutOfTurn);
}

#[test]
fn a_recorded_review_has_to_be_of_the_open_ball_and_to_come_to_its_outcome() {
    let the_match = reviewable();
    let reviews = the_match.reviews();
    let review = reviews.decide(Side::Home, &mut TableDice::new(&[6])).expect("a review");
    assert_eq!((reviews.admit(&review), reviews.check(&review)), (Ok(()), Ok(())));
    let made = review.made().expect("it is made");
    let forged = |change: fn(&mut Reviewed)| {
        let mut forged = made.clone();
        change(&mut forged);
        Review::Made(Box::new(forged))
    };
    let admitted = |review: &Review| reviews.admit(review).map_err(|invalid| invalid.field);
    assert_eq!(admitted(&forged(|made| made.delivery = 2)), Err("data.delivery".to_owned()));
    assert_eq!(admitted(&forged(|made| made.by = Side::Away)), Err("data.by".to_owned()));
    assert_eq!(admitted(&forged(|made| made.outcome.legal = false)), Err("data.outcome".to_owned()));
    let retained = forged(|made| made.retained = !made.retained);
    assert!(matches!(reviews.check(&retained), Err(Disagreement::Otherwise(_))));
}
