//! Overs of Howzat: the field, the keeper, the bowlers, and the defaults of all choices.

use serde_json::{Value, json};
use third_umpire::log::Over;
use third_umpire::rules::{Choices, Next};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, over, sheet};

use crate::tables::{check_rows, rows};

const FIELDS: &str = include_str!("fields.txt");
const MAIDEN: &str = ". . . . . .";

/// Reads `field 9 8 7 ... {"bowler": "B10"}`: the players on 2, 3, 4 ..., and the other choices as JSON.
fn choices(given: &str) -> Value {
    let (field, rest) = given.split_at(given.find('{').expect("choices"));
    let mut choices: Value = serde_json::from_str(rest).expect("JSON");
    if let Some(players) = field.trim().strip_prefix("field") {
        let players = players.split_whitespace().map(|n| Value::from(format!("B{n}")));
        let field: Choices = (2..).map(|position: u8| position.to_string()).zip(players).collect();
        choices["field"] = Value::Object(field);
    }
    choices
}

/// A recorded over in the words of the table. It has these choices and no others, and no dice.
fn in_words(over: &Over) -> String {
    let Over { choices, dice, .. } = over;
    assert!(dice.is_empty());
    let expected = if over.over == 1 { 4 } else { 3 };
    assert_eq!(choices.len(), expected, "bowler, keeper, field, and openers in the first over: {choices:?}");
    let name = |value: &Value| value.as_str().expect("a name").to_owned();
    let numbers: Vec<String> = (2..=12)
        .map(|position: u8| {
            name(&choices["field"][position.to_string()]).trim_start_matches(['A', 'B']).to_owned()
        })
        .collect();
    format!("{}, keeper {}: {}", name(&choices["bowler"]), name(&choices["keeper"]), numbers.join(" "))
}

#[test]
fn the_field_changes_over_as_the_table_says() {
    let mut innings = PlayedMatch::in_play(json!({}));
    let mut heading = "";
    check_rows(rows(FIELDS), |row| {
        if heading != row.heading {
            heading = row.heading;
            innings = PlayedMatch::in_play(json!({}));
        }
        let over = innings.over(choices(row.given));
        innings.balls(MAIDEN);
        in_words(&over)
    });
}

#[test]
fn the_second_innings_begins_with_the_default_field_of_the_other_side() {
    let mut a_match = PlayedMatch::in_play(json!({"overs": 1}));
    a_match.over(json!({"bowler": "B3", "keeper": "B1"}));
    a_match.balls(MAIDEN);
    let over = a_match.over(json!({}));
    assert_eq!((over.innings, over.over), (2, 1));
    assert_eq!(in_words(&over), "A11, keeper A7: 2 3 4 5 6 7 8 9 10 1 11");
    assert_eq!(over.choices["openers"], json!(["B1", "B2"]));
}

/// The bowlers of an innings of maidens without any choice.
fn bowlers(rules: Value) -> Vec<String> {
    let overs = rules["overs"].as_u64().expect("overs");
    let mut innings = PlayedMatch::in_play(rules);
    let names = (0..overs).map(|_| {
        let over = innings.over(json!({}));
        innings.balls(MAIDEN);
        over.choices["bowler"].as_str().expect("a name").to_owned()
    });
    names.collect()
}

#[test]
fn with_one_over_a_bowler_ten_bowl_from_the_last_in_the_list_to_the_first() {
    let found = bowlers(json!({"overs": 10, "max_overs_per_bowler": 1}));
    assert_eq!(found, ["B11", "B10", "B9", "B8", "B6", "B5", "B4", "B3", "B2", "B1"]);
}

#[test]
fn with_ten_overs_a_bowler_five_share_fifty_overs() {
    let found = bowlers(json!({"overs": 50}));
    let pairs = [("B11", "B10"), ("B9", "B8")].into_iter().flat_map(|(one, other)| [one, other].repeat(10));
    // The last ten overs are bowled from one end by B6, and from the other by B5, who is the next in line.
    let expected: Vec<&str> = pairs.chain(["B6", "B5"].repeat(5)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_ball_at_the_start_of_an_over_brings_the_default_over_with_it() {
    let mut explicit = PlayedMatch::in_play(json!({}));
    let mut implicit = explicit.clone();
    for _ in 0..3 {
        explicit.over(json!({}));
        explicit.balls(MAIDEN);
        implicit.balls(MAIDEN);
    }
    assert_eq!(explicit.log, implicit.log);
}

#[test]
fn a_field_by_name_is_recorded_by_position() {
    let by_position = PlayedMatch::in_play(json!({})).over(json!({})).choices["field"].clone();
    let positions = by_position.as_object().expect("a field").iter();
    let by_name: Choices = positions
        .map(|(position, player)| (player.as_str().expect("a name").to_owned(), json!(position)))
        .collect();
    let recorded = PlayedMatch::in_play(json!({})).over(json!({"field": by_name})).choices;
    assert_eq!(recorded["field"], by_position);
}

#[test]
fn a_choice_that_is_null_is_one_left_out() {
    let nothing = PlayedMatch::in_play(json!({})).over(json!({}));
    let nulls = json!({"bowler": null, "keeper": null, "field": null, "openers": null});
    assert_eq!(PlayedMatch::in_play(json!({})).over(nulls), nothing);
}

#[test]
fn before_an_over_the_fielding_side_is_asked_and_told_what_would_be_taken() {
    let a_match = PlayedMatch::in_play(json!({}));
    let Next::Choose { side, what, legal, default } = a_match.the_match.next() else {
        panic!("an over is to be chosen");
    };
    assert_eq!((side, what), (Some(Side::Away), "over"));
    assert_eq!(legal["bowler"], json!(["B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9", "B10", "B11"]));
    assert_eq!(legal["keeper"], json!(sheet(AWAY).players));
    assert_eq!(legal["openers"], json!(sheet(HOME).players));
    let taken = a_match.clone().over(json!({}));
    assert_eq!(default, Value::Object(taken.choices));
}

#[test]
fn every_bowler_listed_as_legal_is_accepted_and_every_other_refused() {
    let mut innings = PlayedMatch::in_play(json!({"overs": 8, "max_overs_per_bowler": 1}));
    for _ in 0..8 {
        let Next::Choose { legal, .. } = innings.the_match.next() else { panic!("an over is to be chosen") };
        for player in sheet(AWAY).players {
            let listed = legal["bowler"].as_array().expect("a list").contains(&json!(player));
            let accepted = innings.clone().enter(over(json!({"bowler": player})), &[]).is_ok();
            assert_eq!(accepted, listed, "{player}");
        }
        innings.balls(MAIDEN);
    }
}

#[test]
fn the_bowler_of_the_over_is_the_bowler_of_its_balls_and_stands_on_twelve() {
    let mut innings = PlayedMatch::in_play(json!({}));
    innings.over(json!({"bowler": "B2"}));
    assert_eq!(innings.ball(&[2, 1]).outcome.bowler, "B2");
    let caught = innings.ball(&[3, 5, 6, 6, 6]).outcome.wicket.expect("a wicket");
    assert_eq!((caught.bowler.as_deref(), caught.fielders), (Some("B2"), vec!["B2".to_owned()]));
    let stumped = innings.ball(&[4, 5]).outcome.wicket.expect("a wicket");
    assert_eq!(stumped.fielders, ["B7"]);
}

#[test]
fn the_bowler_of_the_over_before_stands_on_two() {
    let mut innings = PlayedMatch::in_play(json!({}));
    innings.balls(MAIDEN);
    let caught = innings.ball(&[3, 5, 1, 1, 6]).outcome.wicket.expect("a wicket");
    assert_eq!((caught.bowler.as_deref(), caught.fielders), (Some("B10"), vec!["B11".to_owned()]));
}
