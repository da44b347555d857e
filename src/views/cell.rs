//! A delivery as a cell of the scorebook.

use serde::Serialize;
use utoipa::ToSchema;

use crate::log::DeliveryPlace;
use crate::projection::{CountedBall, LoadedMatch};
use crate::scorebook::{WicketRecord, cell};

/// A delivery as a cell of the scorebook.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DeliveryCell {
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The event of the delivery.
    pub seq: u64,
    /// The sign of the scorebook: `•`, `4`, `wd`, `nb+2`, `b4`, `lb2`, `W`, `1+W`; `db` is a dead ball.
    pub cell: String,
    /// The runs of the delivery, with extras.
    pub runs: u16,
    /// The boundary, 4 or 6, if the ball reached it.
    pub boundary: Option<u8>,
    /// Whether the delivery is one of the over's six.
    pub legal: bool,
    /// The wicket, if one fell.
    pub wicket: Option<WicketRecord>,
}

impl DeliveryCell {
    /// The cell of a delivery.
    pub(super) fn of(counted: &CountedBall) -> DeliveryCell {
        let CountedBall { seq, ball, .. } = counted;
        DeliveryCell {
            delivery: ball.delivery,
            place: DeliveryPlace::of(ball),
            seq: *seq,
            cell: cell(&ball.outcome),
            runs: ball.outcome.runs.total,
            boundary: ball.outcome.boundary,
            legal: ball.outcome.legal,
            wicket: ball.outcome.wicket.clone(),
        }
    }

    /// The cell of the last delivery of a folded match; none before the first.
    pub fn last_of(loaded: &LoadedMatch) -> Option<DeliveryCell> {
        loaded.projection().last_over().last().map(|counted| DeliveryCell::of(counted))
    }
}
