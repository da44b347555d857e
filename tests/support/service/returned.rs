//! Appends that return the view of the match, each of which is held against a read with the same token.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;

use super::answer::Answer;

/// What an answer to an append has besides members of the view.
const OF_ANSWER: [&str; 4] = ["events", "appended", "correction", "difference"];
/// The members of the view that are left out where there is nothing to say. A change can leave them out.
const MAY_BE_LEFT_OUT: [&str; 6] = ["last", "abandoned_for", "disputes", "disputes_open", "proposed", "own"];

/// The appends that were held against a read, as the document names their paths.
#[derive(Clone, Default)]
pub(super) struct Returned(Arc<Mutex<BTreeSet<String>>>);

impl Returned {
    pub(super) fn paths(&self) -> BTreeSet<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asserts that the view before an append, with what its answer returns of it, is the view after it, byte
    /// for byte of each member.
    #[track_caller]
    pub(super) fn holds(&self, path: &str, before: &Answer, answer: &Answer, after: &Answer) {
        let request = &answer.request;
        assert_eq!(answer.header("preference-applied"), "return=representation", "{request}");
        let (mut merged, returned, after) = (members(before), members(answer), members(after));
        merged.retain(|name, _| !MAY_BE_LEFT_OUT.contains(&name.as_str()));
        merged.extend(returned.into_iter().filter(|(name, _)| !OF_ANSWER.contains(&name.as_str())));
        for (name, value) in &after {
            assert_eq!(merged.get(name), Some(value), "{name} after {request}");
        }
        assert_eq!(
            merged.len(),
            after.len(),
            "{request} returns more than the view has: {:?}",
            merged.keys()
        );
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    }
}

/// The members of a body, as they are written.
#[track_caller]
fn members(answer: &Answer) -> BTreeMap<String, String> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&answer.body)
        .unwrap_or_else(|error| panic!("{}: {error} in {:?}", answer.request, answer.text()));
    members.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect()
}
