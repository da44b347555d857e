//! Recorded events of a match: replayed after a check, or decided again and compared.

use super::{Decided, Match};
use crate::dice::{COIN, Deals, Die, RecordedDice, Seeds};
use crate::log::{
    DiceMode, EventData, EventFamily, InvalidEvent, LifecycleEvent, MatchCompleted, PlayEvent, RemoteEvent,
    Review, Toss, TossDecided,
};
use crate::matches::{Input, Phase};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Refusal};

impl Match {
    /// Applies a recorded event, or refuses one that cannot come next.
    pub fn replay(&mut self, recorded: &EventData) -> Result<(), InvalidEvent> {
        match recorded.family() {
            EventFamily::Play(event) => {
                if !self.is_play_due(event) {
                    return Err(self.unexpected(recorded));
                }
                let reviews = self.reviews.after(self.play.game(), std::slice::from_ref(recorded))?;
                self.play.replay(recorded)?;
                self.reviews = reviews;
            }
            EventFamily::Review(review) if self.play.phase() == Phase::Play && self.reviews.is_open() => {
                self.reviews().admit(review)?;
            }
            EventFamily::Remote(RemoteEvent::Choice(choice)) if choice.choice.is_some() => {
                self.remote().check_open_choice(choice).map_err(Disagreement::into_invalid)?;
                self.play.replay(recorded)?;
            }
            EventFamily::Remote(event) => {
                self.remote().check(event).map_err(Disagreement::into_invalid)?;
            }
            EventFamily::Adjudication(event) if recorded.reversal().is_none() => {
                self.adjudication().check(event).map_err(Disagreement::into_invalid)?;
            }
            EventFamily::Lifecycle(event) if self.is_lifecycle_due(event) => {
                if let LifecycleEvent::Toss(toss) = event {
                    self.play.admit_toss(toss)?;
                }
            }
            EventFamily::Lifecycle(_) | EventFamily::Review(_) | EventFamily::Adjudication(_) => {
                return Err(self.unexpected(recorded));
            }
        }
        self.apply(recorded);
        Ok(())
    }

    /// Whether the match waits for an event of play of this kind.
    fn is_play_due(&self, event: PlayEvent<'_>) -> bool {
        let phase = if matches!(event, PlayEvent::SetUp(_)) { Phase::SetUp } else { Phase::Play };
        self.play.phase() == phase && !self.remote().waits_for_seeds() && !self.reviews.is_open()
    }

    /// Whether an event of the lifecycle can come next.
    fn is_lifecycle_due(&self, event: LifecycleEvent<'_>) -> bool {
        let is_played_out = self.reviews().is_played_out();
        match (event, self.play.phase()) {
            (LifecycleEvent::Toss(_), Phase::Toss) => true,
            (LifecycleEvent::TossDecided(decided), Phase::TossDecision(winner)) => decided.by == winner,
            (LifecycleEvent::MatchCompleted(_), Phase::Play) => is_played_out,
            (LifecycleEvent::MatchAbandoned(_), _) => !self.play.has_finished() && !is_played_out,
            _ => false,
        }
    }

    fn unexpected(&self, recorded: &EventData) -> InvalidEvent {
        let awaited = self.out_of_turn("this event cannot come here").message;
        InvalidEvent::new("kind", format!("{}: {awaited}", recorded.kind()))
    }

    /// Decides a recorded event again, with its own choices and dice, and applies it if the decision is
    /// equal. Seeds are not checked.
    ///
    /// Returns the deals of the event, which only the seeds can prove.
    pub fn verify(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        let mut deals = Vec::new();
        if self.play.is_reopened() && recorded.subject().is_none() {
            return Err(vec![Disagreement::Impossible(self.unexpected(recorded))]);
        }
        match recorded.family() {
            EventFamily::Play(PlayEvent::SetUp(_))
                if self.play.phase() == Phase::SetUp && !self.remote().waits_for_seeds() =>
            {
                deals = self.play.verify(recorded)?;
            }
            EventFamily::Remote(RemoteEvent::Choice(choice)) if choice.choice.is_some() => {
                self.remote().check_open_choice(choice).map_err(|disagreement| vec![disagreement])?;
                deals = self.play.verify(recorded)?;
            }
            EventFamily::Play(PlayEvent::Over(_) | PlayEvent::Roll(_) | PlayEvent::Ball(_))
                if self.play.phase() == Phase::Play
                    && !self.reviews().is_played_out()
                    && !self.reviews.is_open() =>
            {
                deals = self.verify_play(recorded)?;
            }
            _ => self.check_around_play(recorded).map_err(|disagreement| vec![disagreement])?,
        }
        self.apply(recorded);
        Ok(deals)
    }

    /// Decides an over, a ball or the dice on the way to it again, with the secret choices behind it.
    fn verify_play(&mut self, recorded: &EventData) -> Result<Vec<Deals>, Vec<Disagreement>> {
        if let EventData::Ball(ball) = recorded {
            self.play.check_draw(ball).map_err(|disagreement| vec![disagreement])?;
        }
        let mut deals = self.remote().check_reveals(recorded)?;
        let reviews = self.reviews.after(self.play.game(), std::slice::from_ref(recorded));
        deals.extend(self.play.verify(recorded)?);
        // A ball that the game has decided again opens its review.
        self.reviews = reviews.map_err(|invalid| vec![Disagreement::Impossible(invalid)])?;
        Ok(deals)
    }

    /// Decides an event that is not play again, and compares.
    fn check_around_play(&self, recorded: &EventData) -> Result<(), Disagreement> {
        match recorded.family() {
            EventFamily::Lifecycle(event) => self.check_lifecycle(event, recorded),
            EventFamily::Review(review) => self.check_review(review),
            EventFamily::Remote(event) => self.remote().check(event),
            EventFamily::Adjudication(event) if recorded.reversal().is_none() => {
                self.adjudication().check(event)
            }
            EventFamily::Play(_) | EventFamily::Adjudication(_) => {
                Err(Disagreement::Impossible(self.unexpected(recorded)))
            }
        }
    }

    fn check_lifecycle(&self, event: LifecycleEvent<'_>, recorded: &EventData) -> Result<(), Disagreement> {
        match (event, self.play.phase()) {
            (LifecycleEvent::Toss(Toss::Called(toss)), Phase::Toss) => {
                let coin = [Die { what: COIN.into(), sides: 2, value: toss.coin.as_die() }];
                let input = Input::Toss { caller: toss.caller, call: toss.call };
                compare(self.decide_in_turn(input, &mut RecordedDice::new(&coin), None), recorded)
            }
            (LifecycleEvent::Toss(Toss::Reported(toss)), Phase::Toss) => {
                let input = Input::ReportedToss { winner: toss.winner };
                compare(self.decide_in_turn(input, &mut RecordedDice::new(&[]), None), recorded)
            }
            (LifecycleEvent::TossDecided(decided), Phase::TossDecision(_)) => {
                self.remote().check_drawn_toss(decided)?;
                let recorded = EventData::TossDecided(TossDecided { draw: None, ..decided.clone() });
                let input = Input::TossDecision { to: decided.to };
                compare(self.decide_in_turn(input, &mut RecordedDice::new(&[]), None), &recorded)
            }
            (LifecycleEvent::MatchCompleted(completed), _) => match self.play.game().position().result {
                Some(result) if self.reviews().is_played_out() => {
                    let seeds = completed.seeds.clone();
                    self.check_seeds_present(&seeds)?;
                    let decided = EventData::MatchCompleted(MatchCompleted { result, seeds });
                    compare(Ok(self.with_event(decided)), recorded)
                }
                _ => Err(Disagreement::Impossible(self.unexpected(recorded))),
            },
            (LifecycleEvent::MatchAbandoned(abandoned), _) if self.reviews().refuse_if_finished().is_ok() => {
                self.check_seeds_present(&abandoned.seeds)?;
                check_reason("reason", &abandoned.reason).map_err(Disagreement::Refused)
            }
            _ => Err(Disagreement::Impossible(self.unexpected(recorded))),
        }
    }

    fn check_review(&self, review: &Review) -> Result<(), Disagreement> {
        self.refuse_out_of_turn(&Input::Review { by: review.by() }).map_err(Disagreement::Refused)?;
        self.reviews().check(review)
    }

    fn check_seeds_present(&self, seeds: &Option<Seeds>) -> Result<(), Disagreement> {
        if seeds.is_some() == (self.play.info().created.dice == DiceMode::Seeded) {
            return match seeds {
                Some(seeds) if seeds.client_seeds != self.remote().client_seeds() => {
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
