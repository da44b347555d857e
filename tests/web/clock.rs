//! The clock of a page under test: it stands until a test moves it on.

/// The script that takes the place of the page's clock.
pub const SCRIPT: &str = include_str!("clock.js");
