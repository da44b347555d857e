use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::describe::CommentaryLine;
use super::projection::MatchProjection;
use crate::log::Head;

/// The commentary on a match, line by line.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Commentary {
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
    pub lines: Vec<CommentaryLine>,
}

impl Commentary {
    /// The commentary of a folded match.
    pub fn of(projection: &MatchProjection, lines: Vec<CommentaryLine>) -> Commentary {
        Commentary {
            match_id: projection.match_id(),
            at_seq: projection.head().seq,
            head: projection.head().clone(),
            as_known_at: projection.known_at(),
            lines,
        }
    }
}
