//! What Cricket: The Game asks, and the words for every face of the duel's dice: `words.txt`.

use serde_json::{Value, json};
use third_umpire::matches::{Preview, PreviewRequest, RequestKind, StepRequest};
use third_umpire::rules::{Ask, AskKind, AskOption, Choices};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, object};

use super::story::Story;
use super::{as_edition, created, in_play, plain, put, seeded};
use crate::tables::{check_rows, rows};

const WORDS: &str = include_str!("words.txt");

/// The asks of a ball after this much of its body, as a preview tells them.
pub fn asks_after(played: &PlayedMatch, choices: &Choices, dice: &[i64]) -> (Vec<Ask>, String) {
    let request =
        PreviewRequest::Ball { choices: choices.clone(), dice: dice.to_vec(), accept: false, over: None };
    let preview = Preview::of(&played.the_match, &request).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(preview.decided.is_none(), "the ball is whole: {choices:?} {dice:?}");
    let asks = preview.requests.into_iter().find(|request| request.kind == RequestKind::Ball);
    (asks.expect("a ball").asks, preview.words.so_far.unwrap_or_default())
}

/// The first ask that has to be answered.
pub fn required(asks: &[Ask]) -> &Ask {
    asks.iter().find(|ask| ask.required).expect("something has to be answered")
}

fn ask<'a>(asks: &'a [Ask], at: &str) -> &'a Ask {
    let places: Vec<&str> = asks.iter().map(|ask| ask.at.as_str()).collect();
    asks.iter().find(|ask| ask.at == at).unwrap_or_else(|| panic!("{at} is not asked: {places:?}"))
}

fn option(ask: &Ask, value: Value) -> &AskOption {
    ask.options.iter().find(|option| option.value == value).unwrap_or_else(|| panic!("no {value}"))
}

/// An option in words: its value, its two lines, and what is asked for after it.
fn in_words(option: &AskOption) -> String {
    let text = option.text.as_ref().map_or(String::new(), |text| format!(" ({text})"));
    let asks: String = option.asks.iter().map(|ask| format!(" > {}", ask.title)).collect();
    format!("{} {}{text}{asks}", option.value, option.title)
}

#[test]
fn every_face_of_the_dice_is_told_as_the_table_says() {
    check_rows(rows(WORDS), |row| {
        let (words, body) = row.given.split_once('|').expect("a bar before the ball");
        let (choices, dice) = body.rsplit_once(':').expect("a colon before the dice");
        let mut story = Story::begin(row.heading, words);
        story.begin_over();
        let dice: Vec<i64> = dice.split_whitespace().map(|die| die.parse().expect("a die")).collect();
        let (asks, so_far) = asks_after(&story.played, &object(story.choices(choices)), &dice);
        let asked = required(&asks);
        // Before the first die the ask has the meter.
        let so_far = if so_far.is_empty() { asked.text.clone().unwrap_or_default() } else { so_far };
        for option in &asked.options {
            assert!(option.title.chars().count() <= 12, "{:?} is too long for a key", option.title);
        }
        let options: Vec<String> = asked.options.iter().map(in_words).collect();
        format!("{} [{so_far}] {}", asked.title, options.join(", "))
    });
}

#[test]
fn the_set_up_asks_whom_each_side_drops_and_at_the_table_for_the_pitch() {
    let at_the_table = created(&as_edition(plain()), json!({}), 1, None);
    let [request] = StepRequest::of(&at_the_table.the_match).try_into().expect("one request");
    let places: Vec<&str> = request.asks.iter().map(|ask| ask.at.as_str()).collect();
    assert_eq!(places, ["drop.home", "drop.away", "pitch"]);
    let [home, _, pitch] = &request.asks[..] else { panic!("three asks") };
    assert_eq!((home.side, home.default.clone()), (Some(Side::Home), Some(json!("A12"))));
    let names: Vec<&Value> = home.options.iter().map(|option| &option.value).collect();
    assert_eq!(names, ["A9", "A10", "A11", "A12"]);
    assert!(pitch.required && pitch.default.is_none());
    assert_eq!(option(pitch, json!("neutral")).text.as_deref(), Some("suits nobody"));
}

#[test]
fn an_over_asks_for_openers_and_for_one_of_all_who_bowl() {
    let mut story = Story::begin("", "format:t10");
    let request = StepRequest::of(&story.played.the_match).swap_remove(0);
    let places: Vec<&str> = request.asks.iter().map(|ask| ask.at.as_str()).collect();
    assert_eq!(places, ["openers", "attitudes", "bowler", "field"]);
    assert_eq!(ask(&request.asks, "openers").default, Some(json!(["A1", "A2"])));
    assert_eq!(option(ask(&request.asks, "openers"), json!("A12")).why_not.as_deref(), Some("was dropped"));
    (0..12).for_each(|_| drop(story.dot()));
    let request = StepRequest::of(&story.played.the_match).swap_remove(0);
    let places: Vec<&str> = request.asks.iter().map(|ask| ask.at.as_str()).collect();
    assert_eq!(places, ["bowler", "power_play", "field"]);
    let bowler = ask(&request.asks, "bowler");
    assert_eq!((bowler.title.as_str(), bowler.side), ("Who bowls over 3?", Some(Side::Away)));
    assert_eq!(bowler.options.len(), 8, "batters and the keeper do not bowl");
    assert_eq!(option(bowler, json!("B5")).text.as_deref(), Some("medium, 1 over left"));
    assert_eq!(option(bowler, json!("B11")).text.as_deref(), Some("pace, 2 overs left"));
    let last = option(bowler, json!("B6"));
    assert_eq!(
        (last.why_not.as_deref(), last.ruling),
        (Some("bowled the last over"), Some("ctg.over.consecutive"))
    );
    assert_eq!(ask(&request.asks, "power_play").kind, AskKind::YesNo);
}

#[test]
fn the_field_has_a_place_for_each_area_and_says_how_many_may_stand_there() {
    let story = Story::begin("over:7", "");
    let request = StepRequest::of(&story.played.the_match).swap_remove(0);
    let places = ask(&request.asks, "field").places.clone().expect("places");
    assert_eq!((places.names.len(), places.places.len()), (9, 24));
    assert_eq!(places.now.len(), 9);
    assert_eq!(places.now["B1"], "bye.1");
    let cover = places.places.iter().find(|place| place.id == "off_cover.2").expect("an area");
    assert_eq!(cover.title, "off, cover, infield");
    assert!(cover.shape.as_ref().is_some_and(|shape| shape.starts_with('M') && shape.ends_with('Z')));
    let limit = |n: u8, of: usize| {
        places.at_most.iter().filter(|limit| (limit.n, limit.places.len()) == (n, of)).count()
    };
    assert_eq!([limit(1, 1), limit(3, 4), limit(5, 8), limit(5, 12)], [24, 6, 15, 1]);
}

#[test]
fn a_ball_asks_for_its_choices_in_order_and_first_for_the_over_card() {
    let mut story = Story::begin("by:B5", "");
    story.dot();
    let (asks, _) = asks_after(&story.played, &Choices::new(), &[]);
    let places: Vec<&str> = asks.iter().map(|ask| ask.at.as_str()).collect();
    let all = ["bowl", "stroke", "attitude", "over_card", "skills.bowler", "skills.batter", "field"];
    assert_eq!(places, all.map(|name| format!("choices.{name}")));
    let card = required(&asks);
    assert_eq!((card.at.as_str(), card.options.len()), ("choices.over_card", 15));
    let turned = option(card, json!("blank1"));
    assert_eq!(
        (turned.why_not.as_deref(), turned.ruling),
        (Some("ball 1, this over"), Some("ctg.ball.over_card"))
    );
    assert_eq!(
        option(ask(&asks, "choices.bowl"), json!("wide")).text.as_deref(),
        Some("feeds glance and cut")
    );
    let stroke = ask(&asks, "choices.stroke");
    assert_eq!(stroke.options.len(), 5, "the bye is no stroke");
    assert!(stroke.options.iter().all(|option| option.shape.is_some()));
    let wide = object(json!({"bowl": "wide", "over_card": "blank2"}));
    let (asks, _) = asks_after(&story.played, &wide, &[]);
    assert_eq!(option(ask(&asks, "choices.stroke"), json!("cut")).text.as_deref(), Some("+3"));
    assert_eq!(option(ask(&asks, "choices.stroke"), json!("on_straight")).text.as_deref(), Some("\u{2212}1"));
    let die = required(&asks);
    assert_eq!((die.at.as_str(), die.title.as_str()), ("dice[0]", "Bowler\u{2019}s die, d6"));
}

#[test]
fn a_card_after_a_no_ball_names_the_delivery_that_turned_it() {
    let mut story = Story::begin("by:B5", "blank1=[{\"then\":\"no_ball\"}]");
    story.begin_over();
    story.bowl("card:blank1", &[3, 3]).expect("a no-ball");
    story.bowl("", &[3, 3]).expect("a free hit");
    story.bowl("card:blank2", &[3, 3]).expect("a ball");
    let (asks, _) = asks_after(&story.played, &Choices::new(), &[]);
    let why_not = |card: &str| option(required(&asks), json!(card)).why_not.clone();
    assert_eq!(why_not("blank1").as_deref(), Some("ball 1, this over"));
    assert_eq!(why_not("blank2").as_deref(), Some("ball 3, this over"));
}

#[test]
fn an_express_ball_asks_for_its_card_alone_with_its_symbol() {
    let mut story = Story::begin("over:2", "format:t10");
    story.begin_over();
    let (asks, _) = asks_after(&story.played, &Choices::new(), &[]);
    let [card] = &asks[..] else { panic!("one ask") };
    assert_eq!(option(card, json!("one")).text.as_deref(), Some("1 run"));
    let (asks, _) = asks_after(&story.played, &object(json!({"over_card": "bound1"})), &[]);
    assert_eq!(required(&asks).title, "Boundary die, d8");
}

#[test]
fn after_a_wicket_the_ball_asks_first_who_comes_in() {
    let mut story = Story::begin("by:B5", "");
    story.begin_over();
    story.bowl("", &[6, 1]).expect("clean bowled");
    let (asks, _) = asks_after(&story.played, &Choices::new(), &[]);
    assert_eq!([&asks[0].at, &asks[1].at], ["choices.next_batter", "choices.next_attitude"]);
    let batter = &asks[0];
    assert_eq!((batter.default.clone(), batter.side), (Some(json!("A1")), Some(Side::Home)));
    let why_not = |name: &str| option(batter, json!(name)).why_not.clone();
    assert_eq!(why_not("A5").as_deref(), Some("is out"));
    assert_eq!(why_not("A6").as_deref(), Some("is at the wicket"));
    assert_eq!(why_not("A12").as_deref(), Some("was dropped"));
    assert_eq!(why_not("A7"), None);
}

#[test]
fn a_skill_that_is_used_says_so() {
    let mut story = Story::begin("by:B5", "rerolls:on");
    story.begin_over();
    story.bowl("skill:rip skill:lift", &[3, 3]).expect("a ball");
    let (asks, _) = asks_after(&story.played, &Choices::new(), &[]);
    let why_not = |side: &str, skill: &str| {
        option(ask(&asks, &format!("choices.skills.{side}")), json!(skill)).why_not.clone()
    };
    assert_eq!(why_not("bowler", "rip").as_deref(), Some("used, this over"));
    assert_eq!(why_not("bowler", "more").as_deref(), Some("after the dice"));
    assert_eq!(why_not("batter", "lift").as_deref(), Some("used, this innings"));
    assert_eq!(why_not("batter", "push").as_deref(), Some("has used his one"));
    assert_eq!(ask(&asks, "choices.skills.batter").count, Some(0));
}

#[test]
fn a_seeded_ball_that_waits_for_an_answer_asks_for_it_alone() {
    let mut played = seeded(&as_edition(plain()), json!({"format": "t10"}), "01");
    while StepRequest::of(&played.the_match)
        .iter()
        .all(|request| request.asks.first().is_none_or(|ask| ask.at != "choices.run"))
    {
        let choices = match StepRequest::of(&played.the_match)[0].kind {
            RequestKind::Over => third_umpire_test_support::logs::over(json!({})),
            _ => third_umpire_test_support::logs::ball(json!({})),
        };
        put(&mut played, choices);
    }
    let request = StepRequest::decided(&played.the_match).swap_remove(0);
    let [run] = &request.asks[..] else { panic!("one ask") };
    assert_eq!((run.kind, run.required, run.options.len()), (AskKind::Number, true, 2));
    assert_eq!(run.options[0].text.as_deref(), Some("safe"));
    assert!(run.options.iter().all(|option| option.runs.is_none() && option.asks.is_empty()));
}

/// What is printed on the bounce die that a struck ball asks for, by face; none of what is printed otherwise.
fn printed_on_bounce_die(edition: Value, attitude: &str) -> (String, Vec<Option<String>>) {
    let mut played = in_play(&as_edition(edition), json!({}), "neutral", 1);
    played.over(json!({}));
    let choices = object(json!({"attitude": attitude, "over_card": "blank1"}));
    let (asks, _) = asks_after(&played, &choices, &[3, 6, 3]);
    let die = required(&asks);
    (die.title.clone(), die.options.iter().map(|option| option.face.clone()).collect())
}

#[test]
fn a_bounce_die_tells_what_its_faces_show_as_the_edition_prints_them() {
    let faces = |faces: [&str; 6]| faces.map(|face| Some(face.to_owned())).to_vec();
    let (title, red) = printed_on_bounce_die(plain(), "aggressive");
    assert_eq!(title, "Red bounce die, d6");
    assert_eq!(red, faces(["0, in the air", "1, in the air", "2, in the air", "0", "1", "2"]));
    let mut other = plain();
    let on_the_ground = |areas: u8| json!({"areas": areas, "air": false});
    other["bounce_dice"]["green"] = json!([2, 2, 0, 1, 1, 1].map(on_the_ground));
    other["bounce_dice"]["green"][1]["air"] = json!(true);
    let (title, green) = printed_on_bounce_die(other, "defensive");
    assert_eq!(title, "Green bounce die, d6");
    assert_eq!(green, faces(["2", "2, in the air", "0", "1", "1", "1"]));
}

#[test]
fn options_alike_in_face_come_to_the_same() {
    let mut edition = plain();
    let alike = json!([0, 0, 0, 2, 2, 2].map(|areas| json!({"areas": areas, "air": areas == 2})));
    edition["bounce_dice"]["green"] = alike;
    let mut played = in_play(&as_edition(edition), json!({}), "neutral", 1);
    played.over(json!({}));
    let (asks, _) = asks_after(&played, &object(json!({"over_card": "blank1"})), &[3, 6, 3]);
    let options = &required(&asks).options;
    for pair in options.windows(2).filter(|pair| pair[0].face == pair[1].face) {
        assert_eq!(pair[0], AskOption { value: pair[0].value.clone(), ..pair[1].clone() });
    }
    assert_ne!(options[2].face, options[3].face);
}

#[test]
fn only_a_bounce_die_has_faces_that_are_printed_otherwise() {
    let mut story = Story::begin("", "");
    story.begin_over();
    let choices = object(json!({"over_card": "blank1"}));
    for dice in [&[][..], &[3], &[3, 6], &[3, 6, 3, 5]] {
        let (asks, _) = asks_after(&story.played, &choices, dice);
        assert!(asks.iter().flat_map(|ask| &ask.options).all(|option| option.face.is_none()), "{dice:?}");
    }
}
