//! Reviews in a match: the ball whose decision a side may have reviewed before anything else happens, and how many reviews
//! it has left.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Decision, Fixture, Phase};
use crate::dice::{Dice, Draw, NotedDice, RecordedDice, Seeds};
use crate::log::{Ball, Broken, DiceMode, EventData, MatchCompleted, Review, Reviewed};
use crate::rules::{
    Disagreement, GameState, Next, Place, Refusal, ReviewCard, ReviewRulings, Reviewable, Verdict, Why,
};
use crate::scorebook::{BySide, Outcome, Side, WicketKind};

/// What the die of a review is for.
pub const REVIEW: &str = "review";

const D6: u16 = 6;

/// Reviews as far as a match has come; nothing where none are made, so that a match without them is not larger for it.
#[derive(Clone, Default)]
pub(super) struct Reviewing(Option<Arc<SoFar>>);

#[derive(Clone, Default)]
struct SoFar {
    /// The innings in which those were spent.
    innings: u16,
    /// Reviews of that innings that are lost or used up.
    spent: BySide<u8>,
    /// What a review would be of.
    last: Last,
}

/// What happened last, for one who asks for a review.
#[derive(Clone, Default)]
enum Last {
    /// Nothing that is decided.
    #[default]
    Nothing,
    /// A ball that nobody may have reviewed, and the wicket that fell on it.
    Ball(Option<WicketKind>),
    /// A ball that its side might have reviewed if it had a review left.
    Spent(Side),
    /// A ball that waits to be reviewed or accepted.
    Open(Arc<Open>),
    /// A ball that has been.
    Settled,
    /// The next ball, or its over, has begun.
    Begun,
}

/// A ball that waits to be reviewed or accepted.
struct Open {
    ball: Ball,
    reviewable: Reviewable,
    /// The game as it is if the review is upheld.
    revised: Box<dyn GameState>,
}

/// A decision that a side may have reviewed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenReview {
    /// The ball.
    pub delivery: u32,
    /// The side.
    pub by: Side,
    /// Reviews it has left in the innings.
    pub left: u8,
}

impl Reviewing {
    fn open(&self) -> Option<&Arc<Open>> {
        match &self.0.as_ref()?.last {
            Last::Open(open) => Some(open),
            Last::Nothing | Last::Ball(_) | Last::Spent(_) | Last::Settled | Last::Begun => None,
        }
    }

    /// Whether a ball waits to be reviewed or accepted.
    pub fn is_open(&self) -> bool {
        self.open().is_some()
    }

    /// Whether a target is the same if the open review is upheld.
    pub fn leaves_target(&self, target: u32) -> bool {
        self.open().is_none_or(|open| open.revised.target() == Some(target))
    }

    fn last(&self) -> &Last {
        self.0.as_ref().map_or(&Last::Nothing, |so_far| &so_far.last)
    }

    fn spent(&self, by: Side) -> u8 {
        self.0.as_ref().map_or(0, |so_far| so_far.spent[by])
    }

    /// What is so far, to be changed.
    fn so_far(&mut self) -> &mut SoFar {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// An event follows that a game has decided; `before` is the game before it.
    fn follow(&mut self, card: ReviewCard, before: &dyn GameState, event: &EventData) -> Result<(), Broken> {
        match event {
            EventData::Ball(ball) => self.so_far().bowl(card, before, ball),
            EventData::Over(_) | EventData::Roll(_) => {
                self.so_far().last = Last::Begun;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl SoFar {
    fn bowl(&mut self, card: ReviewCard, before: &dyn GameState, ball: &Ball) -> Result<(), Broken> {
        if self.innings != ball.innings {
            (self.innings, self.spent) = (ball.innings, BySide::default());
        }
        // What the table agreed on is no decision of the rules.
        let by_rules = ball.as_stood.is_none();
        let reviewable = by_rules.then(|| before.reviewable(ball)).flatten();
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
    /// What comes of the ball by a verdict.
    fn outcome(&self, upheld: bool) -> &Outcome {
        if upheld { &self.reviewable.upheld } else { &self.ball.outcome }
    }
}

impl Fixture {
    /// The decision that waits to be reviewed or accepted, if one does.
    pub fn open_review(&self) -> Option<OpenReview> {
        let open = self.reviewing.open()?;
        let (delivery, by) = (open.ball.delivery, open.reviewable.by);
        Some(OpenReview { delivery, by, left: self.reviews_left(by) })
    }

    /// The card by which decisions are reviewed in this match, if they are.
    pub fn review_card(&self) -> Option<ReviewCard> {
        self.game.review_card()
    }

    /// Reviews a side has left in the innings of the last ball.
    fn reviews_left(&self, by: Side) -> u8 {
        self.review_card().map_or(0, |card| card.reviews.saturating_sub(self.reviewing.spent(by)))
    }

    /// What the match waits for while a decision can be reviewed.
    pub(super) fn next_review(&self) -> Option<Next> {
        let OpenReview { delivery, by, left } = self.open_review()?;
        let review = match self.created.dice {
            DiceMode::Seeded => json!(true),
            DiceMode::Table => json!({"dice": [{"for": REVIEW, "minimum": 1, "maximum": D6}]}),
        };
        let legal = json!({"review": review, "accept": true, "delivery": delivery, "left": left});
        Some(Next::Choose { side: Some(by), what: REVIEW, legal, default: Value::Null })
    }

    /// Reviews as they are after events that the game decides now, each on top of the one before.
    pub(super) fn reviewing_after(&self, events: &[EventData]) -> Result<Reviewing, Broken> {
        let Some(card) = self.game.review_card() else { return Ok(Reviewing::default()) };
        let mut reviewing = self.reviewing.clone();
        let mut before: Option<Box<dyn GameState>> = None;
        for (i, event) in events.iter().enumerate() {
            let game = before.as_deref().unwrap_or(self.game.as_ref());
            reviewing.follow(card, game, event)?;
            if i + 1 < events.len() {
                let mut next = game.boxed();
                next.replay(event)?;
                before = Some(next);
            }
        }
        Ok(reviewing)
    }

    /// Refuses play while a decision waits to be reviewed or accepted.
    pub(super) fn refuse_if_review_open(&self) -> Result<(), Refusal> {
        let Some(OpenReview { delivery, by, .. }) = self.open_review() else { return Ok(()) };
        let message = format!(
            "the {by} side may have the decision on delivery {delivery} reviewed: it reviews or accepts it first, or play goes on with accept: true"
        );
        Err(Refusal::new(Why::ReviewOpen, Place::Input, message))
    }

    /// A side has the decision on the last ball reviewed.
    pub(super) fn decide_review(
        &self,
        by: Side,
        dice: &mut dyn Dice,
        opened: impl FnOnce() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        let (open, card, rulings) = self.reviewed_by(by)?;
        let delivery = open.ball.delivery;
        let mut noted = NotedDice::new(dice);
        noted.begin(Draw::review(delivery));
        let verdict = card.says(noted.roll(REVIEW, D6)?);
        noted.end()?;
        let made = Reviewed {
            delivery,
            by,
            seed: self.review_draw(delivery),
            dice: noted.rolled,
            verdict: verdict.written(),
            umpires_call: verdict == Verdict::UmpiresCall,
            retained: verdict == Verdict::UmpiresCall,
            rulings: vec![rulings.of(verdict).id.to_owned()],
            outcome: open.outcome(verdict == Verdict::Upheld).clone(),
        };
        Ok(self.settled_by(Review::Made(Box::new(made)), opened))
    }

    fn review_draw(&self, delivery: u32) -> Option<crate::log::DrawRecord> {
        (self.created.dice == DiceMode::Seeded).then(|| Reviewed::draw(delivery))
    }

    /// A side accepts the decision on the last ball.
    pub(super) fn decide_accept(
        &self,
        by: Side,
        dice: &mut dyn Dice,
        opened: impl FnOnce() -> Option<Seeds>,
    ) -> Result<Decision, Refusal> {
        let (open, ..) = self.reviewed_by(by)?;
        dice.end()?;
        Ok(self.settled_by(Review::accepted(open.ball.delivery, by), opened))
    }

    /// The match after a review, and its end where that waited for it.
    fn settled_by(&self, review: Review, opened: impl FnOnce() -> Option<Seeds>) -> Decision {
        let mut decision = self.having(EventData::Review(review));
        if let Some(result) = decision.after.game.result() {
            let completed = EventData::MatchCompleted(MatchCompleted { result, seeds: opened() });
            decision.after.evolve(&completed);
            decision.events.push(completed);
        }
        decision
    }

    /// The decision that a side may have reviewed, or why it may not.
    fn reviewed_by(&self, by: Side) -> Result<(&Open, ReviewCard, &'static ReviewRulings), Refusal> {
        if self.phase != Phase::Play {
            return Err(self.out_of_turn("play has not begun"));
        }
        let late = |message: String| Refusal::new(Why::OutOfTurn, Place::Input, message);
        let rulings = self.game.review_rulings();
        let (Some(card), Some(rulings)) = (self.game.review_card(), rulings) else {
            let refusal = late("decisions are not reviewed in this match".to_owned());
            return Err(rulings.map_or(refusal.clone(), |rulings| refusal.by(rulings.off)));
        };
        let other = match self.reviewing.last() {
            Last::Open(open) if open.reviewable.by == by => return Ok((open, card, rulings)),
            Last::Open(open) => Some(open.reviewable.by),
            Last::Spent(other) if *other != by => Some(*other),
            Last::Nothing | Last::Ball(_) | Last::Spent(_) | Last::Settled | Last::Begun => None,
        };
        if let Some(other) = other {
            let message = format!("it is for the {other} side to have this ball reviewed");
            let refusal = Refusal::new(Why::IllegalInput, Place::Field("by".to_owned()), message);
            return Err(refusal.by(rulings.other_side).legal(json!([other])));
        }
        let left = self.reviews_left(by);
        let (ruling, message) = match self.reviewing.last() {
            _ if left == 0 => {
                let had = card.reviews;
                (rulings.none_left, format!("the {by} side has no review left in this innings; it had {had}"))
            }
            Last::Ball(Some(kind)) => {
                (rulings.not_reviewable, format!("this wicket, {}, cannot be reviewed", words(*kind)))
            }
            Last::Nothing | Last::Ball(None) => {
                (rulings.not_reviewable, "there is no decision to review".to_owned())
            }
            Last::Settled => (rulings.too_late, "this decision has been reviewed or accepted".to_owned()),
            Last::Begun | Last::Open(_) | Last::Spent(_) => {
                (rulings.too_late, "the next ball has begun: a ball is reviewed before it".to_owned())
            }
        };
        Err(late(message).by(ruling))
    }

    /// Applies a review.
    pub(super) fn settle_review(&mut self, review: &Review) {
        let Some(open) = self.reviewing.open().map(Arc::clone) else { return };
        let so_far = self.reviewing.so_far();
        so_far.last = Last::Settled;
        let Some(made) = review.made() else { return };
        if !made.retained {
            so_far.spent[made.by] += 1;
        }
        if made.is_upheld() {
            self.game = open.revised.clone();
        }
    }

    /// Makes sure that a recorded review can be applied.
    pub(super) fn admit_review(&self, review: &Review) -> Result<(), Broken> {
        let Some(open) = self.reviewing.open() else {
            return Err(self.not_due(&EventData::Review(review.clone())));
        };
        let due = |field: &str, due: &str| Err(Broken::new(format!("data.{field}"), format!("is {due}")));
        if review.delivery() != open.ball.delivery {
            return due("delivery", &format!("{}, the last ball", open.ball.delivery));
        }
        if review.by() != open.reviewable.by {
            return due("by", &format!("{}, whose it is to ask", open.reviewable.by));
        }
        match review.made() {
            Some(made) if made.outcome != *open.outcome(made.is_upheld()) => {
                due("outcome", "the ball's own, or what it comes to where the decision is turned round")
            }
            _ => Ok(()),
        }
    }

    /// Decides a recorded review again, and compares.
    pub(super) fn check_review(&self, review: &Review) -> Result<(), Disagreement> {
        let recorded = EventData::Review(review.clone());
        let none = || None;
        let again = match review {
            Review::Accepted(accepted) => self.decide_accept(accepted.by, &mut RecordedDice::new(&[]), none),
            Review::Made(made) => self.decide_review(made.by, &mut RecordedDice::new(&made.dice), none),
        };
        match again.map_err(Disagreement::Refused)?.events.into_iter().next() {
            Some(again) if again != recorded => Err(Disagreement::Otherwise(Box::new(again))),
            _ => Ok(()),
        }
    }
}

fn words(kind: WicketKind) -> &'static str {
    match kind {
        WicketKind::Bowled => "bowled",
        WicketKind::Caught => "caught",
        WicketKind::CaughtAndBowled => "caught and bowled",
        WicketKind::Lbw => "leg before wicket",
        WicketKind::Stumped => "stumped",
        WicketKind::RunOut => "run out",
    }
}
