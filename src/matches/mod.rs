//! The aggregate: a match of any game, from its first event on. What happens before the toss and after the last ball, who may do
//! what, how sides that play from devices of their own choose, reviews, corrections and disputes.

mod adjudication;
mod aggregate;
pub mod corrections;
mod creation;
mod permissions;
mod remote;
mod reviews;

pub use self::adjudication::Word;
pub use self::aggregate::{Decision, Fixture, Input, Phase};
pub use self::creation::{Terms, new_match, new_match_with};
pub use self::permissions::{Asking, Deed, permit_creation};
pub use self::remote::{
    Before, Due, Hidden, Opening, Part, SILENT_TOSS, Step, Taken, seal, seed_hash, silent_toss_die,
};
pub use self::reviews::{OpenReview, REVIEW};
