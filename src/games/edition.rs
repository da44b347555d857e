//! Editions of a game's components: data that a match is played with, named by its hash.

/// What is wrong with an edition: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionFault {
    /// The place, e.g. `over_decks.pace[3].effects[0].then`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub reason: String,
}
