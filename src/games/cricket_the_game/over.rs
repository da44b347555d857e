//! The choices of an over: who bowls, who opens, whether the power play is called, and where the field
//! stands.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::ball::{attitude, attitudes};
use super::edition::model::{Attitude, EditionWord, Format};
use super::field::{Field, Limits};
use super::rulings::*;
use super::squad::players;
use super::state::CricketTheGame;
use crate::rules::{Choices, Refusal, reading};
use crate::scorebook::{Player, Ruling, Side};

/// The choices of an over, with the defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverChoices {
    /// The bowler of the over.
    pub bowler: Player,
    /// The striker and the non-striker with their attitudes, in the first over of an innings.
    pub openers: Option<[(Player, Attitude); 2]>,
    /// Whether the batting side calls the power play.
    pub power_play: bool,
    /// The field of the over.
    pub field: Field,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    bowler: Option<String>,
    openers: Option<[String; 2]>,
    attitudes: Option<[String; 2]>,
    power_play: Option<bool>,
    field: Option<Value>,
}

const SHAPE: &str =
    "an over has the choices bowler, field, power_play and, in an innings' first over, openers and attitudes";

impl OverChoices {
    /// The default choices of the next over, by this bowler or else by the default one.
    pub fn by_default(state: &CricketTheGame, bowler: Option<Player>) -> Result<OverChoices, Refusal> {
        let limits = Limits::of_over(state.format(), state.innings.over_number(), false);
        let bowler = match bowler {
            Some(bowler) => bowler,
            None => default_bowler(state)?,
        };
        let (openers, field) = (openers(state, None, None)?, state.field_in(limits));
        Ok(OverChoices { bowler, openers, power_play: false, field })
    }

    /// Reads the choices of the next over, and takes the defaults for the rest.
    pub fn resolve(state: &CricketTheGame, choices: &Choices) -> Result<OverChoices, Refusal> {
        let given: Given = reading::choices(choices, SHAPE)?;
        let power_play = power_play(state, given.power_play)?;
        let limits = Limits::of_over(state.format(), state.innings.over_number(), power_play);
        let bowler = bowler(state, given.bowler.as_deref())?;
        let openers = openers(state, given.openers, given.attitudes)?;
        let field = match &given.field {
            None => state.field_in(limits),
            Some(field) => {
                let side = state.eleven(state.side_batting().other());
                Field::read(field, limits, &side.token_names(Some(bowler)).collect::<Vec<_>>())?
            }
        };
        Ok(OverChoices { bowler, openers, power_play, field })
    }

    /// The choices, in their form for the log.
    pub fn written(&self, state: &CricketTheGame) -> Choices {
        let mut written = Map::new();
        written.insert("bowler".to_owned(), json!(state.fielders()[self.bowler.index()]));
        if let Some(openers) = self.openers {
            let names = openers.map(|(player, _)| state.batters()[player.index()].as_str());
            written.insert("openers".to_owned(), json!(names));
            written.insert("attitudes".to_owned(), json!(openers.map(|(_, attitude)| attitude.word())));
        }
        if state.may_call_power_play() {
            written.insert("power_play".to_owned(), json!(self.power_play));
        }
        written.insert("field".to_owned(), self.field.written());
        written
    }
}

/// The reason why a player may not bowl an over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BowlerFault {
    NoBowler,
    Consecutive,
    Quota,
    Unfillable,
}

impl CricketTheGame {
    /// Whether the batting side may call the power play in the next over.
    pub fn may_call_power_play(&self) -> bool {
        self.format() == Format::T10 && self.innings.over_number() >= 3 && !self.bowling.power_play_called
    }

    /// The default field of the next over. A field that the side has set stays, made legal for the over; the
    /// edition's field changes to the edition's field for this over.
    pub fn field_in(&self, limits: Limits) -> Field {
        let usual = [Limits::RESTRICTED, Limits::OPEN]
            .map(|outfield| self.default_field(Limits { outfield, ..limits }));
        match self.bowling.field {
            Some(field) if !usual.contains(&field) => field.fitted(limits),
            _ => self.default_field(limits),
        }
    }

    /// The players who may bowl the next over, in team order.
    pub fn legal_bowlers(&self) -> impl Iterator<Item = Player> {
        let together = self.overs_together();
        self.eleven(self.side_batting().other())
            .players()
            .filter(move |player| self.bowler_fault(*player, together).is_none())
    }

    /// The default bowler: of those who may bowl, the one with most overs left.
    pub fn default_bowler(&self) -> Option<Player> {
        let bowled = |player: &Player| self.bowling.overs_bowled[player.index()];
        self.legal_bowlers().min_by_key(bowled)
    }

    /// The reason why a player of the eleven may not bowl the next over, if any. `together` are the
    /// [overs together](Self::overs_together).
    fn bowler_fault(&self, player: Player, together: u16) -> Option<BowlerFault> {
        if self.bowler_role(player).style().is_none() {
            Some(BowlerFault::NoBowler)
        } else if self.bowling.last_bowler == Some(player) {
            Some(BowlerFault::Consecutive)
        } else if self.bowling.overs_bowled[player.index()] >= self.format().quota() {
            Some(BowlerFault::Quota)
        } else {
            (!self.leaves_fillable(player, together)).then_some(BowlerFault::Unfillable)
        }
    }

    /// The ruling that keeps a player from bowling, with a sentence of explanation.
    fn explain(&self, fault: BowlerFault, player: Player) -> (&'static Ruling, String) {
        let name = &self.fielders()[player.index()];
        match fault {
            BowlerFault::NoBowler => {
                let role = self.bowler_role(player).word();
                (&OVER_BOWLER, format!("{name} is a {role} and does not bowl"))
            }
            BowlerFault::Consecutive => (&OVER_CONSECUTIVE, format!("{name} bowled the last over")),
            BowlerFault::Quota => {
                (&OVER_QUOTA, format!("{name} has bowled all {} overs", self.format().quota()))
            }
            BowlerFault::Unfillable => (
                &OVER_UNFILLABLE,
                format!("if {name} bowled now, the overs left could not be filled: nobody bowls two running"),
            ),
        }
    }

    /// The reason why a player may not bowl the next over, in a few words for a list, and the ruling.
    pub fn why_not_bowl(&self, player: Player) -> Option<(&'static Ruling, String)> {
        let fault = self.bowler_fault(player, self.overs_together())?;
        let in_a_list = match fault {
            BowlerFault::NoBowler => "does not bowl".to_owned(),
            BowlerFault::Consecutive => "bowled the last over".to_owned(),
            BowlerFault::Quota => format!("has bowled all {}", self.format().quota()),
            BowlerFault::Unfillable => "the overs left could not be filled".to_owned(),
        };
        Some((self.explain(fault, player).0, in_a_list))
    }

    /// Whether the overs left after one by this bowler can be filled, when nobody bowls two overs running.
    ///
    /// Of `left` overs a bowler can have every second one, so half of them, rounded up. The bowler of the
    /// over before them can have half of them, rounded down.
    fn leaves_fillable(&self, bowler: Player, together: u16) -> bool {
        let left = self.overs_left();
        let without_this_one = self.quota_left(bowler).min(left.div_ceil(2));
        let after_this_one = self.quota_left(bowler).saturating_sub(1).min(left / 2);
        together + after_this_one >= left + without_this_one
    }

    /// The number of overs that the bowlers of the side together can have of those left after the next one,
    /// whoever bowls it.
    fn overs_together(&self) -> u16 {
        let most = self.overs_left().div_ceil(2);
        let eleven = self.eleven(self.side_batting().other()).players();
        let can_bowl = eleven.filter(|player| self.bowler_role(*player).style().is_some());
        can_bowl.map(|player| self.quota_left(player).min(most)).sum()
    }

    /// The number of overs left after the next one.
    fn overs_left(&self) -> u16 {
        self.format().overs().saturating_sub(self.innings.over_number())
    }

    /// The number of overs that a bowler may still bowl.
    fn quota_left(&self, bowler: Player) -> u16 {
        u16::from(self.format().quota().saturating_sub(self.bowling.overs_bowled[bowler.index()]))
    }

    fn names_of<'a>(&'a self, sheet: &'a [String], of: impl Iterator<Item = Player>) -> Vec<&'a str> {
        of.map(|player| sheet[player.index()].as_str()).collect()
    }
}

fn default_bowler(state: &CricketTheGame) -> Result<Player, Refusal> {
    let nobody = || Refusal::choice("bowler", "nobody may bowl this over").by(&OVER_UNFILLABLE);
    state.default_bowler().ok_or_else(nobody)
}

fn bowler(state: &CricketTheGame, given: Option<&str>) -> Result<Player, Refusal> {
    let legal = || state.names_of(state.fielders(), state.legal_bowlers());
    let refuse = |ruling, message: String| Err(Refusal::choice("bowler", message).by(ruling).legal(legal()));
    let Some(given) = given else { return default_bowler(state) };
    let named = players().find(|player| state.fielders()[player.index()] == given);
    let side = state.side_batting().other();
    match named {
        None => refuse(&OVER_BOWLER, format!("{given:?} is not in the {side} side")),
        Some(player) if !state.eleven(side).players().any(|one| one == player) => {
            refuse(&OVER_BOWLER, format!("{given} was dropped and takes no part in the match"))
        }
        Some(player) => match state.bowler_fault(player, state.overs_together()) {
            None => Ok(player),
            Some(fault) => {
                let (ruling, message) = state.explain(fault, player);
                refuse(ruling, message)
            }
        },
    }
}

fn openers(
    state: &CricketTheGame,
    given: Option<[String; 2]>,
    attitudes: Option<[String; 2]>,
) -> Result<Option<[(Player, Attitude); 2]>, Refusal> {
    let refuse = |name: &str, message: String| Refusal::choice(name, message).by(&OVER_OPENERS);
    if state.innings.is_open() {
        return match (given, attitudes) {
            (None, None) => Ok(None),
            (Some(_), _) => Err(refuse(
                "openers",
                "this is not the first over of an innings; leave openers out".to_owned(),
            )),
            (None, Some(_)) => Err(refuse(
                "attitudes",
                "attitudes come with openers, in the first over of an innings".to_owned(),
            )),
        };
    }
    let side = state.side_batting();
    let eleven = || state.names_of(state.batters(), state.eleven(side).players());
    let usual: [Option<Player>; 2] = {
        let mut order = state.eleven(side).players();
        [order.next(), order.next()]
    };
    let mut two = [Player(0), Player(0)];
    for (i, place) in two.iter_mut().enumerate() {
        *place = match &given {
            None => usual[i],
            Some(names) => {
                state.eleven(side).players().find(|player| state.batters()[player.index()] == names[i])
            }
        }
        .ok_or_else(|| {
            refuse(&format!("openers[{i}]"), "an opener is one of the eleven".to_owned()).legal(eleven())
        })?;
    }
    if two[0] == two[1] {
        return Err(refuse("openers", "the openers are two different players".to_owned()).legal(eleven()));
    }
    let mut opening = two.map(|player| (player, Attitude::Defensive));
    for ((_, way), word) in opening.iter_mut().zip(attitudes.iter().flatten()) {
        *way = attitude("attitudes", Some(word))?.unwrap_or(Attitude::Defensive);
    }
    Ok(Some(opening))
}

fn power_play(state: &CricketTheGame, given: Option<bool>) -> Result<bool, Refusal> {
    let Some(given) = given.filter(|called| *called) else { return Ok(false) };
    if state.may_call_power_play() {
        return Ok(given);
    }
    let over = state.innings.over_number();
    let message = match state.format() {
        Format::T20 => "there is no power play to call in T20; leave power_play out".to_owned(),
        Format::T10 if state.bowling.power_play_called => {
            "the power play has been called in this innings; leave power_play out".to_owned()
        }
        Format::T10 => format!(
            "the power play is called in overs 3 to 10, and this is over {over}; leave power_play out"
        ),
    };
    Err(Refusal::choice("power_play", message).by(&OVER_POWER_PLAY))
}

/// The side that chooses before an over, its legal choices, and the defaults.
pub fn legal_choices(state: &CricketTheGame) -> (Side, Value, Value) {
    let limits = Limits::of_over(state.format(), state.innings.over_number(), false);
    let mut legal = json!({
        "bowler": state.names_of(state.fielders(), state.legal_bowlers()), "field": limits.written(),
    });
    if state.may_call_power_play() {
        legal["power_play"] = json!([false, true]);
    }
    if !state.innings.is_open() {
        legal["openers"] =
            json!(state.names_of(state.batters(), state.eleven(state.side_batting()).players()));
        legal["attitudes"] = attitudes();
    }
    let usual = OverChoices::resolve(state, &Choices::new()).map(|usual| usual.written(state));
    (state.side_batting().other(), legal, usual.map(Value::Object).unwrap_or_default())
}
