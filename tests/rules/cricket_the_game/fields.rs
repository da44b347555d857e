//! The field: its limits by over and format, its default, and how it is made legal.

use serde_json::{Map, Value, json};
use third_umpire::dice::TableDice;
use third_umpire::log::EventData;
use third_umpire::matches::{RequestKind, StepRequest};
use third_umpire::rules::{Place, Places, RefusalKind};
use third_umpire_test_support::logs::ball;
use third_umpire_test_support::random::Lcg;

use super::story::{FIELD, Story};
use super::{last_over, plain};

const OPEN: [&str; 9] = [
    "bye.1",
    "glance_hook.3",
    "pull_big.2",
    "pull_big.4",
    "on_straight.2",
    "on_straight.3",
    "off_cover.2",
    "off_cover.4",
    "cut.3",
];

/// Begins an over with these choices, and returns the recorded field.
fn field_of(story: &mut Story, choices: Value) -> Value {
    story.played.over(choices).choices["field"].clone()
}

fn bowl_over(story: &mut Story) {
    (0..6).for_each(|_| drop(story.dot()));
}

#[test]
fn two_may_stand_in_the_outfield_in_the_first_overs_and_five_after_them() {
    for (format, overs, restricted) in [("t10", 10, 2), ("t20", 20, 6)] {
        let mut story = Story::begin("", &format!("format:{format}"));
        for over in 1..=overs {
            let field = story.legal()["field"].clone();
            let most = if over <= restricted { 2 } else { 5 };
            assert_eq!(field["outfield"], most, "{format} over {over}");
            assert_eq!(
                (&field["tokens"], &field["to_an_area"], &field["to_a_zone"]),
                (&json!(9), &json!(1), &json!(2))
            );
            assert_eq!(field["zones_of_three"], u8::from(format == "t20"));
            bowl_over(&mut story);
            if format == "t20" {
                let due = if over <= restricted { FIELD } else { OPEN };
                assert_eq!(
                    last_over(&story.played.log).expect("an over").choices["field"],
                    json!(due),
                    "over {over}"
                );
            }
        }
    }
}

#[test]
fn a_field_stays_as_it_was_set_or_moved_until_it_would_be_illegal() {
    let mut story = Story::begin("over:3", "format:t10");
    let own = json!([
        "bye.1",
        "bye.2",
        "glance_hook.3",
        "pull_big.3",
        "on_straight.3",
        "off_cover.3",
        "cut.3",
        "cut.2",
        "off_cover.2",
    ]);
    assert_eq!(field_of(&mut story, json!({"field": own})), own);
    bowl_over(&mut story);
    assert_eq!(field_of(&mut story, json!({})), own);
    bowl_over(&mut story);
    // Three of five in the outfield come in, the last of them first, each to the first place that is free and
    // legal.
    let fitted = json!([
        "bye.1",
        "bye.2",
        "glance_hook.3",
        "pull_big.3",
        "on_straight.1",
        "pull_big.1",
        "glance_hook.1",
        "cut.2",
        "off_cover.2",
    ]);
    assert_eq!(field_of(&mut story, json!({"power_play": true})), fitted);
    bowl_over(&mut story);
    assert_eq!(field_of(&mut story, json!({})), fitted);
}

#[test]
fn the_fields_of_the_edition_change_with_the_limits() {
    let mut story = Story::begin("over:3", "format:t10");
    let of = |edition: &Value, which: &str| edition["fields"]["t10"][which].clone();
    let edition = super::plain();
    assert_eq!(field_of(&mut story, json!({})), of(&edition, "open"));
    bowl_over(&mut story);
    assert_eq!(field_of(&mut story, json!({"power_play": true})), of(&edition, "restricted"));
    bowl_over(&mut story);
    assert_eq!(field_of(&mut story, json!({})), of(&edition, "open"));
}

#[test]
fn tokens_that_moved_before_a_ball_stay_there() {
    let mut story = Story::begin("by:B11", "");
    story.begin_over();
    story.bowl("move:cut.2>bye.2", &[3, 3, 1, 1]).expect("two slips");
    // The next ball has two slips as well.
    assert!(story.bowl("", &[3, 3, 1]).is_err());
    story.bowl("", &[3, 3, 1, 1]).expect("two slips");
}

#[test]
fn three_may_stand_in_one_zone_in_t20() {
    let mut story = Story::begin("", "");
    let three = json!([
        "bye.1",
        "bye.2",
        "pull_big.1",
        "pull_big.2",
        "pull_big.3",
        "on_straight.1",
        "on_straight.2",
        "off_cover.4",
        "cut.2",
    ]);
    assert_eq!(field_of(&mut story, json!({"field": three})), three);
}

/// The fielders of B with B5 as the bowler and B4 as the keeper, with these places.
fn by_name(places: [&str; 9]) -> Value {
    let names = ["B1", "B2", "B3", "B6", "B7", "B8", "B9", "B10", "B11"];
    names
        .into_iter()
        .zip(places)
        .map(|(name, place)| (name.to_owned(), json!(place)))
        .collect::<Map<_, _>>()
        .into()
}

#[test]
fn a_field_by_name_is_recorded_as_a_list() {
    let mut story = Story::begin("over:7", "");
    let field = field_of(&mut story, json!({"bowler": "B5", "field": by_name(OPEN)}));
    assert_eq!(field, json!(OPEN));
    let mut story = Story::begin("by:B5", "");
    story.begin_over();
    let mut moved = FIELD;
    moved.swap(0, 8);
    let mut choices = story.choices("");
    choices["field"] = by_name(moved);
    let recorded = story.played.enter(ball(choices), &[3, 3]).expect("a ball");
    let [EventData::Ball(recorded)] = &recorded[..] else { panic!("a ball is due") };
    assert_eq!(recorded.choices["field"], json!(moved));
}

/// The places that the ask for the field of the next ball has.
fn asked(story: &Story) -> Places {
    let ball = StepRequest::of(&story.played.the_match).into_iter().find(|one| one.kind == RequestKind::Ball);
    let asks = ball.expect("a ball is asked for").asks;
    let field = asks.into_iter().find(|ask| ask.at == "choices.field");
    field.and_then(|ask| ask.places).expect("the field has places")
}

/// Whether a field keeps every limit that is told.
fn keeps_to(places: &Places, field: &[String]) -> bool {
    places.at_most.iter().all(|limit| {
        let taken = field.iter().filter(|place| limit.places.contains(place)).count();
        taken <= usize::from(limit.n)
    })
}

/// Matches in overs of each limit, before a ball for which a field is set.
fn with_a_field() -> [(&'static str, &'static str, Value, Story); 5] {
    [
        ("over:1", "t10", json!({})),
        ("over:3", "t10", json!({})),
        ("over:3", "t10", json!({"power_play": true})),
        ("over:1", "t20", json!({})),
        ("over:7", "t20", json!({})),
    ]
    .map(|(words, format, choices)| {
        let mut story = Story::begin(words, &format!("format:{format}"));
        story.played.over(choices.clone());
        // The first two balls may be express, for which no field is set.
        (0..2).for_each(|_| drop(story.dot()));
        (words, format, choices, story)
    })
}

#[test]
fn a_field_is_legal_exactly_when_it_keeps_to_the_limits_that_are_asked() {
    let mut random = Lcg(40);
    for (words, format, choices, story) in with_a_field() {
        let places = asked(&story);
        let stands = |name: &String| places.now[name].as_str().expect("a place").to_owned();
        let mut field: Vec<String> = places.names.iter().map(stands).collect();
        let mut seen = [0; 2];
        for _ in 0..600 {
            let mut moved = field.clone();
            for _ in 0..=random.below(2) {
                let (token, place) = (random.below(moved.len()), random.below(places.places.len()));
                moved[token] = places.places[place].id.clone();
            }
            let tried = ball(json!({"field": moved}));
            let refusal = story.played.the_match.decide(tried, &mut TableDice::new(&[]), None).err();
            let refusal = refusal.expect("the dice are missing");
            let is_legal = refusal.kind == RefusalKind::NeedsInput;
            assert!(is_legal || refusal.place == Place::Choice("field".to_owned()), "{refusal}");
            assert_eq!(
                is_legal,
                keeps_to(&places, &moved),
                "{format} {words} {choices} {moved:?}: {refusal}"
            );
            seen[usize::from(is_legal)] += 1;
            if is_legal {
                field = moved;
            }
        }
        assert!(seen.iter().all(|times| *times > 50), "{format} {words}: {seen:?}");
    }
}

#[test]
fn the_field_of_the_edition_is_taken_whole_whatever_the_limits_are() {
    for (words, format, choices, mut story) in with_a_field() {
        let places = asked(&story);
        let [named] = &places.named[..] else { panic!("one field: {:?}", places.named) };
        assert_eq!(named.title, "The edition\u{2019}s field");
        let stands = |name: &String| named.at[name].as_str().expect("a place").to_owned();
        let field: Vec<String> = places.names.iter().map(stands).collect();
        assert_eq!(field.len(), named.at.len());
        assert!(keeps_to(&places, &field), "{words} {format} {choices}: {field:?}");
        let restricted = words == "over:1" || choices["power_play"] == true;
        let printed = &plain()["fields"][format][if restricted { "restricted" } else { "open" }];
        assert_eq!(&json!(field), printed);
        let mut taken = story.choices("");
        taken["field"] = json!(named.at);
        let refused = story.played.enter(ball(taken), &[3, 3]).err();
        assert!(refused.is_none_or(|refusal| refusal.kind == RefusalKind::NeedsInput), "{words} {format}");
    }
}

#[test]
fn an_over_asks_for_its_field_with_that_of_the_edition_under_the_names_of_its_fielders() {
    let story = Story::begin("over:3", "format:t10");
    let over = StepRequest::of(&story.played.the_match).swap_remove(0);
    let places = over.asks.into_iter().find_map(|ask| ask.places).expect("a field");
    let named: Vec<&String> = places.named[0].at.keys().collect();
    let placed: Vec<&String> = places.now.keys().collect();
    assert_eq!(named, placed);
}
