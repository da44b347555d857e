//! Permissions: who may do what in a match, which the service asks for every request and the audit for every
//! recorded event.

mod actions;
mod inputs;
mod recorded;

pub use self::actions::Action;
use self::actions::not_yours;
pub use self::recorded::PrecedingEvent;
use super::Match;
use crate::log::{Actor, ClientSeeds, DiceMode, EventData, MatchCreated, SeedSource};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::Side;

/// The two questions that the table answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionQuestion {
    /// Whether an actor may do something now.
    Now,
    /// Whether an actor may have done something in the log, which an earlier version of the service may have
    /// written.
    Recorded,
}

/// The permissions of a match as it is now.
#[derive(Clone, Copy)]
pub struct Permissions<'a> {
    the_match: &'a Match,
}

impl<'a> Permissions<'a> {
    /// The permissions of this match.
    pub fn of(the_match: &'a Match) -> Permissions<'a> {
        Permissions { the_match }
    }

    /// Whether the match has remote play.
    fn is_remote(&self) -> bool {
        self.the_match.play().info().created.remote
    }

    /// Refuses an action to an actor to whom it is not permitted. Nobody acts for a side before it is
    /// claimed, nor as an umpire before a token for one is issued.
    pub fn permit_action(
        &self,
        actor: Actor,
        action: Action,
        asking: PermissionQuestion,
    ) -> Result<(), Refusal> {
        let authors = action.authors();
        let permitted = if self.is_remote() { authors.in_remote_play } else { authors.at_one_table };
        let in_earlier_versions =
            asking == PermissionQuestion::Recorded && authors.in_earlier_versions.contains(&actor);
        if !permitted.contains(&actor) && !in_earlier_versions {
            return Err(action.refusal());
        }
        match (actor.side(), actor) {
            (Some(side), _) if action != Action::Claim => self.permit_claimed(side),
            (_, Actor::Umpire) if !self.the_match.adjudication().has_umpire() => {
                Err(not_yours("no umpire's token has been issued, so nobody can have acted as an umpire"))
            }
            _ => Ok(()),
        }
    }

    fn permit_claimed(&self, side: Side) -> Result<(), Refusal> {
        if self.the_match.remote().is_claimed(side) {
            return Ok(());
        }
        Err(not_yours(format!("nobody has claimed the {side} side, so nobody can have acted for it")))
    }

    /// Refuses an event of adjudication to an actor to whom it is not permitted.
    pub fn permit_adjudication(
        &self,
        actor: Actor,
        event: &EventData,
        asking: PermissionQuestion,
    ) -> Result<(), Refusal> {
        let action = Action::of(event);
        self.permit_action(actor, action, asking)?;
        let is_of = |side: Side| actor == Actor::from(side);
        let permitted = match event {
            EventData::CorrectionProposed(proposed) => proposed.by.map_or(actor == Actor::Scorer, is_of),
            EventData::CorrectionConsented(consented) => is_of(consented.side),
            // A side disputes for itself, the scorer for either. An umpire could do so in earlier versions.
            EventData::Dispute(dispute) => !is_of(dispute.by.other()),
            _ => true,
        };
        if permitted { Ok(()) } else { Err(action.refusal()) }
    }

    /// Refuses an event to an actor who has no part in a simulated match. The service plays such a match and
    /// its sides accept decisions; it has no tokens, so nothing else can happen to it.
    pub fn permit_simulated(&self, actor: Actor, recorded: &EventData) -> Result<(), Refusal> {
        let can_be = match recorded {
            EventData::Review(review) => actor == Actor::from(review.by()) && review.made().is_none(),
            EventData::Ball(ball) => ball.as_stood.is_none(),
            _ => true,
        };
        if can_be && Action::of(recorded).authors().simulated.contains(&actor) {
            return Ok(());
        }
        let message = "the service has created this match, so it is simulated: the service plays it, and its sides accept decisions";
        Err(not_yours(message))
    }
}

/// Refuses the creation of a match to an actor to whom it is not permitted. A match that the service
/// simulates has seeded dice with a given seed, and no remote play.
pub fn permit_creation(actor: Actor, created: &MatchCreated) -> Result<(), Refusal> {
    let authors = Action::Creation.authors();
    let can_be_simulated = created.dice == DiceMode::Seeded
        && created.seed_source == Some(SeedSource::Creator)
        && created.client_seeds == ClientSeeds::None
        && !created.remote;
    let is_simulated = can_be_simulated && authors.simulated.contains(&actor);
    let is_permitted = authors.at_one_table.contains(&actor) || is_simulated;
    if is_permitted { Ok(()) } else { Err(Action::Creation.refusal()) }
}

fn refuse<T>(why: RefusalKind, place: Place, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why, place, message))
}
