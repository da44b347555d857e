//! Editions on the page of a new match: one is chosen, or taken in as a file. What is wrong is told by card.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, Match, with};

use crate::board_game::{taps_ball, thrown};
use crate::games::{begun_on, board_game_request};
use crate::phone::Phone;
use crate::table::{Table, pad_of, play_of};

/// The built-in edition of the board game.
fn built_in(service: &Table) -> Value {
    let listed = service.client().get("/v1/editions").expect(200);
    let hash = listed["editions"][0]["sha256"].as_str().expect("a hash").to_owned();
    service.client().get(&format!("/v1/editions/{hash}")).expect(200)
}

/// Takes a file in, as if it had been picked.
fn takes_in(phone: &Phone, text: &str) {
    let script = "const input = document.querySelector('#edition-file'); const picked = new DataTransfer(); \
        picked.items.add(new File([arguments[0]], 'ours.json')); input.files = picked.files; \
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    phone.run(script, vec![json!(text)]);
    phone.settles();
}

/// What is wrong with the file that was taken in.
fn faults(phone: &Phone) -> String {
    phone.text(".faults")
}

const NAME: &str = "The very long name of an over card, here";

#[test]
fn a_match_is_made_with_the_cards_of_a_file_that_was_taken_in_twice() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let mut edition = built_in(&service);
    edition["id"] = json!("ours");
    edition["teams"][0]["name"] = json!("Pebble Beach");
    for style in ["pace", "medium", "spin"] {
        for card in edition["over_decks"][style].as_array_mut().expect("a deck") {
            card["name"] = json!(NAME);
        }
    }
    phone.opens("/new?game=howzat");
    assert!(!phone.has(".edition"), "a game without editions asks for none");
    phone.opens("/new?game=cricket-the-game");
    phone.reads(".edition", "house");
    for _ in 0..2 {
        takes_in(&phone, &edition.to_string());
        assert_eq!(phone.text(".edition .way:has(:checked)"), "ours", "{}", faults(&phone));
        assert_eq!(phone.run("return document.querySelectorAll('.edition .way').length", vec![]), json!(2));
    }
    phone.reads(".sides", "Pebble Beach");
    // The other cards have other teams, and their choice is remembered for the next match.
    // They stand last, behind Start until the form is scrolled to its end.
    phone.run("document.querySelector('.edition').scrollIntoView()", vec![]);
    phone.taps(".edition .way:has([value]):first-child");
    assert!(!phone.text(".sides").contains("Pebble Beach"));
    phone.taps(".edition .way:last-child");
    phone.taps("[data-action='start']");
    phone.reads("#question", "Which pitch card?");
    let made = service.client().get("/v1/matches?order=changed&limit=1").expect(200);
    let id = made["matches"][0]["id"].as_str().expect("an id");
    let view = service.client().get(&format!("/v1/matches/{id}")).expect(200);
    assert_eq!((&view["edition"]["id"], &view["home"]["name"]), (&json!("ours"), &json!("Pebble Beach")));
    // Cards with names of 40 characters have room on the pad.
    for way in ["[data-choice='pace']", "[data-choice='home']", "[data-choice='bat']"] {
        phone.waits(way, &format!("return document.querySelector(\"{way}\") !== null"));
        phone.taps(way);
        phone.waits_ms(400);
    }
    phone.waits("a ball is due", "return document.querySelector('[data-action=step]') !== null");
    phone.taps("[data-action='step']");
    phone.reads(".pad-ask", NAME);
    let wide = "return [document.documentElement.scrollWidth - document.documentElement.clientWidth, \
        ...[...document.querySelectorAll('.key')].map((key) => key.scrollWidth - key.clientWidth)]
        .filter((over) => over > 1)";
    assert_eq!(phone.run(wide, vec![]), json!([]));
    phone.opens("/new?game=cricket-the-game");
    assert_eq!(phone.text(".edition .way:has(:checked)"), "ours");
}

#[test]
fn a_file_that_is_no_edition_says_what_is_wrong_by_card() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422", "400"];
    let whole = built_in(&service);
    phone.opens("/new?game=cricket-the-game");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut edition = whole.clone();
        change(&mut edition);
        edition.to_string()
    };
    let deck = |edition: &mut Value| edition["over_decks"]["medium"].as_array_mut().expect("a deck").clone();
    let fewer = changed(&|edition| edition["over_decks"]["medium"] = json!(deck(edition)[1..]));
    let more = changed(&|edition| {
        let mut cards = deck(edition);
        cards.push(cards[0].clone());
        cards[15]["id"] = json!("another");
        edition["over_decks"]["medium"] = json!(cards);
    });
    let wrong = changed(&|edition| {
        edition["over_decks"]["medium"][0]["effects"] = json!([{"then": "fly"}]);
    });
    let name = whole["over_decks"]["medium"][0]["name"].as_str().expect("a name");
    let large = " ".repeat(1_000_001);
    for (text, words) in [
        (fewer.as_str(), "over_decks.medium is a list of 15 over cards; this has 14".to_owned()),
        (&more, "over_decks.medium is a list of 15 over cards; this has 16".to_owned()),
        (&wrong, format!("{name} over_decks.medium[0].effects[0].then \"fly\" is not an effect")),
        ("{\"id\": ", "not JSON".to_owned()),
        (&large, "An edition has at most 1,000,000 bytes; this file has 1,000,001.".to_owned()),
    ] {
        takes_in(&phone, text);
        assert!(faults(&phone).contains(&words), "{words:?} is not in {:?}", faults(&phone));
        phone.reads(".edition .strong", "house, the edition of this service");
    }
    // What was wrong goes with the next choice.
    takes_in(&phone, &whole.to_string());
    assert!(!phone.has(".faults"));
}

#[test]
fn the_same_again_has_the_cards_of_its_match() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let mut edition = built_in(&service);
    edition["id"] = json!("ours");
    let kept = service.client().post("/v1/editions", &edition).expect(201);
    let side = |team: &str| json!({"name": team, "players": {"team": team}});
    let request = json!({"game": "cricket-the-game", "dice": "table", "edition": kept["sha256"],
        "home": side("Harbour Terns"), "away": side("Copperfield Larks")});
    let played = Match::create(service.client(), &request);
    phone.opens(&format!("/new?again={}", played.id));
    assert_eq!(phone.text(".edition .way:has(:checked)"), "ours");
}

#[test]
fn a_no_ball_on_a_free_hit_is_typed_as_it_was_bowled() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let mut edition = built_in(&service);
    // No over card is turned on a free hit, so it is a skill that makes it a no-ball.
    edition["id"] = json!("big_steps");
    let mut skills = Vec::new();
    for skill in edition["skills"]["bowler"].as_array_mut().expect("skills") {
        skill["effects"] = json!([{"then": "no_ball"}]);
        skills.push(skill["id"].clone());
    }
    let taken = service.client().post("/v1/editions", &edition).expect(201);
    let request = with(board_game_request(service.client(), "t20"), "/edition", taken["sha256"].clone());
    let [sent, typed] = [(); 2].map(|()| begun_on(Match::create(service.client(), &request), "pace"));
    sent.post("/overs", &json!({})).expect(201);
    let mut cup = Cup::new(2);
    for skill in &skills {
        let choices = json!({"skills": {"bowler": [skill]}}).as_object().cloned().expect("choices");
        sent.post("/balls", &thrown(&sent, choices, &mut cup)).expect(201);
    }
    let events = play_of(&sent);
    let is_free = |event: &&Value| event["data"]["outcome"]["detail"]["free_hit"] == true;
    assert!(events.iter().filter(is_free).all(|event| event["data"]["outcome"]["extras"]["no_balls"] == 1));
    assert_eq!(events.iter().filter(is_free).count(), skills.len() - 1);
    phone.opens(&pad_of(&typed));
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    for (place, event) in events.iter().filter(|event| event["kind"] == "ball").enumerate() {
        assert_eq!(phone.text(".ask").contains("free hit"), place > 0, "{}", phone.text("body"));
        taps_ball(&phone, event);
    }
    phone.waits_ms(4000);
    assert_eq!(play_of(&typed), events);
}
