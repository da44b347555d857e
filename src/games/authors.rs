//! Who puts what into a match: one table that the service asks before it decides, and the audit of every event on record.
//!
//! The table knows the kinds of events and of actors. Whose choice an event was, of the two sides, is for
//! [`permit`](Fixture::permit) and [`permit_recorded`](Fixture::permit_recorded) to say.

use super::{Fixture, Input, Place, Play, Refusal, Why};
use crate::log::{Actor, EventData};
use crate::scorebook::Side;

/// The actors who put in events of some kinds.
pub struct Authors {
    /// Where one scorer may record both sides.
    at_one_table: &'static [Actor],
    /// Where the sides play from afar.
    from_afar: &'static [Actor],
    /// In the log of a match that was simulated.
    simulated: &'static [Actor],
    /// Those who could in an earlier version of the service, so that older logs have them beside the others.
    formerly: &'static [Actor],
    /// Whether a side does it that nobody has claimed before.
    unclaimed: bool,
    /// What everybody else is told.
    refusal: &'static str,
}

const SCORER: &[Actor] = &[Actor::Scorer];
const SIDES: &[Actor] = &[Actor::Home, Actor::Away];
const SCORER_AND_SIDES: &[Actor] = &[Actor::Scorer, Actor::Home, Actor::Away];
const SERVICE: &[Actor] = &[Actor::Service];

const CREATION: Authors = Authors {
    simulated: SERVICE,
    ..Authors::alike(
        &[Actor::Scorer, Actor::Admin],
        "a match is created by its scorer or by the admin, and by the service where it is simulated",
    )
};

const PLAY: Authors = Authors {
    simulated: SERVICE,
    ..Authors::alike(
        SCORER_AND_SIDES,
        "play is for the scorer and the sides; an umpire rules on disputes, and plays for nobody",
    )
};

/// From afar the scorer acts for no side; whoever asks for which side tells him so.
const OF_A_SIDE: Authors = Authors::alike(SCORER_AND_SIDES, "a side acts for itself, and not for the other");

const CLAIM: Authors =
    Authors { unclaimed: true, ..Authors::alike(SIDES, "a side is claimed by whoever holds its invite") };

/// The service accepts a decision that nobody can have reviewed any more, where an amended match goes on.
const REVIEW: Authors = Authors {
    from_afar: &[Actor::Home, Actor::Away, Actor::Service],
    simulated: SIDES,
    ..Authors::alike(
        &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Service],
        "a decision is reviewed or accepted by the side whose it is, and at one table by the scorer for it",
    )
};

const ROTATION: Authors = Authors::alike(
    &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Umpire, Actor::Admin],
    "a token is replaced by its holder, by the admin or by the scorer",
);

const COMPLETION: Authors =
    Authors { simulated: SERVICE, ..Authors::alike(SERVICE, "the end of a match is for the service to say") };

const ABANDONMENT: Authors = Authors::alike(
    SCORER_AND_SIDES,
    "a match is given up by its scorer, or by a side that has called for the other's seed in vain",
);

const CORRECTION: Authors = Authors {
    from_afar: SIDES,
    ..Authors::alike(SCORER, "a correction is for the scorer to make; from afar, for both sides")
};

const PROPOSAL: Authors =
    Authors::alike(SCORER_AND_SIDES, "a correction is for a side or the scorer to propose");

const CONSENT: Authors = Authors::alike(SIDES, "a side consents for itself, with its own token");

const DISPUTE: Authors = Authors {
    formerly: &[Actor::Umpire],
    ..Authors::alike(
        SCORER_AND_SIDES,
        "a side disputes for itself, and the scorer for either; an umpire rules on disputes, and raises none",
    )
};

const RULING: Authors =
    Authors::alike(&[Actor::Scorer, Actor::Umpire], "disputes are ruled on by the scorer or an umpire");

impl Authors {
    /// The authors of an event.
    pub fn of(data: &EventData) -> &'static Authors {
        match data {
            EventData::MatchCreated(_) => &CREATION,
            EventData::SetUp(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::Ball(_) => &PLAY,
            EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => &OF_A_SIDE,
            EventData::Review(_) => &REVIEW,
            EventData::SideClaimed(_) => &CLAIM,
            EventData::TokenRotated(_) => &ROTATION,
            EventData::MatchCompleted(_) => &COMPLETION,
            EventData::MatchAbandoned(_) => &ABANDONMENT,
            EventData::Correction(_) => &CORRECTION,
            EventData::CorrectionProposed(_) => &PROPOSAL,
            EventData::CorrectionConsented(_) => &CONSENT,
            EventData::Dispute(_) => &DISPUTE,
            EventData::DisputeRuled(_) => &RULING,
        }
    }

    /// The authors of what follows from an input.
    pub(super) fn of_input(input: &Input) -> &'static Authors {
        match input {
            Input::Toss { .. } | Input::TossDecision { .. } | Input::AsStood(..) => &PLAY,
            Input::Play(Play::SetUp(_) | Play::Over(_) | Play::Ball(_) | Play::Choose(_) | Play::Auto(_)) => {
                &PLAY
            }
            Input::Review { .. } | Input::Accept { .. } => &REVIEW,
            Input::Abandon { .. } => &ABANDONMENT,
        }
    }

    /// Authors who are the same at one table and from afar, and of no simulated match.
    const fn alike(actors: &'static [Actor], refusal: &'static str) -> Authors {
        Authors {
            at_one_table: actors,
            from_afar: actors,
            simulated: &[],
            formerly: &[],
            unclaimed: false,
            refusal,
        }
    }

    /// Whether this actor is one of them.
    fn include(&self, actor: Actor, remote: bool, formerly: bool) -> bool {
        let now = if remote { self.from_afar } else { self.at_one_table };
        now.contains(&actor) || (formerly && self.formerly.contains(&actor))
    }

    /// Refuses, and says who they are.
    pub(super) fn refuse<T>(&self) -> Result<T, Refusal> {
        refuse(self.refusal)
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(Why::NotYours, Place::Input, message))
}

impl Fixture {
    /// Refuses what this actor does not put in; `formerly` takes what an earlier version of the service allowed. Nobody acts
    /// for a side before it is claimed, nor as an umpire before there is a token for one.
    pub(super) fn check_author(
        &self,
        actor: Actor,
        authors: &Authors,
        formerly: bool,
    ) -> Result<(), Refusal> {
        if !authors.include(actor, self.created.remote, formerly) {
            return authors.refuse();
        }
        match actor {
            Actor::Home if !authors.unclaimed => self.check_claimed_by(Side::Home),
            Actor::Away if !authors.unclaimed => self.check_claimed_by(Side::Away),
            Actor::Umpire if !self.proceedings.has_umpire => {
                refuse("no umpire's token has been given, so nobody can have acted as an umpire")
            }
            _ => Ok(()),
        }
    }

    fn check_claimed_by(&self, side: Side) -> Result<(), Refusal> {
        if self.is_claimed(side) {
            return Ok(());
        }
        refuse(format!("nobody has claimed the {side} side, so nobody can have acted for it"))
    }

    /// Refuses an event that is not in the log of a simulated match, or not on this actor's word: such a match has no tokens.
    pub fn permit_simulated(&self, actor: Actor, recorded: &EventData) -> Result<(), Refusal> {
        let own = match recorded {
            EventData::Review(review) => actor == Actor::from(review.by()) && review.made().is_none(),
            _ => true,
        };
        if own && Authors::of(recorded).simulated.contains(&actor) {
            return Ok(());
        }
        refuse(
            "the service has created this match, so it is simulated: the service plays it, and its sides accept",
        )
    }
}

/// Refuses a match that this actor does not create.
pub fn permit_creation(actor: Actor) -> Result<(), Refusal> {
    let creates = CREATION.at_one_table.contains(&actor) || CREATION.simulated.contains(&actor);
    if creates { Ok(()) } else { CREATION.refuse() }
}

/// Refuses disputes to an actor who raises none, whatever they are about.
pub fn permit_dispute(actor: Actor) -> Result<(), Refusal> {
    if DISPUTE.at_one_table.contains(&actor) { Ok(()) } else { DISPUTE.refuse() }
}
