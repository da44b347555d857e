use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::audit::{Divergence, RulingCited};
use crate::views::CardChange;

/// One of two books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scorer {
    /// The one named first.
    A,
    /// The one named second.
    B,
}

/// How two books stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// They say the same.
    Same,
    /// One is the beginning of the other.
    Beginning,
    /// They say the same up to an event, and there something else.
    Differ,
    /// They are not of one match: sides, rules, dice or seeds are others.
    AnotherMatch,
}

/// Two books of one match, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Comparison {
    /// How they stand to each other.
    pub agreement: Agreement,
    /// The book named first.
    pub a: BookRead,
    /// The book named second.
    pub b: BookRead,
    /// How many events of play they begin with that say the same.
    pub same_events: u64,
    /// How many deliveries are among them.
    pub same_deliveries: u64,
    /// Where they first differ; null if they say the same.
    pub first_difference: Option<FirstDifference>,
    /// What rules, seed and hashes say of that; null if they say the same or are of two matches.
    pub judgement: Option<Judgement>,
    /// In what their cards differ, `before` being A's and `after` B's; nothing if the books are of two matches.
    pub card_changes: Vec<CardChange>,
}

/// A book as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BookRead {
    /// The match, as the first event has it.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// The game.
    pub game: Option<String>,
    /// `created|in_play|completed|abandoned`, as far as the audit could follow the book.
    pub status: &'static str,
    /// How many events it has.
    pub events: u64,
    /// How many deliveries.
    pub deliveries: u64,
    /// Whether the seeds are open in it, with what the sides have added; they judge the dice of the other book too.
    pub seeds_open: bool,
    /// The event after which its card is taken; 0 if there is no card.
    pub card_at: u64,
    /// Why the card is not that of its end; null if it is.
    pub card_ends: Option<String>,
    /// What the audit found in it first, wherever that is, by its own seeds or those opened in the other book.
    pub divergence: Option<Divergence>,
}

/// Where two books first differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FirstDifference {
    /// The event in A; null if A has ended.
    pub a: Option<EventSaid>,
    /// The event in B; null if B has ended.
    pub b: Option<EventSaid>,
    /// What each says, field by field; only `kind` where the two are of different kinds.
    pub fields: Vec<FieldSaid>,
}

/// An event of play of one book.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct EventSaid {
    /// Its number in the book.
    pub seq: u64,
    /// Its kind.
    pub kind: String,
    /// The innings it says it belongs to.
    pub innings: Option<u64>,
    /// The over it says it belongs to.
    pub over: Option<u64>,
    /// Its place in the over.
    pub ball: Option<u64>,
    /// Its number in the match.
    pub delivery: Option<u64>,
    /// The rulings it cites, with their sentences.
    pub rulings: Vec<RulingCited>,
}

/// A field of which two books say different things.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FieldSaid {
    /// The field, e.g. `dice[2].value`; elements of a list count from 1.
    pub field: String,
    /// What A says; left out where it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub a: Option<Value>,
    /// What B says; left out where it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub b: Option<Value>,
}

/// Which book is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Supported {
    /// A alone.
    A,
    /// B alone.
    B,
    /// Each: what it says follows from what it starts from.
    Either,
    /// None of them.
    Neither,
}

/// What speaks against a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// The rules of the game and of the log.
    Rules,
    /// The seed.
    Seed,
    /// The hashes: they do not fit what it says.
    Chain,
}

/// What rules, seed and hashes say of the first difference.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Judgement {
    /// Which book they support there.
    pub supports: Supported,
    /// What speaks against the other; null unless it is one book alone that is supported.
    pub ground: Option<Ground>,
    /// The same in words.
    pub words: String,
    /// Whether A holds up to the first difference and at it.
    pub a_holds: bool,
    /// Whether B does.
    pub b_holds: bool,
    /// The fields in which they start from something else, where both hold: dice, choices and the like, without what
    /// follows from them.
    pub started_from: Vec<String>,
}
