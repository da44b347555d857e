//! The name of a delivery in a request: its number, the last one, or its place in the book.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value, json};
use utoipa::openapi::{OneOfBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::commands::{Problem, ProblemType};
use crate::projection::DeliveryPlaces;

/// A delivery, as a request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryNamed {
    /// By its number in the match.
    Number(u32),
    /// The last delivery.
    Last,
    /// By its place: the innings may be left out where only one has such a place.
    Place {
        /// The innings, from 1.
        innings: Option<u16>,
        /// The over, from 1.
        over: u16,
        /// The ball of the over, counting every delivery, from 1.
        ball: u32,
    },
}

const SHAPE: &str = "a delivery is its number, \"last\", or its place, as {\"innings\": 1, \"over\": 2, \"ball\": 3} or \"1.3\"";

impl DeliveryNamed {
    /// The number, if the delivery is named by it.
    pub fn number(&self) -> Option<u32> {
        match self {
            DeliveryNamed::Number(number) => Some(*number),
            DeliveryNamed::Last | DeliveryNamed::Place { .. } => None,
        }
    }

    /// Finds the number of the delivery among those of a match. The last delivery is named only on a head
    /// that the client knows: in a race it is another's.
    pub fn find(&self, places: &DeliveryPlaces, at: &str, knows_head: bool) -> Result<u32, Problem> {
        match *self {
            DeliveryNamed::Number(number) => Ok(number),
            DeliveryNamed::Last if !knows_head => {
                let message = "\"last\" needs If-Match with the head that you know: without it the last \
                               delivery may be another by now";
                Err(Problem::at(ProblemType::NeedsInput, "header.If-Match", message))
            }
            DeliveryNamed::Last => places.last().ok_or_else(|| {
                Problem::at(ProblemType::IllegalInput, at, "there is no delivery yet, so none is the last")
            }),
            DeliveryNamed::Place { innings, over, ball } => {
                found_at(&places.at(innings, over, ball), (innings, over, ball), at)
            }
        }
    }

    fn of_text(text: &str) -> Option<DeliveryNamed> {
        if text == "last" {
            return Some(DeliveryNamed::Last);
        }
        let (over, ball) = place_in(text)?;
        Some(DeliveryNamed::Place { innings: None, over, ball })
    }

    fn of_members(members: &Map<String, Value>) -> Option<DeliveryNamed> {
        let known = ["innings", "over", "ball", "text"];
        if members.keys().any(|name| !known.contains(&name.as_str())) {
            return None;
        }
        let number = |name: &str| members.get(name).map(|value| value.as_u64());
        let innings = match number("innings") {
            None => None,
            Some(innings) => Some(u16::try_from(innings?).ok()?),
        };
        let given = match (number("over"), number("ball")) {
            (Some(over), Some(ball)) => Some((u16::try_from(over?).ok()?, u32::try_from(ball?).ok()?)),
            (None, None) => None,
            _ => return None,
        };
        let told = match members.get("text") {
            None => None,
            Some(text) => Some(place_in(text.as_str()?)?),
        };
        if given.is_some() && told.is_some() && given != told {
            return None;
        }
        let (over, ball) = given.or(told)?;
        Some(DeliveryNamed::Place { innings, over, ball })
    }
}

/// The over and the ball of a place as the commentary prints it: `1.3` is over 2, ball 3.
fn place_in(text: &str) -> Option<(u16, u32)> {
    let (overs, ball) = text.split_once('.')?;
    let is_plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_plain(overs) || !is_plain(ball) {
        return None;
    }
    Some((overs.parse::<u16>().ok()?.checked_add(1)?, ball.parse().ok()?))
}

fn found_at(
    found: &[(u16, u32)],
    (innings, over, ball): (Option<u16>, u16, u32),
    at: &str,
) -> Result<u32, Problem> {
    let place = format!("over {over}, ball {ball}");
    let message = match found {
        [(_, delivery)] => return Ok(*delivery),
        [] => match innings {
            Some(innings) => format!("no delivery that counts is at innings {innings}, {place}"),
            None => format!("no delivery that counts is at {place}"),
        },
        several => {
            let each: Vec<String> = several
                .iter()
                .map(|(innings, delivery)| format!("{delivery} in innings {innings}"))
                .collect();
            format!("several innings have {place}: it is delivery {}; name the innings", each.join(" or "))
        }
    };
    Err(Problem::at(ProblemType::IllegalInput, at, message))
}

impl<'de> Deserialize<'de> for DeliveryNamed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DeliveryNamed, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let named = match &value {
            Value::Number(number) => {
                number.as_u64().and_then(|n| u32::try_from(n).ok()).map(DeliveryNamed::Number)
            }
            Value::String(text) => DeliveryNamed::of_text(text),
            Value::Object(members) => DeliveryNamed::of_members(members),
            Value::Null | Value::Bool(_) | Value::Array(_) => None,
        };
        named.ok_or_else(|| de::Error::custom(SHAPE))
    }
}

impl PartialSchema for DeliveryNamed {
    fn schema() -> RefOr<Schema> {
        let place = json!({
            "type": "object", "additionalProperties": true,
            "description": "A place: `innings`, `over` and `ball` as in the log, or `innings` and `text`",
        });
        let number = json!({"type": "integer", "format": "int32", "minimum": 0});
        let text = json!({"type": "string", "description": "`last`, or a place as the commentary prints it"});
        let one_of = [number, text, place].into_iter().filter_map(|each| serde_json::from_value(each).ok());
        let named = one_of.fold(OneOfBuilder::new(), |all, each: RefOr<Schema>| all.item(each));
        named.description(Some("A delivery: its number, `last`, or its place")).into()
    }
}

impl ToSchema for DeliveryNamed {}
