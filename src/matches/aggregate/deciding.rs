//! What is put into a match: decided, and turned into events.

use serde_json::json;

use super::{Decision, Fixture, Input, Phase};
use crate::dice::{COIN, Dice, Draw, Seeds, ServerSeed};
use crate::log::{
    Broken, CoinFace, DiceMode, EventData, MatchAbandoned, MatchCompleted, Toss, TossChoice, TossDecided,
};
use crate::rules::reading::check_reason;
use crate::rules::{Decided, GameState, Next, Place, Play, Refusal, Why};
use crate::scorebook::Side;

impl Fixture {
    /// Turns an input into events, or refuses it. `seed` is the server seed of a seeded match: it is opened with the
    /// event that ends the match, and only then.
    pub fn decide(
        &self,
        input: Input,
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Decision, Refusal> {
        self.refuse_if_over()?;
        let opened = || seed.map(|seed| Seeds::open(seed, &self.client_seeds()));
        match input {
            Input::Toss { caller, call } => self.decide_toss(caller, call, dice),
            Input::TossDecision { to } => self.decide_to(to),
            Input::Play(play @ Play::SetUp(_)) => self.decide_set_up(play, dice),
            Input::Play(play @ Play::Choose(_)) if self.phase == Phase::SetUp => {
                self.decide_set_up(play, dice)
            }
            Input::Play(play) => self.decide_play(|game, dice| game.decide(play, dice), dice, opened),
            Input::AsStood(choices, agreed) => {
                check_reason("as_stood.reason", &agreed.reason)?;
                self.decide_play(|game, dice| game.decide_as_stood(choices, &agreed, dice), dice, opened)
            }
            Input::Review { by } => self.decide_review(by, dice, opened),
            Input::Accept { by } => self.decide_accept(by, dice, opened),
            Input::Abandon { reason } => {
                check_reason("reason", &reason)?;
                Ok(self.having(EventData::MatchAbandoned(MatchAbandoned { reason, seeds: opened() })))
            }
        }
    }

    pub(in crate::matches) fn refuse_if_over(&self) -> Result<(), Refusal> {
        if self.is_played_out() {
            let message = "the last ball has been bowled, and the event that ends the match is missing";
            return Err(Refusal::new(Why::MatchOver, Place::Input, message));
        }
        let how = match self.phase {
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play => return Ok(()),
        };
        Err(match self.created.dice {
            DiceMode::Seeded => Refusal::new(
                Why::SeedOpen,
                Place::Input,
                format!("the match is {how} and its seeds are open; nothing new can be bowled with them"),
            ),
            DiceMode::Table => {
                Refusal::new(Why::MatchOver, Place::Input, format!("the match is {how}; nothing can follow"))
            }
        })
    }

    fn decide_set_up(&self, play: Play, dice: &mut dyn Dice) -> Result<Decision, Refusal> {
        if self.phase != Phase::SetUp {
            return Err(self.out_of_turn("nothing is to be set up"));
        }
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("a match is set up when both sides have shown their seeds"));
        }
        let Decided { events, after: game } = self.game.decide(play, dice)?;
        let mut after = Fixture { game, ..self.clone() };
        events.iter().for_each(|event| after.evolve(event));
        Ok(Decision { events, after })
    }

    pub(super) fn decide_toss(
        &self,
        caller: Side,
        call: CoinFace,
        dice: &mut dyn Dice,
    ) -> Result<Decision, Refusal> {
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("the toss is made when both sides have shown their seeds"));
        }
        match self.phase {
            Phase::Toss => {}
            Phase::SetUp => return Err(self.out_of_turn("the match is to be set up before its toss")),
            Phase::TossDecision(_) | Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                return Err(self.out_of_turn("the toss has been made"));
            }
        }
        Ok(self.having(EventData::Toss(make_toss(caller, call, dice)?)))
    }

    pub(super) fn decide_to(&self, to: TossChoice) -> Result<Decision, Refusal> {
        match self.phase {
            Phase::TossDecision(by) => {
                Ok(self.having(EventData::TossDecided(TossDecided { by, to, draw: None })))
            }
            Phase::SetUp | Phase::Toss => Err(self.out_of_turn("the toss has not been made")),
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                Err(self.out_of_turn("the toss is decided"))
            }
        }
    }

    fn decide_play(
        &self,
        decide: impl FnOnce(&dyn GameState, &mut dyn Dice) -> Result<Decided, Refusal>,
        dice: &mut dyn Dice,
        opened: impl Fn() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        if self.phase != Phase::Play {
            return Err(self.out_of_turn("play has not begun"));
        }
        self.refuse_if_review_open()?;
        self.refuse_if_secret()?;
        self.played(decide(self.game.as_ref(), dice)?, opened)
    }

    /// The match after what its game has decided, and its end where it has come to it.
    pub(in crate::matches) fn played(
        &self,
        decided: Decided,
        opened: impl Fn() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        let impossible = |broken: Broken| Refusal::new(Why::IllegalInput, Place::Input, broken.to_string());
        let reviewing = self.reviewing_after(&decided.events).map_err(impossible)?;
        let result = decided.after.result().filter(|_| !reviewing.is_open());
        let mut decision = Decision { events: decided.events, after: self.clone() };
        if let Some(result) = result {
            decision.events.push(EventData::MatchCompleted(MatchCompleted { result, seeds: opened() }));
        }
        decision.events.iter().for_each(|event| decision.after.evolve(event));
        decision.after.game = decided.after;
        decision.after.reviewing = reviewing;
        Ok(decision)
    }

    /// A refusal of something that is not due, saying what is.
    pub(in crate::matches) fn out_of_turn(&self, what_is: &str) -> Refusal {
        let due = match self.next() {
            Next::Choose { what, .. } => format!("the match waits for: {}", what.replace('_', " ")),
            Next::Roll { what, .. } => format!("the match waits for the next ball, and its {what} die"),
            Next::Over { .. } => "the match is over".to_owned(),
        };
        Refusal::new(Why::OutOfTurn, Place::Input, format!("{what_is}; {due}"))
    }
}

pub(super) fn make_toss(caller: Side, call: CoinFace, dice: &mut dyn Dice) -> Result<Toss, Refusal> {
    dice.begin(Draw::TOSS);
    let coin = CoinFace::from_die(dice.roll(COIN, 2).map_err(|_| {
        let message = "the coin is missing: say whether it came down heads or tails";
        let place = Place::Field(COIN.to_owned());
        Refusal::new(Why::NeedsInput, place, message).legal(json!(["heads", "tails"]))
    })?);
    dice.end()?;
    let winner = if call == coin { caller } else { caller.other() };
    Ok(Toss { caller, call, coin, winner })
}
