//! The built-in edition: its counts, and the effects it uses.

use std::collections::HashSet;
use std::mem::discriminant;

use super::built_in_edition;
use crate::games::cricket_the_game::edition::effect::Effect;
use crate::games::cricket_the_game::edition::model::{Express, PrintedEdition, Style};
use crate::games::cricket_the_game::edition::read::read;

fn edition() -> PrintedEdition {
    read(&built_in_edition()).expect("the built-in edition has no mistake")
}

fn effects(edition: &PrintedEdition) -> Vec<&Effect> {
    let bowls = edition.bowls.0.iter().flatten().flat_map(|card| &card.effects);
    let over = edition.over_decks.0.iter().flatten().flat_map(|card| &card.effects);
    let pitch = edition.pitch.iter().flat_map(|card| &card.effects);
    let skills = edition.batter_skills.iter().chain(&edition.bowler_skills).flat_map(|card| &card.effects);
    bowls.chain(over).chain(pitch).chain(skills).collect()
}

#[test]
fn the_built_in_edition_has_the_counts_of_the_box() {
    let edition = edition();
    assert_eq!(edition.id, "house");
    assert_eq!(edition.teams.iter().map(|team| team.players.len()).sum::<usize>(), 24);
    assert_eq!(edition.over_decks.0.iter().map(Vec::len).sum::<usize>(), 45);
    assert_eq!((edition.pitch.len(), edition.batter_skills.len(), edition.bowler_skills.len()), (3, 3, 2));
}

#[test]
fn the_built_in_edition_uses_every_effect_of_the_language() {
    let edition = edition();
    let used: HashSet<_> = effects(&edition).iter().map(|effect| discriminant(&effect.then)).collect();
    assert_eq!(used.len(), 15, "one of the fifteen effects is on no card");
}

#[test]
fn every_deck_of_the_built_in_edition_has_every_symbol_of_express_play_but_threes() {
    for (deck, style) in edition().over_decks.0.iter().zip(["pace", "spin", "medium"]) {
        let symbols: HashSet<Express> = deck.iter().map(|card| card.express).collect();
        let expected =
            [Express::Dot, Express::One, Express::Two, Express::Patience, Express::Threat, Express::Boundary];
        assert!(expected.iter().all(|symbol| symbols.contains(symbol)), "{style}: {symbols:?}");
    }
}

#[test]
fn the_built_in_edition_snicks_most_in_pace_and_least_in_medium() {
    let edition = edition();
    let snicks = |style| edition.over_decks.of(style).iter().filter(|card| card.snick).count();
    assert!(snicks(Style::Pace) > snicks(Style::Spin) && snicks(Style::Spin) > snicks(Style::Medium));
}
