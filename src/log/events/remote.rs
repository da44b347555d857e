//! The events of sides that play apart: who they are, what they add to the seed, what they choose in secret.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::DrawRecord;
use crate::scorebook::Side;

/// The word for what settles a client seed.
pub const SEED_COMMITMENT: &str = "seed_commitment";
/// The word for a client seed.
pub const CLIENT_SEED: &str = "client_seed";

/// A side was claimed with its invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SideClaimed {
    /// The side.
    pub side: Side,
}

/// Whose token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Whoever records the match.
    Scorer,
    /// The home side.
    Home,
    /// The away side.
    Away,
    /// Whoever rules on disputes.
    Umpire,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 4] = [Role::Scorer, Role::Home, Role::Away, Role::Umpire];

    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Scorer => "scorer",
            Role::Home => "home",
            Role::Away => "away",
            Role::Umpire => "umpire",
        }
    }

    /// The side, if it is one's.
    pub const fn side(self) -> Option<Side> {
        match self {
            Role::Scorer | Role::Umpire => None,
            Role::Home => Some(Side::Home),
            Role::Away => Some(Side::Away),
        }
    }
}

impl From<Side> for Role {
    fn from(side: Side) -> Role {
        match side {
            Side::Home => Role::Home,
            Side::Away => Role::Away,
        }
    }
}

/// A token was replaced by another; the one before opens nothing any more. An umpire's first replaces none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRotated {
    /// Whose.
    pub role: Role,
}

/// A side has settled on its client seed, which nobody can see yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedCommitted {
    /// The side.
    pub side: Side,
    /// SHA-256 of the canonical form of `{match, side, commitment, client_seed}`.
    pub hash: String,
}

/// A side has shown its client seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedContributed {
    /// The side.
    pub side: Side,
    /// 64 lower-case hexadecimal digits.
    pub client_seed: String,
}

/// A side has chosen: in secret, with a seal, or in the open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The side.
    pub side: Side,
    /// What was chosen, in the game's words.
    #[serde(rename = "for")]
    pub what: String,
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The place in the over of the ball it is for, counting every delivery, from 1; left out where it is for the over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<u32>,
    /// SHA-256 of the canonical form of `{match, side, for, innings, over, ball, salt, choice}`, of a choice in secret; `ball` is
    /// null where it is for the over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
    /// What was chosen in the open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub choice: Option<Map<String, Value>>,
}

/// A side has opened its choice to the service; nobody else sees it before the other's is open as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceOpened {
    /// The side.
    pub side: Side,
    /// What was chosen, in the game's words.
    #[serde(rename = "for")]
    pub what: String,
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The place in the over of the ball it is for; left out where it is for the over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<u32>,
}

/// A side has been called to do what the match waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceCalled {
    /// Who calls.
    pub by: Side,
    /// Who is called.
    pub on: Side,
    /// What the match waits for.
    #[serde(rename = "for")]
    pub what: String,
    /// From when on it is decided without him, `choice_timeout` seconds after this event: RFC 3339, UTC, milliseconds.
    pub until: String,
}

impl ChoiceCalled {
    /// Whether the match waits for what a side adds to its seed.
    pub fn is_for_seed(&self) -> bool {
        [SEED_COMMITMENT, CLIENT_SEED].contains(&self.what.as_str())
    }
}

/// A choice made in secret, turned up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Whose.
    pub side: Side,
    /// What was chosen, in the game's words.
    #[serde(rename = "for")]
    pub what: String,
    /// The choice.
    #[schema(value_type = Object)]
    pub choice: Map<String, Value>,
    /// The salt it was sealed with; 64 lower-case hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The draw it comes from, where the side was silent and it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRecord>,
}
