//! The secrets of a command, which a log never holds: tokens, seeds, and choices that are not revealed yet.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use crate::dice::ServerSeed;
use crate::log::Role;
use crate::matches::SealOpening;

/// A token that was looked up: its role, its purpose and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    /// The role of the token.
    pub role: Role,
    /// The purpose: a token, or what a rotation takes in place of one.
    pub purpose: TokenPurpose,
    /// SHA-256 of the token.
    pub hash: String,
}

/// The SHA-256 of a token that its holder has made: 64 hexadecimal digits, in lower case from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHash(String);

impl TokenHash {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TokenHash, D::Error> {
        const EXPECTED: &str = "the SHA-256 of a token, 64 hexadecimal digits";
        let text = String::deserialize(deserializer)?;
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(TokenHash(text.to_ascii_lowercase()));
        }
        // Somebody may have sent the token itself, which no answer repeats.
        Err(D::Error::invalid_value(Unexpected::Other("something else"), &EXPECTED))
    }
}

/// The purpose of a token or an invite that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenPurpose {
    /// The holder acts in the role.
    Token,
    /// The holder exchanges it for the token of a side.
    Invite,
    /// The creation of the match is known by it, when its request is sent again. It opens nothing.
    Creation,
    /// The holder takes over the scoring with it, once and for a while.
    ScoringInvite,
    /// The scorer's token that was replaced when somebody took over with an invite. It is the way back.
    Replaced,
}

impl TokenPurpose {
    /// Every purpose.
    pub const ALL: [TokenPurpose; 5] = [
        TokenPurpose::Token,
        TokenPurpose::Invite,
        TokenPurpose::Creation,
        TokenPurpose::ScoringInvite,
        TokenPurpose::Replaced,
    ];

    /// The purpose as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            TokenPurpose::Token => "token",
            TokenPurpose::Invite => "invite",
            TokenPurpose::Creation => "creation",
            TokenPurpose::ScoringInvite => "scoring_invite",
            TokenPurpose::Replaced => "replaced",
        }
    }
}

/// A token or an invite to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// The role of the token.
    pub role: Role,
    /// The purpose of the token.
    pub purpose: TokenPurpose,
    /// SHA-256 of the token; empty where none stands in its place any more.
    pub hash: String,
    /// The time at which a scoring invite ends, in milliseconds; 0 once it was used, and for the others.
    pub ends_at: i64,
    /// The name that its holder has given to the device; empty where there is none, and in a new row.
    pub name: String,
}

/// The beginning of a hash by which a right ends: so many zeros no token has that anybody can find.
const OF_NOBODY: &str = "00000000000000000000000000000000";

impl TokenRow {
    /// A token or an invite without an end.
    pub fn new(role: Role, purpose: TokenPurpose, hash: impl Into<String>) -> TokenRow {
        TokenRow { role, purpose, hash: hash.into(), ends_at: 0, name: String::new() }
    }

    /// Whether nobody can hold the token: its hash was given to end a right, and is that of no token that
    /// anybody can find.
    pub fn is_nobodys(&self) -> bool {
        self.hash.starts_with(OF_NOBODY)
    }
}

/// The secrets that are stored beside the log.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// The server seed of a new match with seeded dice.
    pub server_seed: Option<ServerSeed>,
    /// The hashes of tokens and invites; each replaces the earlier one of its role.
    pub tokens: Vec<TokenRow>,
    /// A sealed choice that the service knows, and that is not revealed yet; it replaces the side's earlier
    /// one.
    pub opening: Option<SealOpening>,
}

impl Secrets {
    /// Whether there is nothing to store beside the log.
    pub fn is_none(&self) -> bool {
        self.server_seed.is_none() && self.tokens.is_empty() && self.opening.is_none()
    }
}
