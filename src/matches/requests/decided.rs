//! The outcome of each value of an ask: the body with the value in it is decided, and nothing is kept.

use super::draft::{at, with_value};
use crate::dice::TableDice;
use crate::log::{DiceMode, EventData};
use crate::matches::Match;
use crate::rules::{
    Ask, AskOption, AskedStep, BodySoFar, Draft, DynGame, RefusalKind, Words, as_body, words_of_outcome,
};
use crate::scorebook::Outcome;

/// Decides each value of the asks of a ball at the table, of which a part is filled in. No decision is open
/// on this match: where one was, it is the match after the acceptance.
pub(super) fn decide_rest(asks: &mut [Ask], state: &Match, draft: &Draft<'_>) {
    if draft.step != AskedStep::Ball || state.play().info().created.dice != DiceMode::Table {
        return;
    }
    let game = state.play().game();
    for ask in asks.iter_mut().filter(|ask| ask.is_decided()) {
        let at = ask.at.clone();
        for option in ask.options.iter_mut().filter(|option| option.why_not.is_none()) {
            if let Some((choices, dice)) = with_value(draft, &at, &option.value) {
                let draft = Draft { choices: &choices, dice: &dice, lists_values: false, ..*draft };
                *option = decided(game, &draft, std::mem::take(option));
            }
        }
    }
}

/// An option with what the body comes to that has it.
fn decided(game: &dyn DynGame, draft: &Draft<'_>, option: AskOption) -> AskOption {
    match game.decide(as_body(draft), &mut TableDice::new(draft.dice)) {
        Ok(decided) => match decided.events.iter().rev().find_map(outcome_of) {
            Some(outcome) => told(option, &words_of(game, draft, outcome), Some(outcome)),
            None => option,
        },
        Err(refusal) if refusal.kind == RefusalKind::NeedsInput => {
            let so_far = BodySoFar { draft, rulings: &refusal.so_far, outcome: None };
            let words = game.asking().words(&so_far).unwrap_or_default();
            let asks = game.asking().asks(draft).into_iter();
            let rest = asks.filter(|ask| ask.required && at(draft, &ask.at).is_none());
            AskOption { asks: rest.collect(), ..told(option, &words, None) }
        }
        Err(refusal) => AskOption {
            why_not: Some(refusal.message),
            ruling: refusal.ruling.map(|ruling| ruling.id),
            ..option
        },
    }
}

/// The words for a whole ball: the game's own, or cricket's.
pub(super) fn words_of(game: &dyn DynGame, draft: &Draft<'_>, outcome: &Outcome) -> Words {
    let so_far = BodySoFar { draft, rulings: &[], outcome: Some(outcome) };
    game.asking().words(&so_far).unwrap_or_else(|| words_of_outcome(outcome))
}

/// The option told in these words, with the figures of the outcome if there is one.
pub(super) fn told(option: AskOption, words: &Words, outcome: Option<&Outcome>) -> AskOption {
    let is_known = !words.title.is_empty();
    AskOption {
        title: if is_known { words.title.clone() } else { option.title },
        text: if is_known { words.text.clone() } else { option.text },
        sentence: if is_known { Some(words.as_sentence()) } else { option.sentence },
        runs: outcome.map(|outcome| outcome.runs.total),
        boundary: outcome.and_then(|outcome| outcome.boundary),
        wicket: outcome.and_then(|outcome| outcome.wicket.clone()),
        ..option
    }
}

/// The outcome of a ball or of a review in an event.
pub(super) fn outcome_of(event: &EventData) -> Option<&Outcome> {
    match event {
        EventData::Ball(ball) => Some(&ball.outcome),
        EventData::Review(review) => review.made().map(|made| &made.outcome),
        _ => None,
    }
}
