//! The legal choices for a ball, as a client reads them.

use serde_json::Value;

use super::super::edition::model::{Attitude, EditionWord, Zone};
use super::situation::BallSituation;

/// The attitudes that a batter may play with.
pub fn attitudes() -> Value {
    Attitude::ALL.iter().map(|(_, word)| *word).collect()
}

/// The bowls of the bowler's style.
pub fn bowls(situation: &BallSituation<'_>) -> Value {
    situation.bowls().iter().map(|bowl| bowl.id.as_str()).collect()
}

/// The zones that a stroke may go into.
pub fn zones() -> Value {
    Zone::strokes().map(Zone::word).collect()
}

/// The ids of the over cards that may be turned next, at the table.
pub fn cards_left<'a>(situation: &BallSituation<'a>) -> Vec<&'a str> {
    let turned = &situation.over.turned;
    let deck = (0u8..).zip(situation.deck());
    deck.filter(|(place, _)| !turned.contains(place)).map(|(_, card)| card.id.as_str()).collect()
}
