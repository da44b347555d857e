//! Makes whole matches as logs: decides one input after the other, and seals the events that follow from it.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use third_umpire::dice::{SeededDice, ServerSeed, TableDice};
use third_umpire::log::{Actor, CoinFace, EventData, TossChoice};
use third_umpire::matches::{Input, Match, Phase, SealOpening, ServerSecrets};
use third_umpire::rules::{Choices, Next, Play};
use third_umpire::scorebook::Side;

use super::{Log, PlayedMatch, SealedLog, Setting, object};
use crate::random::Lcg;

/// A match in play, and its log.
pub struct LogMaker {
    pub(super) played: PlayedMatch,
    pub sealed: SealedLog,
    /// Openings of seals that the service knows.
    pub(super) openings: Vec<SealOpening>,
    /// The actor of the events that are sealed next.
    pub(super) actor: Actor,
    /// Dice that stand for those rolled at the table.
    pub(super) rolls: SeededDice,
    pub(super) random_choices: RandomChoices,
}

/// An over a side with dice from the table, in seventeen events. Wanderers 13/1: no run, 1, 4, bowled, a
/// wide, 6, 1 (events 5 to 11); Rovers reach 18/1 in four balls: 6, caught and bowled, 6, 6 (events 13 to
/// 16).
pub fn scripted() -> Log {
    let first: [&[i64]; 7] = [&[2, 3], &[2, 1], &[4, 4], &[2, 5], &[1, 2], &[6, 6], &[3, 1]];
    let second: [&[i64]; 4] = [&[6, 6], &[3, 5, 6, 6, 4], &[6, 6], &[5, 6]];
    Setting::overs(1).table().home_bats().balls(first).balls(second).log()
}

/// A log of seven events, small enough to change every bit of it: created, tossed, decided, an over, two
/// balls, given up.
pub fn short() -> Log {
    let balls: [&[i64]; 2] = [&[2, 3], &[3, 5, 1, 1, 6]];
    Setting::overs(1).table().home_bats().balls(balls).abandoned("rain")
}

impl LogMaker {
    /// The log of a match that has only been created, by its scorer.
    pub fn of(played: PlayedMatch) -> LogMaker {
        // The seed is one that no log has, so that these dice are nobody's.
        let rolls = ServerSeed::from_hex(&"a5".repeat(32)).unwrap();
        LogMaker {
            sealed: SealedLog::of(&played.log),
            openings: Vec::new(),
            actor: Actor::Scorer,
            rolls: SeededDice::new(&rolls.match_seed(&[])),
            random_choices: RandomChoices(Lcg(2026)),
            played,
        }
    }

    /// The match after the last event.
    pub fn the_match(&self) -> &Match {
        &self.played.the_match
    }

    pub(super) fn is_seeded(&self) -> bool {
        self.played.seed().is_some()
    }

    /// The secrets that only the service knows.
    pub(super) fn server_secrets(&self) -> ServerSecrets<'_> {
        ServerSecrets { seed: self.played.seed(), openings: &self.openings, now: self.sealed.next_time() }
    }

    fn seal(&mut self, data: EventData) {
        let at = self.sealed.next_time();
        self.sealed.append(at, self.actor, data);
    }

    /// Records an event that was decided elsewhere.
    pub(super) fn follow(&mut self, event: EventData) {
        self.played.follow(event.clone());
        self.seal(event);
    }

    pub(super) fn put(&mut self, input: Input, dice: &[i64]) {
        let events = self.played.put(input, &mut TableDice::new(dice)).unwrap();
        events.into_iter().for_each(|event| self.seal(event));
    }

    pub(super) fn roll(&mut self, input: Input) {
        let events = match self.played.seed() {
            Some(seed) => {
                let mut dice = self.played.the_match.remote().dice(seed);
                self.played.put(input, &mut dice)
            }
            None => self.played.put(input, &mut self.rolls),
        };
        events.unwrap().into_iter().for_each(|event| self.seal(event));
    }

    /// Plays an input with rolled dice.
    pub fn rolling(mut self, input: Input) -> LogMaker {
        self.roll(input);
        self
    }

    /// Tosses with a rolled coin: away calls heads, and the winner bats.
    pub fn tossed(mut self) -> LogMaker {
        self.roll(Input::Toss { caller: Side::Away, call: CoinFace::Heads });
        self.put(Input::TossDecision { to: TossChoice::Bat }, &[]);
        self
    }

    /// Tosses with a coin from the table: home calls heads, wins and bats.
    pub fn home_bats(mut self) -> LogMaker {
        let input = Input::Toss { caller: Side::Home, call: CoinFace::Heads };
        self.put(input, &[1]);
        self.put(Input::TossDecision { to: TossChoice::Bat }, &[]);
        self
    }

    /// Reports a toss that this side has won. It bats.
    pub fn toss_reported(mut self, winner: Side) -> LogMaker {
        self.put(Input::ReportedToss { winner }, &[]);
        self.put(Input::TossDecision { to: TossChoice::Bat }, &[]);
        self
    }

    /// Begins an over with these choices.
    pub fn over(mut self, choices: Value) -> LogMaker {
        self.put(Input::Play(Play::Over(object(choices))), &[]);
        self
    }

    /// Bowls balls with dice from the table; an over that is due begins with the default choices.
    pub fn balls<const N: usize>(mut self, balls: [&[i64]; N]) -> LogMaker {
        for dice in balls {
            self.put(Input::Play(Play::Ball(Choices::new())), dice);
        }
        self
    }

    /// Bowls this number of balls, or fewer if the match ends, with rolled dice and default choices.
    pub fn rolled(mut self, balls: usize) -> LogMaker {
        let mut balls = 0..balls;
        while self.played.the_match.play().phase() == Phase::Play && balls.next().is_some() {
            self.roll(Input::Play(Play::Ball(Choices::new())));
        }
        self
    }

    /// Reviews the last decision for the side that may ask, with this die from the table.
    pub fn reviewed(mut self, die: i64) -> LogMaker {
        let by = self.played.the_match.reviews().open().unwrap().by;
        self.put(Input::Review { by }, &[die]);
        self
    }

    /// Accepts the last decision.
    pub fn accepted(mut self) -> LogMaker {
        let by = self.played.the_match.reviews().open().unwrap().by;
        self.put(Input::Accept { by }, &[]);
        self
    }

    /// Plays the rest of the match with rolled dice and default choices, and reviews every decision.
    pub fn played_out_reviewing(mut self) -> Log {
        while self.played.the_match.play().phase() == Phase::Play {
            let input = match self.played.the_match.reviews().open() {
                Some(open) => Input::Review { by: open.by },
                None => self.played.the_match.default_input(),
            };
            self.roll(input);
        }
        self.log()
    }

    /// Plays the rest of the match with rolled dice and default choices.
    pub fn played_out(self) -> Log {
        self.rolled(usize::MAX).log()
    }

    /// Plays this number of further deliveries with rolled dice and pseudo-random choices.
    pub fn at_random(mut self, deliveries: u32) -> LogMaker {
        let last = self.played.the_match.play().deliveries().saturating_add(deliveries);
        while self.played.the_match.play().phase() == Phase::Play
            && self.played.the_match.play().deliveries() < last
        {
            let random_choices = &mut self.random_choices;
            let play = match self.played.the_match.next() {
                Next::Choose { what: "over" | "order", legal, .. } => Play::Over(random_choices.over(&legal)),
                Next::Choose { what: "numbers", legal, .. } => Play::Ball(random_choices.each_of(&legal)),
                Next::Choose { what: "ball", .. } => Play::Ball(Choices::new()),
                Next::Choose { what, legal, .. } => Play::Ball(random_choices.one_of(what, &legal)),
                _ => Play::Ball(Choices::new()),
            };
            self.roll(Input::Play(play));
        }
        self
    }

    /// Plays the rest of the match with rolled dice and pseudo-random choices.
    pub fn played_out_at_random(self) -> Log {
        self.at_random(u32::MAX).log()
    }

    /// Gives the match up.
    pub fn abandoned(mut self, reason: &str) -> Log {
        let input = Input::Abandon { reason: reason.to_owned() };
        self.put(input, &[]);
        self.log()
    }

    /// The log up to the last event.
    pub fn log(self) -> Log {
        Log::of_lines(self.sealed.lines)
    }
}

/// Choices that change all the time, and are the same in every run.
pub(super) struct RandomChoices(Lcg);

impl RandomChoices {
    /// A number below `most`.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0.below(most)
    }

    pub(super) fn pick<'a>(&mut self, legal: &'a Value) -> &'a Value {
        let all = legal.as_array().unwrap();
        &all[self.0.below(all.len())]
    }

    fn one_of(&mut self, decision: &str, legal: &Value) -> Choices {
        Map::from_iter([(decision.to_owned(), self.pick(legal).clone())])
    }

    fn each_of(&mut self, legal: &Value) -> Choices {
        let each = legal.as_object().unwrap().iter();
        each.map(|(decision, legal)| (decision.clone(), self.pick(legal).clone())).collect()
    }

    /// Choices for an over: a bowler, now and then another keeper or the orders of both sides, and openers
    /// where they are due. A keeper never bowls, and the openers differ.
    fn over(&mut self, legal: &Value) -> Choices {
        if legal.as_object().is_some_and(Map::is_empty) {
            // A game whose captains choose nothing.
            return Choices::new();
        }
        let bowler = self.pick(&legal["bowler"]).clone();
        let mut choices = Map::from_iter([("bowler".to_owned(), bowler.clone())]);
        if !legal["keeper"].is_null() {
            let keeper = self.pick(&legal["keeper"]).clone();
            if keeper != bowler && self.0.below(3) == 0 {
                choices.insert("keeper".to_owned(), keeper);
            }
        }
        if legal["orders"].is_object() && self.0.below(3) == 0 {
            let mut six = || (0..6).map(|_| self.0.below(10)).collect::<Value>();
            choices.insert("orders".to_owned(), json!({"bowling": six(), "batting": six()}));
        }
        if !legal["openers"].is_null() {
            let mut seen = HashSet::new();
            let openers: Vec<Value> = std::iter::repeat_with(|| self.pick(&legal["openers"]).clone())
                .filter(|name| seen.insert(name.to_string()))
                .take(2)
                .collect();
            choices.insert("openers".to_owned(), Value::from(openers));
        }
        choices
    }
}
