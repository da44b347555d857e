//! A ball that is put in or taken out: what follows from it has to follow, and the correction names it.

use serde_json::json;
use third_umpire::matches::corrections::{CorrectionTarget, Insertion, RefitAnswers};
use third_umpire::rules::Choices;
use third_umpire_test_support::logs::{LogMaker, Setting};

use crate::audited::audit;

/// The correction, which voids event 7 and all play after it.
const CORRECTION: u64 = 10;

/// Howzat at the table, two overs a side: five balls.
fn played() -> LogMaker {
    let balls: [&[i64]; 5] = [&[2, 4], &[2, 3], &[2, 6], &[2, 1], &[2, 3]];
    Setting::overs(2).table().home_bats().over(json!({})).balls(balls)
}

/// The match with a ball that was missed before delivery 3.
fn put_in() -> LogMaker {
    let insertion = Insertion { before: 3, over: None, choices: Choices::new(), dice: vec![2, 1] };
    played().corrected(CorrectionTarget::Insert(insertion, RefitAnswers::default()), "a ball was missed")
}

/// The match without delivery 3.
fn taken_out() -> LogMaker {
    played().corrected(CorrectionTarget::Remove(3, RefitAnswers::default()), "it was entered twice")
}

#[test]
fn a_ball_more_or_less_is_clean_and_names_its_rule_and_its_delivery() {
    for (made, member, events) in [(put_in(), "inserts", 14), (taken_out(), "removes", 12)] {
        let log = made.log();
        let report = audit(&log);
        assert!(report.clean, "{}", report.text);
        assert_eq!((log.events().len(), report.json["changed_choices"].clone()), (events, json!([])));
        let correction = &log.events()[CORRECTION as usize - 1];
        assert_eq!((&correction["v"], &correction["data"][member]), (&json!(2), &json!(3)));
        assert_eq!(report.json["corrections"][0][member], 3);
    }
    assert!(audit(&put_in().balls([&[2, 4]]).log()).clean);
    assert!(audit(&taken_out().balls([&[2, 4]]).log()).clean);
}

#[test]
fn no_ball_is_left_out_changed_or_bowled_twice() {
    let log = put_in().log();
    for last in CORRECTION..CORRECTION + 4 {
        assert!(!audit(&log.first(last)).clean, "ends at {last}");
    }
    for seq in CORRECTION + 1..CORRECTION + 4 {
        assert!(!audit(&log.forge().without(seq).mended()).clean, "without {seq}");
        assert!(!audit(&log.forge().doubled(seq).mended()).clean, "{seq} twice");
    }
    let other = taken_out().log();
    assert!(!audit(&other.first(CORRECTION)).clean);
    assert!(!audit(&other.forge().without(CORRECTION + 1).mended()).clean);
    // The ball that was taken out does not come again.
    let again = played().log().events()[6].clone();
    assert!(!audit(&other.first(CORRECTION).forge().and(again).mended()).clean);
}

#[test]
fn a_correction_of_one_ball_names_one_delivery_and_no_other_part() {
    for (made, member) in [(put_in(), "inserts"), (taken_out(), "removes")] {
        let log = made.log();
        let named = |seq: u64, change: &dyn Fn(&mut serde_json::Value)| {
            let report = audit(&log.forge().with(seq, change).mended());
            assert!(!report.clean, "{member}");
            assert_eq!(report.json["divergence"]["seq"], seq, "{member}: {}", report.text);
        };
        named(CORRECTION, &|data| data[member] = json!(4));
        named(CORRECTION, &|data| data[member] = json!(9));
        named(CORRECTION, &|data| data["amends"] = json!(3));
        named(CORRECTION, &|data| data["voids_from"] = json!(3));
        named(CORRECTION, &|data| drop(data.as_object_mut().unwrap().remove("cascade")));
        named(CORRECTION, &|data| data["cascade"] = json!("void_rest"));
        // Under the first version nobody knows the member.
        let event = |event: &mut serde_json::Value| {
            if event["seq"] == CORRECTION {
                event["v"] = json!(1);
            }
        };
        let report = audit(&log.forge().each(event).mended());
        assert!(!report.clean && report.text.contains(member), "{}", report.text);
    }
}
