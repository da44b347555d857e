//! Balls changed after the match: their dice, their outcomes, the player out, and their number.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, Setting, scripted};

use crate::audited::{Forged, NOTHING, audit, audit_expecting};

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

#[test]
fn the_value_of_a_die_is_found_by_the_rules_and_by_the_seed() {
    let forged = Forged::of(seeded().forge().set(14, "/dice/1/value", 6));
    let mended = forged.diverge(14, "ball", Some(9), &["rules", "seed"]);
    mended
        .field("rules", "outcome.runs.batter", 4, 6)
        .field("rules", "outcome.boundary", 4, 6)
        .citing("rules", &["howzat.bowl.legal", "howzat.strike.6", "howzat.strike.4"])
        .field("seed", "dice[1].value", 6, 4)
        .with_message("seed", "the seed gives 4 for the strike die, and the log says 6");
    let place = &mended.json["divergence"];
    assert_eq!([&place["innings"], &place["over"], &place["ball"]], [1, 2, 3]);
    assert!(mended.text.lines().next().unwrap().ends_with("delivery 9 (innings 1, 1.3)"), "{}", mended.text);
}

#[test]
fn the_value_of_a_die_at_the_table_is_found_by_the_rules() {
    let forged = Forged::of(scripted().forge().set(7, "/dice/1/value", 6));
    forged.diverge(7, "ball", Some(3), &["rules"]).field("rules", "outcome.runs.total", 4, 6);
}

#[test]
fn a_die_that_decides_nothing_by_itself_is_found_by_the_seed() {
    // A 3 or a 6 to bowl is a legal delivery either way; only an appeal would have read the die.
    let forged = Forged::of(seeded().forge().set(5, "/dice/0/value", 3));
    forged
        .diverge(5, "ball", Some(1), &["seed"])
        .field("seed", "dice[0].value", 3, 6)
        .citing("seed", &["howzat.bowl.legal", "howzat.strike.3"]);
}

#[test]
fn runs_added_are_found_by_the_rules() {
    let forger = seeded().forge().set(8, "/outcome/runs/batter", 6).set(8, "/outcome/runs/total", 6);
    let forged = Forged::of(forger);
    forged
        .diverge(8, "ball", Some(4), &["rules"])
        .with_message("rules", "the rules give another outcome for these choices and dice")
        .field("rules", "outcome.runs.batter", 6, 2)
        .field("rules", "outcome.runs.total", 6, 2)
        .citing("rules", &["howzat.bowl.legal", "howzat.strike.2"]);
}

#[test]
fn runs_that_do_not_add_up_are_found_by_the_rules() {
    let forged = Forged::of(scripted().forge().set(7, "/outcome/runs/total", 14));
    forged.diverge(7, "ball", Some(3), &["rules"]).field("rules", "outcome.runs.total", 14, 4);
}

#[test]
fn a_wicket_taken_out_is_found_by_the_rules() {
    let forged = Forged::of(seeded().forge().set(9, "/outcome/wicket", Value::Null));
    let wicket = json!({
        "kind": "stumped", "player_out": "Wanderers 1", "bowler": "Rovers 11", "fielders": ["Rovers 7"],
    });
    forged
        .diverge(9, "ball", Some(5), &["rules"])
        .field("rules", "outcome.wicket", Value::Null, wicket)
        .citing("rules", &["howzat.bowl.legal", "howzat.appeal", "howzat.appeal.stumped"]);
}

#[test]
fn a_wicket_put_in_is_found_by_the_rules() {
    let wicket =
        json!({"kind": "bowled", "player_out": "Wanderers 1", "bowler": "Rovers 11", "fielders": []});
    let forged = Forged::of(seeded().forge().set(8, "/outcome/wicket", wicket.clone()));
    forged.diverge(8, "ball", Some(4), &["rules"]).field("rules", "outcome.wicket", wicket, Value::Null);
}

#[test]
fn a_wicket_given_to_somebody_else_is_found_by_the_rules() {
    let forged = Forged::of(seeded().forge().set(61, "/outcome/wicket/fielders/0", "Wanderers 1"));
    forged
        .diverge(61, "ball", Some(50), &["rules"])
        .field("rules", "outcome.wicket.fielders", json!(["Wanderers 1"]), json!(["Wanderers 10"]))
        .citing("rules", &["howzat.bowl.legal", "howzat.appeal", "howzat.appeal.catch", "howzat.catch.held"]);
}

#[test]
fn other_rulings_than_those_that_decided_the_ball_are_found_by_the_rules() {
    let true_ones = json!(["howzat.bowl.legal", "howzat.strike.4"]);
    for (rulings, cited) in [
        (json!(["howzat.bowl.legal"]), vec!["howzat.bowl.legal", "howzat.strike.4"]),
        (json!(["howzat.strike.4", "howzat.bowl.legal"]), vec!["howzat.bowl.legal", "howzat.strike.4"]),
        (
            json!(["howzat.bowl.legal", "howzat.strike.6"]),
            vec!["howzat.bowl.legal", "howzat.strike.4", "howzat.strike.6"],
        ),
        (json!(["howzat.bowl.legal", "house.rule"]), vec!["howzat.bowl.legal", "howzat.strike.4"]),
    ] {
        let forged = Forged::of(scripted().forge().set(7, "/outcome/rulings", rulings.clone()));
        forged
            .diverge(7, "ball", Some(3), &["rules"])
            .field("rules", "outcome.rulings", rulings, true_ones.clone())
            .citing("rules", &cited);
    }
}

#[test]
fn byes_made_leg_byes_are_found_by_the_rules() {
    let forged = Forged::of(seeded().forge().set(45, "/outcome/extras", json!({"leg_byes": 1})));
    forged.diverge(45, "ball", Some(36), &["rules"]).field("rules", "outcome.extras.byes", NOTHING, 1).field(
        "rules",
        "outcome.extras.leg_byes",
        1,
        NOTHING,
    );
}

#[test]
fn a_batter_who_kept_the_strike_when_the_ends_changed_is_found_by_the_rules() {
    let forger = scripted().forge().set(7, "/outcome/striker", "Wanderers 1");
    let forged = Forged::of(forger.set(7, "/outcome/non_striker", "Wanderers 2"));
    forged
        .diverge(7, "ball", Some(3), &["rules"])
        .field("rules", "outcome.striker", "Wanderers 1", "Wanderers 2")
        .field("rules", "outcome.non_striker", "Wanderers 2", "Wanderers 1");
}

#[test]
fn dice_left_out_added_or_meant_for_something_else_are_refused_by_the_rules() {
    let die = |purpose: &str, sides: u16, value: u16| json!({"for": purpose, "sides": sides, "value": value});
    let (bowl, strike) = (die("bowl", 6, 4), die("strike", 6, 4));
    for (dice, message) in [
        (json!([bowl]), "the strike die (1 to 6) is missing"),
        (json!([]), "the bowl die (1 to 6) is missing"),
        (json!([bowl, strike, die("catch", 6, 3)]), "3 dice are given, but only 2 are rolled"),
        (json!([bowl, die("extra", 6, 4)]), "a 6-sided die for strike is due here"),
        (json!([bowl, die("strike", 8, 4)]), "a 6-sided die for strike is due here, not a 8-sided one"),
        (json!([bowl, die("strike", 6, 7)]), "the strike die has 6 sides and cannot show 7"),
        (json!([bowl, die("strike", 6, 0)]), "the strike die has 6 sides and cannot show 0"),
    ] {
        let forged = Forged::of(scripted().forge().set(7, "/dice", dice));
        forged.diverge(7, "ball", Some(3), &["rules"]).with_message("rules", message);
    }
}

#[test]
fn dice_and_outcome_changed_together_are_found_by_the_seed() {
    let six = |log: Log, seq| {
        let forger = log.forge().set(seq, "/dice/1/value", 6).set(seq, "/outcome/boundary", 6);
        let forger = forger.set(seq, "/outcome/runs/batter", 6).set(seq, "/outcome/runs/total", 6);
        forger.set(seq, "/outcome/rulings/1", "howzat.strike.6")
    };
    let forged = Forged::of(six(seeded(), 14));
    forged.diverge(14, "ball", Some(9), &["seed"]).field("seed", "dice[1].value", 6, 4);
    // Only the log knows the dice of a table match. The first innings now has 15 runs instead of 13, which
    // Rovers pass as well, so that only a known head reveals the forgery.
    let log = six(scripted(), 7).mended();
    audit(&log).is_clean(&["rolled at the table", "no head was given"]);
    let head = scripted().head();
    audit_expecting(&log, &head).diverges(17, "head", None, &["head"]).field(
        "head",
        "head",
        log.head(),
        head,
    );
}

#[test]
fn a_next_batter_who_did_not_come_in_then_is_found_by_the_rules() {
    let forged = Forged::of(seeded().forge().set(13, "/choices/next_batter", "Wanderers 9"));
    forged.diverge(13, "ball", Some(8), &["rules"]).field(
        "rules",
        "outcome.striker",
        "Wanderers 4",
        "Wanderers 9",
    );
}

#[test]
fn a_next_batter_who_is_out_already_is_refused_by_a_rule_that_is_cited() {
    let forged = Forged::of(seeded().forge().set(13, "/choices/next_batter", "Wanderers 1"));
    forged
        .diverge(13, "ball", Some(8), &["rules"])
        .with_message("rules", "\"Wanderers 1\" is not one of those still to bat")
        .citing("rules", &["howzat.ball.next_batter"]);
}

#[test]
fn a_next_batter_left_to_the_default_is_found_since_choices_are_written_out() {
    let forged = Forged::of(seeded().forge().set(13, "/choices", json!({})));
    forged.diverge(13, "ball", Some(8), &["rules"]).field(
        "rules",
        "choices.next_batter",
        NOTHING,
        "Wanderers 4",
    );
}

#[test]
fn a_delivery_renumbered_is_found_by_the_rules_and_its_dice_by_the_seed() {
    let forger = seeded().forge().set(14, "/delivery", 10).set(14, "/seed/ordinal", 10);
    let forged = Forged::of(forger);
    forged.diverge(14, "ball", Some(10), &["rules", "seed"]).field("rules", "delivery", 10, 9).field(
        "rules",
        "seed.ordinal",
        10,
        9,
    );
    let forged = Forged::of(scripted().forge().set(7, "/delivery", 4));
    forged.diverge(7, "ball", Some(4), &["rules"]).field("rules", "delivery", 4, 3);
}

#[test]
fn a_ball_in_another_place_of_the_over_is_found_by_the_rules() {
    for (field, found, due) in [("ball", 4, 3), ("over", 2, 1), ("innings", 2, 1)] {
        let forged = Forged::of(scripted().forge().set(7, &format!("/{field}"), found));
        forged.diverge(7, "ball", Some(3), &["rules"]).field("rules", field, found, due);
    }
}

#[test]
fn dice_said_to_come_from_another_draw_are_found_as_data() {
    for field in ["/seed/ordinal", "/seed/domain"] {
        let forged = Forged::of(seeded().forge().set(14, field, 5));
        forged.diverge(14, "ball", Some(9), &["data"]).with_message("data", "domain 4 and the delivery");
    }
    let forged = Forged::of(scripted().forge().set(7, "/seed", json!({"domain": 4, "ordinal": 3})));
    forged.diverge(7, "ball", Some(3), &["data"]).with_message("data", "null with table dice");
}
