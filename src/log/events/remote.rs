//! The events of remote play: the claims of sides, their parts of the seed, their choices, and calls.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::DrawRecord;
use crate::canonical::{canonical_form, is_default};
use crate::scorebook::Side;

/// The name in JSON of the step in which a side commits to its client seed.
pub const SEED_COMMITMENT: &str = "seed_commitment";
/// The name in JSON of the step in which a side reveals its client seed.
pub const CLIENT_SEED: &str = "client_seed";

canonical_form! {
    /// The claim of a side, with its invite.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct SideClaimed {
        /// The side whose invite was used.
        pub side: Side,
    }
}

canonical_form! {
    /// The role of a token's holder.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum Role {
        /// The scorer, who records the match.
        #[serde(rename = "scorer")]
        Scorer,
        /// The home side.
        #[serde(rename = "home")]
        Home,
        /// The away side.
        #[serde(rename = "away")]
        Away,
        /// The umpire, who rules on disputes.
        #[serde(rename = "umpire")]
        Umpire,
    }
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 4] = [Role::Scorer, Role::Home, Role::Away, Role::Umpire];

    /// The side of the role, if the role is a side.
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

canonical_form! {
    /// The rotation of a token: the token before is no longer valid. An umpire's first token replaces none.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct TokenRotated {
        /// The role of its holder.
        pub role: Role,
    }
}

canonical_form! {
    /// The commitment of a side to its client seed, which nobody else has seen yet.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct SeedCommitted {
        /// The side that commits itself to its seed.
        pub side: Side,
        /// SHA-256 of the canonical form of `{match, side, commitment, client_seed}`.
        pub hash: String,
    }
}

canonical_form! {
    /// The reveal of a side's client seed.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct SeedContributed {
        /// The side whose seed it is.
        pub side: Side,
        /// The seed: 64 lower-case hexadecimal digits.
        pub client_seed: String,
    }
}

canonical_form! {
    /// A choice of a side: in secret, with a seal, or open.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Choice {
        /// The side that has chosen.
        pub side: Side,
        /// The kind of choice, in the terms of the game.
        #[serde(rename = "for")]
        pub what: String,
        /// The innings, from 1.
        pub innings: u16,
        /// The over of the innings, from 1.
        pub over: u16,
        /// The number in the over of the ball that the choice is for, counting every delivery, from 1; left out
        /// for a choice about the over.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ball: Option<u32>,
        /// The seal of a secret choice: SHA-256 of the canonical form of `{match, side, for, innings, over, ball,
        /// salt, choice}`; `ball` is null for a choice about the over.
        #[serde(default, skip_serializing_if = "is_default")]
        pub sealed: Option<String>,
        /// The choice itself, if it is open.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(value_type = Option<Object>)]
        pub choice: Option<Map<String, Value>>,
    }
}

canonical_form! {
    /// The opening of a sealed choice to the service. Nobody else sees the choice before the other side's is open
    /// as well.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ChoiceOpened {
        /// The side whose choice it is.
        pub side: Side,
        /// The kind of choice, in the terms of the game.
        #[serde(rename = "for")]
        pub what: String,
        /// The innings, from 1.
        pub innings: u16,
        /// The over of the innings, from 1.
        pub over: u16,
        /// The number in the over of the ball that the choice is for; left out for a choice about the over.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ball: Option<u32>,
    }
}

canonical_form! {
    /// A call on a side to do what the match waits for.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ChoiceCalled {
        /// The side that calls.
        pub by: Side,
        /// The side that is called.
        pub on: Side,
        /// The step that the match waits for.
        #[serde(rename = "for")]
        pub what: String,
        /// The deadline, `choice_timeout` seconds after this event, after which the match can go on without the
        /// side: RFC 3339, UTC, milliseconds.
        pub until: String,
    }
}

impl ChoiceCalled {
    /// Whether the match waits for a side's part of the seed.
    pub fn is_for_seed(&self) -> bool {
        [SEED_COMMITMENT, CLIENT_SEED].contains(&self.what.as_str())
    }
}

canonical_form! {
    /// A secret choice, revealed.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Reveal {
        /// The side that has chosen.
        pub side: Side,
        /// The kind of choice, in the terms of the game.
        #[serde(rename = "for")]
        pub what: String,
        /// The choice that was sealed or drawn.
        #[schema(value_type = Object)]
        pub choice: Map<String, Value>,
        /// The salt of the seal: 64 lower-case hexadecimal digits.
        #[serde(default, skip_serializing_if = "is_default")]
        pub salt: Option<String>,
        /// The draw of the choice, if the side timed out and it was drawn.
        #[serde(default, skip_serializing_if = "is_default")]
        pub draw: Option<DrawRecord>,
    }
}
