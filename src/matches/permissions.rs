//! The permissions of a match: one table of deeds and their actors, which the service asks for every request
//! and the audit for every recorded event.
//!
//! The table knows deeds and actors only. Which of the two sides an event belongs to is checked by
//! [`permit`](Match::permit) for the service, and by [`permit_recorded`](Match::permit_recorded) for the
//! audit.

use super::{DisputeCommand, Input, Match};
use crate::log::{Actor, ClientSeeds, DiceMode, EventData, MatchCreated, SeedSource};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Side;

/// A deed: kinds of events that are for one set of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// The creation of a match.
    Creation,
    /// Play, from the set-up and the toss on.
    Play,
    /// An act of one side: a part of the seed, a choice, a call on the other side.
    OfASide,
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

/// The two questions that the table answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Whether an actor may do something now.
    Now,
    /// Whether an actor may have done something in the log, which an earlier version of the service may have
    /// written.
    Recorded,
}

/// The actors to whom a deed is permitted.
struct Authors {
    /// The actors of a match at one table, where one scorer may record both sides.
    at_one_table: &'static [Actor],
    /// The actors of a match with remote play.
    in_remote_play: &'static [Actor],
    /// The actors of a match that the service simulates.
    simulated: &'static [Actor],
    /// The actors whom only an earlier version of the service permitted.
    in_earlier_versions: &'static [Actor],
    /// The message of the refusal for every other actor.
    refusal: &'static str,
}

const SIDES: &[Actor] = &[Actor::Home, Actor::Away];
const SCORER_AND_SIDES: &[Actor] = &[Actor::Scorer, Actor::Home, Actor::Away];
const SERVICE: &[Actor] = &[Actor::Service];

impl Authors {
    /// The authors of a deed that has the same actors at one table and in remote play, and none in a
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

impl Deed {
    const fn authors(self) -> Authors {
        match self {
            Deed::Creation => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(
                    &[Actor::Scorer, Actor::Admin],
                    "a match is created by its scorer or the admin, and a simulated match by the service",
                )
            },
            Deed::Play => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(
                    SCORER_AND_SIDES,
                    "only the scorer and the sides play a match; an umpire only rules on disputes",
                )
            },
            Deed::OfASide => Authors {
                in_remote_play: SIDES,
                ..Authors::everywhere(SCORER_AND_SIDES, "a side acts only for itself")
            },
            Deed::Claim => Authors::everywhere(SIDES, "a side is claimed with its invite"),
            // When an amended match goes on, the service accepts decisions that nobody can have reviewed any
            // more.
            Deed::Review => Authors {
                in_remote_play: &[Actor::Home, Actor::Away, Actor::Service],
                simulated: SIDES,
                ..Authors::everywhere(
                    &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Service],
                    "a decision is reviewed or accepted by its side, and at one table also by the scorer",
                )
            },
            Deed::Rotation => Authors::everywhere(
                &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Umpire, Actor::Admin],
                "a token is replaced by its holder, by the admin or by the scorer",
            ),
            Deed::Completion => Authors {
                simulated: SERVICE,
                ..Authors::everywhere(SERVICE, "only the service records the end of a match")
            },
            Deed::Abandonment => Authors::everywhere(
                SCORER_AND_SIDES,
                "a match is abandoned by its scorer, or by a side after the other side's timeout over its seed",
            ),
            Deed::Correction => Authors {
                in_remote_play: SIDES,
                ..Authors::everywhere(
                    &[Actor::Scorer],
                    "the scorer makes corrections; in remote play both sides agree on them",
                )
            },
            Deed::Proposal => {
                Authors::everywhere(SCORER_AND_SIDES, "a correction is proposed by a side or the scorer")
            }
            Deed::Consent => Authors::everywhere(SIDES, "a side consents for itself, with its own token"),
            Deed::Dispute => Authors {
                in_earlier_versions: &[Actor::Umpire],
                ..Authors::everywhere(
                    SCORER_AND_SIDES,
                    "a side raises disputes for itself, and the scorer for either side; an umpire rules on disputes and raises none",
                )
            },
            Deed::Ruling => Authors::everywhere(
                &[Actor::Scorer, Actor::Umpire],
                "disputes are ruled on by the scorer or an umpire",
            ),
        }
    }

    /// The deed behind an event.
    pub fn of(data: &EventData) -> Deed {
        match data {
            EventData::MatchCreated(_) => Deed::Creation,
            EventData::SetUp(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::Ball(_) => Deed::Play,
            EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => Deed::OfASide,
            EventData::Review(_) => Deed::Review,
            EventData::SideClaimed(_) => Deed::Claim,
            EventData::TokenRotated(_) => Deed::Rotation,
            EventData::MatchCompleted(_) => Deed::Completion,
            EventData::MatchAbandoned(_) => Deed::Abandonment,
            EventData::Correction(_) => Deed::Correction,
            EventData::CorrectionProposed(_) => Deed::Proposal,
            EventData::CorrectionConsented(_) => Deed::Consent,
            EventData::Dispute(_) => Deed::Dispute,
            EventData::DisputeRuled(_) => Deed::Ruling,
        }
    }

    /// The deed behind an input.
    pub fn of_input(input: &Input) -> Deed {
        match input {
            Input::Toss { .. } | Input::TossDecision { .. } | Input::Play(_) | Input::AsStood(..) => {
                Deed::Play
            }
            Input::Review { .. } | Input::Accept { .. } => Deed::Review,
            Input::Abandon { .. } => Deed::Abandonment,
        }
    }

    /// The deed behind a command about a dispute.
    pub fn of_word(word: &DisputeCommand) -> Deed {
        match word {
            DisputeCommand::Dispute { .. } => Deed::Dispute,
            DisputeCommand::Rule(_) => Deed::Ruling,
        }
    }

    /// The refusal for an actor to whom the deed is not permitted.
    pub fn refusal(self) -> Refusal {
        not_yours(self.authors().refusal)
    }
}

fn not_yours(message: impl Into<String>) -> Refusal {
    Refusal::new(Why::NotYours, Place::Input, message)
}

impl Match {
    /// Refuses a deed to an actor to whom it is not permitted. Nobody acts for a side before it is claimed,
    /// nor as an umpire before a token for one is issued.
    pub fn permit_deed(&self, actor: Actor, deed: Deed, asking: Asking) -> Result<(), Refusal> {
        let authors = deed.authors();
        let permitted = if self.created.remote { authors.in_remote_play } else { authors.at_one_table };
        let in_earlier_versions = asking == Asking::Recorded && authors.in_earlier_versions.contains(&actor);
        if !permitted.contains(&actor) && !in_earlier_versions {
            return Err(deed.refusal());
        }
        match (actor.side(), actor) {
            (Some(side), _) if deed != Deed::Claim => self.permit_claimed(side),
            (_, Actor::Umpire) if !self.adjudication.has_umpire => {
                Err(not_yours("no umpire's token has been issued, so nobody can have acted as an umpire"))
            }
            _ => Ok(()),
        }
    }

    fn permit_claimed(&self, side: Side) -> Result<(), Refusal> {
        if self.is_claimed(side) {
            return Ok(());
        }
        Err(not_yours(format!("nobody has claimed the {side} side, so nobody can have acted for it")))
    }

    /// Refuses an event to an actor who has no part in a simulated match. The service plays such a match and
    /// its sides accept decisions; it has no tokens, so nothing else can happen to it.
    pub fn permit_simulated(&self, actor: Actor, recorded: &EventData) -> Result<(), Refusal> {
        let can_be = match recorded {
            EventData::Review(review) => actor == Actor::from(review.by()) && review.made().is_none(),
            EventData::Ball(ball) => ball.as_stood.is_none(),
            _ => true,
        };
        if can_be && Deed::of(recorded).authors().simulated.contains(&actor) {
            return Ok(());
        }
        let message = "the service has created this match, so it is simulated: the service plays it, and its sides accept decisions";
        Err(not_yours(message))
    }
}

/// Refuses the creation of a match to an actor to whom it is not permitted. A match that the service
/// simulates has seeded dice with a given seed, and no remote play.
pub fn permit_creation(actor: Actor, created: &MatchCreated) -> Result<(), Refusal> {
    let authors = Deed::Creation.authors();
    let can_be_simulated = created.dice == DiceMode::Seeded
        && created.seed_source == Some(SeedSource::Creator)
        && created.client_seeds == ClientSeeds::None
        && !created.remote;
    let is_simulated = can_be_simulated && authors.simulated.contains(&actor);
    let is_permitted = authors.at_one_table.contains(&actor) || is_simulated;
    if is_permitted { Ok(()) } else { Err(Deed::Creation.refusal()) }
}
