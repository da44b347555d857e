use serde::Serialize;
use utoipa::ToSchema;

/// The head of a log: the number of its last event, and the hash that stands for the whole log.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, ToSchema)]
pub struct Head {
    /// The last event's `seq`; 0 for an empty log.
    pub seq: u64,
    /// The last event's hash, 64 lower-case hexadecimal digits; empty for an empty log.
    pub hash: String,
}
