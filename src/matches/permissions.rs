//! Who puts what into a match: one table that the service asks of every request, and the audit of every event on record.
//!
//! The table knows deeds and actors. Which of the two sides an event was for is said by [`permit`](Fixture::permit) to the
//! service, and by [`permit_recorded`](Fixture::permit_recorded) to the audit.

use super::{Fixture, Input, Word};
use crate::log::{Actor, ClientSeeds, DiceMode, EventData, MatchCreated, SeedSource};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Side;

/// What somebody does to a match: events of some kinds, which the same actors put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A match is created.
    Creation,
    /// The match is played, from its set-up and its toss on.
    Play,
    /// A side adds to the seed, chooses for itself, or calls on the other.
    OfASide,
    /// A side is claimed.
    Claim,
    /// A decision is reviewed or accepted.
    Review,
    /// A token is replaced.
    Rotation,
    /// The match is over.
    Completion,
    /// The match is given up.
    Abandonment,
    /// Play is taken back or put right.
    Correction,
    /// A correction is proposed.
    Proposal,
    /// A side consents to a correction.
    Consent,
    /// A delivery is disputed.
    Dispute,
    /// A dispute is ruled on.
    Ruling,
}

/// The two questions that are asked of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Whether an actor may do something.
    Now,
    /// Whether an actor may have done something on record, be it in a log that an earlier version of the service wrote.
    OfTheRecord,
}

/// The actors of a deed.
struct Authors {
    /// The actors where one scorer may record both sides.
    at_one_table: &'static [Actor],
    /// The actors where the sides play from afar.
    from_afar: &'static [Actor],
    /// The actors in a match that the service simulates.
    simulated: &'static [Actor],
    /// The actors who were allowed to by an earlier version of the service.
    formerly: &'static [Actor],
    /// The sentence for every other actor.
    refusal: &'static str,
}

const SIDES: &[Actor] = &[Actor::Home, Actor::Away];
const SCORER_AND_SIDES: &[Actor] = &[Actor::Scorer, Actor::Home, Actor::Away];
const SERVICE: &[Actor] = &[Actor::Service];

impl Authors {
    /// Authors who are alike at one table and from afar, and of no simulated match.
    const fn alike(actors: &'static [Actor], refusal: &'static str) -> Authors {
        Authors { at_one_table: actors, from_afar: actors, simulated: &[], formerly: &[], refusal }
    }
}

impl Deed {
    const fn authors(self) -> Authors {
        match self {
            Deed::Creation => Authors {
                simulated: SERVICE,
                ..Authors::alike(
                    &[Actor::Scorer, Actor::Admin],
                    "a match is created by its scorer or by the admin, and by the service where it is simulated",
                )
            },
            Deed::Play => Authors {
                simulated: SERVICE,
                ..Authors::alike(
                    SCORER_AND_SIDES,
                    "play is for the scorer and the sides; an umpire rules on disputes, and plays for nobody",
                )
            },
            Deed::OfASide => Authors {
                from_afar: SIDES,
                ..Authors::alike(SCORER_AND_SIDES, "a side acts for itself, and not for the other")
            },
            Deed::Claim => Authors::alike(SIDES, "a side is claimed by whoever holds its invite"),
            // The service accepts what nobody can have reviewed any more, where an amended match goes on.
            Deed::Review => Authors {
                from_afar: &[Actor::Home, Actor::Away, Actor::Service],
                simulated: SIDES,
                ..Authors::alike(
                    &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Service],
                    "a decision is for its side to review or accept, and at one table for the scorer",
                )
            },
            Deed::Rotation => Authors::alike(
                &[Actor::Scorer, Actor::Home, Actor::Away, Actor::Umpire, Actor::Admin],
                "a token is replaced by its holder, by the admin or by the scorer",
            ),
            Deed::Completion => Authors {
                simulated: SERVICE,
                ..Authors::alike(SERVICE, "the end of a match is for the service to say")
            },
            Deed::Abandonment => Authors::alike(
                SCORER_AND_SIDES,
                "a match is given up by its scorer, or by a side that has called for the other's seed in vain",
            ),
            Deed::Correction => Authors {
                from_afar: SIDES,
                ..Authors::alike(
                    &[Actor::Scorer],
                    "a correction is for the scorer to make; from afar, for both sides",
                )
            },
            Deed::Proposal => {
                Authors::alike(SCORER_AND_SIDES, "a correction is for a side or the scorer to propose")
            }
            Deed::Consent => Authors::alike(SIDES, "a side consents for itself, with its own token"),
            Deed::Dispute => Authors {
                formerly: &[Actor::Umpire],
                ..Authors::alike(
                    SCORER_AND_SIDES,
                    "a side disputes for itself, and the scorer for either; an umpire rules on disputes, and raises none",
                )
            },
            Deed::Ruling => Authors::alike(
                &[Actor::Scorer, Actor::Umpire],
                "disputes are ruled on by the scorer or an umpire",
            ),
        }
    }

    /// The deed that an event is.
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

    /// The deed that an input asks for.
    pub fn of_input(input: &Input) -> Deed {
        match input {
            Input::Toss { .. } | Input::TossDecision { .. } | Input::Play(_) | Input::AsStood(..) => {
                Deed::Play
            }
            Input::Review { .. } | Input::Accept { .. } => Deed::Review,
            Input::Abandon { .. } => Deed::Abandonment,
        }
    }

    /// The deed that words about a match are.
    pub fn of_word(word: &Word) -> Deed {
        match word {
            Word::Dispute { .. } => Deed::Dispute,
            Word::Rule(_) => Deed::Ruling,
        }
    }

    /// The refusal for an actor who does not do this.
    pub fn refusal(self) -> Refusal {
        not_yours(self.authors().refusal)
    }
}

fn not_yours(message: impl Into<String>) -> Refusal {
    Refusal::new(Why::NotYours, Place::Input, message)
}

impl Fixture {
    /// Refuses a deed to an actor who does not do it. Nobody acts for a side before it is claimed, nor as an umpire before
    /// there is a token for one.
    pub fn permit_deed(&self, actor: Actor, deed: Deed, asking: Asking) -> Result<(), Refusal> {
        let authors = deed.authors();
        let now = if self.created.remote { authors.from_afar } else { authors.at_one_table };
        let formerly = asking == Asking::OfTheRecord && authors.formerly.contains(&actor);
        if !now.contains(&actor) && !formerly {
            return Err(deed.refusal());
        }
        match (actor.side(), actor) {
            (Some(side), _) if deed != Deed::Claim => self.permit_claimed(side),
            (_, Actor::Umpire) if !self.proceedings.has_umpire => {
                Err(not_yours("no umpire's token has been given, so nobody can have acted as an umpire"))
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

    /// Refuses an event to an actor who has no part in a simulated match: the service plays it, and its sides accept. Such a
    /// match has no tokens, so nothing else can be done to it.
    pub fn permit_simulated(&self, actor: Actor, recorded: &EventData) -> Result<(), Refusal> {
        let can_be = match recorded {
            EventData::Review(review) => actor == Actor::from(review.by()) && review.made().is_none(),
            EventData::Ball(ball) => ball.as_stood.is_none(),
            _ => true,
        };
        if can_be && Deed::of(recorded).authors().simulated.contains(&actor) {
            return Ok(());
        }
        let message = "the service has created this match, so it is simulated: the service plays it, and its sides accept";
        Err(not_yours(message))
    }
}

/// Refuses a match to an actor who does not create it. What the service simulates has dice from a seed that was given, and no
/// sides apart.
pub fn permit_creation(actor: Actor, created: &MatchCreated) -> Result<(), Refusal> {
    let authors = Deed::Creation.authors();
    let can_be_simulated = created.dice == DiceMode::Seeded
        && created.seed_source == Some(SeedSource::Creator)
        && created.client_seeds == ClientSeeds::None
        && !created.remote;
    let simulates = can_be_simulated && authors.simulated.contains(&actor);
    let creates = authors.at_one_table.contains(&actor) || simulates;
    if creates { Ok(()) } else { Err(Deed::Creation.refusal()) }
}
