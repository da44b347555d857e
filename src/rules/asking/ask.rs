//! Asks: the members of a body that a screen asks for, with the values that each can have.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::scorebook::{Ruling, Side, WicketRecord};

/// How a screen asks for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// A face of a die, one of the options.
    Die,
    /// A whole number, one of the options or from `minimum` to `maximum`.
    Number,
    /// One of the options.
    One,
    /// A list of some of the options, at most `count`.
    Some,
    /// A list of `count` options or numbers, in order.
    Order,
    /// True or false.
    YesNo,
    /// Names on places: an object with the place of each name.
    Places,
}

/// A member of a body that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Ask {
    /// The place in the body, as `errors[].location` spells it after `body.`: `choices.stroke`, `dice[1]`.
    pub at: String,
    /// How a screen asks for it.
    pub kind: AskKind,
    /// What a screen asks: `Strike die`, `Who comes in?`
    pub title: String,
    /// A second line: `bowl, a legal ball`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The side that decides; left out where either may enter it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The player whose own choice it is, where another player makes it at another ball: the attitude of the
    /// striker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Whether the body is not whole without it.
    pub required: bool,
    /// The value that is taken where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub default: Option<Value>,
    /// The values, also those that are not legal now; left out where it is not one of a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub options: Vec<AskOption>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<i64>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i64>,
    /// How many belong into a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// The places, and where the names stand now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<Places>,
    /// The ids of the rulings behind the question, of those of the game. They are listed where the options
    /// are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<&'static str>,
}

/// A value that an ask can have. Of a die, a number and a yes or no at the table the outcome of each value is
/// decided beforehand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ToSchema)]
pub struct AskOption {
    /// The value, as the body has it.
    #[schema(value_type = Value)]
    pub value: Value,
    /// The value in words. Of a die, a number and a yes or no: what it would mean, in at most 12 characters;
    /// empty where nothing is known of it yet.
    pub title: String,
    /// A second line: `or bowled`, `by 5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is printed on the die for the value, where its faces do not show 1 to 6: `2, in the air`. Values
    /// with the same face come to the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<String>,
    /// The title and the second line as a sentence, for a voice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// Whether it is the default.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
    /// Why the value is not legal now; left out where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// The id of the ruling by which it is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<&'static str>,
    /// A shape to draw for it: the path of an SVG in a square of 1 by 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The runs of the ball, with extras, if it is whole with this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<u16>,
    /// The boundary of the ball, if it is whole with this value and reached it: 4 or 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<u8>,
    /// The wicket of the ball, if it is whole with this value and one falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wicket: Option<WicketRecord>,
    /// What is asked for after this value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub asks: Vec<Ask>,
}

/// Names that stand on places.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Places {
    /// The names that are placed.
    pub names: Vec<String>,
    /// The places on which a name can stand.
    pub places: Vec<PlaceAsked>,
    /// The limits: of these places, so many may be taken.
    pub at_most: Vec<PlacesLimit>,
    /// Where the names stand now: the place of each name.
    #[schema(value_type = Object)]
    pub now: Map<String, Value>,
    /// Ways in which all names can stand, each within the limits: a screen takes one with one tap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<PlacesNamed>,
}

/// A way in which all names can stand.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PlacesNamed {
    /// What it is called.
    pub title: String,
    /// The place of each name.
    #[schema(value_type = Object)]
    pub at: Map<String, Value>,
}

/// A place that a name can stand on.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PlaceAsked {
    /// The id of the place.
    pub id: String,
    /// The place in words.
    pub title: String,
    /// The shape of the place: the path of an SVG in a square of 1 by 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// A limit of places.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PlacesLimit {
    /// The ids of the places that it is about.
    pub places: Vec<String>,
    /// How many of them may be taken.
    pub n: u8,
    /// The limit in words.
    pub text: String,
}

impl Ask {
    /// An ask that has to be answered.
    pub fn new(at: impl Into<String>, kind: AskKind, title: impl Into<String>) -> Ask {
        Ask {
            at: at.into(),
            kind,
            title: title.into(),
            text: None,
            side: None,
            player: None,
            required: true,
            default: None,
            options: Vec::new(),
            minimum: None,
            maximum: None,
            count: None,
            places: None,
            rulings: Vec::new(),
        }
    }

    /// The ask with a default, so that it can be left out. The option of that value says so.
    pub fn or_default(mut self, default: impl Into<Value>) -> Ask {
        let default = default.into();
        self.options.iter_mut().for_each(|option| option.default = option.value == default);
        Ask { required: false, default: Some(default), ..self }
    }

    /// The ask that can be left out, and then nothing is taken for it.
    pub fn optional(self) -> Ask {
        Ask { required: false, ..self }
    }

    /// The ask with these values. Call it before [`or_default`](Self::or_default).
    pub fn of(self, options: impl IntoIterator<Item = AskOption>) -> Ask {
        Ask { options: options.into_iter().collect(), ..self }
    }

    /// The ask of a number from one to another.
    pub fn between(self, minimum: i64, maximum: i64) -> Ask {
        Ask { minimum: Some(minimum), maximum: Some(maximum), ..self }
    }

    /// The ask of so many.
    pub fn count(self, count: u8) -> Ask {
        Ask { count: Some(count), ..self }
    }

    /// The ask with a second line.
    pub fn text(self, text: impl Into<String>) -> Ask {
        Ask { text: Some(text.into()), ..self }
    }

    /// The ask with the rulings behind it, besides those that it has; each of them once.
    pub fn under(mut self, rulings: impl IntoIterator<Item = &'static Ruling>) -> Ask {
        for ruling in rulings {
            if !self.rulings.contains(&ruling.id) {
                self.rulings.push(ruling.id);
            }
        }
        self
    }

    /// The ask of a side.
    pub fn by(self, side: Side) -> Ask {
        Ask { side: Some(side), ..self }
    }

    /// The ask of a player.
    pub fn by_player(self, player: impl Into<String>) -> Ask {
        Ask { player: Some(player.into()), ..self }
    }

    /// Whether the options of a whole body tell their outcome: of a die, a number, and a yes or no.
    pub fn is_decided(&self) -> bool {
        matches!(self.kind, AskKind::Die | AskKind::Number | AskKind::YesNo)
    }
}

impl AskOption {
    /// A value with its words.
    pub fn new(value: impl Into<Value>, title: impl Into<String>) -> AskOption {
        AskOption { value: value.into(), title: title.into(), ..AskOption::default() }
    }

    /// A value whose words are the value itself: a name.
    pub fn named(name: &str) -> AskOption {
        AskOption::new(name, name)
    }

    /// The value with a second line.
    pub fn text(self, text: impl Into<String>) -> AskOption {
        AskOption { text: Some(text.into()), ..self }
    }

    /// The value with the reason why it is not legal, and the ruling.
    pub fn refused(self, why_not: impl Into<String>, ruling: &'static Ruling) -> AskOption {
        AskOption { why_not: Some(why_not.into()), ruling: Some(ruling.id), ..self }
    }
}
