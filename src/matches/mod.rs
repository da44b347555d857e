//! The aggregate: a match of any game, from its first event on. Beside play, this room holds set-up and toss,
//! permissions, remote play, reviews, corrections and disputes.

mod adjudication;
mod aggregate;
pub mod corrections;
mod creation;
mod permissions;
mod remote;
mod reviews;

pub use self::adjudication::DisputeCommand;
pub use self::aggregate::{Decided, Input, Match, Phase};
pub use self::creation::{MatchSettings, new_match};
pub use self::permissions::{Action, PermissionQuestion, permit_creation};
pub use self::remote::{
    ClaimedChoice, PendingChoice, PrecedingEvent, RemoteCommand, RemoteDecided, SealOpening, ServerSecrets,
    TIMEOUT_TOSS, seal, seed_hash, timeout_toss_die,
};
pub use self::reviews::{OpenReview, REVIEW};
