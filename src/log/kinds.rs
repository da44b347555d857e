use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::apart::{
    Choice, ChoiceCalled, ChoiceOpened, Reveal, SeedCommitted, SeedContributed, SideClaimed, TokenRotated,
};
use super::codec::{Form, Text};
use super::event::{Broken, SCHEMA_VERSION};
use super::review::Review;
use super::settling::{AsStood, Correction, CorrectionConsented, CorrectionProposed, Dispute, DisputeRuled};
use super::{Moment, NotCanonical, TeamSheet};
use crate::dice::{Die, Draw, Seeds};
use crate::scorebook::{BySide, MatchResult, Outcome, Side};

/// Where a match's dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiceMode {
    /// From a seed, by the dice specification.
    Seeded,
    /// Rolled by hand and entered.
    Table,
}

/// Who gave the server seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeedSource {
    /// The operating system's random source.
    Os,
    /// Whoever created the match.
    Creator,
}

/// Which client seeds go into the match seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClientSeeds {
    /// None.
    None,
    /// Home's and away's.
    Both,
}

/// Which edition of a game's components a match is played with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditionRecord {
    /// Its name.
    pub id: String,
    /// The SHA-256 of its canonical form.
    pub sha256: String,
}

/// The first event: everything that was settled before play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchCreated {
    /// The game's id.
    pub game: String,
    /// Its options, every one written out.
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The home side.
    pub home: TeamSheet,
    /// The away side.
    pub away: TeamSheet,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// The version of the dice specification.
    pub dice_spec: u8,
    /// Who gave the server seed; null with table dice.
    pub seed_source: Option<SeedSource>,
    /// Which client seeds go into the match seed.
    pub client_seeds: ClientSeeds,
    /// Whether each side plays from a device of its own.
    pub remote: bool,
    /// Seconds after a call before a choice is drawn for one who stays silent.
    pub choice_timeout: u64,
    /// SHA-256 of the server seed; null with table dice.
    pub commitment: Option<String>,
    /// The edition, where the game has editions.
    pub edition: Option<EditionRecord>,
}

impl MatchCreated {
    /// The team sheet of a side.
    pub fn sheet(&self, side: Side) -> &TeamSheet {
        match side {
            Side::Home => &self.home,
            Side::Away => &self.away,
        }
    }

    /// The sides' names.
    pub fn names(&self) -> BySide<String> {
        BySide { home: self.home.name.clone(), away: self.away.name.clone() }
    }
}

/// A match is prepared, before its toss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The game's choices, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// Dice rolled for it, in order.
    pub dice: Vec<Die>,
}

/// A face of the coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoinFace {
    /// 1 on a two-sided die.
    Heads,
    /// 2 on a two-sided die.
    Tails,
}

impl CoinFace {
    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            CoinFace::Heads => "heads",
            CoinFace::Tails => "tails",
        }
    }

    /// The face as a two-sided die shows it.
    pub const fn as_die(self) -> u16 {
        match self {
            CoinFace::Heads => 1,
            CoinFace::Tails => 2,
        }
    }

    /// The face for a roll of a two-sided die.
    pub const fn from_die(value: u16) -> CoinFace {
        if value == 1 { CoinFace::Heads } else { CoinFace::Tails }
    }
}

/// The toss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Toss {
    /// The side that called.
    pub caller: Side,
    /// What it called.
    pub call: CoinFace,
    /// What the coin showed.
    pub coin: CoinFace,
    /// The side that won the toss.
    pub winner: Side,
}

/// What the winner of the toss chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TossChoice {
    /// To bat first.
    Bat,
    /// To bowl first.
    Bowl,
}

/// What the winner of the toss chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TossDecided {
    /// The winner of the toss.
    pub by: Side,
    /// The choice.
    pub to: TossChoice,
    /// The draw it comes from, where the winner was silent and it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRecord>,
}

impl TossDecided {
    /// The side that bats first.
    pub const fn bats_first(&self) -> Side {
        match self.to {
            TossChoice::Bat => self.by,
            TossChoice::Bowl => self.by.other(),
        }
    }
}

/// An over begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The game's choices for the over, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// Dice rolled for the over, in order.
    pub dice: Vec<Die>,
    /// The secret choices it follows from, home's first; only where they were made in secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<Reveal>,
}

/// What has been chosen and rolled of a delivery so far, and does not change any more: somebody has to choose before it
/// goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The game's choices for it so far, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// The dice rolled for it so far, in order.
    pub dice: Vec<Die>,
    /// The secret choices it follows from, home's first; only where they were made in secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<Reveal>,
}

/// The draw of the dice specification that an event's dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRecord {
    /// 4 for a ball.
    pub domain: u64,
    /// The delivery's number in the match.
    pub ordinal: u64,
}

impl From<Draw> for DrawRecord {
    fn from(draw: Draw) -> DrawRecord {
        DrawRecord { domain: draw.domain as u64, ordinal: draw.ordinal }
    }
}

/// A ball was bowled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ball {
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The place in the over, counting every delivery, from 1.
    pub ball: u32,
    /// The number in the match, from 1.
    pub delivery: u32,
    /// The draw its dice come from; null with table dice.
    pub seed: Option<DrawRecord>,
    /// The game's choices for the ball, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
    /// What came of it.
    pub outcome: Outcome,
    /// What the rules come to, where the table agreed on something else: the outcome is then what stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_stood: Option<Box<AsStood>>,
}

impl Ball {
    /// The draw a seeded ball of this number is made with.
    pub fn draw(delivery: u32) -> DrawRecord {
        Draw::ball(delivery).into()
    }
}

/// An event of play.
#[derive(Debug, Clone, Copy)]
pub enum Played<'a> {
    /// A match is prepared.
    SetUp(&'a SetUp),
    /// An over begins.
    Over(&'a Over),
    /// A delivery has come so far that somebody has to choose.
    Roll(&'a Roll),
    /// A ball was bowled.
    Ball(&'a Ball),
    /// A side has chosen in the open.
    Choice(&'a Choice),
}

impl<'a> Played<'a> {
    /// The dice that are on record with it.
    pub fn dice(self) -> &'a [Die] {
        match self {
            Played::SetUp(set_up) => &set_up.dice,
            Played::Over(over) => &over.dice,
            Played::Roll(roll) => &roll.dice,
            Played::Ball(ball) => &ball.dice,
            Played::Choice(_) => &[],
        }
    }
}

/// The match is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchCompleted {
    /// The result.
    pub result: MatchResult,
    /// The seeds, opened; only in a seeded match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
}

/// The match was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchAbandoned {
    /// Why: 1 to 1,000 characters.
    pub reason: String,
    /// The seeds, opened; only in a seeded match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $Kind:ident $name:literal;)+) => {
        /// What an event says, by kind.
        #[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
        #[serde(tag = "kind", content = "data", rename_all = "snake_case")]
        pub enum EventData {
            $($(#[$doc])+ $Kind($Kind)),+
        }

        impl EventData {
            /// The kinds there are, as they stand in the log.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The kind as it stands in the log.
            pub const fn kind(&self) -> &'static str {
                match self { $(EventData::$Kind(_) => $name),+ }
            }

            /// Reads an event's data as its kind and version have it. Older versions are brought up to this one
            /// here; there is only one so far.
            pub fn read(kind: &str, v: u32, data: &Value) -> Result<EventData, Broken> {
                Self::known(kind, v)?;
                match kind {
                    $($name => read_data(data).map(EventData::$Kind),)+
                    other => Err(unknown_kind(other)),
                }
            }

            /// Reads data in canonical form, as its kind has it.
            pub(super) fn read_form(kind: &str, text: &mut Text<'_>) -> Option<EventData> {
                match kind {
                    $($name => Form::read(text).map(EventData::$Kind),)+
                    _ => None,
                }
            }

            /// Writes the data in canonical form.
            pub(super) fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                match self { $(EventData::$Kind(data) => data.write(out)),+ }
            }
        }
    };
}

kinds! {
    /// The first event.
    MatchCreated "match_created";
    /// A match is prepared.
    SetUp "set_up";
    /// The toss.
    Toss "toss";
    /// What the winner of the toss chose.
    TossDecided "toss_decided";
    /// An over begins.
    Over "over";
    /// A delivery has come so far that somebody has to choose.
    Roll "roll";
    /// A ball was bowled.
    Ball "ball";
    /// A decision was reviewed, or accepted.
    Review "review";
    /// The match is over.
    MatchCompleted "match_completed";
    /// The match was given up.
    MatchAbandoned "match_abandoned";
    /// A side was claimed.
    SideClaimed "side_claimed";
    /// A token was replaced.
    TokenRotated "token_rotated";
    /// A side has settled on its client seed.
    SeedCommitted "seed_committed";
    /// A side has shown its client seed.
    SeedContributed "seed_contributed";
    /// A side has sealed a choice.
    Choice "choice";
    /// A side has opened a choice to the service.
    ChoiceOpened "choice_opened";
    /// A side has been called to do what the match waits for.
    ChoiceCalled "choice_called";
    /// From an earlier event on nothing of play stands any more.
    Correction "correction";
    /// A correction is proposed.
    CorrectionProposed "correction_proposed";
    /// A side consents to a correction.
    CorrectionConsented "correction_consented";
    /// A delivery is in dispute.
    Dispute "dispute";
    /// A dispute is ruled on.
    DisputeRuled "dispute_ruled";
}

fn unknown_kind(kind: &str) -> Broken {
    Broken::new("kind", format!("{kind:?} is not a kind of event"))
}

impl EventData {
    /// Refuses a kind or a version that this program cannot read; a later one may.
    pub fn known(kind: &str, v: u32) -> Result<(), Broken> {
        if v != SCHEMA_VERSION {
            let reason = format!("version {v} is not one this program knows; it knows {SCHEMA_VERSION}");
            return Err(Broken::new("v", reason));
        }
        if Self::KINDS.contains(&kind) { Ok(()) } else { Err(unknown_kind(kind)) }
    }

    /// The data alone, as JSON.
    pub fn to_value(&self) -> Value {
        match serde_json::to_value(self) {
            Ok(Value::Object(mut members)) => members.remove("data").unwrap_or_default(),
            _ => unreachable!("an event's data is a JSON object"),
        }
    }

    /// The secret choices that are turned up in it, home's first.
    pub fn reveals(&self) -> &[Reveal] {
        match self {
            EventData::Over(over) => &over.reveals,
            EventData::Roll(roll) => &roll.reveals,
            _ => &[],
        }
    }

    /// The set-up, over, roll or ball, where it is one: what a game decides.
    pub fn played(&self) -> Option<Played<'_>> {
        match self {
            EventData::SetUp(set_up) => Some(Played::SetUp(set_up)),
            EventData::Over(over) => Some(Played::Over(over)),
            EventData::Roll(roll) => Some(Played::Roll(roll)),
            EventData::Ball(ball) => Some(Played::Ball(ball)),
            EventData::Choice(choice) if choice.choice.is_some() => Some(Played::Choice(choice)),
            EventData::MatchCreated(_)
            | EventData::Review(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => None,
        }
    }

    /// The number in the match, for a delivery, its rolls and its review.
    pub fn delivery(&self) -> Option<u32> {
        match self.moment()? {
            Moment::Roll { delivery } | Moment::Ball { delivery } | Moment::Review { delivery } => {
                Some(delivery)
            }
            Moment::SetUp
            | Moment::Toss
            | Moment::TossDecided
            | Moment::Choice
            | Moment::Over { .. }
            | Moment::Completed
            | Moment::Abandoned => None,
        }
    }

    /// The innings, over and place in the over, for what happens in one.
    pub fn place(&self) -> Option<(u16, u16, Option<u32>)> {
        match (self, self.played()) {
            (_, Some(Played::Over(over))) => Some((over.innings, over.over, None)),
            (_, Some(Played::Ball(ball))) => Some((ball.innings, ball.over, Some(ball.ball))),
            (_, Some(Played::Choice(choice))) | (EventData::Choice(choice), None) => {
                Some((choice.innings, choice.over, None))
            }
            (EventData::ChoiceOpened(opened), None) => Some((opened.innings, opened.over, None)),
            (_, Some(Played::SetUp(_) | Played::Roll(_)) | None) => None,
        }
    }
}

fn read_data<T: DeserializeOwned>(data: &Value) -> Result<T, Broken> {
    serde_path_to_error::deserialize(data).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "data".to_owned() } else { format!("data.{path}") };
        Broken { field, reason: error.into_inner().to_string() }
    })
}
