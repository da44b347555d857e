//! A game that nobody has written for the pages: each kind of ask, on its keys or its sheet.

use serde_json::{Map, Value, json};
use third_umpire_test_support::service::{Cup, Match};

use crate::board_game::{asked, asks, changes, request, thrown};
use crate::phone::Phone;
use crate::table::{Table, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// What has a default, with another value.
fn others() -> [(&'static str, Value); 5] {
    [
        ("swing", json!("in")),
        ("crease", json!(3)),
        ("drills", json!(["cut", "sweep"])),
        ("last_plan", json!(["sweep", "drive"])),
        ("helmet", json!(false)),
    ]
}

fn net_practice(service: &Table) -> Match {
    service.begun(&json!({
        "game": "net-practice", "rules": {"overs": 1}, "dice": "table",
        "home": {"name": "Harbour Road", "players": names("Reyes")},
        "away": {"name": "Mill Lane", "players": names("Berg")},
    }))
}

fn names(last: &str) -> Vec<String> {
    (1..=11).map(|number| format!("{last} {number}")).collect()
}

/// Records a match by the API: what has a default is changed at one ball each, and the over of an innings.
fn recorded(service: &Table) -> Match {
    let (sent, mut cup, mut balls) = (net_practice(service), Cup::new(3), 0);
    loop {
        let next = sent.view()["next"].clone();
        let Some(ball) = request(&next, "bowl_ball") else { break };
        if request(&next, "begin_over").is_some() {
            sent.post("/overs", &json!({"practice_ball": 217})).expect(201);
            continue;
        }
        assert!(asks(ball).any(|ask| ask["required"] == true), "{ball}");
        let mut choices = Map::new();
        if let Some((name, value)) = others().into_iter().nth(balls) {
            choices.insert(name.to_owned(), value);
        }
        balls += 1;
        let mut body = thrown(&sent, choices, &mut cup);
        // The match lasts for as many balls as there is something to change.
        if balls < 6 {
            body["dice"] = json!([balls % 5 + 1]);
        }
        sent.post("/balls", &body).expect(201);
    }
    sent
}

/// Taps what a ball was told with. What has a default is changed first, where it is another value.
fn taps_ball(phone: &Phone, ball: &Value) {
    let choices = &ball["data"]["choices"];
    for (name, _) in others() {
        let at = format!("choices.{name}");
        if phone.has(&format!(".step-on [name='step-{at}']")) {
            phone.taps(&format!(".step-on [data-choice='{}']", choices[name]));
        } else {
            changes(phone, &at, &choices[name]);
        }
    }
    phone.taps("[data-action='step']");
    loop {
        let at = asked(phone);
        let Some(name) = at.strip_prefix("choices.") else { break };
        let sheet = format!(".pad-ask [data-action='ask:{at}']");
        match &choices[name] {
            Value::Number(number) => phone.taps(&format!("[data-die='{number}']")),
            Value::Array(values) => {
                phone.taps(&sheet);
                let taps = values.iter().filter_map(Value::as_str);
                taps.for_each(|value| phone.taps(&format!("dialog [data-choice='{value}']")));
                if phone.has("dialog [data-action='confirm']") {
                    phone.taps("dialog [data-action='confirm']");
                }
            }
            Value::Object(places) => {
                phone.taps(&sheet);
                if places.values().any(|place| place == "far") {
                    phone.taps("dialog [data-action='named']");
                }
                phone.taps("dialog [data-action='confirm']");
            }
            value => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                phone.taps(&format!(".pad-ask [data-choice='{value}']"));
            }
        }
        assert!(!phone.has("dialog"), "{name} is answered");
        phone.waits_ms(400);
    }
    phone.taps(&format!("[data-die='{}']", ball["data"]["dice"][0]["value"]));
    phone.waits_ms(HOLD);
}

#[test]
fn a_game_that_asks_in_every_way_is_scored_whole_by_touch() {
    let service = Table::with_test_games();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    let (sent, typed) = (recorded(&service), net_practice(&service));
    phone.opens(&pad_of(&typed));
    for event in play_of(&sent) {
        match event["kind"].as_str() {
            Some("over") => changes(&phone, "practice_ball", &event["data"]["choices"]["practice_ball"]),
            Some("ball") => taps_ball(&phone, &event),
            _ => {}
        }
    }
    phone.reads(".sync", "finished");
    assert_eq!(play_of(&typed), play_of(&sent));
    let balls = play_of(&sent).into_iter().filter(|event| event["kind"] == "ball");
    assert!(balls.count() > 6, "each default was changed");
}
