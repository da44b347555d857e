//! The decisions of a match: an input, or what a side does in remote play, is turned into events or refused.

use super::Match;
use crate::dice::{Dice, Seeds, ServerSeed};
use crate::log::{
    AgreedOutcome, DiceMode, EventData, InvalidEvent, MatchAbandoned, MatchCompleted, Review, Toss,
};
use crate::matches::play::{decide_toss, make_toss};
use crate::matches::remote::add_reveals;
use crate::matches::{Input, Phase, RemoteDecided, SealOpening, ServerSecrets};
use crate::rules::{GameDecided, Place, Refusal, RefusalKind, agreed_of};

/// The decision of a match: its events, the match after them, and what to keep beside the log.
pub struct Decided {
    /// The events, in order.
    pub events: Vec<EventData>,
    /// The match after the last of them.
    pub after: Match,
    /// A choice to keep outside the log until it is revealed.
    pub opening: Option<SealOpening>,
}

impl Decided {
    /// The decision of nothing: a match as it is, to go on from.
    pub fn nothing(the_match: &Match) -> Decided {
        Decided { events: Vec::new(), after: the_match.clone(), opening: None }
    }

    /// Goes on with the next decision, made on the match after this one.
    pub fn go_on(&mut self, next: Decided) {
        self.events.extend(next.events);
        self.after = next.after;
        self.opening = next.opening.or(self.opening.take());
    }

    /// Whether the ball of the decision, by the rules, is what was agreed on.
    pub fn comes_to(&self, agreed: &AgreedOutcome) -> bool {
        let Some(EventData::Ball(ball)) = self.events.first() else { return false };
        let is_faced = |faces: &String| self.after.play().asking().on_field().striker == Some(faces.as_str());
        agreed_of(&ball.outcome, &agreed.reason).outcome == agreed.outcome
            && agreed.faces.as_ref().is_none_or(is_faced)
    }
}

impl Match {
    /// Turns an input into events, or refuses it. `seed` is the server seed of a seeded match; only the event
    /// that ends the match reveals it.
    pub fn decide(
        &self,
        input: Input,
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Decided, Refusal> {
        self.reviews().refuse_if_finished()?;
        self.decide_in_turn(input, dice, seed)
    }

    /// Decides an input of a match that has not finished.
    pub(super) fn decide_in_turn(
        &self,
        input: Input,
        dice: &mut dyn Dice,
        seed: Option<&ServerSeed>,
    ) -> Result<Decided, Refusal> {
        self.refuse_out_of_turn(&input)?;
        let game = self.play.game();
        match (input, self.play.phase()) {
            (Input::Toss { caller, call }, _) => {
                let toss = Toss::Called(make_toss(caller, call, dice)?);
                Ok(self.with_event(EventData::Toss(toss)))
            }
            (Input::ReportedToss { winner }, _) => {
                Ok(self.with_event(EventData::Toss(self.play.report_toss(winner)?)))
            }
            (Input::TossDecision { to }, Phase::TossDecision(by)) => Ok(self.with_event(decide_toss(by, to))),
            (Input::TossDecision { .. }, _) => Err(self.out_of_turn("the toss is decided")),
            (Input::Play(play), _) => self.after_play(Vec::new(), game.decide(play, dice)?, seed),
            (Input::Agreed(choices, agreed), _) => {
                self.after_play(Vec::new(), game.decide_agreed(choices, &agreed, dice)?, seed)
            }
            (Input::Review { by }, _) => Ok(self.after_review(self.reviews().decide(by, dice)?, seed)),
            (Input::Accept { by }, _) => Ok(self.after_review(self.reviews().decide_accept(by, dice)?, seed)),
            (Input::Abandon { reason }, _) => {
                let seeds = self.seeds_to_reveal(seed);
                Ok(self.with_event(EventData::MatchAbandoned(MatchAbandoned { reason, seeds })))
            }
        }
    }

    /// Decides a ball that nobody knows any more: a legal ball without a run, at a table.
    pub fn decide_unknown(&self) -> Result<Decided, Refusal> {
        self.reviews().refuse_if_finished()?;
        self.reviews().refuse_if_open()?;
        if self.play.info().created.dice == DiceMode::Seeded {
            let message = "the dice of this match come from its seed, so every ball is known";
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Input, message));
        }
        self.after_play(Vec::new(), self.play.decide_unknown()?, None)
    }

    /// Ends the innings in progress by agreement, at a table; another innings has to follow. Where the side
    /// that would bat next has won already, the match ends.
    pub fn end_innings(&self) -> Decided {
        let mut after = self.clone();
        after.play.end_innings();
        let result = after.play.game().position().result;
        let completed =
            result.map(|result| EventData::MatchCompleted(MatchCompleted { result, seeds: None }));
        completed.iter().for_each(|event| after.apply(event));
        Decided { events: completed.into_iter().collect(), after, opening: None }
    }

    /// Turns the decision of remote play into events, with the play that follows from it.
    pub fn conclude(&self, decided: RemoteDecided, secrets: ServerSecrets<'_>) -> Result<Decided, Refusal> {
        match decided {
            RemoteDecided::Events(events, opening) => {
                let mut after = self.clone();
                events.iter().for_each(|event| after.apply(event));
                Ok(Decided { events, after, opening })
            }
            RemoteDecided::Input(input) => {
                self.decide(input, &mut self.remote().secret_dice(secrets)?, secrets.seed)
            }
            RemoteDecided::Reveal { sealed, reveals, play } => {
                let mut dice = self.remote().secret_dice(secrets)?;
                let mut decided = self.play.game().decide(play, &mut dice)?;
                add_reveals(&mut decided.events, *reveals);
                self.after_play(sealed.into_iter().map(|event| *event).collect(), decided, secrets.seed)
            }
        }
    }

    /// The decision that consists of this one event.
    pub fn with_event(&self, event: EventData) -> Decided {
        let mut after = self.clone();
        after.apply(&event);
        Decided { events: vec![event], after, opening: None }
    }

    /// The decision of the game, after events before it. The match ends when there is a result.
    fn after_play(
        &self,
        mut events: Vec<EventData>,
        decided: GameDecided,
        seed: Option<&ServerSeed>,
    ) -> Result<Decided, Refusal> {
        let impossible = |invalid: InvalidEvent| {
            Refusal::new(RefusalKind::IllegalInput, Place::Input, invalid.to_string())
        };
        let reviews = self.reviews.after(self.play.game(), &decided.events).map_err(impossible)?;
        let result = decided.after.position().result.filter(|_| !reviews.is_open());
        events.extend(decided.events);
        if let Some(result) = result {
            let seeds = self.seeds_to_reveal(seed);
            events.push(EventData::MatchCompleted(MatchCompleted { result, seeds }));
        }
        let mut after = self.clone();
        after.reviews = reviews;
        after.play.go_on_with(decided.after);
        events.iter().for_each(|event| after.apply(event));
        Ok(Decided { events, after, opening: None })
    }

    /// The decision that consists of a review, and of the end of the match if that waited for it.
    fn after_review(&self, review: Review, seed: Option<&ServerSeed>) -> Decided {
        let mut decided = self.with_event(EventData::Review(review));
        if let Some(result) = decided.after.play.game().position().result {
            let seeds = self.seeds_to_reveal(seed);
            let completed = EventData::MatchCompleted(MatchCompleted { result, seeds });
            decided.after.apply(&completed);
            decided.events.push(completed);
        }
        decided
    }

    /// The seeds that the event reveals that ends the match.
    fn seeds_to_reveal(&self, seed: Option<&ServerSeed>) -> Option<Seeds> {
        seed.map(|seed| Seeds::open(seed, &self.remote().client_seeds()))
    }
}
