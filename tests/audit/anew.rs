//! A set-up, a toss or its decision that a correction decides anew: the step follows at once, then the steps
//! after it, and then all play with what was kept of it.

use serde_json::{Value, json};
use third_umpire::log::{Actor, CoinFace, TossChoice};
use third_umpire::matches::corrections::{
    AskedBall, AskedLater, Consent, CorrectionRequest, CorrectionTarget, DecidedAnew, LaterAnswer,
    RefitAnswers, TossAnew, decide,
};
use third_umpire::rules::{Choices, Place};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Log, LogMaker, Setting, with_edition};

use crate::audited::audit;

/// The correction of Howzat: event 2 is the toss, 3 its decision, 4 the over, and 5 to 8 are its balls.
const CORRECTION: u64 = 9;

/// Howzat at the table, two overs a side: four balls.
fn played() -> LogMaker {
    let balls: [&[i64]; 4] = [&[2, 4], &[2, 1], &[2, 5], &[2, 3]];
    Setting::overs(2).table().home_bats().over(json!({"bowler": "Rovers 9"})).balls(balls)
}

fn decided(maker: LogMaker, anew: DecidedAnew) -> LogMaker {
    let target = CorrectionTarget::Anew(anew, RefitAnswers::default());
    maker.corrected(target, "the other side had won it")
}

fn won_by(side: Side) -> DecidedAnew {
    DecidedAnew::Toss(TossAnew::Reported(side), None)
}

fn every_step() -> [(DecidedAnew, &'static str, u64); 3] {
    let call = TossAnew::Called { caller: Side::Away, call: CoinFace::Tails, coin: Some(CoinFace::Heads) };
    [
        (won_by(Side::Away), "toss", 2),
        // Home has won it by another call, so its decision repeats.
        (DecidedAnew::Toss(call, None), "toss", 2),
        (DecidedAnew::TossDecided(TossChoice::Bowl), "toss_decided", 3),
    ]
}

/// Decides a step anew, and answers all that is asked of later balls with what is legal first.
fn answered(maker: LogMaker, anew: DecidedAnew) -> LogMaker {
    let mut answers = RefitAnswers::default();
    loop {
        let target = CorrectionTarget::Anew(anew.clone(), answers.clone());
        let request = CorrectionRequest { target: target.clone(), reason: "to see".to_owned() };
        let log = &maker.sealed.events;
        let decided = decide(maker.the_match(), log, &request, Actor::Scorer, None, Consent::Needed);
        let Err(refused) = decided else { return maker.corrected(target, "put right") };
        let asked = refused.unfinished.as_ref().map(|unfinished| unfinished.asked);
        let Some(AskedBall::Later(AskedLater { delivery, .. })) = asked else {
            panic!("{}", refused.refusal)
        };
        if answers.later.last().is_none_or(|last| last.delivery != delivery) {
            answers.later.push(LaterAnswer { delivery, ..LaterAnswer::default() });
        }
        let answer = answers.later.last_mut().unwrap();
        let Place::Field(place) = &refused.refusal.place else { panic!("{}", refused.refusal) };
        match (place.split_once(".choices."), &refused.refusal.legal) {
            (Some((_, name)), Value::Array(legal)) => {
                answer.ball.choices.insert(name.to_owned(), legal[0].clone());
            }
            _ => answer.ball.dice.push(1),
        }
    }
}

/// Asserts that a changed log diverges at the event with this seq.
#[track_caller]
fn refused(log: &Log, seq: u64) {
    let report = audit(log);
    assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(seq)), "{}", report.text);
}

#[test]
fn a_step_anew_is_clean_and_names_the_step() {
    for (anew, word, from) in every_step() {
        let maker = decided(played(), anew.clone());
        let log = maker.log();
        let report = audit(&log);
        assert!(report.clean, "{}", report.text);
        let correction = &log.events()[CORRECTION as usize - 1];
        let data = &correction["data"];
        assert_eq!(
            (&correction["v"], &data["anew"], &data["cascade"]),
            (&json!(2), &json!(word), &json!("refit"))
        );
        assert_eq!(data["voids_from_seq"], from);
        assert_eq!(report.json["corrections"][0]["anew"], word);
        let words = if word == "toss" {
            "the toss decided anew"
        } else {
            "the choice to bat or to bowl decided anew"
        };
        assert!(report.text.contains(words), "{}", report.text);
        let more = || decided(played(), anew.clone()).balls([&[2, 4]]);
        assert!(audit(&more().log()).clean);
        assert!(audit(&more().voided_from(5, "too many").log()).clean);
        let back = decided(played(), anew).restored(CORRECTION, "it was right");
        assert!(audit(&back.log()).clean);
    }
}

#[test]
fn nobody_has_changed_his_mind_about_names_of_the_other_side() {
    let report = audit(&decided(played(), won_by(Side::Away)).log());
    assert_eq!(report.json["changed_choices"], json!([]));
    let report = audit(&decided(played(), DecidedAnew::TossDecided(TossChoice::Bowl)).log());
    let changed = report.json["changed_choices"].as_array().unwrap();
    assert_eq!((changed.len(), &changed[0]["choice"]), (1, &json!("to")), "as after an ordinary correction");
}

#[test]
fn no_step_and_no_ball_is_left_out_doubled_or_another() {
    for (anew, word, _) in every_step() {
        let log = decided(played(), anew).log();
        for last in CORRECTION..log.len() {
            assert!(!audit(&log.first(last)).clean, "{word}: ends at {last}");
            assert!(!audit(&log.forge().without(last + 1).mended()).clean, "{word}: without {}", last + 1);
            assert!(!audit(&log.forge().doubled(last + 1).mended()).clean, "{word}: {} twice", last + 1);
        }
        // A ball comes in the place of the step.
        let ball = log.events()[4].clone();
        let forged = log.first(CORRECTION).forge().and(ball).mended();
        refused(&forged, CORRECTION + 1);
    }
}

#[test]
fn a_step_after_one_anew_is_as_it_was() {
    // Away calls, and home wins it as before: the decision is as it was, or another by who corrects.
    let log = decided(played(), every_step()[1].0.clone()).log();
    let to_bowl = |data: &mut Value| data["to"] = json!("bowl");
    // The balls after it are those of the other side.
    refused(&log.forge().with(CORRECTION + 2, to_bowl).mended(), CORRECTION + 3);
    // Nobody else but the winner of the toss decides.
    let log = decided(played(), won_by(Side::Away)).log();
    refused(
        &log.forge().with(CORRECTION + 2, |data: &mut Value| data["by"] = json!("home")).mended(),
        CORRECTION + 2,
    );
}

#[test]
fn a_step_anew_is_by_the_author_of_the_correction() {
    for (anew, word, _) in every_step() {
        let log = decided(played(), anew.clone()).log();
        let by = |seq: u64, actor: &'static str| {
            log.forge()
                .each(move |event: &mut Value| {
                    if event["seq"] == seq {
                        event["actor"] = json!(actor)
                    }
                })
                .mended()
        };
        for actor in ["home", "away", "service", "umpire"] {
            refused(&by(CORRECTION + 1, actor), CORRECTION + 1);
            if word == "toss" {
                refused(&by(CORRECTION + 2, actor), CORRECTION + 2);
            }
        }
    }
}

#[test]
fn a_correction_names_one_step_by_its_word_and_no_other_part() {
    for (anew, _, from) in every_step() {
        let log = decided(played(), anew).log();
        let changed = |change: &dyn Fn(&mut Value), seq: u64| {
            refused(&log.forge().with(CORRECTION, change).mended(), seq)
        };
        for other in ["set_up", "toss", "toss_decided"] {
            if log.events()[CORRECTION as usize - 1]["data"]["anew"] != other {
                changed(&|data| data["anew"] = json!(other), CORRECTION);
            }
        }
        changed(&|data| data["anew"] = json!("ball"), CORRECTION);
        changed(&|data| data["amends"] = json!(1), CORRECTION);
        changed(&|data| data["inserts"] = json!(1), CORRECTION);
        changed(&|data| data["removes"] = json!(1), CORRECTION);
        changed(&|data| data["voids_from"] = json!(1), CORRECTION);
        changed(&|data| data["voids_from_seq"] = json!(from + 1), CORRECTION);
        changed(&|data| data["cascade"] = json!("void_rest"), CORRECTION);
        changed(&|data| drop(data.as_object_mut().unwrap().remove("cascade")), CORRECTION);
        // A refit goes with a change, and what has the members of the first version is of that.
        changed(&|data| drop(data.as_object_mut().unwrap().remove("anew")), CORRECTION);
        let first = |event: &mut Value| {
            if event["seq"] == CORRECTION {
                event["v"] = json!(1);
            }
        };
        let report = audit(&log.forge().each(first).mended());
        assert!(!report.clean && report.text.contains("anew"), "{}", report.text);
    }
}

/// The board game at the table: event 2 is the set-up, 3 the toss, and 4 its decision.
fn board_game() -> LogMaker {
    let maker =
        Setting::board_game(json!({"format": "t10"})).table().set_up(json!({"pitch": "spin"})).home_bats();
    maker.answering_at_random(14)
}

#[test]
fn a_set_up_anew_keeps_the_toss_and_the_play() {
    let correction = board_game().log().len() + 1;
    let choices = Choices::from_iter([("pitch".to_owned(), json!("pace"))]);
    let log = answered(board_game(), DecidedAnew::SetUp(choices)).log();
    let report = audit(&with_edition(log.clone()));
    assert!(report.clean, "{}", report.text);
    let events = log.events();
    let at = |seq: u64| &events.iter().find(|event| event["seq"] == seq).unwrap()["data"];
    assert_eq!((&at(correction)["anew"], &at(correction)["voids_from_seq"]), (&json!("set_up"), &json!(2)));
    assert_eq!(at(correction + 1)["choices"]["pitch"], "pace");
    assert_eq!([at(correction + 2), at(correction + 3)], [at(3), at(4)]);
    // The toss and the decision after a set-up anew are no others.
    refused(
        &log.forge().with(correction + 2, |data: &mut Value| data["caller"] = json!("away")).mended(),
        correction + 2,
    );
    refused(
        &log.forge().with(correction + 3, |data: &mut Value| data["to"] = json!("bowl")).mended(),
        correction + 3,
    );
    for seq in correction + 1..=correction + 3 {
        assert!(!audit(&log.forge().without(seq).mended()).clean, "without {seq}");
    }
    assert!(!audit(&log.first(correction + 2)).clean);
}

#[test]
fn a_board_game_is_played_by_the_other_side_with_its_dice() {
    let log = answered(board_game(), DecidedAnew::TossDecided(TossChoice::Bowl)).log();
    let report = audit(&with_edition(log.clone()));
    assert!(report.clean, "{}", report.text);
    let changed = report.json["changed_choices"].as_array().unwrap();
    assert_eq!((changed.len(), &changed[0]["choice"]), (1, &json!("to")), "{}", report.text);
    let balls = |events: &[Value]| {
        let balls = events.iter().filter(|event| event["kind"] == "ball");
        balls.map(|ball| ball["data"]["dice"][0].clone()).collect::<Vec<Value>>()
    };
    let events = log.events();
    let at = events.iter().position(|event| event["kind"] == "correction").unwrap();
    let (was, is) = (balls(&events[..at]), balls(&events[at..]));
    assert_eq!(was.len(), is.len());
    // A player of the other side may have a die of other sides.
    let of_same_sides = || was.iter().zip(&is).filter(|(was, is)| was["sides"] == is["sides"]);
    assert!(of_same_sides().any(|(was, _)| was.is_object()));
    of_same_sides().for_each(|(was, is)| assert_eq!(was, is));
}

#[test]
fn a_seeded_board_game_keeps_its_coin_and_its_pitch() {
    let maker = Setting::board_game(json!({"format": "t10"})).seeded().set_up_by_default().tossed();
    let maker = maker.answering_at_random(8);
    let call = |call| TossAnew::Called { caller: Side::Away, call, coin: None };
    let log = decided(maker, DecidedAnew::Toss(call(CoinFace::Tails), None)).log();
    let report = audit(&with_edition(log.clone()));
    assert!(report.clean, "{}", report.text);
    let events = log.events();
    let tosses: Vec<&Value> =
        events.iter().filter(|event| event["kind"] == "toss").map(|event| &event["data"]).collect();
    assert_eq!(tosses[0]["coin"], tosses[1]["coin"]);
    assert_ne!(tosses[0]["winner"], tosses[1]["winner"]);
}
