use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ListWindow, slice_of};
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
    /// The lines of the page, one for each event in order, also for void events.
    #[schema(value_type = Vec<CommentaryLine>)]
    pub lines: &'a [CommentaryLine],
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
}

impl Commentary<'_> {
    /// A page of the commentary of a folded match.
    pub fn page(past: &CommentaryAsOf, window: ListWindow) -> Commentary<'_> {
        let CommentaryAsOf { loaded, lines } = past;
        let (lines, next_after) = slice_of(lines, window);
        Commentary {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            lines,
            next_after,
        }
    }
}
