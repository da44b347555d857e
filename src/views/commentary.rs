use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::book::Book;
use super::describe::CommentaryLine;
use crate::log::Head;

/// A match told line by line.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Commentary {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The event after which it is true.
    pub at_seq: u64,
    /// That event and its hash.
    pub head: Head,
    /// The last correction that was taken into account, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// A line an event, in order; what is void among them.
    pub lines: Vec<CommentaryLine>,
}

impl Commentary {
    /// The commentary of a folded match.
    pub fn of(book: &Book, lines: Vec<CommentaryLine>) -> Commentary {
        Commentary {
            match_id: book.match_id(),
            at_seq: book.head().seq,
            head: book.head().clone(),
            as_known_at: book.known_at(),
            lines,
        }
    }
}
