use crate::rules::{Next, Place, Refusal, RefusalKind};

/// A refusal of something out of turn: what is wrong, and what the match waits for.
pub(super) fn out_of_turn(problem: &str, awaited: &Next) -> Refusal {
    let awaited = match awaited {
        Next::Choose { what, .. } => format!("the match waits for: {}", what.replace('_', " ")),
        Next::Roll { what, .. } => format!("the match waits for the next ball, and its {what} die"),
        Next::Finished { .. } => "the match is over".to_owned(),
    };
    Refusal::new(RefusalKind::OutOfTurn, Place::Input, format!("{problem}; {awaited}"))
}
