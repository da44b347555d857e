//! Editions whatever the game: their form, their hash, their teams, the shelf they are held on.

use serde_json::json;

use super::*;

fn made(value: Value) -> Edition {
    let text = canonical(&value).unwrap();
    let id = value["id"].as_str().unwrap().to_owned();
    Edition { game: "none", id, sha256: hash_of(&text), text, value, read: Arc::new(7_u8) }
}

#[test]
fn a_text_that_is_no_edition_is_refused_at_its_root() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(LONGEST_EDITION));
    for (text, reason) in [
        ("", "is not JSON"),
        ("{\"id\": ", "is not JSON"),
        (&deep, "recursion limit"),
        ("{\"id\": 1.5}", "no floats"),
        ("{\"id\": 9007199254740993}", "beyond 2^53"),
        (&long, "at most 1000000 bytes"),
    ] {
        let faults = Edition::of_text(text.as_bytes()).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].path, "");
        assert!(faults[0].reason.contains(reason), "{faults:?}");
    }
}

#[test]
fn an_edition_is_found_as_long_as_somebody_holds_it() {
    let sha256 = made(json!({"id": "held"})).sha256;
    assert!(find(&sha256).is_none());
    let held = keep(made(json!({"id": "held"})));
    let again = keep(made(json!({"id": "held"})));
    assert!(Arc::ptr_eq(&held, &again));
    assert!(Arc::ptr_eq(&held, &find(&sha256).unwrap()));
    assert_eq!(held.read::<u8>().as_deref(), Some(&7));
    assert!(held.read::<u16>().is_none());
    drop((held, again));
    assert!(find(&sha256).is_none());
}

#[test]
fn a_team_is_written_out_with_its_cards() {
    let players = json!([{"name": "Ann", "role": "pace"}, {"name": "Bea", "role": "keeper"}]);
    let edition =
        made(json!({"id": "e", "teams": [{"name": "Larks", "players": players}, {"name": "Owls"}]}));
    assert_eq!(edition.teams(), ["Larks", "Owls"]);
    let sheet = edition.team("Us", "Larks").unwrap();
    assert_eq!(serde_json::to_value(&sheet).unwrap(), json!({"name": "Us", "players": players}));
    assert_eq!(
        edition.team("Us", "Larx").unwrap_err(),
        "edition \"e\" has no team \"Larx\"; it has \"Larks\", \"Owls\""
    );
    assert!(edition.team("Us", "Owls").is_err());
    assert!(made(json!({"id": "e"})).team("Us", "Larks").is_err());
}

#[test]
fn every_game_with_editions_brings_one_along() {
    for game in GAMES.iter().filter(|game| game.house.is_some()) {
        let text = game.house.unwrap();
        let faults = Edition::of_text(text.as_bytes()).err();
        assert_eq!(faults, None, "{}", game.id);
        assert_eq!(find(&house(game).unwrap().sha256).unwrap().game, game.id);
    }
}
