use super::{Command, VerifiedToken};
use crate::log::{Actor, MatchId};

/// A request with a command to a match: its author and its preconditions.
#[derive(Clone)]
pub struct CommandRequest {
    /// The match's id.
    pub match_id: MatchId,
    /// The author of the events that follow.
    pub actor: Actor,
    /// The verified token of the request; none for an invite or the admin's token, which need no check on
    /// append.
    pub token: Option<VerifiedToken>,
    /// The command that the match decides.
    pub command: Command,
    /// The hashes of the heads that the client accepts; any head where this is left out.
    pub if_match: Option<Vec<String>>,
    /// The idempotency key under which the answer is remembered.
    pub key: Option<IdempotencyKey>,
}

/// An idempotency key, with the hash of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key that the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
}
