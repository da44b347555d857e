//! How a match begins and ends: what is settled before play, the toss, the result, the end without one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::DrawRecord;
use crate::dice::Seeds;
use crate::log::TeamSheet;
use crate::scorebook::{BySide, MatchResult, Side};

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
