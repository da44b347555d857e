//! What is on record of a match: admitted as it stands, or decided again and compared.

use super::{Decision, Fixture, Phase};
use crate::dice::{COIN, Deals, Die, RecordedDice, Seeds};
use crate::log::{Ball, Broken, DiceMode, EventData, MatchCompleted, TossDecided};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Refusal};

impl Fixture {
    /// Admits a recorded event and applies it.
    pub fn replay(&mut self, recorded: &EventData) -> Result<(), Broken> {
        match (recorded, self.phase) {
            (EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_), Phase::Play)
            | (EventData::SetUp(_), Phase::SetUp)
                if !self.waits_for_seeds() && !self.reviewing.is_open() =>
            {
                let reviewing = self.reviewing_after(std::slice::from_ref(recorded))?;
                self.game.replay(recorded)?;
                self.reviewing = reviewing;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Review(review), Phase::Play) => {
                self.admit_review(review)?;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Choice(choice), _) if choice.choice.is_some() => {
                self.check_in_the_open(choice).map_err(Disagreement::into_broken)?;
                self.game.replay(recorded)?;
                self.evolve(recorded);
                Ok(())
            }
            (
                EventData::SideClaimed(_)
                | EventData::TokenRotated(_)
                | EventData::SeedCommitted(_)
                | EventData::SeedContributed(_)
                | EventData::Choice(_)
                | EventData::ChoiceOpened(_)
                | EventData::ChoiceCalled(_),
                _,
            ) => {
                self.check_part(recorded).map_err(Disagreement::into_broken)?;
                self.evolve(recorded);
                Ok(())
            }
            (
                EventData::CorrectionProposed(_)
                | EventData::CorrectionConsented(_)
                | EventData::Dispute(_)
                | EventData::DisputeRuled(_),
                _,
            ) => {
                self.check_word(recorded).map_err(Disagreement::into_broken)?;
                self.evolve(recorded);
                Ok(())
            }
            (EventData::Toss(_), Phase::Toss)
            | (
                EventData::MatchAbandoned(_),
                Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play,
            ) if !self.is_played_out() => {
                self.evolve(recorded);
                Ok(())
            }
            (EventData::TossDecided(decided), Phase::TossDecision(winner)) if decided.by == winner => {
                self.evolve(recorded);
                Ok(())
            }
            (EventData::MatchCompleted(_), Phase::Play) if self.is_played_out() => {
                self.evolve(recorded);
                Ok(())
            }
            _ => Err(self.not_due(recorded)),
        }
    }

    pub(in crate::matches) fn not_due(&self, recorded: &EventData) -> Broken {
        let due = self.out_of_turn("it cannot come here").message;
        Broken::new("kind", format!("{}: {due}", recorded.kind()))
    }

    /// Decides a recorded event again, with its own choices and dice, and applies it if it is the same. Seeds are not
    /// looked at.
    ///
    /// Gives what was dealt in it, which only the seeds can prove.
    pub fn follow(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let mut deals = Vec::new();
        if self.reopened && recorded.moment().is_none() {
            return Err(vec![Disagreement::Impossible(self.not_due(recorded))]);
        }
        match recorded {
            EventData::SetUp(_) if self.phase == Phase::SetUp && !self.waits_for_seeds() => {
                deals = self.game.follow(recorded)?;
            }
            EventData::Choice(choice) if choice.choice.is_some() => {
                self.check_in_the_open(choice).map_err(|disagreement| vec![disagreement])?;
                deals = self.game.follow(recorded)?;
            }
            EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_)
                if self.phase == Phase::Play && !self.is_played_out() && !self.reviewing.is_open() =>
            {
                self.check_seed(recorded).map_err(|disagreement| vec![disagreement])?;
                deals = self.check_reveals(recorded)?;
                let reviewing = self.reviewing_after(std::slice::from_ref(recorded));
                deals.extend(self.game.follow(recorded)?);
                // What the game has decided again opens what it says.
                self.reviewing = reviewing.map_err(|broken| vec![Disagreement::Impossible(broken)])?;
            }
            _ => self.check_around_play(recorded).map_err(|disagreement| vec![disagreement])?,
        }
        self.evolve(recorded);
        Ok(deals)
    }

    /// Decides again what is not play, and compares.
    fn check_around_play(&self, recorded: &EventData) -> Result<(), Disagreement> {
        match recorded {
            EventData::Toss(toss) if self.phase == Phase::Toss => {
                let coin = [Die { what: COIN.into(), sides: 2, value: toss.coin.as_die() }];
                let again = self.decide_toss(toss.caller, toss.call, &mut RecordedDice::new(&coin));
                same(again, recorded)
            }
            EventData::TossDecided(decided) if matches!(self.phase, Phase::TossDecision(_)) => {
                self.check_drawn_toss(decided)?;
                let recorded = EventData::TossDecided(TossDecided { draw: None, ..decided.clone() });
                same(self.decide_to(decided.to), &recorded)
            }
            EventData::Review(review) => self.check_review(review),
            EventData::MatchCompleted(completed) => match self.game.result() {
                Some(result) if self.is_played_out() => {
                    let seeds = completed.seeds.clone();
                    self.check_seeds_present(&seeds)?;
                    same(
                        Ok(self.having(EventData::MatchCompleted(MatchCompleted { result, seeds }))),
                        recorded,
                    )
                }
                _ => Err(Disagreement::Impossible(self.not_due(recorded))),
            },
            EventData::MatchAbandoned(abandoned) if self.refuse_if_over().is_ok() => {
                self.check_seeds_present(&abandoned.seeds)?;
                check_reason("reason", &abandoned.reason).map_err(Disagreement::Refused)
            }
            EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => self.check_part(recorded),
            EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => self.check_word(recorded),
            _ => Err(Disagreement::Impossible(self.not_due(recorded))),
        }
    }

    fn check_seed(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let EventData::Ball(ball) = recorded else { return Ok(()) };
        if let Some(as_stood) = &ball.as_stood {
            check_reason("as_stood.reason", &as_stood.reason).map_err(Disagreement::Refused)?;
        }
        let drawn = self.created.dice == DiceMode::Seeded;
        if ball.seed != drawn.then(|| Ball::draw(ball.delivery)) {
            let reason = "names domain 4 and the delivery in a seeded match, and is null with table dice";
            return Err(Disagreement::Impossible(Broken::new("data.seed", reason)));
        }
        Ok(())
    }

    fn check_seeds_present(&self, seeds: &Option<Seeds>) -> Result<(), Disagreement> {
        if seeds.is_some() == (self.created.dice == DiceMode::Seeded) {
            return match seeds {
                Some(seeds) if seeds.client_seeds != self.client_seeds() => {
                    let reason =
                        "are the seeds the sides have shown, home's first; none where one is missing";
                    Err(Disagreement::Unsealed(Broken::new("data.seeds.client_seeds", reason)))
                }
                _ => Ok(()),
            };
        }
        let reason = "a seeded match opens its seeds when it ends, and no other does";
        Err(Disagreement::Impossible(Broken::new("data.seeds", reason)))
    }
}

fn same(again: Result<Decision, Refusal>, recorded: &EventData) -> Result<(), Disagreement> {
    match again.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(event) if event == *recorded => Ok(()),
        Some(event) => Err(Disagreement::Otherwise(Box::new(event))),
        None => Err(Disagreement::Impossible(Broken::new("data", "follows from nothing"))),
    }
}
