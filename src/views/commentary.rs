use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::Head;
use crate::projection::{CommentaryAsOf, CommentaryLine};

/// The commentary on a match, line by line.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Commentary<'a> {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of the event as of which it is true.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The lines, one for each event in order, also for void events.
    #[schema(value_type = Vec<CommentaryLine>)]
    pub lines: &'a [CommentaryLine],
}

impl Commentary<'_> {
    /// The commentary of a folded match.
    pub fn of(past: &CommentaryAsOf) -> Commentary<'_> {
        let CommentaryAsOf { loaded, lines } = past;
        Commentary {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            lines,
        }
    }
}
