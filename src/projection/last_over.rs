use std::sync::Arc;

use chrono::{DateTime, Utc};
use smallvec::SmallVec;

use crate::log::{Ball, Event};
use crate::scorebook::Outcome;

/// A ball that counts, with the event that recorded it. Its outcome is the one after its review.
#[derive(Debug, Clone)]
pub(crate) struct CountedBall {
    pub seq: u64,
    pub at: DateTime<Utc>,
    pub ball: Ball,
}

/// The over of the last delivery, with its deliveries so far. They are shared, since the projection is cloned
/// at each append.
#[derive(Clone, Default)]
pub(super) struct LastOver(SmallVec<[Arc<CountedBall>; 8]>);

impl LastOver {
    /// Adds a ball, which may be the first of its over.
    pub fn add(&mut self, event: &Event, ball: &Ball) {
        let is_of_this_over =
            |last: &Arc<CountedBall>| (last.ball.innings, last.ball.over) == (ball.innings, ball.over);
        if !self.0.last().is_some_and(is_of_this_over) {
            self.0.clear();
        }
        self.0.push(Arc::new(CountedBall { seq: event.seq, at: event.at, ball: ball.clone() }));
    }

    /// Gives the last ball another outcome.
    pub fn revise(&mut self, outcome: &Outcome) {
        if let Some(last) = self.0.last_mut() {
            Arc::make_mut(last).ball.outcome = outcome.clone();
        }
    }

    /// The deliveries, in order.
    pub fn deliveries(&self) -> &[Arc<CountedBall>] {
        &self.0
    }
}
