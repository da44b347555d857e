//! The table of actions and their actors.
//!
//! The table knows actions and actors only. Which of the two sides an event belongs to is checked beside it.

use crate::log::{Actor, EventData};
use crate::matches::Input;
use crate::rules::{Place, Refusal, RefusalKind};

/// An action: kinds of events that are for one set of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The creation of a match.
    Creation,
    /// Play, from the set-up and the toss on.
    Play,
    /// An act of one side: a part of the seed, a choice, a call on the other side.
    SideAct,
    /// The claim of a side.
    Claim,
    /// The review of a decision, or its acceptance.
    Review,
    /// The rotation of a token.
    Rotation,
    /// The end of a match, with its result.
    Completion,
    /// The abandonment of a match.
    Abandonment,
    /// A correction: play is voided or amended.
    Correction,
    /// The proposal of a correction.
    Proposal,
    /// A side's consent to a proposed correction.
    Consent,
    /// The dispute of a delivery.
    Dispute,
    /// The ruling on a dispute.
    Ruling,
}

/// The actors to whom an action is permitted.
pub(super) struct Authors {
    /// The actors of a match at one table, where one scorer may record both sides.
    pub at_one_table: &'static [Actor],
    /// The actors of a match with remote play.
    pub in_remote_play: &'static [Actor],
    /// The actors of a match that the service simulates.
    pub simulated: &'static [Actor],
    /// The actors whom only an earlier version of the service permitted.
    pub in_earlier_versions: &'static [Actor],
    /// The message of the refusal for every other actor.
    refusal: &'static str,
}

const SIDES: &[Actor] = &[Actor::Home, Actor::Away];
const SCORER_AND_SIDES: &[Actor] = &[Actor::Scorer, Actor::Home, Actor::Away];
const SERVICE: &[Actor] = &[Actor::Service];

impl Authors {
    /// The authors of an action that has the same actors at one table and in remote play, and none in a
    /// simulated match.
    const fn everywhere(actors: &'static [Actor], refusal: &'static str) -> Authors {
        Authors {
            at_one_table: actors,
            in_remote_play: actors,
            simulated: &[],
            in_earlier_versions: &[],
            refusal,
        }
    }
}

impl Action {
    pub(super) const fn authors(self) -> Authors {
        match self {
            Action::Creation => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(
                    &[Actor::Scorer, Actor::Admin],
                    "a match is created by its scorer or the admin, and a simulated match by the service",
                )
            },
            Action::Play => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(
                    SCORER_AND_SIDES,
                    "only the scorer and the sides play a match; an umpire only rules on disputes",
                )
            },
            Action::SideAct => Authors {
                in_remote_play: SIDES,
                ..Authors::everywhere(SCORER_AND_SIDES, "a side acts only for itself")
            },
            Action::Claim => Authors::everywhere(SIDES, "a side is claimed with its invite"),
            // When an amended match goes on, the service accepts decisions that nobody can have reviewed any
            // more.
            Action::Review => Authors {
                in_remote_play: &[Actor::Home, Actor::Away, Actor::Service],
                simulated: SIDES,
                ..Authors::everywhere(
                    &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Service],
                    "a decision is reviewed or accepted by its side, and at one table also by the scorer",
                )
            },
            Action::Rotation => Authors::everywhere(
                &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Umpire, Actor::Admin],
                "a token is replaced by its holder, by the admin or by the scorer",
            ),
            Action::Completion => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(SERVICE, "only the service records the end of a match")
            },
            Action::Abandonment => Authors::everywhere(
                SCORER_AND_SIDES,
                "a match is abandoned by its scorer, or by a side after the other side's timeout over its seed",
            ),
            Action::Correction => Authors {
                in_remote_play: SIDES,
                ..Authors::everywhere(
                    &[Actor::Scorer],
                    "the scorer makes corrections; in remote play both sides agree on them",
                )
            },
            Action::Proposal => {
                Authors::everywhere(SCORER_AND_SIDES, "a correction is proposed by a side or the scorer")
            }
            Action::Consent => Authors::everywhere(SIDES, "a side consents for itself, with its own token"),
            Action::Dispute => Authors {
                in_earlier_versions: &[Actor::Umpire],
                ..Authors::everywhere(
                    SCORER_AND_SIDES,
                    "a side raises disputes for itself, and the scorer for either side; an umpire rules on disputes and raises none",
                )
            },
            Action::Ruling => Authors::everywhere(
                &[Actor::Scorer, Actor::Umpire],
                "disputes are ruled on by the scorer or an umpire",
            ),
        }
    }

    /// The action behind an event.
    pub fn of(data: &EventData) -> Action {
        match data {
            EventData::MatchCreated(_) => Action::Creation,
            EventData::SetUp(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::Ball(_) => Action::Play,
            EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => Action::SideAct,
            EventData::Review(_) => Action::Review,
            EventData::SideClaimed(_) => Action::Claim,
            EventData::TokenRotated(_) => Action::Rotation,
            EventData::MatchCompleted(_) => Action::Completion,
            EventData::MatchAbandoned(_) => Action::Abandonment,
            EventData::Correction(_) | EventData::Restoration(_) => Action::Correction,
            EventData::CorrectionProposed(_) => Action::Proposal,
            EventData::CorrectionConsented(_) => Action::Consent,
            EventData::Dispute(_) => Action::Dispute,
            EventData::DisputeRuled(_) => Action::Ruling,
        }
    }

    /// The action behind an input.
    pub fn of_input(input: &Input) -> Action {
        match input {
            Input::Toss { .. }
            | Input::ReportedToss { .. }
            | Input::TossDecision { .. }
            | Input::Play(_)
            | Input::Agreed(..) => Action::Play,
            Input::Review { .. } | Input::Accept { .. } => Action::Review,
            Input::Abandon { .. } => Action::Abandonment,
        }
    }

    /// The refusal for an actor to whom the action is not permitted.
    pub fn refusal(self) -> Refusal {
        not_yours(self.authors().refusal)
    }
}

pub(super) fn not_yours(message: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::NotYours, Place::Input, message)
}
