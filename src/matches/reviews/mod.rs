//! Reviews in a match: the ball whose decision a side can have reviewed before anything else happens, and the
//! reviews that a side has left.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::{Value, json};

use super::{GameInPlay, Phase};
use crate::dice::{Dice, Draw, NotedDice, RecordedDice};
use crate::log::{Ball, DiceMode, EventData, InvalidEvent, Review, Reviewed};
use crate::rules::{
    CardVerdict, Disagreement, DynGame, Next, Place, Refusal, RefusalKind, ReviewCard, ReviewRules,
    ReviewRulings, Reviewable,
};
use crate::scorebook::{BySide, Outcome, Side, WicketKind};

/// The name of the die of a review.
pub const REVIEW: &str = "review";

const D6: u16 = 6;

/// The reviews of a match so far; nothing in a match without reviews, so that its state is no larger for
/// them.
#[derive(Clone, Default, PartialEq)]
pub(super) struct ReviewState(Option<Arc<ReviewProgress>>);

#[derive(Clone, Default, PartialEq)]
struct ReviewProgress {
    /// The innings of the reviews that were spent.
    innings: u16,
    /// The reviews of that innings that are lost or used up.
    spent: BySide<u8>,
    /// The last thing that happened, which a review would be about.
    last: Last,
}

/// The last thing that happened, as far as it matters for a review.
#[derive(Clone, Default, PartialEq)]
enum Last {
    /// Nothing with a decision has happened.
    #[default]
    Nothing,
    /// A ball that nobody can review, with the wicket that fell on it.
    Ball(Option<WicketKind>),
    /// A ball that this side could review if it had a review left.
    Spent(Side),
    /// A ball that waits for its review, or for the acceptance of its decision.
    Open(Arc<Open>),
    /// A ball that has been reviewed or accepted.
    Done,
    /// The next ball, or its over, has begun.
    Begun,
}

/// A ball that waits for its review, or for the acceptance of its decision.
struct Open {
    ball: Ball,
    reviewable: Reviewable,
    /// The game after an upheld review.
    revised: Box<dyn DynGame>,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        (&self.ball, &self.reviewable) == (&other.ball, &other.reviewable) && *self.revised == *other.revised
    }
}

/// A decision that a side can have reviewed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenReview {
    /// The number of the ball in the match.
    pub delivery: u32,
    /// The side that can have it reviewed.
    pub by: Side,
    /// The reviews that the side has left in the innings.
    pub left: u8,
}

impl ReviewState {
    fn open(&self) -> Option<&Arc<Open>> {
        match &self.0.as_ref()?.last {
            Last::Open(open) => Some(open),
            Last::Nothing | Last::Ball(_) | Last::Spent(_) | Last::Done | Last::Begun => None,
        }
    }

    /// Whether a ball waits for its review or acceptance.
    pub fn is_open(&self) -> bool {
        self.open().is_some()
    }

    /// Whether a target does not change when the open review is upheld.
    pub fn leaves_target(&self, target: u32) -> bool {
        self.open().is_none_or(|open| open.revised.position().target == Some(target))
    }

    /// The state of reviews after events that the game decides now, each on top of the one before.
    pub fn after(&self, game: &dyn DynGame, events: &[EventData]) -> Result<ReviewState, InvalidEvent> {
        let Some(card) = game.reviews().and_then(ReviewRules::card) else {
            return Ok(ReviewState::default());
        };
        let mut state = self.clone();
        let mut before: Option<Box<dyn DynGame>> = None;
        for (i, event) in events.iter().enumerate() {
            let game = before.as_deref().unwrap_or(game);
            state.follow(card, game, event)?;
            if i + 1 < events.len() {
                let mut next = game.boxed();
                next.replay(event)?;
                before = Some(next);
            }
        }
        Ok(state)
    }

    /// Applies a review, and returns the game that goes on where the review is upheld.
    pub fn apply(&mut self, review: &Review) -> Option<Box<dyn DynGame>> {
        let open = self.open().map(Arc::clone)?;
        let progress = self.progress();
        progress.last = Last::Done;
        let made = review.made()?;
        if !made.retained {
            progress.spent[made.by] += 1;
        }
        made.is_upheld().then(|| open.revised.clone())
    }

    fn last(&self) -> &Last {
        self.0.as_ref().map_or(&Last::Nothing, |progress| &progress.last)
    }

    fn spent(&self, by: Side) -> u8 {
        self.0.as_ref().map_or(0, |progress| progress.spent[by])
    }

    /// The state of reviews, to be changed.
    fn progress(&mut self) -> &mut ReviewProgress {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Applies an event that a game has decided; `before` is the game before it.
    fn follow(
        &mut self,
        card: ReviewCard,
        before: &dyn DynGame,
        event: &EventData,
    ) -> Result<(), InvalidEvent> {
        match event {
            EventData::Ball(ball) => self.progress().bowl(card, before, ball),
            EventData::Over(_) | EventData::Roll(_) => {
                self.progress().last = Last::Begun;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl ReviewProgress {
    fn bowl(&mut self, card: ReviewCard, before: &dyn DynGame, ball: &Ball) -> Result<(), InvalidEvent> {
        if self.innings != ball.innings {
            (self.innings, self.spent) = (ball.innings, BySide::default());
        }
        // An agreed outcome is no decision by the rules.
        let by_rules = ball.as_stood.is_none() && !ball.unknown;
        let reviewable = by_rules.then(|| before.reviews()?.reviewable(ball)).flatten();
        self.last = match reviewable {
            None => Last::Ball(ball.outcome.wicket.as_ref().map(|wicket| wicket.kind)),
            Some(reviewable) if self.spent[reviewable.by] >= card.reviews => Last::Spent(reviewable.by),
            Some(reviewable) => {
                let mut revised = before.boxed();
                revised
                    .replay(&EventData::Ball(Ball { outcome: reviewable.upheld.clone(), ..ball.clone() }))?;
                Last::Open(Arc::new(Open { ball: ball.clone(), reviewable, revised }))
            }
        };
        Ok(())
    }
}

impl Open {
    /// The outcome of the ball by a verdict.
    fn outcome(&self, upheld: bool) -> &Outcome {
        if upheld { &self.reviewable.upheld } else { &self.ball.outcome }
    }
}

/// The reviews of a match: the state of its reviews, on top of its play.
#[derive(Clone, Copy)]
pub struct MatchReviews<'a> {
    play: &'a GameInPlay,
    state: &'a ReviewState,
}

impl<'a> MatchReviews<'a> {
    pub(super) fn new(play: &'a GameInPlay, state: &'a ReviewState) -> MatchReviews<'a> {
        MatchReviews { play, state }
    }

    /// The review card of the match, if it has reviews.
    pub fn card(&self) -> Option<ReviewCard> {
        self.play.game().reviews().and_then(ReviewRules::card)
    }

    /// The decision that waits for its review or acceptance, if there is one.
    pub fn open(&self) -> Option<OpenReview> {
        let open = self.state.open()?;
        let (delivery, by) = (open.ball.delivery, open.reviewable.by);
        Some(OpenReview { delivery, by, left: self.left(by) })
    }

    /// Whether the side that can have the last decision reviewed is the one that batted on that ball.
    pub fn open_is_of_batting_side(&self) -> Option<bool> {
        let open = self.state.open()?;
        let batting = self.play.batting_in(open.ball.innings);
        Some(open.reviewable.by == batting)
    }

    /// The outcome of the ball that waits for its review: by the decision, and after an upheld review.
    pub fn open_outcomes(&self) -> Option<[&'a Outcome; 2]> {
        let open = self.state.open()?;
        Some([open.outcome(false), open.outcome(true)])
    }

    /// The reviews that a side has left in the innings of the last ball.
    fn left(&self, by: Side) -> u8 {
        self.card().map_or(0, |card| card.reviews.saturating_sub(self.state.spent(by)))
    }

    /// Whether the last ball has been bowled and its decision reviewed or accepted, with or without the event
    /// that ends the match.
    pub fn is_played_out(&self) -> bool {
        let in_play = self.play.phase() == Phase::Play && !self.state.is_open();
        in_play && self.play.game().position().result.is_some()
    }

    /// The target of the side batting last, once it is known: not while a review can reopen the innings that
    /// sets it.
    pub fn target(&self) -> Option<u32> {
        self.play.game().position().target.filter(|target| self.state.leaves_target(*target))
    }

    /// The total that wins the match in this innings; none in all but the last one.
    pub fn target_in(&self, innings: u16) -> Option<u32> {
        self.target().filter(|_| self.play.game().position().innings == innings)
    }

    /// The next step at the table: the review of a decision, or else play.
    pub(super) fn next(&self) -> Next {
        let in_play = self.play.phase() == Phase::Play;
        let Some(OpenReview { delivery, by, left }) = self.open().filter(|_| in_play) else {
            return self.play.next();
        };
        let review = match self.play.info().created.dice {
            DiceMode::Seeded => json!(true),
            DiceMode::Table => json!({"dice": [{"for": REVIEW, "minimum": 1, "maximum": D6}]}),
        };
        let legal = json!({"review": review, "accept": true, "delivery": delivery, "left": left});
        Next::Choose { side: Some(by), what: REVIEW, legal, default: Value::Null }
    }

    /// Refuses everything after the end of the match, also while only the event of its end is missing.
    pub(super) fn refuse_if_finished(&self) -> Result<(), Refusal> {
        if self.is_played_out() {
            let message = "the last ball has been bowled, and the event that ends the match is missing";
            return Err(Refusal::new(RefusalKind::MatchOver, Place::Input, message));
        }
        let how = match self.play.phase() {
            Phase::Completed(_) => "completed",
            Phase::Abandoned => "abandoned",
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play => return Ok(()),
        };
        let (kind, message) = match self.play.info().created.dice {
            DiceMode::Seeded => (
                RefusalKind::SeedOpen,
                format!("the match is {how} and its seeds are open; nothing new can be bowled with them"),
            ),
            DiceMode::Table => (RefusalKind::MatchOver, format!("the match is {how}; nothing can follow")),
        };
        Err(Refusal::new(kind, Place::Input, message))
    }

    /// Refuses play while a decision waits for its review or acceptance.
    pub(super) fn refuse_if_open(&self) -> Result<(), Refusal> {
        let Some(OpenReview { delivery, by, .. }) = self.open() else { return Ok(()) };
        let message = format!(
            "the {by} side may have the decision on delivery {delivery} reviewed: that side reviews or accepts it first, or play goes on with accept: true"
        );
        Err(Refusal::new(RefusalKind::ReviewOpen, Place::Input, message))
    }

    /// Decides the review of the last ball, in play.
    pub(super) fn decide(&self, by: Side, dice: &mut dyn Dice) -> Result<Review, Refusal> {
        let (open, card, rulings) = self.reviewed_by(by)?;
        let delivery = open.ball.delivery;
        let mut noted = NotedDice::new(dice);
        noted.begin(Draw::review(delivery));
        let verdict = card.says(noted.roll(REVIEW, D6)?);
        noted.end()?;
        let seeded = self.play.info().created.dice == DiceMode::Seeded;
        Ok(Review::Made(Box::new(Reviewed {
            delivery,
            by,
            seed: seeded.then(|| Reviewed::draw(delivery)),
            dice: noted.rolled,
            verdict: verdict.written(),
            umpires_call: verdict == CardVerdict::UmpiresCall,
            retained: verdict == CardVerdict::UmpiresCall,
            rulings: vec![rulings.of(verdict).id.to_owned()],
            outcome: open.outcome(verdict == CardVerdict::Upheld).clone(),
        })))
    }

    /// Decides the acceptance of the decision on the last ball, in play.
    pub(super) fn decide_accept(&self, by: Side, dice: &mut dyn Dice) -> Result<Review, Refusal> {
        let (open, ..) = self.reviewed_by(by)?;
        dice.end()?;
        Ok(Review::accepted(open.ball.delivery, by))
    }

    /// The decision that a side can have reviewed, or the reason why there is none.
    fn reviewed_by(&self, by: Side) -> Result<(&'a Open, ReviewCard, &'static ReviewRulings), Refusal> {
        let late = |message: String| Refusal::new(RefusalKind::OutOfTurn, Place::Input, message);
        let rulings = self.play.game().reviews().map(ReviewRules::rulings);
        let (Some(card), Some(rulings)) = (self.card(), rulings) else {
            let refusal = late("decisions are not reviewed in this match".to_owned());
            return Err(rulings.map_or(refusal.clone(), |rulings| refusal.by(rulings.off)));
        };
        let other = match self.state.last() {
            Last::Open(open) if open.reviewable.by == by => return Ok((open, card, rulings)),
            Last::Open(open) => Some(open.reviewable.by),
            Last::Spent(other) if *other != by => Some(*other),
            Last::Nothing | Last::Ball(_) | Last::Spent(_) | Last::Done | Last::Begun => None,
        };
        if let Some(other) = other {
            let message = format!("only the {other} side can have this ball reviewed");
            let refusal = Refusal::new(RefusalKind::IllegalInput, Place::Field("by".to_owned()), message);
            return Err(refusal.by(rulings.other_side).legal(json!([other])));
        }
        let (ruling, message) = match self.state.last() {
            _ if self.left(by) == 0 => {
                let at_start = card.reviews;
                (
                    rulings.none_left,
                    format!("the {by} side has no review left in this innings; it had {at_start}"),
                )
            }
            Last::Ball(Some(kind)) => {
                (rulings.not_reviewable, format!("this wicket, {}, cannot be reviewed", kind.as_str()))
            }
            Last::Nothing | Last::Ball(None) => {
                (rulings.not_reviewable, "there is no decision to review".to_owned())
            }
            Last::Done => (rulings.too_late, "this decision has been reviewed or accepted".to_owned()),
            Last::Begun | Last::Open(_) | Last::Spent(_) => (
                rulings.too_late,
                "the next ball has begun: a ball can be reviewed only before that".to_owned(),
            ),
        };
        Err(late(message).by(ruling))
    }

    /// Checks that a recorded review is of the open decision, and leaves the ball with the outcome that
    /// follows.
    pub(super) fn admit(&self, review: &Review) -> Result<(), InvalidEvent> {
        let Some(open) = self.state.open() else {
            return Err(InvalidEvent::new("kind", "no decision waits for its review"));
        };
        let mismatch = |field: &str, mismatch: &str| {
            Err(InvalidEvent::new(format!("data.{field}"), format!("is {mismatch}")))
        };
        if review.delivery() != open.ball.delivery {
            return mismatch("delivery", &format!("{}, the last ball", open.ball.delivery));
        }
        if review.by() != open.reviewable.by {
            return mismatch("by", &format!("{}, the side that can have it reviewed", open.reviewable.by));
        }
        match review.made() {
            Some(made) if made.outcome != *open.outcome(made.is_upheld()) => {
                mismatch("outcome", "the outcome of the ball, or its outcome after the decision is reversed")
            }
            _ => Ok(()),
        }
    }

    /// Decides a recorded review again, and compares.
    pub(super) fn check(&self, recorded: &Review) -> Result<(), Disagreement> {
        let decided = match recorded {
            Review::Accepted(accepted) => self.decide_accept(accepted.by, &mut RecordedDice::new(&[])),
            Review::Made(made) => self.decide(made.by, &mut RecordedDice::new(&made.dice)),
        };
        match decided.map_err(Disagreement::Refused)? {
            decided if decided == *recorded => Ok(()),
            decided => Err(Disagreement::Otherwise(Box::new(EventData::Review(decided)))),
        }
    }
}
