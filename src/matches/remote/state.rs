//! The state of remote play, folded from the events of a match.

use chrono::{DateTime, Utc};

use crate::log::{EventData, EventFamily, LifecycleEvent, PlayEvent, RemoteEvent, at_format};
use crate::scorebook::{BySide, Side};

/// The state of remote play in a match, folded from its events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RemoteState {
    pub(super) committed: BySide<Option<String>>,
    pub(super) client_seeds: BySide<Option<String>>,
    pub(super) seals: BySide<Option<Seal>>,
    pub(super) deadline: Option<Deadline>,
}

/// The seal of a side's secret choice.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seal {
    pub sealed: String,
    /// Whether the choice is open to the service.
    pub opened: bool,
}

/// The deadline of a side that was called.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Deadline {
    pub side: Side,
    pub until: DateTime<Utc>,
}

impl RemoteState {
    /// The side without a value, if the other side has one.
    pub(super) fn one_without<T>(of: &BySide<Option<T>>) -> Option<Side> {
        match (&of.home, &of.away) {
            (None, Some(_)) => Some(Side::Home),
            (Some(_), None) => Some(Side::Away),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    pub(super) fn has_both<T>(of: &BySide<Option<T>>) -> bool {
        of.home.is_some() && of.away.is_some()
    }

    pub(super) fn are_sealed(&self) -> bool {
        RemoteState::has_both(&self.seals)
    }

    pub(super) fn has_seals(&self) -> bool {
        self.seals.home.is_some() || self.seals.away.is_some()
    }

    fn clear_deadline(&mut self, side: Side) {
        if self.deadline.as_ref().is_some_and(|deadline| deadline.side == side) {
            self.deadline = None;
        }
    }

    /// Whether an event changes the state of remote play.
    pub fn is_changed_by(&self, event: &EventData) -> bool {
        match event.family() {
            EventFamily::Remote(RemoteEvent::SideClaimed(_) | RemoteEvent::TokenRotated(_)) => false,
            EventFamily::Remote(_) => true,
            EventFamily::Play(PlayEvent::SetUp(_)) | EventFamily::Review(_) => self.deadline.is_some(),
            EventFamily::Play(_) | EventFamily::Lifecycle(LifecycleEvent::TossDecided(_)) => {
                self.deadline.is_some() || self.has_seals()
            }
            EventFamily::Lifecycle(_) | EventFamily::Adjudication(_) => false,
        }
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &EventData) {
        match event.family() {
            EventFamily::Remote(event) => self.apply_remote(event),
            // The choices before a set-up are open ones, and a toss comes before the first seal.
            EventFamily::Play(PlayEvent::SetUp(_))
            | EventFamily::Review(_)
            | EventFamily::Lifecycle(LifecycleEvent::TossDecided(_)) => self.deadline = None,
            EventFamily::Play(_) => {
                self.seals = BySide::default();
                self.deadline = None;
            }
            EventFamily::Lifecycle(_) | EventFamily::Adjudication(_) => {}
        }
    }

    fn apply_remote(&mut self, event: RemoteEvent<'_>) {
        match event {
            RemoteEvent::SeedCommitted(committed) => {
                self.committed[committed.side] = Some(committed.hash.clone());
                self.clear_deadline(committed.side);
            }
            RemoteEvent::SeedContributed(contributed) => {
                self.client_seeds[contributed.side] = Some(contributed.client_seed.clone());
                self.clear_deadline(contributed.side);
            }
            RemoteEvent::Choice(choice) => {
                if let Some(sealed) = &choice.sealed {
                    self.seals[choice.side] = Some(Seal { sealed: sealed.clone(), opened: false });
                }
                self.clear_deadline(choice.side);
            }
            RemoteEvent::ChoiceOpened(opened) => {
                if let Some(seal) = &mut self.seals[opened.side] {
                    seal.opened = true;
                }
                self.clear_deadline(opened.side);
            }
            RemoteEvent::ChoiceCalled(called) => {
                // An event with another time is not admitted.
                let until = at_format::read(&called.until);
                self.deadline = until.map(|until| Deadline { side: called.on, until });
            }
            // No correction takes a claim or a token back, so adjudication keeps them.
            RemoteEvent::SideClaimed(_) | RemoteEvent::TokenRotated(_) => {}
        }
    }
}
