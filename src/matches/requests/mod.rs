//! Requests: what answers the step that a match waits for, with all that a screen needs to ask for it. The
//! titles, the values and the words of a game come from [`Asking`](crate::rules::Asking).

mod decided;
mod draft;
mod listed;
mod preview;
mod step_request;

pub use self::draft::made_before_dice;
pub use self::preview::{Preview, PreviewRequest};
pub use self::step_request::{RequestKind, StepRequest};
