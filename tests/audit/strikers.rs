//! Who faces after a ball, where the table agreed on another batter than the rules: the log says so, and the
//! play after it follows from it.

use serde_json::{Value, json};
use third_umpire::log::Cascade;
use third_umpire_test_support::logs::{Log, LogMaker, Setting, striker_agreed_on};

use crate::audited::audit;

/// The second ball: event 4 is the over.
const AGREED: u64 = 10;

/// Howzat at the table, three balls without a run; after the second one H2 faces by agreement.
fn agreed(cascade: Cascade) -> LogMaker {
    let balls: [&[i64]; 4] = [&[2, 3], &[2, 3], &[2, 1], &[2, 3]];
    Setting::overs(2).table().home_bats().over(json!({})).balls(balls).amended(
        striker_agreed_on(2, "Wanderers 2", cascade),
        None,
        "who faced",
    )
}

fn forged(log: &Log, change: impl FnOnce(&mut Value)) -> crate::audited::Audited {
    audit(&log.forge().with(AGREED, change).mended())
}

#[test]
fn an_agreed_striker_is_clean_and_stays_through_later_corrections() {
    for cascade in [Cascade::Refuse, Cascade::Refit] {
        let log = agreed(cascade).log();
        let report = audit(&log);
        assert!(report.clean, "{}", report.text);
        let ball = &log.events()[AGREED as usize - 1];
        assert_eq!((&ball["v"], &ball["data"]["as_stood"]["faces"]), (&json!(2), &json!("Wanderers 2")));
        assert_eq!(log.events()[AGREED as usize]["data"]["outcome"]["striker"], "Wanderers 2");
        assert!(report.text.contains("faces after it: agreed Wanderers 2"), "{}", report.text);
        assert_eq!(report.json["exceptions"][0]["faces"], "Wanderers 2");
        let again =
            agreed(cascade).amended(striker_agreed_on(1, "Wanderers 2", cascade), None, "once more").log();
        assert!(audit(&again).clean, "{}", audit(&again).text);
    }
}

#[test]
fn a_forged_striker_diverges_at_his_ball() {
    let log = agreed(Cascade::Refit).log();
    for faces in [json!("Wanderers 1"), json!("Wanderers 3"), json!("Rovers 1"), json!(""), json!(3)] {
        let report = forged(&log, |data| data["as_stood"]["faces"] = faces.clone());
        assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(AGREED)), "{faces}");
    }
    // Without the member nothing was agreed on, and in the first version nobody knows it.
    let report = forged(&log, |data| drop(data["as_stood"].as_object_mut().unwrap().remove("faces")));
    assert_eq!((report.clean, &report.json["divergence"]["seq"]), (false, &json!(AGREED)));
    let event = |event: &mut Value| {
        if event["seq"] == AGREED {
            event["v"] = json!(1);
        }
    };
    let report = audit(&log.forge().each(event).mended());
    assert!(!report.clean && report.text.contains("as_stood.faces"), "{}", report.text);
}
