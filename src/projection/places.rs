use std::sync::Arc;

use crate::log::{DeliveryPlace, Subject};

/// The places of the live deliveries of a match, by the first delivery of each over. The overs are shared,
/// since the projection is cloned at each append.
#[derive(Debug, Clone, Default)]
pub struct DeliveryPlaces {
    overs: Arc<Vec<OverStart>>,
    last: u32,
}

#[derive(Debug, Clone, Copy)]
struct OverStart {
    innings: u16,
    over: u16,
    first: u32,
}

impl DeliveryPlaces {
    /// The places of these live events of play.
    pub fn of(live: impl Iterator<Item = Subject>) -> DeliveryPlaces {
        let mut places = DeliveryPlaces::default();
        live.for_each(|subject| places.add(subject));
        places
    }

    /// Adds the next event of play: a new over, or a delivery of the over that has begun.
    pub fn add(&mut self, subject: Subject) {
        match subject {
            Subject::Over { innings, over } => {
                let start = OverStart { innings, over, first: self.last.saturating_add(1) };
                Arc::make_mut(&mut self.overs).push(start);
            }
            Subject::Ball { delivery } => self.last = delivery,
            Subject::SetUp
            | Subject::Toss
            | Subject::TossDecided
            | Subject::Choice
            | Subject::Roll { .. }
            | Subject::Review { .. }
            | Subject::Completed
            | Subject::Abandoned => {}
        }
    }

    /// The number of the last delivery; none before the first.
    pub fn last(&self) -> Option<u32> {
        (self.last > 0).then_some(self.last)
    }

    /// The deliveries at a place, with the innings of each: more than one where the innings is left out and
    /// several have the place.
    pub fn at(&self, innings: Option<u16>, over: u16, ball: u32) -> Vec<(u16, u32)> {
        let ends = self.overs.iter().skip(1).map(|next| next.first).chain([self.last.saturating_add(1)]);
        let overs = self.overs.iter().zip(ends);
        let here = overs.filter(|(start, _)| {
            start.over == over && innings.is_none_or(|innings| innings == start.innings)
        });
        let found = here.filter_map(|(start, end)| {
            let delivery = start.first.checked_add(ball.checked_sub(1)?)?;
            (delivery < end).then_some((start.innings, delivery))
        });
        found.collect()
    }

    /// The place of a live delivery.
    pub fn place_of(&self, delivery: u32) -> Option<DeliveryPlace> {
        self.place_of_begun(delivery).filter(|_| delivery <= self.last)
    }

    /// The place of a delivery that has begun: it was bowled, or its first dice were rolled.
    pub fn place_of_begun(&self, delivery: u32) -> Option<DeliveryPlace> {
        let at = self.overs.partition_point(|start| start.first <= delivery).checked_sub(1)?;
        let start = self.overs[at];
        let has_begun = delivery <= self.last.saturating_add(1);
        has_begun.then(|| DeliveryPlace::at(start.innings, start.over, delivery - start.first + 1))
    }
}
