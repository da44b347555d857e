//! An innings that goes on past its last ball after a correction: what it misses follows, or it ends by
//! agreement, and a correction says so truly.

use serde_json::{Value, json};
use third_umpire::log::{Amendment, Cascade};
use third_umpire::matches::corrections::{
    BallAnswer, CorrectionTarget, MissingBall, MissingKnown, RefitAnswers,
};
use third_umpire_test_support::logs::{Forger, Log, LogMaker, Setting};

use crate::audited::audit;

/// The correction: event 4 is the first over, and events 5 to 10 are its balls; 12 and 13 those of the other
/// side after its over.
const CORRECTION: u64 = 14;

/// Howzat at the table, an over a side: six balls, and two of the other side.
fn played() -> LogMaker {
    let balls: [&[i64]; 8] = [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1], &[2, 3]];
    Setting::overs(1).table().home_bats().over(json!({})).balls(balls)
}

/// The match in which ball 2 was a wide, so that the first innings misses a ball.
fn corrected(known: MissingKnown) -> LogMaker {
    let amendment =
        Amendment { amends: 2, over: None, choices: None, as_stood: None, cascade: Cascade::Refit };
    let missing = vec![MissingBall { innings: 1, known }];
    let answers = RefitAnswers { missing, ..RefitAnswers::default() };
    played().corrected(CorrectionTarget::Amend(amendment, Some(vec![1, 2]), answers), "it was wide")
}

fn bowled() -> MissingKnown {
    MissingKnown::Bowled(BallAnswer { dice: vec![2, 6], ..BallAnswer::default() })
}

#[test]
fn a_missing_ball_is_clean_whatever_is_known_of_it() {
    for (known, ended) in [
        (bowled(), Value::Null),
        (MissingKnown::Unknown, Value::Null),
        (MissingKnown::Ended, json!([{"innings": 1, "after": 6}])),
    ] {
        let log = corrected(known.clone()).log();
        let report = audit(&log);
        assert!(report.clean, "{}", report.text);
        assert_eq!(report.json["changed_choices"], json!([]));
        assert_eq!(log.events()[CORRECTION as usize - 1]["data"]["ended"], ended);
        assert!(audit(&corrected(known).balls([&[2, 4]]).log()).clean);
    }
}

#[test]
fn a_missing_ball_is_not_left_out() {
    for known in [bowled(), MissingKnown::Unknown, MissingKnown::Ended] {
        let log = corrected(known).log();
        for last in CORRECTION..log.events().len() as u64 {
            assert!(!audit(&log.first(last)).clean, "ends at {last}");
            assert!(!audit(&log.forge().without(last + 1).mended()).clean, "without {}", last + 1);
            assert!(!audit(&log.forge().doubled(last + 1).mended()).clean, "{} twice", last + 1);
        }
    }
}

#[test]
fn an_innings_ends_by_agreement_only_where_it_goes_on_past_its_last_ball() {
    let refused = |log: &third_umpire_test_support::logs::Log, ended: Value, seq: u64| {
        let report =
            audit(&log.forge().with(CORRECTION, |data: &mut Value| data["ended"] = ended.clone()).mended());
        assert!(!report.clean, "{ended}");
        assert_eq!(report.json["divergence"]["seq"], seq, "{ended}: {}", report.text);
    };
    let log = corrected(MissingKnown::Ended).log();
    let end = |innings: u16, after: u32| json!({"innings": innings, "after": after});
    // Too early, too late, for another innings, twice.
    refused(&log, json!([end(1, 5)]), CORRECTION + 5);
    refused(&log, json!([end(1, 7)]), CORRECTION + 6);
    refused(&log, json!([end(2, 6)]), CORRECTION + 6);
    refused(&log, json!([end(1, 0)]), CORRECTION);
    refused(&log, json!([end(1, 6), end(1, 6)]), CORRECTION);
    refused(&log, json!([end(1, 6), end(2, 5)]), CORRECTION);
    refused(&log, json!([end(1, 6), end(2, 6)]), CORRECTION + 6);
    refused(&log, json!([]), CORRECTION);
    // An innings that the rules end there did not end by agreement.
    let whole = corrected(bowled()).log();
    refused(&whole, json!([end(1, 7)]), CORRECTION + 7);
    // It goes with a change of a ball, and a seeded match has none.
    let report = audit(
        &log.forge()
            .with(CORRECTION, |data: &mut Value| {
                data["voids_from"] = json!(2);
                let members = data.as_object_mut().unwrap();
                ["amends", "cascade"].iter().for_each(|name| drop(members.remove(*name)));
            })
            .mended(),
    );
    assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(CORRECTION)));
}

#[test]
fn a_ball_that_nobody_knows_stands_only_where_one_is_missing() {
    let log = corrected(MissingKnown::Unknown).log();
    let unknown = CORRECTION + 6;
    assert_eq!(log.events()[unknown as usize - 1]["data"]["unknown"], true);
    for (member, value) in [
        ("dice", json!([{"for": "bowl", "sides": 6, "value": 2}])),
        ("choices", json!({"next_batter": "Abe"})),
        ("seed", json!({"domain": 4, "ordinal": 7})),
        ("as_stood", json!({"reason": "so", "by_rules": log.events()[5]["data"]["outcome"]})),
        ("delivery", json!(8)),
    ] {
        let report =
            audit(&log.forge().with(unknown, |data: &mut Value| data[member] = value.clone()).mended());
        assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(unknown)), "{member}");
    }
    for (member, value) in [
        ("legal", json!(false)),
        ("runs", json!({"batter": 4, "extras": 0, "total": 4})),
        ("rulings", json!(["howzat.strike.4"])),
        ("rulings", json!([])),
        ("bowler", json!("Ned")),
    ] {
        let report = audit(
            &log.forge().with(unknown, |data: &mut Value| data["outcome"][member] = value.clone()).mended(),
        );
        assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(unknown)), "{member}");
    }
    // Where no ball is missing there is none: in place of a bowled one, of a kept one, and after the last.
    let ball = |event: &Value| event["data"]["unknown"] == true;
    let made = log.events().iter().find(|event| ball(event)).unwrap()["data"]["outcome"].clone();
    let to_unknown = |data: &mut Value| {
        data["unknown"] = json!(true);
        data["dice"] = json!([]);
        let players = data["outcome"].clone();
        data["outcome"] = made.clone();
        for player in ["striker", "non_striker", "bowler"] {
            data["outcome"][player] = players[player].clone();
        }
    };
    for (seq, divergence) in [(8, 8), (CORRECTION + 2, CORRECTION + 2), (CORRECTION + 8, CORRECTION + 8)] {
        let forged = log.forge().with(seq, to_unknown).each(|event: &mut Value| {
            if event["seq"] == seq {
                event["v"] = json!(2);
            }
        });
        let report = audit(&forged.mended());
        assert_eq!(report.json["divergence"]["seq"], divergence, "{seq}: {}", report.text);
    }
    // Under the first version nobody knows the member.
    let event = |event: &mut Value| {
        if event["seq"] == unknown {
            event["v"] = json!(1);
        }
    };
    let report = audit(&log.forge().each(event).mended());
    assert!(!report.clean && report.text.contains("unknown"), "{}", report.text);
}

/// The log with `ended` in its correction, which then has version 2.
fn with_end(log: &Log, correction: u64, after: u32) -> Forger {
    let end = json!([{"innings": 1, "after": after}]);
    log.forge().with(correction, |data: &mut Value| data["ended"] = end).each(|event: &mut Value| {
        if event["seq"] == correction {
            event["v"] = json!(2);
        }
    })
}

#[test]
fn no_end_by_agreement_takes_balls_out_of_a_log() {
    let three: [&[i64]; 3] = [&[2, 1], &[2, 2], &[2, 4]];
    for cascade in [Cascade::Refuse, Cascade::Refit] {
        let amendment = Amendment { amends: 2, over: None, choices: None, as_stood: None, cascade };
        let amended = |maker: LogMaker| {
            let answers = RefitAnswers::default();
            let target = CorrectionTarget::Amend(amendment.clone(), Some(vec![2, 3]), answers);
            maker.corrected(target, "it was none")
        };
        // An innings that nothing follows does not end, before its last kept ball or after it.
        let log = amended(Setting::overs(1).table().home_bats().over(json!({})).balls(three)).log();
        assert!(audit(&log).clean);
        for after in [2, 3] {
            assert!(!audit(&with_end(&log, 8, after).mended()).clean, "{cascade:?}, {after}");
            let short = with_end(&log.first(10), 8, after);
            assert!(!audit(&short.mended()).clean, "{cascade:?}, {after}, cut short");
        }
        // An innings that another follows ends where it ended.
        let log = amended(played()).log();
        for after in [3, 4, 5, 6] {
            assert!(!audit(&with_end(&log, CORRECTION, after).mended()).clean, "{cascade:?}, {after}");
            for last in CORRECTION..CORRECTION + 6 {
                let short = with_end(&log.first(last), CORRECTION, after);
                assert!(!audit(&short.mended()).clean, "{cascade:?}, {after}, to {last}");
            }
        }
    }
}
