//! The events of a match's beginning and end: the creation, the toss, the result, and the abandonment.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::DrawRecord;
use crate::canonical::{Canonical, Cursor, NotCanonical, canonical_form, is_default};
use crate::dice::Seeds;
use crate::log::{TeamSheet, ValueFault, read_value};
use crate::scorebook::{BySide, MatchResult, Side};

canonical_form! {
    /// The source of a match's dice.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum DiceMode {
        /// A seed, by the dice specification.
        #[serde(rename = "seeded")]
        Seeded,
        /// A table: the dice are rolled by hand and entered.
        #[serde(rename = "table")]
        Table,
    }
}

canonical_form! {
    /// The source of the server seed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum SeedSource {
        /// The operating system's random source.
        #[serde(rename = "os")]
        Os,
        /// The creator of the match.
        #[serde(rename = "creator")]
        Creator,
    }
}

canonical_form! {
    /// The client seeds that go into the match seed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum ClientSeeds {
        /// No client seeds.
        #[serde(rename = "none")]
        None,
        /// The client seeds of home and away.
        #[serde(rename = "both")]
        Both,
    }
}

canonical_form! {
    /// The edition of a game's components with which a match is played.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct EditionRecord {
        /// The id of the edition.
        pub id: String,
        /// The SHA-256 of the edition's canonical form.
        pub sha256: String,
    }
}

canonical_form! {
    /// The first event of a match: game, options, sides, dice and edition.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct MatchCreated {
        /// The id of the game.
        pub game: String,
        /// The options of the game, all of them filled in.
        #[schema(value_type = Object)]
        pub rules: Map<String, Value>,
        /// The home side.
        pub home: TeamSheet,
        /// The away side.
        pub away: TeamSheet,
        /// The source of the dice.
        pub dice: DiceMode,
        /// The version of the dice specification.
        pub dice_spec: u8,
        /// The source of the server seed; null with table dice.
        pub seed_source: Option<SeedSource>,
        /// The client seeds that go into the match seed.
        pub client_seeds: ClientSeeds,
        /// Whether the match has remote play: each side on a device of its own.
        pub remote: bool,
        /// The seconds after a call before a choice is drawn for a side that timed out.
        pub choice_timeout: u64,
        /// SHA-256 of the server seed; null with table dice.
        pub commitment: Option<String>,
        /// The edition of the match; null for a game without editions.
        pub edition: Option<EditionRecord>,
    }
}

impl MatchCreated {
    /// The team sheet of a side.
    pub fn sheet(&self, side: Side) -> &TeamSheet {
        match side {
            Side::Home => &self.home,
            Side::Away => &self.away,
        }
    }

    /// The names of the sides.
    pub fn names(&self) -> BySide<String> {
        BySide { home: self.home.name.clone(), away: self.away.name.clone() }
    }
}

canonical_form! {
    /// A face of the coin.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum CoinFace {
        /// Heads: 1 on a two-sided die.
        #[serde(rename = "heads")]
        Heads,
        /// Tails: 2 on a two-sided die.
        #[serde(rename = "tails")]
        Tails,
    }
}

impl CoinFace {
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

/// The toss of a match. Version 1 has the call and the coin; version 2 has the winner alone, for sides that
/// have tossed a coin of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Toss {
    /// A side has called, and the coin gives the winner: version 1.
    Called(CalledToss),
    /// The sides have tossed, and say who has won: version 2, with table dice alone.
    Reported(ReportedToss),
}

canonical_form! {
    /// A toss with its call: the coin gives the winner.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct CalledToss {
        /// The side that called.
        pub caller: Side,
        /// The face that was called.
        pub call: CoinFace,
        /// The face that the coin showed.
        pub coin: CoinFace,
        /// The side that won the toss.
        pub winner: Side,
    }
}

canonical_form! {
    /// A toss of which only the winner is known.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ReportedToss {
        /// The side that won the toss.
        pub winner: Side,
    }
}

impl Toss {
    /// A toss of which only the winner is known.
    pub const fn reported(winner: Side) -> Toss {
        Toss::Reported(ReportedToss { winner })
    }

    /// The side that won the toss.
    pub const fn winner(&self) -> Side {
        match self {
            Toss::Called(called) => called.winner,
            Toss::Reported(reported) => reported.winner,
        }
    }

    /// The call and the coin, where they are known.
    pub const fn called(&self) -> Option<&CalledToss> {
        match self {
            Toss::Called(called) => Some(called),
            Toss::Reported(_) => None,
        }
    }

    /// The version that has these members.
    pub(super) const fn version(&self) -> u32 {
        match self {
            Toss::Called(_) => 1,
            Toss::Reported(_) => 2,
        }
    }

    /// Reads the members of a version that this program knows.
    pub(super) fn read_version(v: u32, data: &Value) -> Result<Toss, ValueFault> {
        if v == 1 { read_value(data).map(Toss::Called) } else { read_value(data).map(Toss::Reported) }
    }
}

impl Canonical for Toss {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            Toss::Called(called) => called.write(out),
            Toss::Reported(reported) => reported.write(out),
        }
    }

    fn read(text: &mut Cursor<'_>) -> Option<Toss> {
        if text.rest().starts_with("{\"winner\":") {
            return ReportedToss::read(text).map(Toss::Reported);
        }
        Canonical::read(text).map(Toss::Called)
    }
}

canonical_form! {
    /// The choice of the winner of the toss.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum TossChoice {
        /// The winner bats first.
        #[serde(rename = "bat")]
        Bat,
        /// The winner bowls first.
        #[serde(rename = "bowl")]
        Bowl,
    }
}

canonical_form! {
    /// The decision of the winner of the toss.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct TossDecided {
        /// The winner of the toss.
        pub by: Side,
        /// The choice: to bat or to bowl.
        pub to: TossChoice,
        /// The draw of the choice, if the winner timed out and it was drawn.
        #[serde(default, skip_serializing_if = "is_default")]
        pub draw: Option<DrawRecord>,
    }
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

canonical_form! {
    /// The end of a match, with its result.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct MatchCompleted {
        /// The result: who won, how, and by how much.
        pub result: MatchResult,
        /// The seeds of the match, revealed; only in a seeded match.
        #[serde(default, skip_serializing_if = "is_default")]
        pub seeds: Option<Seeds>,
    }
}

canonical_form! {
    /// The abandonment of a match.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct MatchAbandoned {
        /// The reason, of 1 to 1,000 characters.
        pub reason: String,
        /// The seeds of the match, revealed; only in a seeded match.
        #[serde(default, skip_serializing_if = "is_default")]
        pub seeds: Option<Seeds>,
    }
}
