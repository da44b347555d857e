use super::ValueFault;

/// The fault of a recorded event that cannot have happened: the field, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct InvalidEvent {
    /// The path of the field in the event, e.g. `data.outcome.striker`.
    pub field: String,
    /// The reason: what is wrong, and what would be right.
    pub reason: String,
}

impl InvalidEvent {
    /// A fault in a field.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> InvalidEvent {
        InvalidEvent { field: field.into(), reason: reason.into() }
    }

    /// The fault of a value that stands in a field.
    pub fn of_value(field: &str, fault: &ValueFault) -> InvalidEvent {
        InvalidEvent::new(fault.path_below(field), fault.reason())
    }
}
