//! What a command shows or leaves behind that never stands in a log: tokens, seeds, choices before they are turned up.

use crate::dice::ServerSeed;
use crate::log::Role;
use crate::matches::SealOpening;

/// A token that was shown: whose it is, and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    /// Whose it is.
    pub role: Role,
    /// SHA-256 of the token.
    pub hash: String,
}

/// What a token opens, by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Whose it is.
    pub role: Role,
    /// Whether it is an invite to be turned into a token.
    pub invite: bool,
    /// SHA-256 of the token.
    pub hash: String,
}

/// What is stored beside the log and stays hidden.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// The server seed of a new match with seeded dice.
    pub server_seed: Option<ServerSeed>,
    /// Tokens and invites, hashed; each takes the place of the one before.
    pub tokens: Vec<TokenRow>,
    /// A choice that is open to the service and not yet turned up; it takes the place of the side's before.
    pub opening: Option<SealOpening>,
}

impl Secrets {
    /// Whether there is nothing to store beside the log.
    pub fn is_none(&self) -> bool {
        self.server_seed.is_none() && self.tokens.is_empty() && self.opening.is_none()
    }
}
