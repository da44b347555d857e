//! The phases of a match, what a correction reopens, and the events that follow from recorded dice.

use serde_json::json;

use super::*;
use crate::dice::TableDice;
use crate::log::{MatchAbandoned, MatchCompleted, Restoration};
use crate::matches::test_match::{entered, howzat_in_play, next_ball, play_of_howzat};

fn tossed(winner: Side) -> EventData {
    let (caller, call) = (winner, CoinFace::Tails);
    EventData::Toss(Toss::Called(CalledToss { caller, call, coin: call, winner }))
}

fn completed() -> EventData {
    EventData::MatchCompleted(MatchCompleted { result: MatchResult::tie(), seeds: None })
}

#[test]
fn a_match_goes_from_its_toss_through_play_to_its_end() {
    let mut play = play_of_howzat(json!({}), false);
    assert_eq!((play.phase(), play.status()), (Phase::Toss, "created"));
    play.apply(&tossed(Side::Away));
    assert_eq!((play.phase(), play.status()), (Phase::TossDecision(Side::Away), "in_play"));
    assert!(matches!(play.next(), Next::Choose { side: Some(Side::Away), what: "toss_decision", .. }));
    play.apply(&decide_toss(Side::Away, TossChoice::Bowl));
    assert_eq!((play.phase(), play.next_over()), (Phase::Play, (1, 1)));
    // Home bats, so away chooses the bowler.
    assert!(matches!(play.next(), Next::Choose { side: Some(Side::Away), what: "over", .. }));
    assert!(!play.has_finished());
    let mut abandoned = play.clone();
    abandoned.apply(&EventData::MatchAbandoned(MatchAbandoned { reason: "rain".to_owned(), seeds: None }));
    assert_eq!((abandoned.status(), abandoned.result()), ("abandoned", None));
    play.apply(&completed());
    assert_eq!(play.status(), "completed");
    assert!(play.result().is_some() && play.has_finished() && abandoned.has_finished());
}

#[test]
fn the_caller_wins_the_toss_whose_call_is_right() {
    for (coin, winner) in [(1, Side::Home), (2, Side::Away)] {
        let toss = make_toss(Side::Home, CoinFace::Heads, &mut TableDice::new(&[coin])).expect("a toss");
        assert_eq!(toss.winner, winner);
    }
    let missing = make_toss(Side::Home, CoinFace::Heads, &mut TableDice::new(&[])).expect_err("no coin");
    assert_eq!((missing.kind, missing.legal), (RefusalKind::NeedsInput, json!(["heads", "tails"])));
}

#[test]
fn a_toss_without_its_coin_is_reported_at_a_table_alone() {
    let (table, seeded) = (play_of_howzat(json!({}), false), play_of_howzat(json!({}), true));
    for winner in [Side::Home, Side::Away] {
        let toss = Toss::reported(winner);
        assert_eq!(table.report_toss(winner), Ok(toss.clone()));
        assert_eq!(table.admit_toss(&toss), Ok(()));
        let refused = seeded.report_toss(winner).expect_err("the coin is the seed's");
        assert_eq!((refused.kind, refused.place), (RefusalKind::IllegalInput, Place::Field("winner".into())));
        assert!(seeded.admit_toss(&toss).is_err());
        let mut play = table.clone();
        play.apply(&EventData::Toss(toss));
        assert_eq!(play.phase(), Phase::TossDecision(winner));
    }
}

#[test]
fn only_a_seeded_match_that_had_finished_is_reopened_by_a_correction() {
    for (seeded, finished, reopened) in [(true, true, true), (true, false, false), (false, true, false)] {
        let before = play_of_howzat(json!({}), seeded);
        let mut now = before.clone();
        if finished {
            now.apply(&completed());
        }
        let restoration =
            Restoration { restores: 4, voids_from_seq: 5, reason: "so".to_owned(), dice_seen: false };
        let reversal = Reversal::Restoration(&restoration);
        let corrected = now.gone_back_to(before.clone(), reversal);
        assert_eq!(corrected.is_reopened(), reopened, "seeded {seeded}, finished {finished}");
        // A second correction keeps it open, and the end of the match closes it.
        assert_eq!(corrected.gone_back_to(before, reversal).is_reopened(), reopened);
        let mut ended = corrected;
        ended.apply(&completed());
        assert!(!ended.is_reopened());
    }
}

#[test]
fn recorded_play_follows_from_its_own_choices_and_dice_only() {
    let the_match = howzat_in_play(json!({"overs": 5}));
    let (events, after) = entered(&the_match, next_ball(), &[2, 3]);
    let [over @ EventData::Over(_), EventData::Ball(ball)] = events.as_slice() else { panic!("{events:?}") };
    let play = the_match.play();
    let EventData::Over(begun) = over else { panic!("an over") };
    assert_eq!(play.check_follows(over, Play::Over(begun.choices.clone())), Ok(()));
    let another = Choices::from_iter([("bowler".to_owned(), json!("B5"))]);
    let otherwise = play.check_follows(over, Play::Over(another));
    assert!(matches!(otherwise, Err(Disagreement::Otherwise(_))), "{otherwise:?}");
    let mut begun = play.clone();
    begun.replay(over).expect("the over can begin");
    assert_eq!(begun.check_ball(ball, Choices::new(), None), Ok(()));
    let luckier = Ball { dice: ball.dice.iter().cloned().rev().collect(), ..ball.clone() };
    assert!(begun.check_ball(&luckier, Choices::new(), None).is_err());
    assert_eq!(begun.check_draw(ball), Ok(()));
    assert!(begun.check_draw(&Ball { seed: Some(Ball::draw(1)), ..ball.clone() }).is_err(), "table dice");
    assert_eq!(after.play().deliveries(), 1);
}
