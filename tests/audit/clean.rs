//! Clean logs: what the audit proves of each, and what it cannot.

use third_umpire_test_support::logs::{Setting, scripted};

use crate::audited::{Audited, audit, audit_expecting};

const DICE_OF_THE_TABLE: &str = "rolled at the table and are taken as entered";
const SEEDS_CLOSED: &str = "the seeds are not open before the match is over";
const IN_PLAY: &str = "the match is still in play";
const NO_HEAD: &str = "no head was given to compare";

fn proves(audited: &Audited, texts: &[&str]) {
    let proved = audited.proved();
    assert_eq!(proved.len(), texts.len(), "{proved:?}");
    for (line, text) in proved.iter().zip(texts) {
        assert!(
            line.contains(text) && audited.text.contains(&format!("proved: {line}\n")),
            "{}",
            audited.text
        );
    }
}

#[test]
fn a_seeded_match_is_proved_from_seed_choices_and_rules() {
    let log = Setting::default().seeded().tossed().played_out();
    let audited = audit(&log);
    audited.is_clean(&[NO_HEAD]);
    proves(
        &audited,
        &[
            "the hash chain is unbroken: 76 events",
            "every outcome follows from the rules: 62 deliveries",
            "the seed fits its commitment and gives the coin and every die",
        ],
    );
    assert_eq!(audited.json["head"], serde_json::json!({"seq": 76, "hash": log.head()}));
    assert_eq!((&audited.json["status"], &audited.json["game"]), (&"completed".into(), &"howzat".into()));
}

#[test]
fn a_seeded_match_with_other_choices_all_the_time_is_proved_too() {
    audit(&Setting::overs(10).seeded().tossed().played_out_at_random()).is_clean(&[NO_HEAD]);
}

#[test]
fn the_dice_of_a_table_match_are_beyond_proof_and_the_audit_says_so() {
    let audited = audit(&scripted());
    audited.is_clean(&[DICE_OF_THE_TABLE, NO_HEAD]);
    proves(
        &audited,
        &["the hash chain is unbroken: 17 events", "every outcome follows from the rules: 11 deliveries"],
    );
    audit(&Setting::default().table().tossed().played_out_at_random())
        .is_clean(&[DICE_OF_THE_TABLE, NO_HEAD]);
}

#[test]
fn a_match_in_play_is_clean_as_far_as_it_goes() {
    let log = Setting::default().seeded().tossed().rolled(9).log();
    let audited = audit(&log);
    audited.is_clean(&[SEEDS_CLOSED, IN_PLAY, NO_HEAD]);
    assert_eq!((&audited.json["status"], &audited.json["deliveries"]), (&"in_play".into(), &9.into()));
    let first_line = format!("CLEAN so far: in play, ends at event {}\n", log.len());
    assert!(audited.text.starts_with(&first_line), "{}", audited.text);
    assert_eq!(audited.json["verdict"], "clean");
}

#[test]
fn a_match_that_has_only_been_created_is_clean() {
    let audited = audit(&Setting::default().seeded().log());
    audited.is_clean(&[SEEDS_CLOSED, IN_PLAY, NO_HEAD]);
    assert_eq!(audited.json["status"], "created");
    assert!(audited.text.starts_with("CLEAN so far: created, ends at event 1\n"), "{}", audited.text);
}

#[test]
fn an_abandoned_match_opens_its_seeds_and_so_its_dice_are_proved() {
    let log = Setting::default().seeded().tossed().rolled(20).abandoned("rain");
    let audited = audit(&log);
    audited.is_clean(&[NO_HEAD]);
    assert_eq!(audited.json["status"], "abandoned");
    proves(&audited, &["27 events", "20 deliveries", "the coin and every die"]);
}

#[test]
fn a_match_abandoned_before_the_toss_is_clean() {
    audit(&Setting::default().seeded().abandoned("nobody came")).is_clean(&[NO_HEAD]);
    audit(&Setting::default().table().abandoned("nobody came")).is_clean(&[DICE_OF_THE_TABLE, NO_HEAD]);
}

#[test]
fn the_head_that_others_saw_closes_the_last_gap() {
    let log = Setting::default().seeded().tossed().played_out();
    let audited = audit_expecting(&log, &log.head());
    audited.is_clean(&[]);
    assert!(audited.proved().last().unwrap().contains("ends in the expected head"), "{}", audited.text);
}

#[test]
fn another_head_than_the_one_expected_is_a_divergence() {
    let (log, other) = (scripted(), "ab".repeat(32));
    audit_expecting(&log, &other).diverges(17, "head", None, &["head"]).field(
        "head",
        "head",
        log.head(),
        other.as_str(),
    );
}

#[test]
fn a_log_cut_off_at_its_end_is_clean_but_in_play_and_only_the_head_gives_it_away() {
    let log = Setting::default().seeded().tossed().played_out();
    for events in [74, 40, 3] {
        let cut = log.first(events);
        audit(&cut).is_clean(&[SEEDS_CLOSED, IN_PLAY, NO_HEAD]);
        audit_expecting(&cut, &log.head()).diverges(events, "head", None, &["head"]).field(
            "head",
            "head",
            cut.head(),
            log.head(),
        );
    }
}
