//! Corrections, agreed outcomes and disputes changed after the match, with the chain mended: each is found
//! and named.

use serde_json::{Value, json};
use third_umpire::log::Actor;
use third_umpire::matches::corrections::{CorrectionTarget, RefitAnswers};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{
    Forger, Log, Setting, adjudicated_to_the_end, corrected_remote_match, stands,
};

use crate::audited::{Audited, audit};

/// Corrections in [`adjudicated_to_the_end`]: delivery 3 is amended (from event 8 on), an over is voided with
/// delivery 7 (from event 18 on), and delivery 1 is amended after the match is over (from event 6 on).
const AMENDS_3: u64 = 13;
const VOIDS_7: u64 = 21;
const AMENDS_1: u64 = 37;
/// Delivery 8 with its agreed outcome, where the amendment repeats it.
const AGREED: u64 = 46;

/// Audits that log with the data of one event changed.
fn forged(seq: u64, change: impl FnOnce(&mut Value)) -> Audited {
    audit(&adjudicated_to_the_end().forge().with(seq, change).mended())
}

fn set(seq: u64, field: &str, value: impl Into<Value>) -> Audited {
    audit(&adjudicated_to_the_end().forge().set(seq, field, value).mended())
}

/// Audits a log with another actor on one event.
fn by(log: &Log, seq: u64, actor: &str) -> Audited {
    let mut forger = log.forge();
    forger.event(seq)["actor"] = actor.into();
    audit(&forger.mended())
}

fn taken_out(log: &Log, events: &[u64]) -> Audited {
    audit(&events.iter().fold(log.forge(), |forger, seq| forger.without(*seq)).mended())
}

#[test]
fn a_correction_begins_nowhere_but_where_its_delivery_does() {
    // The seqs are of a ball before, a ball after, the over of the ball, the first event, a dispute, the
    // correction itself, a later event, and none at all.
    for from in [7, 9, 5, 1, 12, 13, 14, 1000, 0] {
        set(AMENDS_3, "/voids_from_seq", from)
            .diverges(AMENDS_3, "correction", None, &["data"])
            .with_message("data", "voids_from_seq");
    }
    // The seqs are of the ball without its over, a ball before, a void one, the ruling, the correction
    // itself, and a later event.
    for from in [19, 17, 8, 9, 20, 21, 22] {
        set(VOIDS_7, "/voids_from_seq", from)
            .diverges(VOIDS_7, "correction", None, &["data"])
            .with_message("data", "voids_from_seq");
    }
    // An over may be voided with its first ball, and then has to begin again.
    let with_its_over = set(AMENDS_1, "/voids_from_seq", 5);
    with_its_over.diverges(AMENDS_1 + 1, "ball", Some(1), &["rules"]);
}

#[test]
fn a_correction_names_its_delivery_once_and_one_that_stands() {
    let beside = |event: &mut Value| event["voids_from"] = json!(3);
    forged(AMENDS_3, beside)
        .diverges(AMENDS_3, "correction", None, &["data"])
        .with_message("data", "voids_from");
    let unnamed = |event: &mut Value| drop(event.as_object_mut().unwrap().remove("amends"));
    forged(AMENDS_3, unnamed).diverges(AMENDS_3, "correction", None, &["data"]);
    for delivery in [0, 2, 4, 7, 99] {
        set(AMENDS_3, "/amends", delivery).diverges(AMENDS_3, "correction", None, &["data"]);
    }
    for delivery in [0, 6, 8, 99] {
        set(VOIDS_7, "/voids_from", delivery).diverges(VOIDS_7, "correction", None, &["data"]);
    }
}

#[test]
fn a_correction_says_whether_what_it_takes_back_had_been_seen() {
    for seq in [AMENDS_3, VOIDS_7, AMENDS_1] {
        set(seq, "/dice_seen", false)
            .diverges(seq, "correction", None, &["data"])
            .with_message("data", "dice_seen");
    }
    let unseen = Setting::overs(1).table().home_bats().over(json!({}));
    let log = unseen.corrected(CorrectionTarget::FromEvent(4), "too early").log();
    audit(&log.forge().set(5, "/dice_seen", true).mended()).diverges(5, "correction", None, &["data"]);
}

#[test]
fn a_reason_is_a_line_that_can_be_read() {
    for reason in ["", "  ", "rain\nRovers won", &"x".repeat(1001)] {
        set(AMENDS_3, "/reason", reason).diverges(AMENDS_3, "correction", None, &["rules"]);
        set(AGREED, "/as_stood/reason", reason).diverges(AGREED, "ball", Some(8), &["rules"]);
        set(12, "/claim", reason).diverges(12, "dispute", None, &["data"]);
        set(20, "/ruling", reason).diverges(20, "dispute_ruled", None, &["data"]);
    }
}

#[test]
fn at_a_table_only_the_scorer_corrects() {
    for actor in ["home", "away", "umpire", "admin", "service"] {
        by(&adjudicated_to_the_end(), AMENDS_3, actor)
            .diverges(AMENDS_3, "correction", None, &["rules"])
            .with_message("rules", "the author of this event cannot be");
    }
    let proposed = json!({"number": 1, "by": "home", "voids_from_seq": 8, "voids_from": 3, "reason": "x"});
    let forger = adjudicated_to_the_end().forge();
    let mut event = forger.at(AMENDS_3 as usize - 1).clone();
    (event["kind"], event["data"], event["actor"]) = ("correction_proposed".into(), proposed, "home".into());
    audit(&forger.inserted(12, event).mended())
        .diverges(13, "correction_proposed", None, &["data"])
        .with_message("data", "at one table");
}

#[test]
fn an_event_taken_out_around_a_correction_is_missed() {
    let log = adjudicated_to_the_end();
    // Without the correction nothing explains why the ball is repeated.
    taken_out(&log, &[AMENDS_3]).diverges(13, "ball", Some(3), &["rules"]);
    taken_out(&log, &[14]).diverges(14, "ball", Some(4), &["rules"]);
    taken_out(&log, &[55]).diverges(55, "match_completed", None, &["rules"]);
    audit(&log.forge().doubled(AMENDS_3).mended()).diverges(14, "correction", None, &["rules"]);
}

fn seeded() -> Log {
    let maker = Setting::overs(2).seeded().tossed().rolled(9).voided_from(8, "entered twice");
    maker.rolled(usize::MAX).log()
}

#[test]
fn a_delivery_bowled_again_in_a_seeded_match_has_the_dice_of_its_number() {
    audit(&seeded()).is_clean(&["no head was given"]);
    let maker = Setting::overs(2).seeded().tossed().rolled(9);
    let first =
        maker.sealed.events.iter().rfind(|event| event.data.delivery() == Some(8)).unwrap().data.to_value();
    let maker = maker.voided_from(8, "unlucky");
    let other: &[i64] = if first["dice"][1]["value"] == 6 { &[2, 1] } else { &[2, 6] };
    let log = maker.balls([other]).rolled(usize::MAX).log();
    let again = log.events().iter().rposition(|event| event["data"]["delivery"] == 8).unwrap() as u64 + 1;
    audit(&log).diverges(again, "ball", Some(8), &["seed"]).with_message("seed", "the seed gives");
    // Nothing proves it before the seeds are open.
    audit(&log.first(again)).is_clean(&["the seeds are not open", "in play", "no head was given"]);
}

/// A seeded match that is amended after its end, and the seq of the amendment.
fn amended_in_the_end() -> (Log, u64) {
    let log = seeded();
    let maker = Setting::overs(2).seeded().tossed().rolled(9).voided_from(8, "entered twice");
    let maker = maker.rolled(usize::MAX);
    let five = |delivery| stands(delivery, json!({"runs": {"batter": 5}}), "five were run");
    let amendment = |delivery| CorrectionTarget::Amend(five(delivery), None, RefitAnswers::default());
    let delivery = (1..).find(|delivery| maker.can_correct(&amendment(*delivery))).unwrap();
    (maker.amended(five(delivery), None, "found when all was over").log(), log.len() + 1)
}

#[test]
fn once_the_seeds_are_open_a_match_is_amended_to_its_end_or_not_at_all() {
    let (log, correction) = amended_in_the_end();
    assert!(audit(&log).clean);
    let only_voided = |event: &mut Value| {
        let amends = event.as_object_mut().unwrap().remove("amends").unwrap();
        event["voids_from"] = amends;
    };
    let forged = audit(&log.forge().with(correction, only_voided).mended());
    forged.diverges(correction, "correction", None, &["rules"]).with_message("rules", "the seeds are open");
    for end in correction..log.len() {
        let cut = audit(&log.first(end));
        cut.diverges(end + 1, "match_completed", None, &["rules"]).with_message("rules", "missing");
    }
}

#[test]
fn once_the_seeds_are_open_an_over_repeats_with_its_own_choices() {
    let (log, correction) = amended_in_the_end();
    let over = (correction + 1..=log.len()).find(|seq| log.events()[*seq as usize - 1]["kind"] == "over");
    let over = over.expect("an over comes again after the amendment");
    // Another field is as good by the rules; but it is not the one that was set.
    let swapped = |event: &mut Value| {
        let field = &mut event["choices"]["field"];
        let three = field["3"].take();
        field["3"] = std::mem::replace(&mut field["4"], three);
    };
    audit(&log.forge().with(over, swapped).mended())
        .diverges(over, "over", None, &["rules"])
        .with_message("rules", "all play must repeat unchanged");
}

#[test]
fn the_seeds_are_opened_twice_as_the_same() {
    let (log, _) = amended_in_the_end();
    let end = log.len();
    let other = "11".repeat(32);
    audit(&log.forge().set(end, "/seeds/server_seed", other.as_str()).mended())
        .diverges(end, "match_completed", None, &["seed"])
        .with_message("seed", "revealed before");
    let kept = |event: &mut Value| drop(event.as_object_mut().unwrap().remove("seeds"));
    audit(&log.forge().with(end, kept).mended()).diverges(end, "match_completed", None, &["data"]);
}

#[test]
fn an_agreed_ball_says_what_the_rules_come_to() {
    set(AGREED, "/as_stood/by_rules/runs/batter", 2).diverges(AGREED, "ball", Some(8), &["rules"]).field(
        "rules",
        "as_stood.by_rules.runs.batter",
        2,
        1,
    );
    set(AGREED, "/as_stood/by_rules/rulings/1", "howzat.strike.2")
        .diverges(AGREED, "ball", Some(8), &["rules"])
        .citing("rules", &["as_stood"]);
    // An agreed outcome cannot cite a rule, since no rule led to it.
    set(AGREED, "/outcome/rulings/0", "howzat.strike.4").diverges(AGREED, "ball", Some(8), &["rules"]);
    let by_rules = |event: &mut Value| drop(event.as_object_mut().unwrap().remove("as_stood"));
    forged(AGREED, by_rules).diverges(AGREED, "ball", Some(8), &["rules"]).field(
        "rules",
        "outcome.runs.batter",
        4,
        1,
    );
}

#[test]
fn an_ordinary_ball_is_not_made_one_that_stands_as_agreed() {
    let claimed = |mut by_rules: Value| {
        move |event: &mut Value| {
            let mut stands = event["outcome"].clone();
            (stands["runs"], stands["boundary"]) = (json!({"batter": 4, "extras": 0, "total": 4}), json!(4));
            stands["rulings"] = json!(["as_stood"]);
            by_rules = if by_rules.is_null() { event["outcome"].clone() } else { by_rules };
            event["as_stood"] = json!({"reason": "all agreed", "by_rules": by_rules});
            event["outcome"] = stands;
        }
    };
    let mut other = adjudicated_to_the_end().events()[37]["data"]["outcome"].clone();
    other["runs"] = json!({"batter": 3, "extras": 0, "total": 3});
    forged(38, claimed(other)).diverges(38, "ball", Some(1), &["rules"]).field(
        "rules",
        "as_stood.by_rules.runs.batter",
        3,
        2,
    );
    // An outcome that claims to differ from the rules' is an exception, and the next ball shows that play did
    // not continue from it.
    let truly = forged(36 - 1, claimed(Value::Null));
    assert_eq!(truly.json["exceptions"].as_array().unwrap().len(), 1, "{}", truly.text);
}

#[test]
fn the_wicket_that_was_agreed_on_is_of_somebody_who_plays() {
    let wicket = |out: &str, fielder: &str| json!({"kind": "caught", "player_out": out, "bowler": "Rovers 9", "fielders": [fielder]});
    for (out, fielder) in [
        ("Nobody", "Rovers 3"),
        ("Wanderers 9", "Rovers 3"),
        ("Wanderers 1", "Nobody"),
        ("Wanderers 1", "Wanderers 2"),
        ("Rovers 3", "Rovers 3"),
    ] {
        let with = |event: &mut Value| event["outcome"]["wicket"] = wicket(out, fielder);
        forged(AGREED, with).diverges(AGREED, "ball", Some(8), &["rules"]).with_message("rules", "wicket");
    }
}

#[test]
fn disputes_are_numbered_and_about_a_delivery_that_stands() {
    for (seq, number) in [(12, 0), (12, 2), (25, 1), (25, 3), (27, 99)] {
        set(seq, "/number", number).diverges(seq, "dispute", None, &["rules"]).field(
            "rules",
            "number",
            number,
            if seq == 12 {
                1
            } else if seq == 25 {
                2
            } else {
                3
            },
        );
    }
    for (seq, delivery) in [(12, 0), (12, 7), (25, 9), (27, 99)] {
        set(seq, "/delivery", delivery)
            .diverges(seq, "dispute", None, &["data"])
            .with_message("data", &format!("no live delivery {delivery}"));
    }
    for (seq, actor) in [(25, "home"), (12, "away"), (12, "service")] {
        by(&adjudicated_to_the_end(), seq, actor)
            .diverges(seq, "dispute", None, &["rules"])
            .with_message("rules", "the author of this event cannot be");
    }
}

#[test]
fn a_dispute_is_ruled_on_once_by_whoever_may_and_with_a_finding_that_fits() {
    for number in [0, 2, 99] {
        set(20, "/number", number)
            .diverges(20, "dispute_ruled", None, &["data"])
            .with_message("data", "there is no dispute");
    }
    set(26, "/number", 1)
        .diverges(26, "dispute_ruled", None, &["data"])
        .with_message("data", "has been ruled on");
    for (seq, finding) in [(20, "stands"), (20, "as_stood"), (26, "amended")] {
        set(seq, "/finding", finding)
            .diverges(seq, "dispute_ruled", None, &["data"])
            .with_message("data", "the finding cannot be");
    }
    for actor in ["home", "away", "service"] {
        by(&adjudicated_to_the_end(), 20, actor).diverges(20, "dispute_ruled", None, &["rules"]);
    }
}

/// Events of [`corrected_remote_match`]: home proposes to void delivery 4, away consents, and the correction
/// follows; the scorer proposes an agreed outcome of delivery 1, and both sides consent.
const PROPOSED: u64 = 21;
const CONSENTED: u64 = 22;
const CORRECTED: u64 = 23;
const AGREED_REMOTELY: u64 = 44;

fn forged_remote(change: impl FnOnce(Forger) -> Forger) -> Audited {
    audit(&change(corrected_remote_match().forge()).mended())
}

#[test]
fn in_remote_play_nothing_is_corrected_without_the_consent_of_both() {
    let log = corrected_remote_match();
    let words = "both sides have consented";
    taken_out(&log, &[PROPOSED, CONSENTED])
        .diverges(PROPOSED, "correction", None, &["rules"])
        .with_message("rules", words);
    taken_out(&log, &[CONSENTED])
        .diverges(CONSENTED, "correction", None, &["rules"])
        .with_message("rules", words);
    taken_out(&log, &[PROPOSED]).diverges(PROPOSED, "correction_consented", None, &["data"]);
    taken_out(&log, &[41]).diverges(42, "correction", None, &["rules"]).with_message("rules", words);
    taken_out(&log, &[42]).diverges(42, "correction", None, &["rules"]).with_message("rules", words);
    // The consent to a proposal that has lapsed, on delivery 3, is none either.
    let lapsed = |forger: Forger| forger.set(41, "/number", 2);
    forged_remote(lapsed)
        .diverges(41, "correction_consented", None, &["data"])
        .with_message("data", "play has gone on");
    for number in [0, 1, 2, 4] {
        forged_remote(|forger| forger.set(40, "/number", number)).diverges(
            40,
            "correction_proposed",
            None,
            &["data"],
        );
    }
}

#[test]
fn a_side_consents_for_itself_and_once() {
    for actor in ["home", "scorer", "umpire", "service"] {
        by(&corrected_remote_match(), CONSENTED, actor)
            .diverges(CONSENTED, "correction_consented", None, &["rules"])
            .with_message("rules", "the author of this event cannot be");
    }
    by(&corrected_remote_match(), PROPOSED, "away").diverges(
        PROPOSED,
        "correction_proposed",
        None,
        &["rules"],
    );
    for actor in ["scorer", "umpire", "service"] {
        by(&corrected_remote_match(), CORRECTED, actor).diverges(CORRECTED, "correction", None, &["rules"]);
    }
    // Home's proposal was its consent.
    let again = |forger: Forger| {
        let mut forger = forger.set(CONSENTED, "/side", "home");
        forger.event(CONSENTED)["actor"] = "home".into();
        forger
    };
    forged_remote(again)
        .diverges(CONSENTED, "correction_consented", None, &["data"])
        .with_message("data", "has consented to correction 1");
}

#[test]
fn in_remote_play_that_is_corrected_which_both_have_consented_to() {
    let words = "both sides have consented";
    let other =
        |forger: Forger| forger.set(CORRECTED, "/voids_from", 5).set(CORRECTED, "/voids_from_seq", 19);
    forged_remote(other).diverges(CORRECTED, "correction", None, &["rules"]).with_message("rules", words);
    let proposed =
        |forger: Forger| forger.set(PROPOSED, "/voids_from", 5).set(PROPOSED, "/voids_from_seq", 19);
    forged_remote(proposed).diverges(CORRECTED, "correction", None, &["rules"]).with_message("rules", words);
    forged_remote(|forger| forger.set(CORRECTED, "/reason", "another"))
        .diverges(CORRECTED, "correction", None, &["rules"])
        .with_message("rules", words);
    let amends = |event: &mut Value| {
        event.as_object_mut().unwrap().remove("voids_from");
        event["amends"] = json!(4);
    };
    forged_remote(|forger| forger.with(CORRECTED, amends)).diverges(
        CORRECTED,
        "correction",
        None,
        &["rules"],
    );
}

/// A remote match in which both sides have chosen their orders, and the over is void before its first ball;
/// and the event of the correction.
fn over_voided_before_its_first_ball() -> (Log, u64) {
    let mut maker = Setting::remote(1).seeded().joined().home_calls();
    let loser = maker.winner().other();
    maker = maker.calls_until_timeout(loser).chosen(Side::Home).chosen(Side::Away);
    let whole_over = CorrectionTarget::FromEvent(maker.last_over());
    let maker = maker.as_actor(Actor::Home).corrected(whole_over, "too early").consents(Side::Away);
    let log = maker.log();
    let correction = log.len();
    (log, correction)
}

#[test]
fn secret_choices_that_an_over_has_revealed_were_seen() {
    let (log, correction) = over_voided_before_its_first_ball();
    assert!(audit(&log).clean);
    assert_eq!(log.events()[correction as usize - 1]["data"]["dice_seen"], true);
    audit(&log.forge().set(correction, "/dice_seen", false).mended())
        .diverges(correction, "correction", None, &["data"])
        .with_message("data", "dice_seen");
}

#[test]
fn in_remote_play_no_more_is_void_than_both_have_consented_to() {
    let (log, correction) = over_voided_before_its_first_ball();
    let toss = log.events().iter().position(|event| event["kind"] == "toss").expect("a toss") + 1;
    audit(&log.forge().set(correction, "/voids_from_seq", toss).mended())
        .diverges(correction, "correction", None, &["rules"])
        .with_message("rules", "both sides have consented");
}

#[test]
fn in_remote_play_a_ball_stands_as_agreed_only_as_both_have_consented_to() {
    let run = |event: &mut Value| event["amendment"]["as_stood"]["outcome"]["runs"]["batter"] = json!(2);
    forged_remote(|forger| forger.with(40, run))
        .diverges(AGREED_REMOTELY, "ball", Some(1), &["rules"])
        .field("rules", "outcome.runs.batter", 1, 2);
    let by_rules = |event: &mut Value| drop(event["amendment"].as_object_mut().unwrap().remove("as_stood"));
    forged_remote(|forger| forger.with(40, by_rules)).diverges(AGREED_REMOTELY, "ball", Some(1), &["rules"]);
    // There is no proposal at all.
    let agreed = |event: &mut Value| {
        event["as_stood"] = json!({"reason": "all agreed", "by_rules": event["outcome"]});
        event["outcome"]["runs"] = json!({"batter": 1, "extras": 0, "total": 1});
        event["outcome"]["boundary"] = Value::Null;
        event["outcome"]["rulings"] = json!(["as_stood"]);
    };
    for ball in [18, 26, 33] {
        let delivery =
            corrected_remote_match().events()[ball - 1]["data"]["delivery"].as_u64().map(|n| n as u32);
        forged_remote(|forger| forger.with(ball as u64, agreed))
            .diverges(ball as u64, "ball", delivery, &["rules"])
            .with_message("rules", "both sides have consented");
    }
    // A ball that an amendment repeats cannot have one either.
    forged_remote(|forger| forger.with(47, agreed)).diverges(47, "ball", Some(4), &["rules"]);
}
