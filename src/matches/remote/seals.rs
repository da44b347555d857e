//! Seals of secret choices, and the secrets of a match that only the service knows.

use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::canonical::{NotCanonical, canonical};
use crate::dice::ServerSeed;
use crate::log::MatchId;
use crate::rules::Choices;
use crate::scorebook::Side;

/// The choice that a side claims is pending when it chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedChoice {
    /// The kind of choice, in the terms of the game.
    pub what: String,
    /// The innings, if the side names it.
    pub innings: Option<u16>,
    /// The over, if the side names it.
    pub over: Option<u16>,
    /// The number in the over of the ball, if the side names it.
    pub ball: Option<u32>,
}

/// A pending choice: the one that the match waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingChoice {
    /// The kind of choice, in the terms of the game.
    pub what: &'static str,
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The number in the over of the ball that the choice is for; none for a choice about the over.
    pub ball: Option<u32>,
}

impl PendingChoice {
    /// Whether the choice is of this kind, for this ball of this over of this innings.
    pub(super) fn is(&self, what: &str, place: (u16, u16, Option<u32>)) -> bool {
        self.what == what && (self.innings, self.over, self.ball) == place
    }
}

/// A secret choice that is open to the service and to nobody else.
#[derive(Clone, PartialEq)]
pub struct SealOpening {
    /// The side that has chosen.
    pub side: Side,
    /// The seal in the log.
    pub sealed: String,
    /// The salt of the seal.
    pub salt: String,
    /// The choice in the terms of the game.
    pub choice: Choices,
}

impl fmt::Debug for SealOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealOpening(of {}, hidden)", self.side)
    }
}

/// The secrets of a match in play that only the service knows.
#[derive(Clone, Copy, Default)]
pub struct ServerSecrets<'a> {
    /// The server seed of a seeded match.
    pub seed: Option<&'a ServerSeed>,
    /// The secret choices that are open to the service.
    pub openings: &'a [SealOpening],
    /// The current time.
    pub now: DateTime<Utc>,
}

/// The commitment to a client seed: SHA-256 of the canonical form of `{match, side, commitment,
/// client_seed}`.
pub fn seed_hash(
    match_id: MatchId,
    side: Side,
    commitment: &str,
    client_seed: &str,
) -> Result<String, NotCanonical> {
    sha256(&json!({"match": match_id, "side": side, "commitment": commitment, "client_seed": client_seed}))
}

/// The seal of a choice: SHA-256 of the canonical form of `{match, side, for, innings, over, ball, salt,
/// choice}`; `ball` is the ball's place in the over, and null for a choice about a whole over.
pub fn seal(
    match_id: MatchId,
    side: Side,
    step: PendingChoice,
    salt: &str,
    choice: &Choices,
) -> Result<String, NotCanonical> {
    sha256(&json!({
        "match": match_id, "side": side, "for": step.what, "innings": step.innings, "over": step.over,
        "ball": step.ball, "salt": salt, "choice": choice,
    }))
}

fn sha256(form: &Value) -> Result<String, NotCanonical> {
    Ok(hex::encode(Sha256::digest(canonical(form)?)))
}
