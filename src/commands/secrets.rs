//! The secrets of a command, which a log never holds: tokens, seeds, and choices that are not revealed yet.

use crate::dice::ServerSeed;
use crate::log::Role;
use crate::matches::SealOpening;

/// A token that was looked up: its role and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    /// The role of the token.
    pub role: Role,
    /// SHA-256 of the token.
    pub hash: String,
}

/// A token or an invite to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// The role of the token.
    pub role: Role,
    /// Whether it is an invite, to be exchanged for a token.
    pub invite: bool,
    /// SHA-256 of the token.
    pub hash: String,
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
