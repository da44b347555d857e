//! Previews: what the body of a request would come to, filled in so far. Nothing is stored, and a preview
//! shows no die and no choice that the log does not have.

use super::decided::{decide_rest, outcome_of, words_of};
use super::draft::at;
use super::step_request::{RequestKind, StepRequest, accepted};
use crate::dice::{Dice, DiceFault, Draw, TableDice};
use crate::log::{DiceMode, EventData};
use crate::matches::corrections::{AskedBall, AskedLater, AskedMissing, UndecidedDelivery};
use crate::matches::{Decided, Input, Match};
use crate::rules::{
    Ask, AskedStep, BodySoFar, Choices, Draft, Place, Refusal, RefusalKind, Words, as_body, words_of_outcome,
};
use crate::scorebook::{Outcome, Side};

/// The body of a request of which a preview is asked.
#[derive(Debug, Clone)]
pub enum PreviewRequest {
    /// The start of an over.
    Over {
        /// The choices so far.
        choices: Choices,
        /// Whether the open decision is accepted first.
        accept: bool,
    },
    /// A ball, as far as its dice are known.
    Ball {
        /// The choices so far.
        choices: Choices,
        /// The dice so far.
        dice: Vec<i64>,
        /// Whether the open decision is accepted first.
        accept: bool,
        /// The choices of the over that is begun first; none where it begins with its defaults.
        over: Option<Choices>,
    },
    /// A review of the open decision.
    Review {
        /// The side that reviews.
        by: Side,
        /// The review die, if it is rolled.
        dice: Vec<i64>,
    },
    /// The acceptance of the open decision.
    Accept {
        /// The side that accepts.
        by: Side,
    },
}

impl PreviewRequest {
    /// The request with names as the match has recorded them.
    fn with_recorded_names(&self, state: &Match) -> PreviewRequest {
        let mut request = self.clone();
        let (choices, over) = match &mut request {
            PreviewRequest::Over { choices, .. } => (Some(choices), None),
            PreviewRequest::Ball { choices, over, .. } => (Some(choices), over.as_mut()),
            PreviewRequest::Review { .. } | PreviewRequest::Accept { .. } => (None, None),
        };
        for given in choices.into_iter().chain(over) {
            *given = state.with_recorded_names(given);
        }
        request
    }
}

/// What the body of a request would come to.
pub struct Preview {
    /// The decision, where the body is whole; none where more is asked for.
    pub decided: Option<Decided>,
    /// What the body comes to, in words.
    pub words: Words,
    /// The outcome of the ball or of the review, where the body is whole and has one.
    pub outcome: Option<Outcome>,
    /// What is asked for after the body: the rest of it, or what the match would wait for then.
    pub requests: Vec<StepRequest>,
}

/// Dice that nobody may see yet. Whoever rolls one is noted.
#[derive(Default)]
struct HiddenDice {
    rolled: bool,
}

impl Dice for HiddenDice {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        self.rolled = true;
        Err(DiceFault::Missing { at: 0, what, sides })
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        self.rolled = true;
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}

impl Preview {
    /// The preview of a request on a match. The refusal is the one of the request itself, or says that its
    /// outcome has to stay hidden.
    pub fn of(state: &Match, request: &PreviewRequest) -> Result<Preview, Refusal> {
        let request = &request.with_recorded_names(state);
        let accepts = match request {
            PreviewRequest::Over { accept, .. } | PreviewRequest::Ball { accept, .. } => *accept,
            PreviewRequest::Review { .. } | PreviewRequest::Accept { .. } => false,
        };
        let before = accepted(state).filter(|_| accepts).unwrap_or_else(|| Decided::nothing(state));
        match request {
            PreviewRequest::Ball { over: Some(choices), .. } => preview_on(begun(before, choices)?, request),
            _ => preview_on(before, request),
        }
    }

    /// The preview of a step of a correction of which a die or a choice is missing; `request` is the request
    /// that corrects, and `within` its member that has the ball, where that is not the body itself. Of a
    /// later delivery only what it misses is asked.
    pub fn asking_for(unfinished: &UndecidedDelivery, request: StepRequest, within: Option<&str>) -> Preview {
        let UndecidedDelivery { before, step, choices, dice, asked } = unfinished;
        let draft = Draft { step: *step, choices, dice, lists_values: true };
        let asks = asks_of_rest(before, &draft);
        let asks = match (asked, within) {
            (AskedBall::Changed, None) => asks,
            (AskedBall::Changed, Some(member)) => {
                asks.into_iter().map(|ask| Ask { at: format!("{member}.{}", ask.at), ..ask }).collect()
            }
            (AskedBall::Missing(AskedMissing { at: place, .. }), _) => {
                let answer = format!("missing[{place}]");
                let within = |ask: Ask| Ask { at: within_answer(&answer, *step, 0, &ask.at), ..ask };
                asks.into_iter().map(within).collect()
            }
            (AskedBall::Later(AskedLater { at: place, kept, .. }), _) => {
                let answer = format!("later[{place}]");
                let within = |ask: Ask| Ask { at: within_answer(&answer, *step, *kept, &ask.at), ..ask };
                let missing = asks.into_iter().filter(|ask| ask.required && at(&draft, &ask.at).is_none());
                missing.map(within).collect()
            }
        };
        let request = request.asking(asks);
        let refusal = before.decide(Input::Play(as_body(&draft)), &mut TableDice::new(dice), None).err();
        let words = refusal.map(|refusal| words_so_far(before, &draft, &refusal)).unwrap_or_default();
        Preview { decided: None, words, outcome: None, requests: vec![request] }
    }
}

/// The place of an ask in the request that corrects, whose answer for the step is this member, after so many
/// dice that are kept.
fn within_answer(answer: &str, step: AskedStep, kept: usize, at: &str) -> String {
    let die = at.strip_prefix("dice[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
    match (die, step) {
        (Some(die), _) => format!("{answer}.dice[{}]", die.saturating_sub(kept)),
        (None, AskedStep::Over) => format!("{answer}.over.{at}"),
        (None, _) => format!("{answer}.{at}"),
    }
}

/// An over begun before the ball that is asked about. Its dice may not be seen, so a seeded one begins none.
fn begun(before: Decided, choices: &Choices) -> Result<Decided, Refusal> {
    let draft = Draft { step: AskedStep::Over, choices, dice: &[], lists_values: true };
    let input = Input::Play(as_body(&draft));
    if before.after.play().info().created.dice == DiceMode::Seeded {
        return Err(stays_hidden());
    }
    let over = before.after.decide(input, &mut TableDice::new(&[]), None);
    let over = over.map_err(|refusal| Refusal { place: within_over(refusal.place), ..refusal })?;
    Ok(after_all(before.events, over))
}

/// The place of a fault in the over, as the body of the ball has it.
fn within_over(place: Place) -> Place {
    match place {
        Place::Choice(name) => Place::Field(format!("over.{name}")),
        other => other,
    }
}

/// A decision with the events of those before it.
fn after_all(mut events: Vec<EventData>, decided: Decided) -> Decided {
    events.extend(decided.events);
    Decided { events, ..decided }
}

/// The preview on a match after what the request does first: the open decision is accepted, the over begun.
fn preview_on(before: Decided, request: &PreviewRequest) -> Result<Preview, Refusal> {
    let state = &before.after;
    let is_seeded = state.play().info().created.dice == DiceMode::Seeded;
    let no_choices = Choices::new();
    let empty = Draft { step: AskedStep::Ball, choices: &no_choices, dice: &[], lists_values: true };
    let (input, draft) = match request {
        PreviewRequest::Over { choices, .. } => {
            let draft = Draft { step: AskedStep::Over, choices, dice: &[], lists_values: true };
            (Input::Play(as_body(&draft)), draft)
        }
        PreviewRequest::Ball { choices, dice, .. } => {
            let draft = Draft { step: AskedStep::Ball, choices, dice, lists_values: true };
            (Input::Play(as_body(&draft)), draft)
        }
        PreviewRequest::Review { by, dice } => (Input::Review { by: *by }, Draft { dice, ..empty }),
        PreviewRequest::Accept { by } => (Input::Accept { by: *by }, empty),
    };
    let decided = if is_seeded {
        let mut hidden = HiddenDice::default();
        let decided = state.decide(input, &mut hidden, None);
        let is_its_time = !matches!(&decided, Err(refusal) if refusal.is_of_time());
        if is_its_time && (hidden.rolled || matches!(request, PreviewRequest::Ball { .. })) {
            return Err(stays_hidden());
        }
        decided
    } else {
        state.decide(input, &mut TableDice::new(draft.dice), None)
    };
    match decided {
        Ok(decided) => Ok(whole(&before, request, &draft, decided)),
        Err(refusal) if refusal.kind == RefusalKind::NeedsInput => Ok(rest(state, request, &draft, &refusal)),
        Err(refusal) => Err(refusal),
    }
}

/// The preview of a body that is whole.
fn whole(before: &Decided, request: &PreviewRequest, draft: &Draft<'_>, decided: Decided) -> Preview {
    let outcome = decided.events.iter().rev().find_map(outcome_of).cloned();
    let words = match (request, &outcome) {
        (PreviewRequest::Ball { .. }, Some(outcome)) => words_of(before.after.play().game(), draft, outcome),
        (_, Some(outcome)) => words_of_outcome(outcome),
        (PreviewRequest::Over { .. }, None) => Words::new("over begun"),
        (_, None) => Words::new("accepted"),
    };
    let requests = StepRequest::decided(&decided.after);
    let decided = Some(after_all(before.events.clone(), decided));
    Preview { decided, words, outcome, requests }
}

/// The preview of a body that is not whole: what else is asked for it.
fn rest(state: &Match, request: &PreviewRequest, draft: &Draft<'_>, refusal: &Refusal) -> Preview {
    let kind = match request {
        PreviewRequest::Over { .. } => RequestKind::Over,
        PreviewRequest::Ball { .. } => RequestKind::Ball,
        PreviewRequest::Review { .. } | PreviewRequest::Accept { .. } => RequestKind::Review,
    };
    let mut requests = match kind {
        RequestKind::Review => StepRequest::of(state),
        _ => StepRequest::brief(state),
    };
    requests.retain(|one| one.kind == kind && !one.body.contains_key("accept"));
    for one in &mut requests {
        if kind != RequestKind::Review {
            one.asks = asks_of_rest(state, draft);
        }
        if let PreviewRequest::Over { accept: true, .. } | PreviewRequest::Ball { accept: true, .. } = request
        {
            one.body.insert("accept".to_owned(), true.into());
        }
    }
    Preview { decided: None, words: words_so_far(state, draft, refusal), outcome: None, requests }
}

/// What is asked for a body that is filled in so far.
fn asks_of_rest(state: &Match, draft: &Draft<'_>) -> Vec<Ask> {
    let asks = state.play().game().asking().asks(draft).into_iter();
    let mut asks: Vec<Ask> = asks.map(|ask| answered(ask, draft)).collect();
    decide_rest(&mut asks, state, draft);
    asks
}

/// The words for a body that is filled in so far.
fn words_so_far(state: &Match, draft: &Draft<'_>, refusal: &Refusal) -> Words {
    let so_far = BodySoFar { draft, rulings: &refusal.so_far, outcome: None };
    state.play().game().asking().words(&so_far).unwrap_or_default()
}

/// The ask with the value that the body has for it already, which it keeps if it is not changed.
fn answered(ask: Ask, draft: &Draft<'_>) -> Ask {
    match at(draft, &ask.at) {
        Some(value) => ask.or_default(value.clone()),
        None => ask,
    }
}

fn stays_hidden() -> Refusal {
    let message = "the dice of this match come from its seed, and its secret choices are its sides' own; \
                   nothing tells what comes before it is in the log";
    Refusal::new(RefusalKind::NoPreview, Place::Input, message)
}
