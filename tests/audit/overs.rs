//! Changed choices of an over: the bowler, the keeper, the field, the openers.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, Setting};

use crate::audited::{Forged, audit};

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

#[test]
fn a_bowler_who_bowled_the_last_over_is_refused_by_a_rule_that_is_cited() {
    let log = Setting::overs(10).seeded().tossed().played_out();
    let second = log.seq_of(|event| event["kind"] == "over" && event["data"]["over"] == 2);
    let forged = Forged::of(log.forge().set(second, "/choices/bowler", "Rovers 11"));
    let mended = forged.diverge(second, "over", None, &["rules"]);
    mended
        .with_message("rules", "the rules refuse this event: Rovers 11 bowled the last over")
        .citing("rules", &["howzat.over.consecutive"]);
    assert!(
        mended.text.contains("howzat.over.consecutive: Nobody bowls two overs running."),
        "{}",
        mended.text
    );
    assert_eq!([&mended.json["divergence"]["innings"], &mended.json["divergence"]["over"]], [1, 2]);
}

#[test]
fn a_bowler_who_keeps_wicket_is_refused_by_a_rule_that_is_cited() {
    let forged = Forged::of(seeded().forge().set(11, "/choices/bowler", "Rovers 7"));
    forged
        .diverge(11, "over", None, &["rules"])
        .with_message("rules", "Rovers 7 keeps wicket")
        .citing("rules", &["howzat.over.keeper"]);
}

#[test]
fn a_bowler_without_an_over_left_is_refused_by_a_rule_that_is_cited() {
    let forged = Forged::of(seeded().forge().set(20, "/choices/bowler", "Rovers 11"));
    forged
        .diverge(20, "over", None, &["rules"])
        .with_message("rules", "Rovers 11 has bowled all the overs a bowler is allowed")
        .citing("rules", &["howzat.over.quota"]);
}

#[test]
fn a_bowler_or_keeper_who_is_not_in_the_side_is_refused_by_a_rule_that_is_cited() {
    for (choice, name) in [("bowler", "Wanderers 1"), ("bowler", "Nobody"), ("keeper", "")] {
        let forged = Forged::of(seeded().forge().set(11, &format!("/choices/{choice}"), name));
        forged
            .diverge(11, "over", None, &["rules"])
            .with_message("rules", &format!("{name:?} is not in the side"))
            .citing("rules", &["howzat.over.player"]);
    }
}

#[test]
fn another_bowler_who_might_have_bowled_is_found_by_where_he_stands() {
    let forged = Forged::of(seeded().forge().set(11, "/choices/bowler", "Rovers 9"));
    forged.diverge(11, "over", None, &["rules"]).field("rules", "choices.field.12", "Rovers 10", "Rovers 9");
}

#[test]
fn another_bowler_and_his_place_changed_together_are_found_at_the_first_ball() {
    // The field is a permutation again, but the ball still has the other bowler.
    let forger = seeded().forge().set(11, "/choices/bowler", "Rovers 9");
    let place = |position: &str| format!("/choices/field/{position}");
    let position_of = |name: &str| {
        let field = forger.at(10)["data"]["choices"]["field"].as_object().unwrap();
        field.iter().find(|(_, player)| *player == name).unwrap().0.clone()
    };
    let (twelve, nine) = (position_of("Rovers 10"), position_of("Rovers 9"));
    assert_eq!(twelve, "12");
    let forger = forger.set(11, &place("12"), "Rovers 9").set(11, &place(&nine), "Rovers 10");
    audit(&forger.mended()).diverges(12, "ball", Some(7), &["rules"]).field(
        "rules",
        "outcome.bowler",
        "Rovers 10",
        "Rovers 9",
    );
}

#[test]
fn a_field_with_somebody_on_two_positions_or_on_none_is_refused_by_a_rule_that_is_cited() {
    let forgers = [
        (seeded().forge().set(11, "/choices/field/3", "Rovers 1"), "stands on two positions"),
        (seeded().forge().set(11, "/choices/field/3", "Nobody"), "is not in the side"),
        (seeded().forge().with(11, |over| drop(field(over).remove("3"))), "nobody stands on position 3"),
        (
            seeded().forge().with(11, |over| drop(field(over).insert("13".to_owned(), "Rovers 1".into()))),
            "the positions 2 to 12 and no others",
        ),
        (seeded().forge().set(11, "/choices/field", json!([])), "a field is an object of positions"),
    ];
    for (forger, message) in forgers {
        let forged = Forged::of(forger);
        forged
            .diverge(11, "over", None, &["rules"])
            .with_message("rules", message)
            .citing("rules", &["howzat.over.field"]);
    }
}

fn field(over: &mut Value) -> &mut serde_json::Map<String, Value> {
    over["choices"]["field"].as_object_mut().unwrap()
}

#[test]
fn two_fielders_who_change_places_are_found_when_one_of_them_catches_a_ball() {
    // The field in the over is legal. Delivery 50 is caught on position 2.
    let log = seeded();
    let catcher = "Wanderers 10";
    assert_eq!(log.events()[60]["data"]["outcome"]["wicket"]["fielders"], json!([catcher]));
    assert_eq!(log.events()[54]["data"]["choices"]["field"]["2"], catcher);
    let other = log.events()[54]["data"]["choices"]["field"]["3"].clone();
    let forger = log.forge().set(55, "/choices/field/2", other.clone()).set(55, "/choices/field/3", catcher);
    audit(&forger.mended())
        .diverges(61, "ball", Some(50), &["rules"])
        .field("rules", "outcome.wicket.fielders", json!([catcher]), json!([other]))
        .citing("rules", &["howzat.bowl.legal", "howzat.appeal", "howzat.appeal.catch", "howzat.catch.held"]);
}

#[test]
fn openers_in_an_over_that_is_not_the_first_are_refused_by_a_rule_that_is_cited() {
    let openers = json!(["Wanderers 3", "Wanderers 2"]);
    let forged = Forged::of(seeded().forge().with(11, |over| over["choices"]["openers"] = openers));
    forged.diverge(11, "over", None, &["rules"]).citing("rules", &["howzat.over.openers"]);
}

#[test]
fn other_openers_are_found_at_the_first_ball_and_one_for_two_at_once() {
    let forged = Forged::of(seeded().forge().set(4, "/choices/openers/0", "Wanderers 3"));
    forged.broken.diverges(4, "over", None, &["chain"]);
    forged.mended.diverges(5, "ball", Some(1), &["rules"]).field(
        "rules",
        "outcome.striker",
        "Wanderers 1",
        "Wanderers 3",
    );
    let forged = Forged::of(seeded().forge().set(4, "/choices/openers/0", "Wanderers 2"));
    forged.diverge(4, "over", None, &["rules"]).citing("rules", &["howzat.over.player"]);
}

#[test]
fn choices_that_were_not_written_out_are_found_by_the_rules() {
    for choice in ["bowler", "keeper", "field"] {
        let forger = seeded().forge().with(11, |over| {
            over["choices"].as_object_mut().unwrap().remove(choice);
        });
        let forged = Forged::of(forger);
        let mended = forged.diverge(11, "over", None, &["rules"]);
        assert!(mended.text.contains(&format!("choices.{choice}: the log says nothing")), "{}", mended.text);
    }
}

#[test]
fn dice_for_an_over_that_rolls_none_and_choices_it_does_not_have_are_refused() {
    let die = json!([{"for": "bowl", "sides": 6, "value": 2}]);
    let forged = Forged::of(seeded().forge().set(11, "/dice", die));
    forged.diverge(11, "over", None, &["data", "rules"]).with_message("data", "a howzat over rolls no dice");
    let forger = seeded().forge().with(11, |over| over["choices"]["weather"] = "fine".into());
    let forged = Forged::of(forger);
    forged.diverge(11, "over", None, &["rules"]).with_message("rules", "weather");
}

#[test]
fn an_over_with_another_number_is_found_by_the_rules() {
    for (field, found, due) in [("over", 3, 2), ("innings", 2, 1)] {
        let forged = Forged::of(seeded().forge().set(11, &format!("/{field}"), found));
        forged.diverge(11, "over", None, &["rules"]).field("rules", field, found, due);
    }
}
