use std::cmp::Ordering;

use super::super::value_fault::{Misfit, ValueFault};

/// Refuses data that are written as another version: an event has the least version that knows its members,
/// and `newer` is the member that only the later one knows.
pub(super) fn if_of_version<T>(v: u32, least: u32, newer: &str, read: T) -> Result<T, ValueFault> {
    match v.cmp(&least) {
        Ordering::Equal => Ok(read),
        Ordering::Less => {
            Err(ValueFault::at(newer, Misfit::Fault(format!("is not known in version {v}, only in {least}"))))
        }
        Ordering::Greater => {
            let reason = format!("is missing or as in version {least}, so this event is of version {least}");
            Err(ValueFault::at(newer, Misfit::Fault(reason)))
        }
    }
}
