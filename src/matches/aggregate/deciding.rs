//! The decisions of a match: an input is turned into events, or refused.

use serde_json::json;

use super::{Decided, Input, Match, Phase};
use crate::dice::{COIN, Dice, Draw, Seeds, ServerSeed};
use crate::log::{
    CoinFace, DiceMode, EventData, InvalidEvent, MatchAbandoned, MatchCompleted, Toss, TossChoice,
    TossDecided,
};
use crate::rules::reading::check_reason;
use crate::rules::{DynGame, GameDecided, Next, Place, Play, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Match {
    /// Turns an input into events, or refuses it. `seed` is the server seed of a seeded match; only the event
    /// that ends the match reveals it.
    pub fn decide(
        &self,
        input: Input,
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Decided, Refusal> {
        self.refuse_if_finished()?;
        let reveal_seeds = || seed.map(|seed| Seeds::open(seed, &self.client_seeds()));
        match input {
            Input::Toss { caller, call } => self.decide_toss(caller, call, dice),
            Input::TossDecision { to } => self.decide_toss_decision(to),
            Input::Play(play @ Play::SetUp(_)) => self.decide_set_up(play, dice),
            Input::Play(play @ Play::Choose(_)) if self.phase == Phase::SetUp => {
                self.decide_set_up(play, dice)
            }
            Input::Play(play) => self.decide_play(|game, dice| game.decide(play, dice), dice, reveal_seeds),
            Input::Agreed(choices, agreed) => {
                check_reason("as_stood.reason", &agreed.reason)?;
                self.decide_play(|game, dice| game.decide_agreed(choices, &agreed, dice), dice, reveal_seeds)
            }
            Input::Review { by } => self.decide_review(by, dice, reveal_seeds),
            Input::Accept { by } => self.decide_accept(by, dice, reveal_seeds),
            Input::Abandon { reason } => {
                check_reason("reason", &reason)?;
                Ok(self
                    .with_event(EventData::MatchAbandoned(MatchAbandoned { reason, seeds: reveal_seeds() })))
            }
        }
    }

    pub(in crate::matches) fn refuse_if_finished(&self) -> Result<(), Refusal> {
        if self.is_played_out() {
            let message = "the last ball has been bowled, and the event that ends the match is missing";
            return Err(Refusal::new(RefusalKind::MatchOver, Place::Input, message));
        }
        let how = match self.phase {
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play => return Ok(()),
        };
        Err(match self.created.dice {
            DiceMode::Seeded => Refusal::new(
                RefusalKind::SeedOpen,
                Place::Input,
                format!("the match is {how} and its seeds are open; nothing new can be bowled with them"),
            ),
            DiceMode::Table => Refusal::new(
                RefusalKind::MatchOver,
                Place::Input,
                format!("the match is {how}; nothing can follow"),
            ),
        })
    }

    fn decide_set_up(&self, play: Play, dice: &mut dyn Dice) -> Result<Decided, Refusal> {
        if self.phase != Phase::SetUp {
            return Err(self.out_of_turn("there is nothing to set up"));
        }
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("a match is set up after both sides have revealed their seeds"));
        }
        let GameDecided { events, after: game } = self.game.decide(play, dice)?;
        let mut after = Match { game, ..self.clone() };
        events.iter().for_each(|event| after.evolve(event));
        Ok(Decided { events, after })
    }

    pub(super) fn decide_toss(
        &self,
        caller: Side,
        call: CoinFace,
        dice: &mut dyn Dice,
    ) -> Result<Decided, Refusal> {
        if self.waits_for_seeds() {
            return Err(self.out_of_turn("the toss is made after both sides have revealed their seeds"));
        }
        match self.phase {
            Phase::Toss => {}
            Phase::SetUp => return Err(self.out_of_turn("the match has to be set up before its toss")),
            Phase::TossDecision(_) | Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                return Err(self.out_of_turn("the toss has been made"));
            }
        }
        Ok(self.with_event(EventData::Toss(make_toss(caller, call, dice)?)))
    }

    pub(super) fn decide_toss_decision(&self, to: TossChoice) -> Result<Decided, Refusal> {
        match self.phase {
            Phase::TossDecision(by) => {
                Ok(self.with_event(EventData::TossDecided(TossDecided { by, to, draw: None })))
            }
            Phase::SetUp | Phase::Toss => Err(self.out_of_turn("the toss has not been made")),
            Phase::Play | Phase::Completed(_) | Phase::Abandoned => {
                Err(self.out_of_turn("the toss is decided"))
            }
        }
    }

    fn decide_play(
        &self,
        decide: impl FnOnce(&dyn DynGame, &mut dyn Dice) -> Result<GameDecided, Refusal>,
        dice: &mut dyn Dice,
        reveal_seeds: impl Fn() -> Option<Seeds>,
    ) -> Result<Decided, Refusal> {
        if self.phase != Phase::Play {
            return Err(self.out_of_turn("play has not begun"));
        }
        self.refuse_if_review_open()?;
        self.refuse_if_secret()?;
        self.played(decide(self.game.as_ref(), dice)?, reveal_seeds)
    }

    /// Applies what the game has decided, and ends the match when there is a result.
    pub(in crate::matches) fn played(
        &self,
        decided: GameDecided,
        reveal_seeds: impl Fn() -> Option<Seeds>,
    ) -> Result<Decided, Refusal> {
        let impossible = |invalid: InvalidEvent| {
            Refusal::new(RefusalKind::IllegalInput, Place::Input, invalid.to_string())
        };
        let reviewing = self.reviewing_after(&decided.events).map_err(impossible)?;
        let result = decided.after.position().result.filter(|_| !reviewing.is_open());
        let mut decision = Decided { events: decided.events, after: self.clone() };
        if let Some(result) = result {
            decision.events.push(EventData::MatchCompleted(MatchCompleted { result, seeds: reveal_seeds() }));
        }
        decision.events.iter().for_each(|event| decision.after.evolve(event));
        decision.after.game = decided.after;
        decision.after.reviewing = reviewing;
        Ok(decision)
    }

    /// A refusal of something out of turn: what is wrong, and what the match waits for.
    pub(in crate::matches) fn out_of_turn(&self, problem: &str) -> Refusal {
        let awaited = match self.next() {
            Next::Choose { what, .. } => format!("the match waits for: {}", what.replace('_', " ")),
            Next::Roll { what, .. } => format!("the match waits for the next ball, and its {what} die"),
            Next::Finished { .. } => "the match is over".to_owned(),
        };
        Refusal::new(RefusalKind::OutOfTurn, Place::Input, format!("{problem}; {awaited}"))
    }
}

pub(super) fn make_toss(caller: Side, call: CoinFace, dice: &mut dyn Dice) -> Result<Toss, Refusal> {
    dice.begin(Draw::TOSS);
    let coin = CoinFace::from_die(dice.roll(COIN, 2).map_err(|_| {
        let message = "the coin is missing: say whether it came down heads or tails";
        let place = Place::Field(COIN.to_owned());
        Refusal::new(RefusalKind::NeedsInput, place, message).legal(json!(["heads", "tails"]))
    })?);
    dice.end()?;
    let winner = if call == coin { caller } else { caller.other() };
    Ok(Toss { caller, call, coin, winner })
}
