//! Tests of editions of any game: their form, their game, their hash, their teams, and the code that is
//! handed them.

use serde_json::json;

use super::*;
use crate::games::cricket_the_game::CricketTheGame;
use crate::rules::LONGEST_EDITION;

#[test]
fn a_text_that_is_no_edition_is_refused_at_its_root() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(LONGEST_EDITION));
    for (text, reason) in [
        ("", "is not JSON"),
        ("{\"id\": ", "is not JSON"),
        (&deep, "deeper than 127 levels"),
        ("{\"id\": 1.5}", "no floats"),
        ("{\"id\": 9007199254740993}", "beyond 2^53"),
        (&long, "at most 1000000 bytes"),
    ] {
        let faults = Editions::default().read(text.as_bytes()).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].path, "");
        assert!(faults[0].reason.contains(reason), "{faults:?}");
    }
}

/// The built-in edition of the board game.
fn built_in() -> Arc<Edition> {
    Arc::clone(&Editions::default().built_in()[0])
}

/// An edition that a club has changed, by its id.
fn club(id: &str) -> Arc<Edition> {
    let mut value = built_in().value.clone();
    value["id"] = json!(id);
    Arc::new(Editions::default().read_value(value).unwrap())
}

#[test]
fn an_edition_is_found_only_in_the_set_it_was_handed_to() {
    let edition = club("held");
    let with = Editions::default().only(Some(&edition));
    assert!(Arc::ptr_eq(&edition, &with.find(&edition.sha256).unwrap()));
    assert!(Editions::default().find(&edition.sha256).is_none(), "somebody else holds it, and that is all");
    let mut lent = Editions::default();
    lent.add(&with);
    assert!(lent.find(&edition.sha256).is_some());
    assert!(lent.find(&built_in().sha256).is_some(), "what is built in is always there");
}

#[test]
fn an_edition_is_what_its_game_has_read_in_it() {
    let edition = club("typed");
    assert!(edition.read::<crate::games::cricket_the_game::edition::model::PrintedEdition>().is_some());
    assert!(edition.read::<u16>().is_none());
    let known = Editions::default();
    assert!(!known.is_built_in(&edition) && known.is_built_in(&built_in()));
}

#[test]
fn an_edition_is_read_by_the_game_that_it_names() {
    let named = |game: Value| {
        let mut value = built_in().value.clone();
        value[GAME] = game;
        Editions::default().read_value(value)
    };
    let edition = named(json!("cricket-the-game")).unwrap();
    assert_eq!(edition.game, "cricket-the-game");
    assert_eq!(edition.value[GAME], "cricket-the-game", "it is part of what is hashed");
    assert_ne!(edition.sha256, built_in().sha256);
    for other in [json!("howzat"), json!("cuberoots"), json!("Cricket-The-Game"), json!(1), json!(null)] {
        let faults = named(other).unwrap_err();
        assert_eq!((faults.len(), faults[0].path.as_str()), (1, GAME));
        assert!(faults[0].reason.contains("cricket-the-game"), "{faults:?}");
    }
}

/// A game that is not in the registry.
fn game(change: impl FnOnce(&mut Game)) -> Game {
    let mut game = Game::of::<CricketTheGame>().with_editions::<CricketTheGame>();
    change(&mut game);
    game
}

#[test]
fn an_edition_is_never_read_by_another_game_than_it_names() {
    // Two games with editions; the second could read the edition of the first.
    let games = [game(|game| game.info.id = "first"), game(|game| game.info.id = "second"), game(|_| ())];
    let registry = Registry::of(games.to_vec().leak());
    let of = |edition: Value| game_of(&edition, registry).map(|game| game.info.id);
    assert_eq!(of(json!({"game": "second"})), Ok("second"));
    assert_eq!(of(json!({"game": "first"})), Ok("first"));
    assert_eq!(of(json!({})), Ok("cricket-the-game"), "an edition from before there were others");
    assert!(of(json!({"game": "third"})).unwrap_err().contains("first, second, cricket-the-game"));
}

#[test]
fn a_built_in_edition_that_cannot_be_read_is_reported_at_the_start() {
    assert!(Editions::of(games::BUILT_IN).is_ok());
    let broken = |text| {
        let game = game(|game| game.editions.as_mut().unwrap().built_in = text);
        Editions::of(Registry::of(vec![game].leak())).unwrap_err()
    };
    let twice = Registry::of(vec![game(|_| ()), game(|_| ())].leak());
    assert!(Editions::of(twice).unwrap_err().to_string().contains("two games"));
    for (text, says) in [("{\"id\": ", "is not JSON"), ("{}", "teams"), ("{\"game\": \"howzat\"}", "game")] {
        let fault = broken(text);
        assert_eq!(fault.game, "cricket-the-game");
        assert!(fault.faults.iter().any(|fault| fault.to_string().contains(says)), "{fault:?}");
        assert!(fault.to_string().starts_with("the built-in edition of cricket-the-game cannot be read: "));
    }
}
