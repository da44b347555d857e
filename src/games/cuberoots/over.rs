//! The choices of an over: who bowls, and the order in which each side plays its six cubes.

use serde_json::{Map, Value, json};

use super::bag::{HAND, MOST_NUMBER, Six, number};
use super::duel::{ByDuty, Duty};
use super::hands::{Hand, Hands};
use super::rulings::*;
use super::state::{CubeRoots, SIDE_ITSELF};
use crate::dice::Dice;
use crate::rules::{Choices, Refusal, RefusalKind};
use crate::scorebook::Player;

/// The choices of an over, with the defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverChoices {
    /// The bowler of the over. The side itself, which may bowl in its own name, comes after its eleven
    /// players.
    pub bowler: Player,
    /// The cubes or numbers of both sides.
    pub hands: Hands,
}

const SEEDED: &[&str] = &["bowler", "orders", "deal", "roll"];
const TABLE: &[&str] = &["bowler", "orders"];
const DUTIES: &[&str] = &["bowling", "batting"];

impl OverChoices {
    /// Checks the choices that were given, and takes the defaults for the rest. In a seeded match the cubes
    /// are dealt here.
    pub fn resolve<D: Dice + ?Sized>(
        state: &CubeRoots,
        given: &Choices,
        dice: &mut D,
    ) -> Result<OverChoices, Refusal> {
        let known = if state.is_seeded() { SEEDED } else { TABLE };
        refuse_unknown_choices(given, "", known)?;
        let bowler = bowler(state, given.get("bowler"))?;
        let orders = by_duty(given, "orders")?;
        let hands = match orders {
            _ if state.is_seeded() => Hands::Dealt(dealt(state, given, orders, dice)?),
            ByDuty { bowling: None, batting: None } => Hands::Unknown,
            _ => Hands::Numbers(numbers_of_both(state, orders)?),
        };
        Ok(OverChoices { bowler, hands })
    }

    /// The choices, in their form for the log.
    pub fn written(&self, state: &CubeRoots) -> Choices {
        let mut choices = Map::new();
        choices.insert("bowler".to_owned(), json!(state.bowlers()[self.bowler.index()]));
        match &self.hands {
            Hands::Unknown => {}
            Hands::Numbers(numbers) => {
                choices.insert("orders".to_owned(), written(|duty| Some(numbers[duty])));
            }
            Hands::Dealt(hands) => {
                choices.insert("deal".to_owned(), written(|duty| Some(hands[duty].dealt)));
                choices.insert("orders".to_owned(), written(|duty| Some(hands[duty].order)));
                if hands.bowling.roll.or(hands.batting.roll).is_some() {
                    choices.insert("roll".to_owned(), written(|duty| hands[duty].roll));
                }
            }
        }
        choices
    }
}

/// A JSON object with a value for each duty that has one: `{"bowling": ..., "batting": ...}`.
pub fn written<T: Into<Value> + serde::Serialize>(of: impl Fn(Duty) -> Option<T>) -> Value {
    let written = |duty: Duty| Some((duty.as_str().to_owned(), json!(of(duty)?)));
    Value::Object(Duty::BOTH.into_iter().filter_map(written).collect())
}

/// Refuses a choice whose name is not known. `within` is the name of the choice that these are members of, if
/// any.
pub fn refuse_unknown_choices(given: &Choices, within: &str, known: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let place = if within.is_empty() { name.clone() } else { format!("{within}.{name}") };
            let message = format!("there is no choice {place:?} here, only {}", known.join(", "));
            Err(Refusal::choice(place, message))
        }
    }
}

/// Reads a choice that has a part for each duty; both parts may be left out.
fn by_duty<'a>(given: &'a Choices, name: &str) -> Result<ByDuty<Option<&'a Value>>, Refusal> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(ByDuty::default()),
        Some(Value::Object(members)) => {
            refuse_unknown_choices(members, name, DUTIES)?;
            Ok(ByDuty { bowling: members.get("bowling"), batting: members.get("batting") })
        }
        Some(_) => {
            Err(Refusal::choice(name, format!("{name} is an object with the members bowling and batting")))
        }
    }
}

/// The bowler who is named, or by default the side itself.
pub fn bowler(state: &CubeRoots, given: Option<&Value>) -> Result<Player, Refusal> {
    let name = match given {
        None | Some(Value::Null) => return Ok(SIDE_ITSELF),
        Some(name) => name,
    };
    let bowlers = state.bowlers();
    bowlers.iter().position(|bowler| name == bowler).map(|place| Player(place as u8)).ok_or_else(|| {
        let message = format!("{name} is neither a player of the bowling side nor its name");
        Refusal::choice("bowler", message).by(&OVER_BOWLER).legal(json!(bowlers))
    })
}

/// Deals the cubes, and puts them in the order of each side.
fn dealt<D: Dice + ?Sized>(
    state: &CubeRoots,
    given: &Choices,
    orders: ByDuty<Option<&Value>>,
    dice: &mut D,
) -> Result<ByDuty<Hand>, Refusal> {
    let dealt = state.deal(dice)?;
    if given.get("deal").is_some_and(|deal| *deal != written(|duty| Some(dealt[duty]))) {
        let message = "deal is not what the seed deals; leave it out";
        return Err(Refusal::choice("deal", message).by(&OVER_DEAL));
    }
    let rolls = by_duty(given, "roll")?;
    ByDuty::try_of(|duty| {
        Ok(Hand {
            dealt: dealt[duty],
            order: order(&format!("orders.{}", duty.as_str()), orders[duty], dealt[duty])?,
            roll: roll(state, &format!("roll.{}", duty.as_str()), rolls[duty])?,
        })
    })
}

/// Reads an order of cubes; the default is the order of the deal. A refusal does not name the cubes that were
/// dealt, because the reader may be the other side.
pub fn order(place: &str, given: Option<&Value>, dealt: Six) -> Result<Six, Refusal> {
    let Some(given) = given.filter(|given| !given.is_null()) else { return Ok(dealt) };
    let refuse = |message: String| Refusal::choice(place, message).by(&OVER_ORDER);
    let listed = six(given).map_err(refuse)?;
    let mut order = dealt;
    for (at, cube) in listed.iter().enumerate() {
        let is_it = |held: &&u8| cube.as_u64() == Some(u64::from(**held));
        let held = dealt.iter().find(is_it);
        order[at] = *held.ok_or_else(|| refuse(format!("{cube} is not one of the side's six cubes")))?;
        if order[..at].contains(&order[at]) {
            return Err(refuse(format!("cube {cube} is in the order twice")));
        }
    }
    Ok(order)
}

fn six(given: &Value) -> Result<&[Value], String> {
    match given.as_array() {
        Some(listed) if listed.len() == HAND => Ok(listed),
        Some(listed) => Err(format!("an order is a list of {HAND}, one a ball; this has {}", listed.len())),
        None => Err(format!("an order is a list of {HAND}, one a ball, not {given}")),
    }
}

/// Reads the number of the ball on which a side rolls its cube.
pub fn roll(state: &CubeRoots, place: &str, given: Option<&Value>) -> Result<Option<u8>, Refusal> {
    let Some(given) = given.filter(|given| !given.is_null()) else { return Ok(None) };
    may_roll(state, place)?;
    match given.as_u64() {
        Some(ball @ 1..=6) => Ok(Some(ball as u8)),
        _ => {
            let message = format!("a cube is rolled on one of the balls 1 to {HAND}, not {given}");
            Err(Refusal::choice(place, message).by(&OVER_ROLL).legal(json!([1, 2, 3, 4, 5, 6])))
        }
    }
}

/// Refuses to roll a cube in a match whose option `roll_a_cube` is false.
pub fn may_roll(state: &CubeRoots, place: &str) -> Result<(), Refusal> {
    if state.setting.options.roll_a_cube {
        return Ok(());
    }
    let message = "no cube is rolled in this match: its option roll_a_cube is false";
    Err(Refusal::choice(place, message).by(&OVER_ROLL))
}

/// Reads the orders of both sides, of which one is in the body at least. Whatever is there is checked before
/// the other is missed.
fn numbers_of_both(
    state: &CubeRoots,
    orders: ByDuty<Option<&Value>>,
) -> Result<ByDuty<[Option<u8>; HAND]>, Refusal> {
    let read = ByDuty::try_of(|duty| orders[duty].map(|given| numbers(state, duty, given)).transpose())?;
    ByDuty::try_of(|duty| {
        let missing = || {
            let message = "orders has an order for each side, or is left out";
            let place = format!("orders.{}", duty.as_str());
            Refusal { kind: RefusalKind::NeedsInput, ..Refusal::choice(place, message).by(&OVER_ORDER) }
        };
        read[duty].ok_or_else(missing)
    })
}

/// Reads six numbers in order, with null for the cube that is rolled.
fn numbers(state: &CubeRoots, duty: Duty, given: &Value) -> Result<[Option<u8>; HAND], Refusal> {
    let place = format!("orders.{}", duty.as_str());
    let refuse = |place: &str, message: String| Refusal::choice(place, message).by(&OVER_ORDER);
    let listed = six(given).map_err(|message| refuse(&place, message))?;
    let mut numbers = [None; HAND];
    for (at, value) in listed.iter().enumerate() {
        let place = format!("{place}[{at}]");
        if value.is_null() {
            may_roll(state, &place)?;
            if listed[..at].contains(value) {
                let message = "a side rolls one cube in an over, and no more";
                return Err(Refusal::choice(place, message).by(&OVER_ROLL));
            }
        } else {
            let message =
                || format!("a number on a cube is a whole number from 0 to {MOST_NUMBER}, not {value}");
            numbers[at] = Some(number(value).ok_or_else(|| refuse(&place, message()))?);
        }
    }
    Ok(numbers)
}
