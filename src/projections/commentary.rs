use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::book::Book;
use super::telling::CommentaryLine;
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
    /// A line an event, in order.
    pub lines: Vec<CommentaryLine>,
}

impl Commentary {
    /// The commentary of a folded match.
    pub fn of(book: &Book, lines: Vec<CommentaryLine>) -> Commentary {
        Commentary { match_id: book.match_id(), at_seq: book.head().seq, head: book.head().clone(), lines }
    }
}
