//! Where an event stands, and what is said of it when it diverges.

use std::borrow::Cow;

use serde_json::Value;

use super::{Divergence, Finding, Through};
use crate::log::{RawData, RawEvent};

/// Where an event stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Located {
    /// Its place in the file, from 1; in a log that holds, the same as its `seq`.
    pub position: u64,
    pub seq: u64,
    pub kind: Cow<'static, str>,
    pub innings: Option<u16>,
    pub over: Option<u16>,
    pub ball: Option<u32>,
    pub delivery: Option<u32>,
}

impl Located {
    /// From what the event says of itself, whether it can be read whole or not.
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
            // What is disputed is a delivery, and is none.
            RawData::Unread(_) => at,
        }
    }

    /// An event that should be there, after `position` others.
    pub fn missing(kind: &'static str, after: u64) -> Located {
        Located { position: after + 1, seq: after + 1, kind: kind.into(), ..Located::default() }
    }

    /// It as the last ball that holds.
    pub fn ball(&self) -> Through {
        Through {
            seq: self.seq,
            delivery: self.delivery.unwrap_or_default(),
            innings: self.innings.unwrap_or_default(),
            over: self.over.unwrap_or_default(),
            ball: self.ball.unwrap_or_default(),
        }
    }

    /// It as the first event that diverges.
    pub fn diverges(self, findings: Vec<Finding>) -> Divergence {
        Divergence {
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

/// A number that an event's data gives, if it does, whatever else the data says.
fn number<N: TryFrom<u64>>(data: &Value, name: &str) -> Option<N> {
    data.get(name).and_then(Value::as_u64).and_then(|n| N::try_from(n).ok())
}
