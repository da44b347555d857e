//! Recorded events of a match: replayed after a check, or decided again and compared.

use super::{Decided, Match, Phase};
use crate::dice::{COIN, Deals, Die, RecordedDice, Seeds};
use crate::log::{Ball, DiceMode, EventData, InvalidEvent, MatchCompleted, TossDecided};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Refusal};

impl Match {
    /// Applies a recorded event, or refuses one that cannot come next.
    pub fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent> {
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
                self.check_open_choice(choice).map_err(Disagreement::into_invalid)?;
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
                self.check_remote_event(recorded).map_err(Disagreement::into_invalid)?;
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
                self.check_dispute(recorded).map_err(Disagreement::into_invalid)?;
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
            _ => Err(self.unexpected(recorded)),
        }
    }

    pub(in crate::matches) fn unexpected(&self, recorded: &EventData) -> InvalidEvent {
        let awaited = self.out_of_turn("this event cannot come here").message;
        InvalidEvent::new("kind", format!("{}: {awaited}", recorded.kind()))
    }

    /// Decides a recorded event again, with its own choices and dice, and applies it if the decision is
    /// equal. Seeds are not checked.
    ///
    /// Returns the deals of the event, which only the seeds can prove.
    pub fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let mut deals = Vec::new();
        if self.reopened && recorded.subject().is_none() {
            return Err(vec![Disagreement::Impossible(self.unexpected(recorded))]);
        }
        match recorded {
            EventData::SetUp(_) if self.phase == Phase::SetUp && !self.waits_for_seeds() => {
                deals = self.game.verify(recorded)?;
            }
            EventData::Choice(choice) if choice.choice.is_some() => {
                self.check_open_choice(choice).map_err(|disagreement| vec![disagreement])?;
                deals = self.game.verify(recorded)?;
            }
            EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_)
                if self.phase == Phase::Play && !self.is_played_out() && !self.reviewing.is_open() =>
            {
                self.check_seed(recorded).map_err(|disagreement| vec![disagreement])?;
                deals = self.check_reveals(recorded)?;
                let reviewing = self.reviewing_after(std::slice::from_ref(recorded));
                deals.extend(self.game.verify(recorded)?);
                // A ball that the game has decided again opens its review.
                self.reviewing = reviewing.map_err(|invalid| vec![Disagreement::Impossible(invalid)])?;
            }
            _ => self.check_around_play(recorded).map_err(|disagreement| vec![disagreement])?,
        }
        self.evolve(recorded);
        Ok(deals)
    }

    /// Decides an event that is not play again, and compares.
    fn check_around_play(&self, recorded: &EventData) -> Result<(), Disagreement> {
        match recorded {
            EventData::Toss(toss) if self.phase == Phase::Toss => {
                let coin = [Die { what: COIN.into(), sides: 2, value: toss.coin.as_die() }];
                let decided = self.decide_toss(toss.caller, toss.call, &mut RecordedDice::new(&coin));
                compare(decided, recorded)
            }
            EventData::TossDecided(decided) if matches!(self.phase, Phase::TossDecision(_)) => {
                self.check_drawn_toss(decided)?;
                let recorded = EventData::TossDecided(TossDecided { draw: None, ..decided.clone() });
                compare(self.decide_toss_decision(decided.to), &recorded)
            }
            EventData::Review(review) => self.check_review(review),
            EventData::MatchCompleted(completed) => match self.game.position().result {
                Some(result) if self.is_played_out() => {
                    let seeds = completed.seeds.clone();
                    self.check_seeds_present(&seeds)?;
                    compare(
                        Ok(self.with_event(EventData::MatchCompleted(MatchCompleted { result, seeds }))),
                        recorded,
                    )
                }
                _ => Err(Disagreement::Impossible(self.unexpected(recorded))),
            },
            EventData::MatchAbandoned(abandoned) if self.refuse_if_finished().is_ok() => {
                self.check_seeds_present(&abandoned.seeds)?;
                check_reason("reason", &abandoned.reason).map_err(Disagreement::Refused)
            }
            EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => self.check_remote_event(recorded),
            EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => self.check_dispute(recorded),
            _ => Err(Disagreement::Impossible(self.unexpected(recorded))),
        }
    }

    fn check_seed(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let EventData::Ball(ball) = recorded else { return Ok(()) };
        if let Some(as_stood) = &ball.as_stood {
            check_reason("as_stood.reason", &as_stood.reason).map_err(Disagreement::Refused)?;
        }
        let drawn = self.created.dice == DiceMode::Seeded;
        if ball.seed != drawn.then(|| Ball::draw(ball.delivery)) {
            let reason = "must name domain 4 and the delivery in a seeded match, and be null with table dice";
            return Err(Disagreement::Impossible(InvalidEvent::new("data.seed", reason)));
        }
        Ok(())
    }

    fn check_seeds_present(&self, seeds: &Option<Seeds>) -> Result<(), Disagreement> {
        if seeds.is_some() == (self.created.dice == DiceMode::Seeded) {
            return match seeds {
                Some(seeds) if seeds.client_seeds != self.client_seeds() => {
                    let reason = "must be the seeds that the sides have revealed, home's first, or none if one is missing";
                    Err(Disagreement::Unsealed(InvalidEvent::new("data.seeds.client_seeds", reason)))
                }
                _ => Ok(()),
            };
        }
        let reason = "a seeded match reveals its seeds when it ends, and no other match does";
        Err(Disagreement::Impossible(InvalidEvent::new("data.seeds", reason)))
    }
}

fn compare(decided: Result<Decided, Refusal>, recorded: &EventData) -> Result<(), Disagreement> {
    match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(event) if event == *recorded => Ok(()),
        Some(event) => Err(Disagreement::Otherwise(Box::new(event))),
        None => Err(Disagreement::Impossible(InvalidEvent::new("data", "follows from nothing"))),
    }
}
