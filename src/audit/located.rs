//! The place of an event in the log and in the match, which a report names when the event diverges.

use std::borrow::Cow;

use serde_json::Value;

use super::{Divergence, Finding, VerifiedThrough};
use crate::log::{DeliveryPlace, RawData, RawEvent};

/// The place of an event in the log and in the match.
#[derive(Debug, Clone, Default)]
pub(super) struct Located {
    /// The event's place in the file, counted from 1; equal to `seq` in a valid log.
    pub position: u64,
    pub seq: u64,
    pub kind: Cow<'static, str>,
    pub innings: Option<u16>,
    pub over: Option<u16>,
    pub ball: Option<u32>,
    pub delivery: Option<u32>,
}

impl Located {
    /// The place that the event itself names, whether all its data can be read or not.
    pub fn of(raw: &RawEvent, position: u64) -> Located {
        let at = Located { position, seq: raw.seq, kind: raw.kind.clone(), ..Located::default() };
        match &raw.data {
            RawData::Whole(data) => {
                let delivery = data.delivery();
                let Some((innings, over, ball)) = data.place() else { return Located { delivery, ..at } };
                Located { innings: Some(innings), over: Some(over), ball, delivery, ..at }
            }
            RawData::Unread(data) if matches!(&*raw.kind, "over" | "ball" | "choice" | "choice_opened") => {
                Located {
                    innings: number(data, "innings"),
                    over: number(data, "over"),
                    ball: number(data, "ball"),
                    delivery: number(data, "delivery"),
                    ..at
                }
            }
            RawData::Unread(data) if matches!(&*raw.kind, "roll" | "review") => {
                Located { delivery: number(data, "delivery"), ..at }
            }
            // Other events, such as a dispute, may name a delivery, but are not one.
            RawData::Unread(_) => at,
        }
    }

    /// The place of a missing event, after this number of events.
    pub fn missing(kind: &'static str, after: u64) -> Located {
        Located { position: after + 1, seq: after + 1, kind: kind.into(), ..Located::default() }
    }

    /// The last valid ball, at this place.
    pub fn ball(&self) -> VerifiedThrough {
        VerifiedThrough {
            seq: self.seq,
            delivery: self.delivery.unwrap_or_default(),
            innings: self.innings.unwrap_or_default(),
            over: self.over.unwrap_or_default(),
            ball: self.ball.unwrap_or_default(),
            place: DeliveryPlace::at(
                self.innings.unwrap_or_default(),
                self.over.unwrap_or_default(),
                self.ball.unwrap_or_default(),
            ),
        }
    }

    /// The place of the delivery, where the event tells it.
    fn place(&self) -> Option<DeliveryPlace> {
        Some(DeliveryPlace::at(self.innings?, self.over?, self.ball?))
    }

    /// The first event that diverges, at this place; `known` is the place of its delivery by the events
    /// before it.
    pub fn diverges(self, known: Option<DeliveryPlace>, findings: Vec<Finding>) -> Divergence {
        Divergence {
            place: self.place().or(known),
            seq: self.seq,
            kind: self.kind.into_owned(),
            innings: self.innings,
            over: self.over,
            ball: self.ball,
            delivery: self.delivery,
            findings,
        }
    }
}

/// A number in an event's data, also where the rest of the data cannot be read.
fn number<N: TryFrom<u64>>(data: &Value, name: &str) -> Option<N> {
    data.get(name).and_then(Value::as_u64).and_then(|n| N::try_from(n).ok())
}
