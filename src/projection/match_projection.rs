//! The projection of a match: the folds of its events from which views are made. It shows what the events
//! record, so it needs no rules and is the same for every game.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::innings::InningsFold;
use super::last_over::{CountedBall, LastOver};
use super::places::DeliveryPlaces;
use super::reviews::ReviewEntry;
use crate::log::{Ball, Event, EventFamily, LifecycleEvent, Over, PlayEvent, Review, Reviewed};
use crate::matches::MatchInfo;
use crate::scorebook::{BySide, Side};

/// The projection of the events of play.
#[derive(Clone, Default)]
pub struct MatchProjection {
    /// The side that bats first, once the toss is decided.
    bats_first: Option<Side>,
    innings: Vec<Arc<InningsFold>>,
    last_over: LastOver,
    places: DeliveryPlaces,
    /// The innings before the last ball, while the ball may be reviewed.
    before_review: Option<Arc<InningsFold>>,
    reviews: Arc<Vec<ReviewEntry>>,
    dropped_players: Arc<BySide<Vec<String>>>,
    abandoned_for: Option<String>,
    ended_at: Option<DateTime<Utc>>,
}

impl MatchProjection {
    /// Applies an event; `is_open` says whether the match then waits for a review of its decision.
    pub(super) fn apply(&mut self, event: &Event, info: &MatchInfo, is_open: bool) {
        if let Some(subject) = event.data.subject() {
            self.places.add(subject);
        }
        match event.data.family() {
            EventFamily::Lifecycle(LifecycleEvent::TossDecided(decided)) => {
                self.bats_first = Some(decided.bats_first());
            }
            EventFamily::Lifecycle(LifecycleEvent::MatchAbandoned(abandoned)) => {
                self.abandoned_for = Some(abandoned.reason.clone());
                self.ended_at = Some(event.at);
            }
            EventFamily::Lifecycle(LifecycleEvent::MatchCompleted(_)) => self.ended_at = Some(event.at),
            EventFamily::Play(PlayEvent::SetUp(set_up)) => {
                self.dropped_players = Arc::new((info.game.dropped)(set_up));
            }
            EventFamily::Play(PlayEvent::Over(over)) => self.begin_over(info, over),
            EventFamily::Play(PlayEvent::Ball(ball)) => self.count(event, ball, is_open),
            EventFamily::Review(Review::Made(made)) => self.review(info, event.seq, made),
            EventFamily::Lifecycle(_)
            | EventFamily::Play(PlayEvent::Roll(_))
            | EventFamily::Remote(_)
            | EventFamily::Review(Review::Accepted(_))
            | EventFamily::Adjudication(_) => {}
        }
    }

    fn count(&mut self, event: &Event, ball: &Ball, is_open: bool) {
        let Some(innings) = self.innings.last_mut() else { return };
        self.before_review = is_open.then(|| Arc::clone(innings));
        Arc::make_mut(innings).apply(ball);
        self.last_over.add(event, ball);
    }

    /// Counts a ball anew with its outcome after the review.
    fn review(&mut self, info: &MatchInfo, seq: u64, made: &Reviewed) {
        let (Some(before), Some(innings), Some(last)) =
            (self.before_review.take(), self.innings.last_mut(), self.last_over.deliveries().last())
        else {
            return;
        };
        let (last, original) = (Arc::clone(last), Arc::clone(innings));
        if made.is_upheld() {
            self.last_over.revise(&made.outcome);
            *innings = before;
            if let Some(revised) = self.last_over.deliveries().last() {
                Arc::make_mut(innings).apply(&revised.ball);
            }
        }
        let entry = ReviewEntry::of(
            self.reviews.len() as u32 + 1,
            seq,
            &info.created.sheet(made.by).name,
            (&last.ball, made),
            [&original, innings],
        );
        Arc::make_mut(&mut self.reviews).push(entry);
    }

    fn begin_over(&mut self, info: &MatchInfo, over: &Over) {
        if self.innings.last().is_none_or(|innings| innings.number != over.innings) {
            let first = self.bats_first.unwrap_or(Side::Home);
            let batting = if over.innings % 2 == 1 { first } else { first.other() };
            self.innings.push(Arc::new(InningsFold::new(over.innings, batting)));
        }
        let Some(innings) = self.innings.last_mut() else { return };
        if let Some(keeper) = (info.game.keeper)(over) {
            Arc::make_mut(innings).keep_wicket(keeper, over.over);
        }
        for opener in (info.game.openers)(over).into_iter().flatten() {
            Arc::make_mut(innings).come_in(opener);
        }
    }

    /// The side that bats first, once the toss is decided.
    pub fn bats_first(&self) -> Option<Side> {
        self.bats_first
    }

    /// The reason for the abandonment, if the match was abandoned.
    pub fn abandoned_for(&self) -> Option<&str> {
        self.abandoned_for.as_deref()
    }

    /// The time at which the match was completed or abandoned, if it was.
    pub fn ended_at(&self) -> Option<DateTime<Utc>> {
        self.ended_at
    }

    /// The reviews that were made, in order.
    pub fn reviews(&self) -> &[ReviewEntry] {
        &self.reviews
    }

    /// The players on a side's team sheet who were dropped in the set-up, and take no part.
    pub fn dropped_players(&self, side: Side) -> &[String] {
        &self.dropped_players[side]
    }

    /// The places of the live deliveries.
    pub fn places(&self) -> &DeliveryPlaces {
        &self.places
    }

    /// The deliveries so far of the over of the last delivery, in order.
    pub(crate) fn last_over(&self) -> &[Arc<CountedBall>] {
        self.last_over.deliveries()
    }

    pub(crate) fn innings(&self) -> &[Arc<InningsFold>] {
        &self.innings
    }
}
