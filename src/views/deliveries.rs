//! The deliveries of a match as rows of a ball-by-ball record: each that stands, with the score after it.
//!
//! The rows are made from the log for each read, as the commentary is.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::situation::required_rate;
use super::{ListWindow, slice_of};
use crate::dice::Die;
use crate::editions::Editions;
use crate::log::{DeliveryPlace, Event, EventData, Head, InvalidEvent};
use crate::projection::{AsOf, AsOfError, CountedBall, InningsFold, LoadedMatch, PastBuilder};
use crate::scorebook::{ExtrasRecord, RunsRecord, Side, WicketRecord, cell};

/// A delivery that stands, with its outcome after a review, and the score after it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DeliveryRow {
    /// The event of the delivery.
    pub seq: u64,
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The number that the delivery had before the last correction that moved it; left out where it has not
    /// moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<u32>,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The runs off the bat, those that are not, and both.
    pub runs: RunsRecord,
    /// The runs that are not off the bat, by kind: only those that are not 0.
    pub extras: ExtrasRecord,
    /// The boundary, 4 or 6, if the ball reached it.
    pub boundary: Option<u8>,
    /// The wicket, if one fell.
    pub wicket: Option<WicketRecord>,
    /// Whether the delivery is one of the over's six.
    pub legal: bool,
    /// The legal balls of the innings up to this delivery.
    pub balls: u32,
    /// The side's total after the delivery.
    pub total: u32,
    /// The wickets lost after the delivery.
    pub wickets: u32,
    /// The runs an over that are needed after the delivery, where the balls are limited and a target is
    /// chased.
    pub required_rate: Option<String>,
    /// The batter who faced.
    pub batter: String,
    /// The batter at the other end.
    pub partner: String,
    /// The player who bowled the ball.
    pub bowler: String,
    /// The sign of the scorebook, as in a cell of the over: `•`, `4`, `wd`, `nb+2`, `W`.
    pub cell: String,
    /// The zone into which the ball was hit, in a game whose field has zones; left out where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
}

/// What an innings is played for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InningsHead {
    /// The number of the innings, from 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// The most legal balls that the innings may have; null where they are not limited.
    pub balls_limit: Option<u32>,
    /// The total that wins the match in this innings; null in all but the last one.
    pub target: Option<u32>,
}

/// A page of the deliveries of a match that stand.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Deliveries<'a> {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of the event as of which it is true.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// Whether dice alone decide the match: then `GET .../luck` tells how they fell.
    pub dice_alone: bool,
    /// The innings that have begun, in order: the same on each page.
    pub innings: Vec<InningsHead>,
    /// The deliveries of the page, in order.
    #[schema(value_type = Vec<DeliveryRow>)]
    pub deliveries: &'a [DeliveryRow],
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
}

/// A match as of an event, with the deliveries that stand there.
pub struct DeliveriesAsOf {
    /// The match as of that event.
    pub loaded: LoadedMatch,
    /// The deliveries, in order.
    pub rows: Vec<DeliveryRow>,
}

/// A reader of a log that builds a match as of an event, with its deliveries.
pub struct DeliveriesBuilder {
    past: PastBuilder,
    /// A row for each live event that gives a delivery its outcome: its ball, and its review.
    rows: Vec<(u64, DeliveryRow)>,
}

impl DeliveryRow {
    /// The row of the last delivery of a folded match; none before the first.
    pub fn last_of(loaded: &LoadedMatch) -> Option<DeliveryRow> {
        let CountedBall { seq, ball, .. } = loaded.projection().last_over().last()?.as_ref();
        let innings = loaded.projection().innings().iter().find(|fold| fold.number == ball.innings)?;
        let outcome = &ball.outcome;
        let zone = (loaded.the_match().play().info().game.zone)(outcome);
        Some(DeliveryRow {
            seq: *seq,
            delivery: ball.delivery,
            was: loaded.the_match().adjudication().numbers().was(ball.delivery),
            place: DeliveryPlace::of(ball),
            innings: ball.innings,
            runs: outcome.runs,
            extras: outcome.extras,
            boundary: outcome.boundary,
            wicket: outcome.wicket.clone(),
            legal: outcome.legal,
            balls: innings.balls,
            total: innings.runs,
            wickets: innings.wickets,
            required_rate: required_rate(loaded, ball.innings),
            batter: outcome.striker.clone(),
            partner: outcome.non_striker.clone(),
            bowler: outcome.bowler.clone(),
            cell: cell(outcome),
            zone: zone.map(str::to_owned),
            dice: ball.dice.clone(),
        })
    }
}

impl DeliveriesBuilder {
    /// A builder for a log that may be read with these editions.
    pub fn new(as_of: AsOf, editions: Editions) -> DeliveriesBuilder {
        DeliveriesBuilder { past: PastBuilder::new(as_of, editions), rows: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), InvalidEvent> {
        let seq = event.seq;
        let gives_outcome = matches!(event.data, EventData::Ball(_) | EventData::Review(_));
        if let Some(reversal) = event.data.reversal() {
            self.rows.retain(|(from, _)| *from < reversal.voids_from_seq());
        }
        let loaded = self.past.follow(event)?;
        if gives_outcome {
            self.rows.extend(DeliveryRow::last_of(loaded).map(|row| (seq, row)));
        }
        Ok(())
    }

    /// Ends the reading, and returns the match with its deliveries.
    pub fn end(self) -> Result<DeliveriesAsOf, AsOfError> {
        let past = self.past.end()?;
        let mut rows: Vec<DeliveryRow> = Vec::new();
        for (_, row) in self.rows.into_iter().take_while(|(from, _)| *from <= past.last_live) {
            // After a review the row of the ball counts no more.
            rows.pop_if(|last| last.delivery == row.delivery);
            rows.push(row);
        }
        Ok(DeliveriesAsOf { loaded: past.loaded, rows })
    }
}

impl AsRef<LoadedMatch> for DeliveriesAsOf {
    fn as_ref(&self) -> &LoadedMatch {
        &self.loaded
    }
}

impl Deliveries<'_> {
    /// A page of the deliveries of a folded match.
    pub fn page(past: &DeliveriesAsOf, window: ListWindow) -> Deliveries<'_> {
        let DeliveriesAsOf { loaded, rows } = past;
        let (deliveries, next_after) = slice_of(rows, window);
        Deliveries {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            dice_alone: loaded.the_match().play().is_dice_alone(),
            innings: heads(loaded),
            deliveries,
            next_after,
        }
    }
}

/// What each innings that has begun is played for.
fn heads(loaded: &LoadedMatch) -> Vec<InningsHead> {
    let the_match = loaded.the_match();
    let balls_limit = the_match.play().asking().on_field().balls_limit;
    let head = |fold: &InningsFold| InningsHead {
        number: fold.number,
        batting: fold.batting,
        balls_limit,
        target: the_match.reviews().target_in(fold.number),
    };
    loaded.projection().innings().iter().map(|fold| head(fold)).collect()
}
