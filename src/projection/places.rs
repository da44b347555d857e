use std::sync::Arc;

use crate::log::{Ball, DeliveryPlace};

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
    /// Adds the next delivery.
    pub(super) fn add(&mut self, ball: &Ball) {
        if ball.ball == 1 {
            let start = OverStart { innings: ball.innings, over: ball.over, first: ball.delivery };
            Arc::make_mut(&mut self.overs).push(start);
        }
        self.last = ball.delivery;
    }

    /// The number of the last delivery; none before the first.
    pub fn last(&self) -> Option<u32> {
        (self.last > 0).then_some(self.last)
    }

    /// The deliveries at a place, with the innings of each: more than one where the innings is left out and
    /// several have the place.
    pub fn at(&self, innings: Option<u16>, over: u16, ball: u32) -> Vec<(u16, u32)> {
        let ends = self.overs.iter().skip(1).map(|next| next.first).chain([self.last + 1]);
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
        let at = self.overs.partition_point(|start| start.first <= delivery).checked_sub(1)?;
        let start = self.overs[at];
        let is_live = delivery <= self.last;
        is_live.then(|| DeliveryPlace::at(start.innings, start.over, delivery - start.first + 1))
    }
}
