use serde_json::Value;

use crate::dice::TableDice;
use crate::matches::{Decided, Input, Match};
use crate::rules::{Ask, Choices};
use crate::scorebook::Ruling;

/// The kind of a request that answers a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// The set-up before the toss.
    SetUp,
    /// The toss: its call and its coin, or who has won it.
    Toss,
    /// The decision of the winner of the toss.
    TossDecision,
    /// The start of an over.
    Over,
    /// A ball, with its choices and its dice.
    Ball,
    /// A review of the last decision, or its acceptance.
    Review,
    /// A choice that a side makes for itself.
    Choice,
    /// A side's part of the seed.
    Seed,
    /// Play by the service with default choices.
    Autoplay,
    /// The amendment of a ball.
    Amendment,
}

impl RequestKind {
    /// Every kind.
    pub const ALL: [RequestKind; 10] = [
        RequestKind::SetUp,
        RequestKind::Toss,
        RequestKind::TossDecision,
        RequestKind::Over,
        RequestKind::Ball,
        RequestKind::Review,
        RequestKind::Choice,
        RequestKind::Seed,
        RequestKind::Autoplay,
        RequestKind::Amendment,
    ];
}

/// A request that answers the step that a match waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRequest {
    /// What the request does, in words for a button: `Bowl the over`.
    pub title: String,
    /// The kind of the request.
    pub kind: RequestKind,
    /// The part of its body that is fixed.
    pub body: Choices,
    /// Whether one side must not see what the other enters here.
    pub secret: bool,
    /// What is asked for its body.
    pub asks: Vec<Ask>,
    /// The ids of the rulings behind the request as a whole.
    pub rulings: Vec<&'static str>,
}

impl StepRequest {
    pub(in crate::matches) fn new(title: impl Into<String>, kind: RequestKind) -> StepRequest {
        StepRequest {
            title: title.into(),
            kind,
            body: Choices::new(),
            secret: false,
            asks: Vec::new(),
            rulings: Vec::new(),
        }
    }

    pub(in crate::matches) fn with(mut self, member: &str, value: impl Into<Value>) -> StepRequest {
        self.body.insert(member.to_owned(), value.into());
        self
    }

    pub(super) fn under(self, rulings: impl IntoIterator<Item = &'static Ruling>) -> StepRequest {
        StepRequest { rulings: rulings.into_iter().map(|ruling| ruling.id).collect(), ..self }
    }

    pub(super) fn asking(self, asks: Vec<Ask>) -> StepRequest {
        StepRequest { asks, ..self }
    }
}

/// The match after the open decision is accepted; none where no decision is open.
pub(super) fn accepted(state: &Match) -> Option<Decided> {
    let by = state.reviews().open()?.by;
    state.decide(Input::Accept { by }, &mut TableDice::new(&[]), None).ok()
}
