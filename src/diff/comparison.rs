//! The comparison of two scorers' logs of one match, as data: how far they agree, where they first differ,
//! which of them the rules, the seed and the hashes support there, and how their scorecards differ.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::audit::Divergence;
use crate::rules::RulingCited;
use crate::views::CardChange;

/// One of two scorers, by the order of their logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scorer {
    /// The scorer of the first log.
    A,
    /// The scorer of the second log.
    B,
}

/// The agreement of two logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The logs agree on all events of play.
    Same,
    /// One log is the beginning of the other.
    Beginning,
    /// The logs agree up to an event, and differ there.
    Differ,
    /// The logs are of different matches: sides, rules, dice or seeds differ.
    AnotherMatch,
}

/// The comparison of two logs of one match.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LogComparison {
    /// The agreement of the two logs.
    pub agreement: Agreement,
    /// The first log.
    pub a: AuditedLog,
    /// The second log.
    pub b: AuditedLog,
    /// The number of events of play at the beginning on which the logs agree.
    pub same_events: u64,
    /// The number of deliveries among these events.
    pub same_deliveries: u64,
    /// The first event in which the logs differ; null if they agree.
    pub first_difference: Option<FirstDifference>,
    /// The judgement on the first difference; null if the logs agree, or are of different matches.
    pub judgement: Option<Judgement>,
    /// The differences of the scorecards, `before` being A's and `after` B's; empty if the logs are of
    /// different matches.
    pub card_changes: Vec<CardChange>,
}

/// One scorer's log, as it was read and audited.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AuditedLog {
    /// The id of the match, from the first event.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// The id of the game.
    pub game: Option<String>,
    /// The status after the last valid event: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The number of events in the log.
    pub events: u64,
    /// The number of live deliveries in the log.
    pub deliveries: u64,
    /// Whether the log reveals the seeds, with the client seeds. The dice of the other log are checked
    /// against them, too.
    pub seeds_open: bool,
    /// The seq of the event as of which the scorecard is made; 0 if there is no scorecard.
    pub card_at: u64,
    /// Why the scorecard ends before the log does; null if it does not.
    pub card_ends: Option<String>,
    /// The first event of the log that diverges, by its own seeds or by those that the other log reveals.
    pub divergence: Option<Divergence>,
}

/// The first event in which two logs differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FirstDifference {
    /// The event in A; null if A has ended.
    pub a: Option<EventClaim>,
    /// The event in B; null if B has ended.
    pub b: Option<EventClaim>,
    /// The fields in which the events differ; only `kind` where the events are of different kinds.
    pub fields: Vec<FieldClaim>,
}

/// An event of play in one log.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct EventClaim {
    /// The seq of the event in its log.
    pub seq: u64,
    /// The kind of the event.
    pub kind: String,
    /// The innings that the event names.
    pub innings: Option<u64>,
    /// The over that the event names.
    pub over: Option<u64>,
    /// The number of the ball in the over.
    pub ball: Option<u64>,
    /// The number of the delivery in the match.
    pub delivery: Option<u64>,
    /// The rulings that the event cites, with their sentences.
    pub rulings: Vec<RulingCited>,
}

/// A field in which two events differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FieldClaim {
    /// The path of the field, e.g. `dice[2].value`; elements of a list count from 1.
    pub field: String,
    /// The value in A; left out where A has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub a: Option<Value>,
    /// The value in B; left out where B has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub b: Option<Value>,
}

/// The log that is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Supported {
    /// Only A is supported.
    A,
    /// Only B is supported.
    B,
    /// Each is supported: its event follows from its own choices and dice.
    Either,
    /// Neither is supported.
    Neither,
}

/// The ground on which a log is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// The rules of the game or of the log.
    Rules,
    /// The seed, which gives other dice.
    Seed,
    /// The hashes, which do not fit the events.
    Chain,
}

/// The judgement of rules, seed and hashes on the first difference.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Judgement {
    /// The log that is supported there.
    pub supports: Supported,
    /// The ground on which the other log is rejected; null unless exactly one log is supported.
    pub ground: Option<Ground>,
    /// The judgement in words.
    pub words: String,
    /// Whether A is valid up to the first difference and at it.
    pub a_holds: bool,
    /// Whether B is valid up to the first difference and at it.
    pub b_holds: bool,
    /// The choices, dice and other inputs in which two valid logs differ, without the fields that follow from
    /// them.
    pub started_from: Vec<String>,
}
