//! A match in play, with every event it has recorded.

use serde_json::Value;
use third_umpire::dice::{Dice, SeededDice, ServerSeed, TableDice};
use third_umpire::editions::Editions;
use third_umpire::log::{EventData, SeedSource, TeamSheet};
use third_umpire::matches::{Input, Match};
use third_umpire::rules::{Game, Refusal};

use super::{Setting, match_id};

/// A match, and its events so far.
#[derive(Clone)]
pub struct PlayedMatch {
    pub the_match: Match,
    pub log: Vec<EventData>,
    editions: Editions,
    seed: Option<ServerSeed>,
}

impl PlayedMatch {
    /// Creates a match at one table; its creator gives the seed.
    pub fn create(
        game: &Game,
        rules: Value,
        home: TeamSheet,
        away: TeamSheet,
        seed: Option<ServerSeed>,
    ) -> Result<PlayedMatch, Refusal> {
        let seed_source = SeedSource::Creator;
        Setting { game: game.info.id, rules, home, away, seed_source, ..Setting::default() }.open(seed)
    }

    /// The match that this event creates, with the editions it may be played with.
    pub(super) fn begun(first: EventData, editions: Editions, seed: Option<ServerSeed>) -> PlayedMatch {
        let the_match = Match::from_log(match_id(), &first, &editions)
            .expect("a match that was just created opens from its log");
        PlayedMatch { the_match, log: vec![first], editions, seed }
    }

    /// Decides an input, records its events, and moves on.
    pub fn put(&mut self, input: Input, dice: &mut dyn Dice) -> Result<Vec<EventData>, Refusal> {
        let decision = self.the_match.decide(input, dice, self.seed.as_ref())?;
        self.the_match = decision.after;
        self.log.extend_from_slice(&decision.events);
        Ok(decision.events)
    }

    /// Decides an input with dice that were rolled by hand.
    pub fn enter(&mut self, input: Input, dice: &[i64]) -> Result<Vec<EventData>, Refusal> {
        self.put(input, &mut TableDice::new(dice))
    }

    /// Records an event that was decided elsewhere.
    pub fn follow(&mut self, event: EventData) {
        self.the_match.replay(&event).expect("the event can come next");
        self.log.push(event);
    }

    /// The match as its first event creates it, before anything else.
    pub fn opened_anew(&self) -> Match {
        Match::from_log(match_id(), &self.log[0], &self.editions).expect("a first event")
    }

    /// The editions with which the log can be read.
    pub fn editions(&self) -> Editions {
        self.editions.clone()
    }

    /// The server seed of a seeded match.
    pub fn seed(&self) -> Option<&ServerSeed> {
        self.seed.as_ref()
    }

    /// The dice of the server seed alone, without client seeds.
    pub fn seeded_dice(&self) -> Option<SeededDice> {
        self.seed.as_ref().map(|seed| SeededDice::new(&seed.match_seed(&[])))
    }
}
