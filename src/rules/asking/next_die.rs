//! The die that a body asks for next, found by deciding the body as it is.

use serde_json::Value;

use super::{Ask, AskKind, AskOption, AskedStep, Draft, RulingsBehind};
use crate::dice::TableDice;
use crate::rules::{Place, Play, Refusal, RefusalKind, Rules};

/// The input of play that a body stands for.
pub fn as_body(draft: &Draft<'_>) -> Play {
    let choices = draft.choices.clone();
    match draft.step {
        AskedStep::SetUp => Play::SetUp(choices),
        AskedStep::Over => Play::Over(choices),
        AskedStep::Ball => Play::Ball(choices),
        AskedStep::Choice(_) => Play::Choose(choices),
    }
}

/// The die that is rolled next at the table after this much of a body, as an ask of its faces; `title` gives
/// the words for the name of the die, and the table the rulings behind it. None where the body is whole, or
/// waits for something else.
pub fn next_die<R: Rules>(
    state: &R,
    draft: &Draft<'_>,
    title: impl Fn(&str) -> String,
    behind: RulingsBehind,
) -> Option<Ask> {
    let refusal = state.decide(as_body(draft), &mut TableDice::new(draft.dice)).err()?;
    asked_die(draft, &refusal, title, behind)
}

/// The die that a refusal for missing input asks for, as an ask of its faces. None where it is no die that is
/// missing.
pub fn asked_die(
    draft: &Draft<'_>,
    refusal: &Refusal,
    title: impl Fn(&str) -> String,
    behind: RulingsBehind,
) -> Option<Ask> {
    let Place::Die(at) = refusal.place else { return None };
    if refusal.kind != RefusalKind::NeedsInput {
        return None;
    }
    let sides = refusal.legal.get("maximum").and_then(Value::as_i64)?;
    let name = refusal.legal.get("for").and_then(Value::as_str)?;
    let faces = (1..=sides).map(|face| AskOption::new(face, ""));
    let die = Ask::new(format!("dice[{at}]"), AskKind::Die, title(name));
    Some(die.of(draft.listed(faces)).under(draft.behind(behind, name)))
}
