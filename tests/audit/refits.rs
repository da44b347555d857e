//! Corrections by refit: what they keep of later play has to follow, and nothing else may.

use serde_json::{Value, json};
use third_umpire::log::{Actor, Amendment, Cascade};
use third_umpire_test_support::logs::{Log, LogMaker, Setting, amends};

use crate::audited::{Audited, audit};

/// The correction of [`refitted`], which voids event 6 and all play after it.
const REFIT: u64 = 18;

/// Howzat at the table, one over a side: 7 deliveries of Rovers, of which the second is a wide, and 5 of the
/// second innings, which a bowler begins whom somebody chose.
fn played() -> LogMaker {
    let first: [&[i64]; 7] = [&[2, 1], &[1, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1]];
    let second: [&[i64]; 5] = [&[2, 1], &[2, 1], &[2, 2], &[2, 1], &[2, 1]];
    let maker = Setting::overs(1).table().home_bats().over(json!({})).balls(first);
    let bowler = maker.the_match().play().info().created.home.players[4].clone();
    maker.over(json!({"bowler": bowler})).balls(second)
}

fn refit(delivery: u32) -> Amendment {
    Amendment { cascade: Cascade::Refit, ..amends(delivery) }
}

/// The match in which the wide turns out to be a legal ball, so that the innings ends a delivery earlier.
fn refitted() -> LogMaker {
    played().amended(refit(2), Some(&[2, 2]), "it was no wide")
}

/// The events of the refit, from the amended ball on, with the data that another line of play has in their
/// place.
fn followed_by(play: impl FnOnce(LogMaker) -> LogMaker) -> Log {
    let other = play(played().voided_from(2, "to play on from here")).log();
    let honest = refitted().log();
    let forger = other
        .events()
        .iter()
        .skip(REFIT as usize)
        .fold(honest.first(REFIT).forge(), |forger, event| forger.and(event.clone()));
    forger.mended()
}

fn bowler(maker: &LogMaker, at: usize) -> Value {
    json!({"bowler": maker.the_match().play().info().created.home.players[at]})
}

/// What follows the correction by its rule.
fn honest(maker: LogMaker) -> LogMaker {
    let maker = maker.balls([&[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3]]);
    let chosen = bowler(&maker, 4);
    maker.over(chosen).balls([&[2, 1], &[2, 1], &[2, 2], &[2, 1], &[2, 1]])
}

fn diverges(log: &Log, seq: u64, kind: &str, ball: Option<u32>) -> Audited {
    let audited = audit(log);
    audited.diverges(seq, kind, ball, &["rules"]);
    audited
}

#[test]
fn a_refit_is_clean_and_moves_the_numbers_of_the_second_innings() {
    let log = refitted().log();
    let report = audit(&log);
    assert!(report.clean, "{}", report.text);
    assert_eq!(report.json["changed_choices"], json!([]));
    assert_eq!(report.json["corrections"][0]["void_from"], 7, "{}", report.text);
    assert_eq!(log.events().len(), 29);
    assert_eq!(log.events()[28]["data"]["delivery"], 11);
    assert_eq!((&log.events()[17]["v"], &log.events()[17]["data"]["cascade"]), (&json!(2), &json!("refit")));
    assert!(audit(&followed_by(honest)).clean);
    // Play goes on after it.
    assert!(audit(&refitted().balls([&[2, 1]]).log()).clean);
}

#[test]
fn a_kept_die_a_kept_choice_and_a_kept_ball_are_not_changed() {
    // Another die, a ball left out, and one bowled twice.
    diverges(&followed_by(|maker| maker.balls([&[2, 2], &[2, 6]])), 20, "ball", Some(3))
        .with_message("rules", "what the former delivery 3 comes to");
    diverges(&followed_by(|maker| maker.balls([&[2, 2], &[2, 1]])), 20, "ball", Some(3));
    diverges(&followed_by(|maker| maker.balls([&[2, 2], &[2, 4], &[2, 4]])), 21, "ball", Some(4));
    // Another bowler than the one whom somebody chose, and a choice where the default counted.
    let other_bowler = followed_by(|maker| {
        let maker = maker.balls([&[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3]]);
        let other = bowler(&maker, 5);
        maker.over(other)
    });
    diverges(&other_bowler, 24, "over", None).with_message("rules", "over 1 of innings 2");
    // More balls than were kept of the innings that had ended.
    let more = followed_by(|maker| honest(maker).balls([&[2, 1]]));
    assert!(audit(&more).clean, "the second innings had not ended: {}", audit(&more).text);
}

#[test]
fn a_log_that_ends_within_a_refit_misses_what_it_keeps() {
    let log = refitted().log();
    for last in REFIT + 1..29 {
        let report = audit(&log.first(last));
        assert!(!report.clean, "ends at {last}");
        assert!(report.text.contains("refit keeps is missing"), "{}", report.text);
    }
    assert!(audit(&log.first(REFIT)).text.contains("the amended delivery is missing"));
    // Nothing else comes between.
    let between = log
        .first(21)
        .forge()
        .and(refitted().disputed(1, "no", third_umpire::scorebook::Side::Home).log().events()[29].clone());
    diverges(&between.mended(), 22, "dispute", None);
}

#[test]
fn a_refit_names_its_rule_in_its_own_version() {
    let log = refitted().log();
    for rule in ["refuse", "void_rest"] {
        audit(&log.forge().set(REFIT, "/cascade", rule).mended())
            .diverges(REFIT, "correction", None, &["data"])
            .with_message("data", "cascade");
    }
    let unnamed = |event: &mut Value| drop(event.as_object_mut().unwrap().remove("cascade"));
    audit(&log.forge().with(REFIT, unnamed).mended()).diverges(REFIT, "correction", None, &["data"]);
    let mut forger = log.forge();
    forger.event(REFIT)["v"] = json!(1);
    audit(&forger.mended())
        .diverges(REFIT, "correction", None, &["data"])
        .with_message("data", "cascade: is not known in version 1, only in 2");
    let voids = |event: &mut Value| {
        let data = event.as_object_mut().unwrap();
        data.remove("amends");
        data.insert("voids_from".to_owned(), json!(2));
    };
    audit(&log.forge().with(REFIT, voids).mended())
        .diverges(REFIT, "correction", None, &["data"])
        .with_message("data", "cascade: is refit, with amends");
}

#[test]
fn a_refitted_ball_keeps_its_author() {
    for seq in [20, 24, 27] {
        let mut forger = refitted().log().forge();
        forger.event(seq)["actor"] = json!(Actor::Home.as_str());
        let report = audit(&forger.mended());
        assert!(!report.clean && report.json["divergence"]["seq"] == seq, "{}", report.text);
    }
}

#[test]
fn a_dispute_follows_its_delivery_to_another_number() {
    use third_umpire::log::DisputeFinding::{Amended, AsStood, Stands};
    use third_umpire::scorebook::Side;
    let maker = played().disputed(9, "it was a two", Side::Away).amended(refit(2), Some(&[2, 2]), "no wide");
    let report = audit(&maker.log());
    assert_eq!(
        (&report.json["disputes"][0]["delivery"], &report.json["disputes"][0]["now"]),
        (&json!(9), &json!(8))
    );
    let maker = played().disputed(9, "it was a two", Side::Away).amended(refit(2), Some(&[2, 2]), "no wide");
    let state = maker.the_match().adjudication();
    let ruled = |finding| third_umpire::log::DisputeRuled { number: 1, ruling: "so".to_owned(), finding };
    assert!([Stands, Amended].iter().all(|finding| state.rule(&ruled(*finding)).is_ok()));
    assert!(state.rule(&ruled(AsStood)).is_err());
    let maker = maker.amended(refit(8), Some(&[2, 2]), "it was a two");
    let state = maker.the_match().adjudication();
    assert!(state.rule(&ruled(Stands)).is_err() && state.rule(&ruled(Amended)).is_ok());
}
