//! Matches for the tests of the parts.

use serde_json::Value;

use super::{GameInPlay, Match, MatchInfo, MatchSettings, new_match};
use crate::dice::{ServerSeed, TableDice};
use crate::editions::Editions;
use crate::log::{CoinFace, EventData, MatchId, SeedSource, TeamSheet};
use crate::matches::Input;
use crate::rules::Choices;
use crate::scorebook::Side;

fn sheet(side: &str) -> TeamSheet {
    let players = (1..=11).map(|place| format!("{side}{place}")).collect();
    TeamSheet { name: side.to_owned(), players, cards: Vec::new() }
}

pub fn seed() -> ServerSeed {
    ServerSeed::from_hex(&"5a".repeat(32)).expect("a seed")
}

/// The first event of a match, with dice from a seed or from the table.
pub fn created(game: &str, rules: Value, seeded: bool, settings: MatchSettings) -> EventData {
    let Value::Object(rules) = rules else { panic!("options are an object") };
    let game = Editions::default().registry().find(game).expect("a game");
    let (seed, source) = (seed(), SeedSource::Os);
    let given = seeded.then_some((&seed, source));
    let created = new_match(None, game, &rules, sheet("A"), sheet("B"), given, settings);
    EventData::MatchCreated(created.expect("a legal match"))
}

/// A match of Howzat before its toss.
pub fn howzat(rules: Value, seeded: bool) -> Match {
    let first = created("howzat", rules, seeded, MatchSettings::default());
    Match::from_log(MatchId::nil(), &first, &Editions::default()).expect("a match")
}

/// The play of a match of Howzat, without the other parts.
pub fn play_of_howzat(rules: Value, seeded: bool) -> GameInPlay {
    let first = created("howzat", rules, seeded, MatchSettings::default());
    let opened = MatchInfo::from_log(MatchId::nil(), &first, &Editions::default());
    let (info, game) = opened.expect("a match");
    GameInPlay::open(info, game)
}

/// The events of an input with dice from the table, and the match after them.
pub fn entered(the_match: &Match, input: Input, dice: &[i64]) -> (Vec<EventData>, Match) {
    let decided = the_match.decide(input, &mut TableDice::new(dice), None).expect("a legal input");
    (decided.events, decided.after)
}

/// A match of Howzat with table dice in which A bats.
pub fn howzat_in_play(rules: Value) -> Match {
    let tossed =
        entered(&howzat(rules, false), Input::Toss { caller: Side::Home, call: CoinFace::Heads }, &[1]).1;
    entered(&tossed, tossed.default_input(), &[]).1
}

/// The input of a ball without choices.
pub fn next_ball() -> Input {
    Input::Play(crate::rules::Play::Ball(Choices::new()))
}
