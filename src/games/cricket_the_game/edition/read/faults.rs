use std::cell::RefCell;

use crate::rules::EditionFault;

/// The most mistakes that are listed one by one.
const MOST_FAULTS: usize = 100;

/// The mistakes that have been found so far in an edition.
#[derive(Debug, Default)]
pub struct Faults {
    found: RefCell<Vec<EditionFault>>,
}

impl Faults {
    /// Notes a mistake. After the hundredth, it notes once that there are more.
    pub fn note(&self, path: &str, reason: impl FnOnce() -> String) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_FAULTS {
            found.push(EditionFault { path: path.to_owned(), reason: reason() });
        } else if found.len() == MOST_FAULTS {
            let reason = format!("there are more mistakes than these {MOST_FAULTS}");
            found.push(EditionFault { path: String::new(), reason });
        }
    }

    /// Whether a mistake has been found.
    pub fn any(&self) -> bool {
        !self.found.borrow().is_empty()
    }

    /// The list of mistakes, in the order in which they were found.
    pub fn into_list(self) -> Vec<EditionFault> {
        self.found.into_inner()
    }
}
