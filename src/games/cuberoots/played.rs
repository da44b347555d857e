//! The numbers that the two sides play on a ball. A number follows from the order of the over, from a die, or
//! is read off the cubes at the table.

use serde_json::{Map, Value, json};

use super::bag::{FACES, MOST_NUMBER, number};
use super::duel::{ByDuty, Duty};
use super::hands::Hands;
use super::over::{may_roll, refuse_unknown_choices};
use super::rulings::*;
use super::state::CubeRoots;
use crate::dice::Dice;
use crate::rules::{Choices, Refusal, RefusalKind};

/// The play of one side on a ball.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The number that the side plays.
    pub number: u8,
    /// The cube with this number, in a match that deals cubes.
    pub cube: Option<u8>,
    /// Whether the cube was rolled.
    pub rolled: bool,
}

/// The knowledge of a side's play before the ball.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The number is known, and so is the cube if one was dealt.
    Known(Played),
    /// Seeded dice: this cube is rolled.
    Roll {
        /// The cube to roll.
        cube: u8,
    },
    /// Table dice: the cube is rolled, and its number is entered.
    RolledAtTheTable,
    /// Table dice: nothing is known yet.
    Unknown,
}

impl Turn {
    /// The knowledge of a side's play on the next ball.
    pub fn of(state: &CubeRoots, duty: Duty) -> Turn {
        let known = |number, cube| Turn::Known(Played { number, cube, rolled: false });
        let at = state.turn();
        match &state.hands {
            Hands::Unknown => Turn::Unknown,
            Hands::Numbers(numbers) => match numbers[duty][at] {
                Some(number) => known(number, None),
                None => Turn::RolledAtTheTable,
            },
            Hands::Dealt(hands) => {
                let cube = hands[duty].order[at];
                match hands[duty].roll {
                    Some(ball) if usize::from(ball) == at + 1 => Turn::Roll { cube },
                    _ => known(state.number(duty, cube), Some(cube)),
                }
            }
        }
    }

    /// Whether a number has to be entered.
    pub fn awaits_number(self) -> bool {
        matches!(self, Turn::RolledAtTheTable | Turn::Unknown)
    }
}

const KNOWN: [&str; 6] =
    ["bowler_number", "batter_number", "bowler_cube", "batter_cube", "bowler_rolled", "batter_rolled"];

/// Resolves the plays of both sides on the next ball; the draw of the ball has begun. Choices that were given
/// must agree with what is already known.
pub fn resolve<D: Dice + ?Sized>(
    state: &CubeRoots,
    given: &Choices,
    dice: &mut D,
) -> Result<ByDuty<Played>, Refusal> {
    refuse_unknown_choices(given, "", &KNOWN)?;
    ByDuty::try_of(|duty| {
        let given_number = choice(given, duty.number());
        let played = match Turn::of(state, duty) {
            Turn::Known(played) => played,
            Turn::Roll { cube } => {
                refuse_to_guess(duty, given, dice)?;
                let face = usize::from(dice.roll(duty.cube(), FACES as u16)? - 1);
                let number = state.setting.cubes[usize::from(cube)][face];
                Played { number, cube: Some(cube), rolled: true }
            }
            Turn::RolledAtTheTable => Played { number: read(duty, given_number)?, cube: None, rolled: true },
            Turn::Unknown => Played {
                number: read(duty, given_number)?,
                cube: None,
                rolled: rolled(state, duty, choice(given, duty.rolled()))?,
            },
        };
        check_agrees(duty.number(), given_number, json!(played.number))?;
        check_agrees(duty.cube(), choice(given, duty.cube()), json!(played.cube))?;
        check_agrees(duty.rolled(), choice(given, duty.rolled()), json!(played.rolled))?;
        Ok(played)
    })
}

/// The plays of both sides, in their form for the log.
pub fn written(played: ByDuty<Played>) -> Choices {
    let mut choices = Map::new();
    for duty in Duty::BOTH {
        let Played { number, cube, rolled } = played[duty];
        choices.insert(duty.number().to_owned(), json!(number));
        if let Some(cube) = cube {
            choices.insert(duty.cube().to_owned(), json!(cube));
        }
        if rolled {
            choices.insert(duty.rolled().to_owned(), json!(true));
        }
    }
    choices
}

/// The choices that may be entered for the next ball at the table.
pub fn legal_numbers(state: &CubeRoots) -> Value {
    let mut legal = Map::new();
    for duty in Duty::BOTH {
        let turn = Turn::of(state, duty);
        if turn.awaits_number() {
            legal.insert(duty.number().to_owned(), every_number());
        }
        if may_be_rolled(state, duty, turn) {
            legal.insert(duty.rolled().to_owned(), json!([true, false]));
        }
    }
    Value::Object(legal)
}

/// Whether a side may say, at the table, that it rolls its cube on this turn.
pub fn may_be_rolled(state: &CubeRoots, duty: Duty, turn: Turn) -> bool {
    turn == Turn::Unknown && state.setting.options.roll_a_cube && !state.rolled[duty]
}

fn every_number() -> Value {
    (0..=MOST_NUMBER).collect()
}

/// A choice that was given; null counts as not given.
fn choice<'a>(given: &'a Choices, name: &str) -> Option<&'a Value> {
    given.get(name).filter(|value| !value.is_null())
}

fn read(duty: Duty, given: Option<&Value>) -> Result<u8, Refusal> {
    let name = duty.number();
    let refuse = |message| Refusal::choice(name, message).by(&BALL_NUMBER).legal(every_number());
    match given {
        None => {
            let message = format!("{name} is missing: the number the cube shows, 0 to {MOST_NUMBER}");
            Err(Refusal { kind: RefusalKind::NeedsInput, ..refuse(message) })
        }
        Some(value) => number(value)
            .ok_or_else(|| refuse(format!("{name} is a whole number from 0 to {MOST_NUMBER}, not {value}"))),
    }
}

/// Reads whether a cube is rolled, when the ball says so: at most once an over.
fn rolled(state: &CubeRoots, duty: Duty, given: Option<&Value>) -> Result<bool, Refusal> {
    let refuse = |message: String| Err(Refusal::choice(duty.rolled(), message).by(&OVER_ROLL));
    match given {
        None | Some(Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => {
            may_roll(state, duty.rolled())?;
            if state.rolled[duty] {
                return refuse(format!("the {} side has rolled its cube of this over", duty.as_str()));
            }
            Ok(true)
        }
        Some(other) => refuse(format!("{} is true or false, not {other}", duty.rolled())),
    }
}

/// Refuses any choice about a cube that is yet to be rolled, right or wrong: an answer would reveal the die.
fn refuse_to_guess<D: Dice + ?Sized>(duty: Duty, given: &Choices, dice: &D) -> Result<(), Refusal> {
    let names = [duty.number(), duty.cube(), duty.rolled()];
    match names.into_iter().find(|name| choice(given, name).is_some()) {
        Some(name) if !dice.are_recorded() => {
            let message =
                format!("the {} side's cube is rolled with this ball; leave {name} out", duty.as_str());
            Err(Refusal::choice(name, message).by(&BALL_ORDER))
        }
        _ => Ok(()),
    }
}

/// Refuses a choice that differs from what the order of the over gives. The refusal does not say what would
/// be right, because that may be a die.
fn check_agrees(name: &str, given: Option<&Value>, expected: Value) -> Result<(), Refusal> {
    match given {
        Some(value) if *value != expected => {
            let message = format!("{name} does not follow from the order of the over; leave it out");
            Err(Refusal::choice(name, message).by(&BALL_ORDER))
        }
        _ => Ok(()),
    }
}
