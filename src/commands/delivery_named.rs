//! The name of a delivery in a request: its number, the last one, or its place in the book.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value, json};
use utoipa::openapi::{OneOfBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::log::{DeliveryPlace, delivery_words, quoted, read_members};
use crate::projection::DeliveryPlaces;
use crate::rules::{Place, Refusal, RefusalKind};

/// A delivery, as a request names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The right names of a delivery, for the message that refuses another.
const RIGHT_NAMES: &str = "a delivery is named by its number, by \"last\", or by its place, as {\"innings\": 1, \"over\": 2, \"ball\": 3} or \"1.3\"";

impl DeliveryNamed {
    /// Finds the number of the delivery among those of a match; `field` is the member of the body that names
    /// it.
    pub(super) fn find(self, places: &DeliveryPlaces, field: &str) -> Result<u32, Refusal> {
        let found = match self {
            DeliveryNamed::Number(number) => Ok(number),
            DeliveryNamed::Last => {
                places.last().ok_or_else(|| "there is no delivery yet, so none is the last".to_owned())
            }
            DeliveryNamed::Place { innings, over, ball } => {
                only_one(&places.at(innings, over, ball), &place_words(innings, over, ball), places)
            }
        };
        found.map_err(|message| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message)
        })
    }

    /// Reads `last`, or a place as the commentary prints it.
    fn from_text(text: &str) -> Result<DeliveryNamed, String> {
        if text == "last" {
            return Ok(DeliveryNamed::Last);
        }
        let (over, ball) =
            over_and_ball(text).ok_or_else(|| format!("{RIGHT_NAMES}, not {}", quoted(text)))?;
        Ok(DeliveryNamed::Place { innings: None, over, ball })
    }

    /// Reads a place from its members. Over and ball may be given in numbers, as text, or both.
    fn from_members(members: &Map<String, Value>) -> Result<DeliveryNamed, String> {
        let PlaceMembers { innings, over, ball, text } = read_members(members)
            .map_err(|fault| format!("{}; {RIGHT_NAMES}", fault.message("the place")))?;
        let in_numbers = match (over, ball) {
            (Some(over), Some(ball)) => Some((over, ball)),
            (None, None) => None,
            _ => return Err(format!("over and ball go together in a place: {RIGHT_NAMES}")),
        };
        let in_text = match &text {
            Some(text) => Some(over_and_ball(text).ok_or_else(|| {
                format!("the text of a place is like \"1.3\" for over 2, ball 3, and not {}", quoted(text))
            })?),
            None => None,
        };
        match (in_numbers, in_text) {
            (Some(numbers), Some(text)) if numbers != text => {
                Err("over and ball of this place are not those of its text".to_owned())
            }
            (Some((over, ball)), _) | (None, Some((over, ball))) => {
                Ok(DeliveryNamed::Place { innings, over, ball })
            }
            (None, None) => Err(format!("a place has over and ball, or text: {RIGHT_NAMES}")),
        }
    }
}

impl From<u32> for DeliveryNamed {
    fn from(number: u32) -> DeliveryNamed {
        DeliveryNamed::Number(number)
    }
}

/// A place, as a body writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceMembers {
    innings: Option<u16>,
    over: Option<u16>,
    ball: Option<u32>,
    text: Option<String>,
}

/// The over and the ball of a place as the commentary prints it: `1.3` is over 2, ball 3.
fn over_and_ball(text: &str) -> Option<(u16, u32)> {
    let (overs, ball) = text.split_once('.')?;
    let is_plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_plain(overs) || !is_plain(ball) {
        return None;
    }
    Some((overs.parse::<u16>().ok()?.checked_add(1)?, ball.parse().ok()?))
}

/// A place in words: `innings 1, over 2, ball 3 ("1.3")`.
fn place_words(innings: Option<u16>, over: u16, ball: u32) -> String {
    let text = DeliveryPlace::at(innings.unwrap_or_default(), over, ball).text;
    let innings = innings.map_or(String::new(), |innings| format!("innings {innings}, "));
    format!("{innings}over {over}, ball {ball} (\"{text}\")")
}

/// The only delivery among those found at a place, or the reason why there is not exactly one.
fn only_one(found: &[(u16, u32)], place: &str, places: &DeliveryPlaces) -> Result<u32, String> {
    match found {
        [(_, delivery)] => Ok(*delivery),
        [] => {
            let last = match places.last() {
                Some(last) => {
                    format!("the last is {}", delivery_words(last, places.place_of(last).as_ref()))
                }
                None => "there is no delivery yet".to_owned(),
            };
            Err(format!("no delivery that counts is at {place}; {last}"))
        }
        several => {
            let each: Vec<String> = several
                .iter()
                .map(|(innings, delivery)| format!("{delivery} in innings {innings}"))
                .collect();
            Err(format!(
                "several innings have {place}: it is delivery {}; name the innings",
                each.join(" or ")
            ))
        }
    }
}

impl<'de> Deserialize<'de> for DeliveryNamed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DeliveryNamed, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let named = match &value {
            Value::Number(number) => match number.as_u64().and_then(|number| u32::try_from(number).ok()) {
                Some(number) => Ok(DeliveryNamed::Number(number)),
                None => Err(format!("{RIGHT_NAMES}, and no delivery has the number {number}")),
            },
            Value::String(text) => DeliveryNamed::from_text(text),
            Value::Object(members) => DeliveryNamed::from_members(members),
            Value::Null => Err(format!("{RIGHT_NAMES}, not null")),
            Value::Bool(value) => Err(format!("{RIGHT_NAMES}, not {value}")),
            Value::Array(_) => Err(format!("{RIGHT_NAMES}, not a list")),
        };
        named.map_err(de::Error::custom)
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
