//! The choices of an over: who bowls, who keeps wicket, where the fielders stand, and who opens the innings.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::field::{BOWLER, Field, KEEPER, LAST_BOWLER};
use super::rulings::*;
use super::state::{Fielding, Howzat, PLAYERS};
use crate::rules::{AskOption, ChoiceOffers, Choices, Refusal, reading};
use crate::scorebook::{Player, Ruling, Side};

/// The choices of an over, with the defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverChoices {
    /// The bowler of the over.
    pub bowler: Player,
    /// The positions of the eleven; the keeper is on 7, the bowler on 12.
    pub field: Field,
    /// The striker and the non-striker, for the first over of an innings.
    pub openers: Option<[Player; 2]>,
}

/// The choices of an over, as a command gives them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    bowler: Option<String>,
    keeper: Option<String>,
    field: Option<Value>,
    openers: Option<[String; 2]>,
}

impl OverChoices {
    /// Checks the choices that were given, and takes the defaults for the rest.
    ///
    /// A field that is given is the one before keeper and bowler take their places. Without one, the field of
    /// the last over is kept, with 2 and 12 swapped.
    pub fn resolve(state: &Howzat, given: &Choices) -> Result<OverChoices, Refusal> {
        if let Some(written_out) = OverChoices::read_written(state, given) {
            return Ok(written_out);
        }
        Self::with_defaults(
            state,
            reading::choices(given, "howzat's over has the choices bowler, keeper, field and openers")?,
        )
    }

    /// The default choices of an over.
    pub fn by_default(state: &Howzat) -> Result<OverChoices, Refusal> {
        Self::with_defaults(state, Given::default())
    }

    fn with_defaults(state: &Howzat, given: Given) -> Result<OverChoices, Refusal> {
        let sheet = state.fielders();
        let mut field = match &given.field {
            Some(value) => Field::read(value, sheet).map_err(|fault| {
                Refusal::choice("field", fault).by(&OVER_FIELD).legal(legal_players(sheet))
            })?,
            None => field_at_change_of_over(state),
        };
        if let Some(name) = &given.keeper {
            field.swap_in(player("keeper", name, sheet)?, KEEPER);
        }
        let bowler = match &given.bowler {
            Some(name) => may_bowl(state, player("bowler", name, sheet)?, &field)?,
            None => default_bowler(state, field.keeper())?,
        };
        field.swap_in(bowler, BOWLER);
        Ok(OverChoices { bowler, field, openers: openers(state, given.openers)? })
    }

    /// Reads choices in the form of [`written`](Self::written), quickly. Returns nothing when a choice is
    /// illegal or in doubt; [`resolve`](Self::resolve) then says what is wrong.
    pub fn read_written(state: &Howzat, recorded: &Choices) -> Option<OverChoices> {
        let named = |name: &str, sheet: &[String]| sheet.iter().position(|player| player == name);
        let player = |value: &Value, sheet| Some(Player(named(value.as_str()?, sheet)? as u8));
        let mut openers = None;
        if let Some(value) = recorded.get("openers") {
            let [striker, non_striker] = value.as_array()?.as_slice() else { return None };
            openers = Some([player(striker, state.batters())?, player(non_striker, state.batters())?]);
        }
        let sheet = state.fielders();
        let field =
            field_at_change_of_over(state).read_written(recorded.get("field")?.as_object()?, sheet)?;
        let bowler = player(recorded.get("bowler")?, sheet)?;
        let complete = recorded.len() == 3 + usize::from(openers.is_some())
            && field.at(BOWLER) == bowler
            && player(recorded.get("keeper")?, sheet)? == field.keeper();
        let different = openers.is_none_or(|[striker, non_striker]| striker != non_striker);
        let legal = bowling_bar(state, bowler, field.keeper()).is_none()
            && different
            && openers.is_some() != state.innings.is_open();
        (complete && legal).then_some(OverChoices { bowler, field, openers })
    }

    /// The choices, in their form for the log.
    pub fn written(&self, state: &Howzat) -> Choices {
        let fielders = state.fielders();
        let name = |player: Player| Value::from(fielders[player.index()].as_str());
        let mut choices = Map::new();
        choices.insert("bowler".to_owned(), name(self.bowler));
        choices.insert("keeper".to_owned(), name(self.field.keeper()));
        choices.insert("field".to_owned(), Value::Object(self.field.written(fielders)));
        if let Some(openers) = self.openers {
            let names = openers.map(|player| state.batters()[player.index()].clone());
            choices.insert("openers".to_owned(), json!(names));
        }
        choices
    }
}

/// The side that chooses before an over, its legal choices, and the defaults.
pub fn legal_choices(state: &Howzat) -> (Side, Value, Value) {
    let fielders = state.fielders();
    let keeper = field_at_change_of_over(state).keeper();
    let mut legal = json!({
        "bowler": eligible_names(state, keeper),
        "keeper": fielders,
        "field": legal_players(fielders),
    });
    if !state.innings.is_open() {
        legal["openers"] = json!(state.batters());
    }
    let default =
        OverChoices::by_default(state).map_or(Value::Null, |choices| Value::Object(choices.written(state)));
    (state.batting().other(), legal, default)
}

/// The choices that could be made for the next over, which has these. Who may bowl depends on the keeper,
/// and so does the default bowler. The default field has both in their places. A field may have been given
/// with anybody on the bowler's position, who then took the place of the bowler.
pub fn offers(state: &Howzat, made: &Choices) -> ChoiceOffers {
    let (_, legal, default) = legal_choices(state);
    let offers = ChoiceOffers::of_legal(&legal, default);
    let sheet = state.fielders();
    let given = made.get("field").and_then(|field| Field::read(field, sheet).ok());
    let as_given = |field: Field| {
        (LAST_BOWLER..=BOWLER).map(move |position| {
            let mut as_given = field;
            as_given.swap(position, BOWLER);
            Value::Object(as_given.written(sheet))
        })
    };
    let sources = given.into_iter().flat_map(as_given).collect();
    let made = |choice: &str| {
        let name = made.get(choice)?;
        sheet.iter().position(|player| name == player).map(|place| Player(place as u8))
    };
    let (Some(keeper), Some(bowler)) = (made("keeper"), made("bowler")) else { return offers };
    let mut field = field_at_change_of_over(state);
    field.swap_in(keeper, KEEPER);
    field.swap_in(bowler, BOWLER);
    let usual = default_bowler(state, keeper).map(|player| json!(sheet[player.index()]));
    let field = Value::Object(field.written(sheet));
    let bowlers = eligible_names(state, keeper).into_iter().map(AskOption::named);
    let offers = offers.with("field", field).with("bowler", usual.unwrap_or_default());
    offers.listing("bowler", bowlers).chosen_as("field", sources)
}

/// The field with which the next over begins, before its choices.
pub fn field_at_change_of_over(state: &Howzat) -> Field {
    let mut field = state.fielding.field;
    if state.innings.overs_completed() > 0 {
        field.swap(LAST_BOWLER, BOWLER);
    }
    field
}

fn legal_players(sheet: &[String]) -> Value {
    json!({"positions": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "players": sheet})
}

fn player(choice: &str, name: &str, sheet: &[String]) -> Result<Player, Refusal> {
    sheet.iter().position(|player| player == name).map(|place| Player(place as u8)).ok_or_else(|| {
        Refusal::choice(choice, format!("{name:?} is not in the side")).by(&OVER_PLAYER).legal(json!(sheet))
    })
}

/// The reason why a player may not bowl the next over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BowlingBar {
    /// The player keeps wicket.
    Keeper,
    /// The player bowled the last over.
    Consecutive,
    /// The player has no overs left.
    Quota,
}

impl BowlingBar {
    /// The ruling that bars the player.
    pub fn ruling(self) -> &'static Ruling {
        match self {
            BowlingBar::Keeper => &OVER_KEEPER,
            BowlingBar::Consecutive => &OVER_CONSECUTIVE,
            BowlingBar::Quota => &OVER_QUOTA,
        }
    }

    /// The reason in a sentence, after the name of the player.
    fn reason(self) -> &'static str {
        match self {
            BowlingBar::Keeper => "keeps wicket; to bowl him, name another keeper for the over",
            BowlingBar::Consecutive => "bowled the last over",
            BowlingBar::Quota => "has bowled all the overs a bowler is allowed",
        }
    }

    /// The reason in a list of players, where a bowler has at most this many overs.
    pub fn in_a_list(self, most: u16) -> String {
        match self {
            BowlingBar::Keeper => "keeps wicket".to_owned(),
            BowlingBar::Consecutive => "bowled the last over".to_owned(),
            BowlingBar::Quota => format!("has bowled all {most}"),
        }
    }
}

/// The reason why a player may not bowl the next over; none when he may.
pub fn bowling_bar(state: &Howzat, bowler: Player, keeper: Player) -> Option<BowlingBar> {
    let Fielding { overs_bowled, last_bowler, .. } = &state.fielding;
    match () {
        () if bowler == keeper => Some(BowlingBar::Keeper),
        () if *last_bowler == Some(bowler) => Some(BowlingBar::Consecutive),
        () if overs_bowled[bowler.index()] >= state.options.max_overs_per_bowler => Some(BowlingBar::Quota),
        () => None,
    }
}

fn may_bowl(state: &Howzat, bowler: Player, field: &Field) -> Result<Player, Refusal> {
    match bowling_bar(state, bowler, field.keeper()) {
        None => Ok(bowler),
        Some(bar) => {
            let name = &state.fielders()[bowler.index()];
            let legal = json!(eligible_names(state, field.keeper()));
            Err(Refusal::choice("bowler", format!("{name} {}", bar.reason())).by(bar.ruling()).legal(legal))
        }
    }
}

fn eligible(state: &Howzat, keeper: Player) -> impl DoubleEndedIterator<Item = Player> + '_ {
    (0..PLAYERS).map(Player).filter(move |&bowler| bowling_bar(state, bowler, keeper).is_none())
}

fn eligible_names(state: &Howzat, keeper: Player) -> Vec<&str> {
    eligible(state, keeper).map(|bowler| state.fielders()[bowler.index()].as_str()).collect()
}

/// The default bowler: the bowler of the over before last if he may bowl, or else the last in the list who
/// may.
pub fn default_bowler(state: &Howzat, keeper: Player) -> Result<Player, Refusal> {
    let before_last = state.fielding.bowler_before_last;
    before_last
        .filter(|&bowler| bowling_bar(state, bowler, keeper).is_none())
        .or_else(|| eligible(state, keeper).next_back())
        .ok_or_else(|| Refusal::choice("bowler", "nobody has an over left").by(&OVER_QUOTA))
}

fn openers(state: &Howzat, given: Option<[String; 2]>) -> Result<Option<[Player; 2]>, Refusal> {
    let sheet = state.batters();
    match (given, state.innings.is_open()) {
        (None, true) => Ok(None),
        (None, false) => Ok(Some([Player(0), Player(1)])),
        (Some(_), true) => {
            Err(Refusal::choice("openers", "the innings is open; openers are named in its first over")
                .by(&OVER_OPENERS))
        }
        (Some([striker, non_striker]), false) => {
            let openers =
                [player("openers[0]", &striker, sheet)?, player("openers[1]", &non_striker, sheet)?];
            if openers[0] == openers[1] {
                let refusal = Refusal::choice("openers", format!("{striker} cannot open at both ends"));
                return Err(refusal.by(&OVER_PLAYER).legal(json!(sheet)));
            }
            Ok(Some(openers))
        }
    }
}
