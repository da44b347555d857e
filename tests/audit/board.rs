//! Choices of sides in remote play of Cricket: The Game, open and secret ones, changed after the match.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, chosen_after_timeout, remote_board_game};

use crate::audited::{Forged, audit};

/// The seq of the first open choice of this kind, from event `after` on.
fn open_choice(log: &Log, after: u64, kind: &str) -> u64 {
    log.seq_of(|event| {
        event["seq"].as_u64().unwrap() >= after
            && event["data"]["for"] == kind
            && event["data"].get("choice").is_some()
    })
}

/// The seq of the roll that reveals both choices, neither of them drawn.
fn revealed(log: &Log) -> u64 {
    log.seq_of(|event| {
        let reveals = event["data"]["reveals"].as_array();
        reveals.is_some_and(|all| all.iter().all(|one| one.get("salt").is_some()))
    })
}

fn drawn(log: &Log) -> u64 {
    log.seq_of(|event| event["data"]["reveals"].as_array().is_some())
}

fn data(log: &Log, seq: u64) -> Value {
    log.events()[seq as usize - 1]["data"].clone()
}

fn delivery(log: &Log, seq: u64) -> Option<u32> {
    data(log, seq)["delivery"].as_u64().map(|delivery| delivery as u32)
}

/// The index of the reveal with this choice in a roll.
fn index_of(log: &Log, seq: u64, name: &str) -> usize {
    let data = data(log, seq);
    let reveals = data["reveals"].as_array().unwrap();
    reveals.iter().position(|reveal| reveal["choice"].get(name).is_some()).unwrap()
}

/// The last seal of a side before this event.
fn seal_before(log: &Log, seq: u64, side: &Value) -> String {
    let events = log.events();
    let mut before = events[..seq as usize - 1].iter().rev();
    let sealed = before.find(|event| event["data"].get("sealed").is_some() && event["data"]["side"] == *side);
    sealed.unwrap()["data"]["sealed"].as_str().unwrap().to_owned()
}

#[test]
fn a_remote_match_of_the_board_game_is_clean() {
    let log = remote_board_game();
    let audited = audit(&log);
    audited.is_clean(&["no head was given"]);
    assert!(audited.proved().iter().any(|line| line.contains("the seed fits its commitment")));
}

#[test]
fn a_bowl_or_a_stroke_turned_up_that_was_not_sealed_names_the_seal() {
    let log = remote_board_game();
    let roll = revealed(&log);
    for (name, other) in [("bowl", "slower_ball"), ("stroke", "cut")] {
        let place = index_of(&log, roll, name);
        let seal = seal_before(&log, roll, &data(&log, roll)["reveals"][place]["side"]);
        let pointer = format!("/reveals/{place}/choice/{name}");
        let alone = log.forge().set(roll, &pointer, other);
        Forged::of(alone.clone())
            .diverge(roll, "roll", delivery(&log, roll), &["seal"])
            .with_message("seal", &seal);
        let followed = alone.set(roll, &format!("/choices/{name}"), other);
        Forged::of(followed)
            .diverge(roll, "roll", delivery(&log, roll), &["seal"])
            .with_message("seal", &seal);
        let salted = log.forge().set(roll, &format!("/reveals/{place}/salt"), "e".repeat(64));
        Forged::of(salted).diverge(roll, "roll", delivery(&log, roll), &["seal"]).with_message("seal", &seal);
        let not_so = log.forge().set(roll, &format!("/choices/{name}"), other);
        Forged::of(not_so)
            .diverge(roll, "roll", delivery(&log, roll), &["seal", "rules"])
            .with_message("seal", &seal);
    }
}

#[test]
fn choices_that_are_kept_back_are_missed() {
    let log = remote_board_game();
    let roll = revealed(&log);
    let kept = log.forge().with(roll, |event| drop(event.as_object_mut().unwrap().remove("reveals")));
    Forged::of(kept)
        .diverge(roll, "roll", delivery(&log, roll), &["seal"])
        .with_message("seal", "the delivery of both sides has to be revealed here");
    let turned = log.forge().with(roll, |event| event["reveals"].as_array_mut().unwrap().reverse());
    Forged::of(turned)
        .diverge(roll, "roll", delivery(&log, roll), &["seal"])
        .with_message("seal", "home's delivery");
    // The ball alone proves no more.
    let audited = audit(&log.forge().without(roll).mended());
    assert_eq!(audited.json["divergence"]["seq"], roll, "{}", audited.text);
}

#[test]
fn a_stroke_that_was_drawn_otherwise_is_found_by_the_seed() {
    let log = remote_board_game();
    let roll = drawn(&log);
    let place = index_of(&log, roll, "stroke");
    let is = data(&log, roll)["choices"]["stroke"].clone();
    let other = if is == "cut" { "on_straight" } else { "cut" };
    let alone = log.forge().set(roll, &format!("/reveals/{place}/choice/stroke"), other);
    assert_eq!(audit(&alone.clone().mended()).json["divergence"]["seq"], roll);
    // Everything that follows is changed as well, so that only the seed proves the forgery.
    let events = log.events();
    let mut followed = alone;
    for event in &events[roll as usize - 1..] {
        if event["data"]["delivery"] != json!(delivery(&log, roll)) {
            continue;
        }
        let seq = event["seq"].as_u64().unwrap();
        if event["data"]["choices"].get("stroke").is_some() {
            followed = followed.set(seq, "/choices/stroke", other);
        }
    }
    let audited = audit(&followed.mended());
    let found = audited.json["divergence"]["seq"].as_u64().unwrap();
    assert!(found >= roll, "{}", audited.text);
    let draw = log.forge().with(roll, |event| event["reveals"][place]["draw"]["ordinal"] = json!(77));
    Forged::of(draw)
        .diverge(roll, "roll", delivery(&log, roll), &["seal"])
        .with_message("seal", "no choice is drawn");
}

#[test]
fn a_choice_in_the_open_that_was_changed_is_found_where_it_counts() {
    let log = remote_board_game();
    let drop = open_choice(&log, 1, "drop");
    let set_up = log.seq_of(|event| event["kind"] == "set_up");
    let illegal = Forged::of(log.forge().set(drop, "/choice/drop", "Nobody"));
    illegal.mended.diverges(drop, "choice", None, &["rules"]).with_message("rules", "Nobody");
    let bowlers = |side: &str| -> Vec<Value> {
        let created = data(&log, 1);
        let all = created[side]["players"].as_array().unwrap().clone();
        let bowls = |player: &&Value| player["role"] == "pace" || player["role"] == "spin";
        all.iter().filter(bowls).map(|player| player["name"].clone()).collect()
    };
    let other = bowlers("home").into_iter().find(|name| *name != data(&log, drop)["choice"]["drop"]).unwrap();
    let forged = Forged::of(log.forge().set(drop, "/choice/drop", other));
    assert_eq!(forged.mended.json["divergence"]["seq"], set_up, "{}", forged.mended.text);

    let skills = open_choice(&log, 1, "bowler_skills");
    let forged = Forged::of(log.forge().with(skills, |event| event["choice"]["skills"] = json!([])));
    let found = forged.mended.json["divergence"]["seq"].as_u64().unwrap();
    assert!(found > skills && found <= skills + 3, "{}", forged.mended.text);
    let twice = log.forge().with(skills, |event| {
        let first = event["choice"]["skills"][0].clone();
        event["choice"]["skills"].as_array_mut().unwrap().push(first);
    });
    Forged::of(twice)
        .mended
        .diverges(skills, "choice", None, &["rules"])
        .with_message("rules", "cannot be used any more");
}

#[test]
fn a_choice_in_the_open_is_made_by_its_side_and_at_its_time() {
    let log = remote_board_game();
    for choice in ["drop", "openers", "field", "bowler_skills", "batter_skills", "bowler", "power_play"] {
        let seq = open_choice(&log, 1, choice);
        let side = data(&log, seq)["side"].clone();
        let other = if side == "home" { "away" } else { "home" };
        let forged = Forged::of(log.forge().set(seq, "/side", other));
        forged
            .mended
            .diverges(seq, "choice", None, &["data"])
            .with_message("data", "not the side that makes this choice");
        for actor in [other, "scorer"] {
            let mut forger = log.forge();
            forger.event(seq)["actor"] = json!(actor);
            audit(&forger.mended())
                .diverges(seq, "choice", None, &["rules"])
                .with_message("rules", "the author of this event cannot be");
        }
        let forged = Forged::of(log.forge().set(seq, "/for", "delivery"));
        forged
            .mended
            .diverges(seq, "choice", None, &["data"])
            .with_message("data", "not the open choice that the match waited for");
        let forged = Forged::of(log.forge().set(seq, "/over", 9));
        forged
            .mended
            .diverges(seq, "choice", None, &["data"])
            .with_message("data", "not the open choice that the match waited for");
        let doubled = audit(&log.forge().doubled(seq).mended());
        assert_eq!(doubled.json["divergence"]["seq"], seq + 1, "{}", doubled.text);
    }
}

#[test]
fn choices_in_another_order_are_found() {
    let log = remote_board_game();
    let field = open_choice(&log, revealed(&log), "field");
    // The seal after it is for a ball whose field has not been set.
    let audited = audit(&log.forge().swapped(field, field + 1).mended());
    audited
        .diverges(field, "choice", None, &["data"])
        .with_message("data", "the match waits for no secret choice now");
    let openers = open_choice(&log, 1, "openers");
    let audited = audit(&log.forge().swapped(openers, openers + 1).mended());
    assert_eq!(audited.json["divergence"]["seq"], openers, "{}", audited.text);
    let without = audit(&log.forge().without(field).mended());
    without
        .diverges(field, "choice", None, &["data"])
        .with_message("data", "the match waits for no secret choice now");
}

#[test]
fn a_decision_after_dice_and_an_over_are_put_in_by_their_side() {
    let log = remote_board_game();
    let decided = log.seq_of(|event| event["data"]["choices"].get("run").is_some());
    let kind = log.events()[decided as usize - 1]["kind"].as_str().unwrap().to_owned();
    let over = log.seq_of(|event| event["kind"] == "over");
    for (seq, kind) in [(decided, kind.as_str()), (over, "over")] {
        let side = log.events()[seq as usize - 1]["actor"].clone();
        for actor in [if side == "home" { "away" } else { "home" }, "scorer"] {
            let mut forger = log.forge();
            forger.event(seq)["actor"] = json!(actor);
            let audited = audit(&forger.mended());
            audited
                .diverges(seq, kind, delivery(&log, seq), &["rules"])
                .with_message("rules", "the author of this event cannot be");
        }
    }
}

#[test]
fn after_a_timeout_the_default_is_put_in_and_nothing_else() {
    let last = |legal: &Value| legal.as_array().unwrap().last().unwrap().clone();
    for (choice, kind) in
        [("drop", "choice"), ("bowler", "choice"), ("batter_skills", "choice"), ("run", "ball")]
    {
        let default = |legal: &Value| if choice == "run" { json!({"run": legal[0]}) } else { json!({}) };
        audit(&chosen_after_timeout(choice, default)).is_clean(&["no head was given"]);
        let forged = chosen_after_timeout(choice, |legal| match choice {
            "run" => json!({"run": last(legal)}),
            "drop" => json!({"drop": legal["drop"][0]}),
            "batter_skills" => json!({"skills": [last(&legal["skills"])]}),
            name => json!({name: last(&legal[name])}),
        });
        let called =
            forged.seq_of(|event| event["kind"] == "choice_called" && event["data"]["for"] == choice);
        let put_in = called + 1;
        audit(&forged)
            .diverges(put_in, kind, delivery(&forged, put_in), &["rules"])
            .with_message("rules", "gets the default, and nothing else");
    }
}

#[test]
fn the_audit_finds_a_delivery_drawn_before_its_time() {
    let log = remote_board_game();
    let roll = drawn(&log);
    let mut early = log.forge();
    let called = early.event(roll - 1)["at"].clone();
    early.event(roll)["at"] = called;
    let audited = audit(&early.mended());
    audited
        .diverges(roll, "roll", delivery(&log, roll), &["rules"])
        .with_message("rules", "before its timeout");
    let audited = audit(&log);
    for proof in ["a side that let its time run out: 1", "every revealed choice is the one that was sealed"] {
        assert!(audited.proved().iter().any(|line| line.contains(proof)), "{}", audited.text);
    }
}
