//! The options of a match of CubeRoots: its length, the numbers on the cubes, and the face of them that each
//! side reads.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bag::{CUBES, Cubes, FACES, MOST_NUMBER};
use crate::rules::reading::{known_options, number_option, refuse_option, word_option};
use crate::rules::{Choices, NO_FORM, ORDER, Refusal, one_of_words, reading};
use crate::scorebook::BySide;

/// The most overs of an innings: the dice specification has draws for no more.
const MOST_OVERS: u16 = 1_000;

/// The variant of a match: how long it is, and how far ahead a bowler has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// One innings a side; the bowler has to be five ahead.
    Limited,
    /// Two innings a side; the bowler has to be seven ahead.
    Test,
}

/// The options of a match, all of them filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The variant of a match: how long it is, and how far ahead a bowler has to be.
    pub variant: Variant,
    /// The overs of an innings, when they are limited: 1 to 1,000.
    pub overs: Option<u16>,
    /// Whether the last innings ends when the side batting is ahead.
    pub end_at_target: bool,
    /// The colour of the face that each side reads on a cube.
    pub colours: BySide<u8>,
    /// Whether a side may roll one of its cubes in an over.
    pub roll_a_cube: bool,
    /// The numbers on the cubes; none for the built-in bag.
    pub bag: Option<Box<Cubes>>,
}

const KNOWN: [&str; 6] = ["variant", "overs", "end_at_target", "colours", "roll_a_cube", "bag"];

/// The name of the built-in bag.
const BUILT_IN_BAG: &str = "third-umpire";

impl Options {
    /// Reads the options that were given, and fills in the defaults.
    pub fn resolve(given: &Choices) -> Result<Options, Refusal> {
        known_options("cuberoots", given, &KNOWN)?;
        let overs = match given.get("overs") {
            Some(Value::Null) => None,
            _ => number_option(given, "overs", u64::from(MOST_OVERS))?,
        };
        Ok(Options {
            variant: word_option(given, "variant", "limited or test")?.unwrap_or(Variant::Limited),
            overs: overs.map(|overs| overs as u16),
            end_at_target: word_option(given, "end_at_target", "true or false")?.unwrap_or(false),
            colours: colours(given)?,
            roll_a_cube: word_option(given, "roll_a_cube", "true or false")?.unwrap_or(false),
            bag: bag(given)?,
        })
    }

    /// The options as JSON Schema, for a form.
    pub fn described() -> Value {
        let colour = json!({"type": "integer", "minimum": 0, "maximum": FACES - 1});
        let number = json!({"type": "integer", "minimum": 0, "maximum": MOST_NUMBER});
        let list = |n: usize, of: &Value| json!({"type": "array", "items": of, "minItems": n, "maxItems": n});
        json!({
            "variant": {
                "title": "Length",
                "description": "How many innings a side has, and how far ahead a bowler has to be.",
                "oneOf": one_of_words(&[("limited", "one innings a side"), ("test", "two innings a side")]),
                ORDER: 1,
            },
            "overs": {
                "type": ["integer", "null"], "minimum": 1, "maximum": MOST_OVERS, "title": "Overs",
                "description": "The overs of an innings; without a number it lasts until ten wickets.",
                ORDER: 2,
            },
            "end_at_target": {
                "type": "boolean", "title": "End at the target",
                "description": "Whether the last innings ends when the side batting is ahead.",
                ORDER: 3,
            },
            "colours": {
                "type": "object", "properties": {"home": colour, "away": colour},
                "required": ["home", "away"], "additionalProperties": false, "title": "Colours",
                "description": "The colour of the face that each side reads on a cube; the two differ.",
                NO_FORM: true,
                ORDER: 5,
            },
            "roll_a_cube": {
                "type": "boolean", "title": "Roll a cube",
                "description": "Whether a side may roll one of its cubes in an over.",
                ORDER: 4,
            },
            "bag": {
                "anyOf": [{"const": BUILT_IN_BAG}, list(CUBES, &list(FACES, &number))], "title": "Bag",
                "description": "The numbers on the cubes: the built-in bag, or a table of them.",
                NO_FORM: true,
                ORDER: 6,
            },
        })
    }

    /// The options, in their form for the log.
    pub fn written(&self) -> Choices {
        let Options { variant, overs, end_at_target, colours, roll_a_cube, bag } = self;
        reading::object(json!({
            "variant": variant,
            "overs": overs,
            "end_at_target": end_at_target,
            "colours": {"home": colours.home, "away": colours.away},
            "roll_a_cube": roll_a_cube,
            "bag": bag.as_ref().map_or(json!(BUILT_IN_BAG), |cubes| cubes.iter().map(|cube| cube.to_vec()).collect()),
        }))
    }

    /// The number of innings in a match.
    pub fn innings(&self) -> u16 {
        match self.variant {
            Variant::Limited => 2,
            Variant::Test => 4,
        }
    }

    /// The number of overs after which an innings ends.
    pub fn last_over(&self) -> u16 {
        self.overs.unwrap_or(MOST_OVERS)
    }

    /// The margin that a bowler needs for a wicket, before any dot ball.
    pub fn base(&self) -> u8 {
        match self.variant {
            Variant::Limited => 5,
            Variant::Test => 7,
        }
    }
}

fn colours(given: &Choices) -> Result<BySide<u8>, Refusal> {
    let Some(value) = given.get("colours") else { return Ok(BySide { home: 0, away: 1 }) };
    let shape = "colours are those of the two sides, as in {\"home\": 0, \"away\": 1}";
    let members =
        value.as_object().ok_or_else(|| refuse_option("colours", format!("{shape}, not {value}")))?;
    if let Some(name) = members.keys().find(|name| !["home", "away"].contains(&name.as_str())) {
        return Err(refuse_option(&format!("colours.{name}"), format!("{shape}; there is no side {name:?}")));
    }
    let colour = |side: &str| {
        let value = members.get(side).unwrap_or(&Value::Null);
        let colour = value.as_u64().filter(|colour| *colour < FACES as u64);
        colour.map(|colour| colour as u8).ok_or_else(|| {
            let message = format!("a colour is a whole number from 0 to {}, not {value}", FACES - 1);
            refuse_option(&format!("colours.{side}"), message)
        })
    };
    let colours = BySide { home: colour("home")?, away: colour("away")? };
    if colours.home == colours.away {
        let message = format!("both sides have the colour {}; they need different ones", colours.home);
        return Err(refuse_option("colours.away", message));
    }
    Ok(colours)
}

fn bag(given: &Choices) -> Result<Option<Box<Cubes>>, Refusal> {
    let refuse = |message: String| Err(refuse_option("bag", message));
    let shape = format!("a bag is {BUILT_IN_BAG:?}, or a list of {CUBES} cubes of {FACES} numbers each");
    let rows = match given.get("bag") {
        None => return Ok(None),
        Some(Value::String(name)) if name == BUILT_IN_BAG => return Ok(None),
        Some(Value::Array(rows)) if rows.len() == CUBES => rows,
        Some(Value::Array(rows)) => return refuse(format!("{shape}; this has {} cubes", rows.len())),
        Some(Value::String(name)) => return refuse(format!("{shape}; there is no bag {name:?}")),
        Some(_) => return refuse(shape),
    };
    let mut cubes = Box::new([[0; FACES]; CUBES]);
    for (k, row) in rows.iter().enumerate() {
        cubes[k] = cube(row).map_err(|fault| refuse_option(&format!("bag[{k}]"), fault))?;
    }
    Ok(Some(cubes))
}

fn cube(row: &Value) -> Result<[u8; FACES], String> {
    let shape = format!("a cube is a list of {FACES} numbers, one a colour");
    let faces = row.as_array().ok_or_else(|| shape.clone())?;
    if faces.len() != FACES {
        return Err(format!("{shape}; this has {}", faces.len()));
    }
    let mut cube = [0; FACES];
    for (number, face) in cube.iter_mut().zip(faces) {
        *number = super::bag::number(face).ok_or_else(|| {
            format!("the numbers on a cube are whole numbers from 0 to {MOST_NUMBER}, not {face}")
        })?;
    }
    Ok(cube)
}
