//! A T20 of the board game with reviews, typed by touch: lost, upheld, kept on the umpire's call, and by the
//! fielding side.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use third_umpire_test_support::service::{Cup, Match};

use crate::board_game::{asks, changes, liked, moved_field, options, request, taps_ball};
use crate::games::{begun_on, board_game_of};
use crate::phone::Phone;
use crate::table::{Table, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// The faces of the third umpire for the reviews of the side that bats, in their order: the umpire's call,
/// struck down, upheld. The side that fields has one upheld.
const OF_BATTING: [u8; 3] = [4, 1, 5];
const OF_FIELDING: u8 = 6;

/// Whether an option leads to a wicket or an appeal.
fn is_out(option: &Value) -> bool {
    let title = option["title"].as_str().unwrap_or_default();
    title == "OUT" || title == "not out" || title.contains("appeal")
}

/// What a match at a table is recorded with.
struct Recorder<'a> {
    sent: &'a Match,
    cup: &'a mut Cup,
    /// The faces of the reviews that the batting side has not asked for yet.
    faces: Vec<u8>,
    has_fielding: bool,
    overs: usize,
    balls: usize,
    /// Who was moved in the field, and where to.
    moved: Value,
}

impl Recorder<'_> {
    /// Reviews or accepts an open decision. Returns whether there was one.
    fn reviews(&mut self, view: &Value) -> bool {
        let next = &view["next"];
        let listed = next["requests"].as_array().into_iter().flatten();
        let found: Vec<&Value> = listed.filter(|one| one["operation"] == "review_decision").collect();
        let Some(first) = found.first() else { return false };
        let is_batting = first["body"]["by"] == view["situation"]["batting"];
        let review = found.iter().find(|one| one["body"]["accept"].is_null());
        let face = match (is_batting, review) {
            (true, Some(_)) if !self.faces.is_empty() => Some(self.faces.remove(0)),
            (false, Some(_)) if !self.has_fielding => {
                self.has_fielding = true;
                Some(OF_FIELDING)
            }
            _ => None,
        };
        let body = match (face, review) {
            (Some(face), Some(review)) => {
                let mut body = review["body"].clone();
                body["dice"] = json!([face]);
                body
            }
            _ => first["body"].clone(),
        };
        self.sent.post("/reviews", &body).expect(201);
        true
    }

    /// Begins an over: the first ones have each of its choices changed.
    fn begins(&mut self, over: &Value) {
        self.overs += 1;
        let value = |at: &str| asks(over).find(|ask| ask["at"] == at);
        let choices = match self.overs {
            1 => {
                let mut openers = value("openers").expect("openers")["default"].clone();
                openers.as_array_mut().expect("two").reverse();
                json!({"openers": openers, "attitudes": ["aggressive", "defensive"]})
            }
            2 => {
                let bowler = value("bowler").expect("a bowler");
                let other = options(bowler).into_iter().find(|one| one["value"] != bowler["default"]);
                json!({"bowler": other.expect("another bowler")["value"]})
            }
            3 => {
                let (field, one) = moved_field(self.sent);
                self.moved = one;
                json!({"field": field})
            }
            _ => json!({}),
        };
        self.sent.post("/overs", &choices).expect(201);
    }

    fn bowls(&mut self, ball: &Value) {
        self.balls += 1;
        let ask = |name: &str| asks(ball).find(|ask| ask["at"] == format!("choices.{name}"));
        let mut choices = Map::new();
        // A ball out of express play has an attitude.
        if ask("attitude").is_some() {
            choices.insert("attitude".to_owned(), json!("aggressive"));
        }
        for (at, side) in [(4, "bowler"), (5, "batter")] {
            let skills = ask(&format!("skills.{side}")).map(options).unwrap_or_default();
            if self.balls % 6 == at % 6 && !skills.is_empty() {
                choices.insert("skills".to_owned(), json!({side: [skills[0]["value"]]}));
            }
        }
        if let Some(next) = ask("next_batter")
            && self.cup.throw(2) == 1
        {
            let other = options(next).into_iter().rfind(|one| one["value"] != next["default"]);
            choices.extend(other.map(|one| ("next_batter".to_owned(), one["value"].clone())));
            choices.insert("next_attitude".to_owned(), json!("aggressive"));
        }
        let wants_out = self.cup.throw(10) <= 7;
        let likes = |option: &Value| {
            let is_no_ball = ["big_step", "over_the_line"].iter().any(|card| option["value"] == *card);
            is_no_ball || wants_out && is_out(option)
        };
        let body = liked(self.sent, choices, &likes, self.cup);
        self.sent.post("/balls", &body).expect(201);
    }
}

/// Records a T20 by the API; returns who was moved in the field, too.
fn recorded(service: &Table, seed: u64) -> (Match, Value) {
    let sent = begun_on(board_game_of(service, "t20"), "pace");
    let mut cup = Cup::new(seed);
    let faces = OF_BATTING.to_vec();
    let (sent_to, cup) = (&sent, &mut cup);
    let mut recorder =
        Recorder { sent: sent_to, cup, faces, has_fielding: false, overs: 0, balls: 0, moved: Value::Null };
    loop {
        let view = recorder.sent.view();
        if recorder.reviews(&view) {
            continue;
        }
        if let Some(over) = request(&view["next"], "begin_over") {
            recorder.begins(over);
        } else if let Some(ball) = request(&view["next"], "bowl_ball") {
            recorder.bowls(ball);
        } else {
            break;
        }
    }
    let moved = recorder.moved;
    (sent, moved)
}

/// The kinds of choices that the events of a match have, the outcomes of its reviews, and a free hit.
fn kinds(events: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for event in events {
        let data = &event["data"];
        for (name, value) in data["choices"].as_object().into_iter().flatten() {
            found.insert(name.clone());
            if name == "skills" {
                found.extend(
                    value.as_object().into_iter().flatten().map(|(side, _)| format!("skills of {side}")),
                );
            }
        }
        if event["kind"] == "review" && data["accepted"] != true {
            let batting = events
                .iter()
                .rfind(|one| one["data"]["delivery"] == data["delivery"] && one["kind"] == "ball");
            let by_batting = batting.is_some_and(|ball| ball["data"]["outcome"]["wicket"].is_object());
            let by = if by_batting { "batting" } else { "fielding" };
            let kept = data["umpires_call"] == true;
            let verdict = if kept { "umpires_call" } else { data["verdict"].as_str().unwrap_or_default() };
            found.insert(format!("{verdict} of {by}"));
        }
        if data["outcome"]["detail"]["free_hit"] == true {
            found.insert("a free hit".to_owned());
        }
    }
    found
}

/// Taps a review, or that the decision is accepted.
fn taps_review(phone: &Phone, review: &Value) {
    // The table talks for a while.
    phone.waits_ms(3 * HOLD);
    let data = &review["data"];
    phone.waits_ms(400);
    if data["accepted"] == true {
        phone.taps("[data-choice='0']");
        phone.waits_ms(400);
        return;
    }
    phone.taps("[data-choice='1']");
    phone.waits_ms(400);
    phone.reads("#question", "Third umpire");
    // Each face says in a line what it means.
    for face in 1..=6 {
        assert!(phone.text(&format!("[data-die='{face}']")).len() > 3, "{}", phone.text(".pad-ask"));
    }
    phone.rolls(data["dice"][0]["value"].as_u64().unwrap_or_default() as u8);
    phone.waits_ms(HOLD);
}

#[test]
fn a_t20_with_four_kinds_of_reviews_typed_by_touch_equals_that_of_the_api() {
    let service = Table::laid();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    let (sent, moved) = recorded(&service, 1);
    let events = play_of(&sent);
    let found = kinds(&events);
    for kind in [
        "umpires_call of batting",
        "struck_down of batting",
        "upheld of batting",
        "upheld of fielding",
        "a free hit",
        "openers",
        "attitudes",
        "bowler",
        "field",
        "bowl",
        "stroke",
        "attitude",
        "over_card",
        "skills of bowler",
        "skills of batter",
        "next_batter",
        "next_attitude",
        "run",
        "chance",
        "longer",
        "reroll_batter",
    ] {
        assert!(found.contains(kind), "{kind} is not in {found:?}");
    }
    let typed = board_game_of(&service, "t20");
    phone.opens(&pad_of(&typed));
    phone.taps("[data-choice='pace']");
    phone.waits_ms(400);
    typed.begin();
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    let mut overs = 0;
    for event in &events {
        let choices = &event["data"]["choices"];
        match event["kind"].as_str() {
            Some("over") => {
                overs += 1;
                for name in ["openers", "attitudes"] {
                    if overs == 1 {
                        changes(&phone, name, &choices[name]);
                    }
                }
                if overs == 2 {
                    changes(&phone, "bowler", &choices["bowler"]);
                }
                if overs == 3 {
                    changes(&phone, "field", &moved);
                }
            }
            Some("ball") => taps_ball(&phone, event),
            Some("review") => taps_review(&phone, event),
            _ => {}
        }
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    for (one, other) in play_of(&typed).iter().zip(&events) {
        assert_eq!(one["data"], other["data"], "{}", one["kind"]);
        assert_eq!((&one["kind"], &one["actor"]), (&other["kind"], &other["actor"]));
    }
    assert_eq!(play_of(&typed).len(), events.len());
}
