//! Events with an author who cannot have made them, and the chain mended: each is found.

use serde_json::{Value, json};
use third_umpire::dice::{SeedSeries, ServerSeed};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::scorebook::Side;
use third_umpire::simulate::{Simulation, match_log};
use third_umpire_test_support::logs::{Log, Setting, object, stored};

use crate::audited::{Audited, audit};

const ACTORS: [&str; 6] = ["scorer", "home", "away", "umpire", "admin", "service"];

/// The log with this author on one event.
fn by(log: &Log, seq: u64, actor: &str) -> Audited {
    let mut forger = log.forge();
    forger.event(seq)["actor"] = actor.into();
    audit(&Log::of_lines([editions(log), forger.mended().lines].concat()))
}

/// The line with the edition, in a log that begins with one.
fn editions(log: &Log) -> Vec<String> {
    log.lines.iter().take_while(|line| line.starts_with("{\"edition\"")).cloned().collect()
}

/// The delivery of an event; the delivery of a dispute does not count.
fn delivery(log: &Log, seq: u64) -> Option<u32> {
    let event = &log.events()[seq as usize - 1];
    let delivery = event["data"]["delivery"].as_u64().filter(|_| event["kind"] != "dispute");
    delivery.map(|delivery| delivery as u32)
}

/// Asserts that only these authors can have made the first event of a kind.
fn only(log: &Log, kind: &str, authors: &[&str]) {
    let seq = log.seq_of(|event| event["kind"] == kind);
    for actor in ACTORS {
        let audited = by(log, seq, actor);
        if authors.contains(&actor) {
            assert!(audited.clean, "{kind} by {actor}: {}", audited.text);
        } else {
            let words = match (kind, actor) {
                // The service may accept a decision, but only where an amended match goes on.
                ("review", "service") => String::new(),
                _ => format!("the author of this event cannot be {actor}: "),
            };
            audited.diverges(seq, kind, delivery(log, seq), &["rules"]).with_message("rules", &words);
        }
    }
}

#[test]
fn play_at_a_table_that_nobody_else_has_claimed_is_the_scorers() {
    for name in ["howzat-seeded", "howzat-table", "cuberoots-table", "cricket-the-game-t10-seeded"] {
        let log = stored(name);
        for kind in ["toss", "toss_decided", "over", "ball"] {
            only(&log, kind, &["scorer"]);
        }
    }
    let board = stored("cricket-the-game-t20-seeded");
    for kind in ["set_up", "roll", "review"] {
        only(&board, kind, &["scorer"]);
    }
}

#[test]
fn a_match_is_created_by_its_scorer_or_the_admin_and_by_the_service_where_it_plays_it() {
    let log = stored("howzat-seeded");
    for actor in ["home", "away", "umpire"] {
        by(&log, 1, actor)
            .diverges(1, "match_created", None, &["rules"])
            .with_message("rules", "a match is created by its scorer or the admin");
    }
    assert!(by(&log, 1, "admin").clean);
    // A match that the service simulates has a given seed, and this one is from the operating system.
    by(&log, 1, "service").diverges(1, "match_created", None, &["rules"]);
    let given = log.forge().set(1, "/seed_source", "creator").mended();
    by(&given, 1, "service").diverges(2, "toss", None, &["rules"]).with_message("rules", "it is simulated");
}

#[test]
fn the_service_throws_no_dice_at_a_table() {
    for name in ["howzat-table", "cuberoots-table", "howzat-scripted", "cuberoots-remote"] {
        let forger = stored(name).forge().each(|event| event["actor"] = "service".into());
        audit(&forger.mended()).diverges(1, "match_created", None, &["rules"]);
    }
}

#[test]
fn a_match_is_given_up_by_its_scorer() {
    only(&stored("howzat-abandoned"), "match_abandoned", &["scorer"]);
    only(&stored("cuberoots-abandoned"), "match_abandoned", &["scorer"]);
}

#[test]
fn the_end_is_the_services() {
    only(&stored("howzat-seeded"), "match_completed", &["service"]);
}

#[test]
fn disputes_corrections_and_tokens_are_of_those_whose_they_are() {
    let log = stored("howzat-seeded-corrected");
    only(&log, "correction", &["scorer"]);
    // An umpire could dispute as well, but has no token before event 38.
    only(&log, "dispute", &["scorer"]);
    let later = log.events().into_iter().filter(|event| event["kind"] == "dispute");
    let later = later.map(|event| event["seq"].as_u64().unwrap()).find(|seq| *seq > 38).unwrap();
    assert!(by(&log, later, "umpire").clean);
    only(&log, "dispute_ruled", &["scorer"]);
    only(&log, "token_rotated", &["scorer", "admin"]);
}

#[test]
fn an_umpire_to_whom_nobody_gave_a_token_rules_on_nothing() {
    let log = stored("howzat-seeded-corrected");
    let without = log.forge().without(38).mended();
    let ruling = without.seq_of(|event| event["actor"] == "umpire");
    audit(&without)
        .diverges(ruling, "dispute_ruled", None, &["rules"])
        .with_message("rules", "no umpire's token has been issued");
}

#[test]
fn after_an_amendment_events_come_again_on_the_word_of_those_who_put_them_in() {
    let log = stored("howzat-seeded-corrected");
    let correction = log.seq_of(|event| event["data"]["amends"].is_number());
    for seq in [correction + 1, correction + 2, correction + 9] {
        let (kind, delivery) = (log.events()[seq as usize - 1]["kind"].clone(), delivery(&log, seq));
        for actor in ["home", "umpire", "admin", "service"] {
            by(&log, seq, actor)
                .diverges(seq, kind.as_str().unwrap(), delivery, &["rules"])
                .with_message("rules", "after an amendment the author of this event is scorer");
        }
    }
}

/// A seeded match of Howzat with both sides claimed, which bowl and bat for themselves, to the end of its
/// first over.
fn claimed() -> Log {
    let mut forger = Setting::default().seeded().tossed().rolled(7).log().forge();
    for side in ["away", "home"] {
        let mut claim = forger.at(1).clone();
        (claim["kind"], claim["actor"]) = ("side_claimed".into(), side.into());
        claim["data"] = json!({"side": side});
        forger = forger.inserted(1, claim);
    }
    forger.mended()
}

#[test]
fn a_claimed_side_reports_a_toss_as_its_winner_alone() {
    let mut forger = Setting::default().table().toss_reported(Side::Away).rolled(2).log().forge();
    for side in ["away", "home"] {
        let mut claim = forger.at(1).clone();
        (claim["kind"], claim["actor"], claim["v"]) = ("side_claimed".into(), side.into(), 1.into());
        claim["data"] = json!({"side": side});
        forger = forger.inserted(1, claim);
    }
    only(&forger.mended(), "toss", &["scorer", "away"]);
}

#[test]
fn a_claimed_side_calls_decides_and_begins_an_over_where_that_is_its_own() {
    let log = claimed();
    let caller = log.events()[3]["data"]["caller"].clone();
    let winner = log.events()[3]["data"]["winner"].clone();
    only(&log, "toss", &["scorer", caller.as_str().unwrap()]);
    only(&log, "toss_decided", &["scorer", winner.as_str().unwrap()]);
    // Home bats, so away bowls.
    assert_eq!((&winner, &log.events()[4]["data"]["to"]), (&json!("home"), &json!("bat")));
    only(&log, "over", &["scorer", "away"]);
    // Either side may bowl a ball that needs no choice.
    only(&log, "ball", &["scorer", "home", "away"]);
}

#[test]
fn a_side_does_not_choose_for_the_other() {
    let log = claimed();
    let over = log.seq_of(|event| event["kind"] == "over");
    // Openers belong to the batting side: away can have left them out, and cannot have named others.
    let turned = |data: &mut Value| data["choices"]["openers"].as_array_mut().unwrap().reverse();
    let mut forger = log.first(over).forge().with(over, turned);
    assert!(audit(&forger.clone().mended()).clean);
    forger.event(over)["actor"] = "away".into();
    audit(&forger.mended())
        .diverges(over, "over", None, &["rules"])
        .with_message("rules", "it has a choice that is not the away side's");
}

#[test]
fn a_draw_after_a_timeout_is_by_the_side_that_calls() {
    for (name, seq, kind) in [("cuberoots-remote", 15, "over"), ("cricket-the-game-remote", 19, "roll")] {
        let log = stored(name);
        let event = &log.events()[seq as usize - 1];
        assert!(event["data"]["reveals"].to_string().contains("\"draw\""), "{event}");
        let other = if event["actor"] == "home" { "away" } else { "home" };
        by(&log, seq, other)
            .diverges(seq, kind, delivery(&log, seq), &["rules"])
            .with_message("rules", "with the second opening, or with a call");
    }
}

#[test]
fn a_simulated_match_is_played_by_the_service_alone() {
    let seed = || ServerSeed::from_hex(&"5e".repeat(32)).unwrap();
    for (game, rules) in [
        ("howzat", json!({"overs": 2, "drs": "house"})),
        ("cricket-the-game", json!({"format": "t10", "drs": "on"})),
    ] {
        let game = games::BUILT_IN.find(game).unwrap();
        let simulation =
            Simulation::new(&Editions::default(), game, &object(rules), None, 1, seed()).unwrap();
        let log = match_log(&simulation, 1, &SeedSeries::new(&seed()).server_seed(1)).unwrap();
        let log = Log::of_text(&log);
        assert!(audit(&log).clean);
        for kind in ["toss", "over", "ball", "match_completed"] {
            only(&log, kind, &["service"]);
        }
        let review = log.events().into_iter().find(|event| event["kind"] == "review").expect("a review");
        only(&log, "review", &[review["data"]["by"].as_str().unwrap()]);
    }
}
