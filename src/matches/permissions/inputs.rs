//! Permissions of inputs, and of what a side does for itself: a side acts only for itself, and the scorer of
//! a match at one table for both.

use chrono::{DateTime, Utc};

use super::{Action, PermissionQuestion, Permissions, refuse};
use crate::log::{Actor, Role};
use crate::matches::Input;
use crate::rules::{Next, Place, Play, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Permissions<'_> {
    /// Refuses an input that is not this actor's. A side chooses only for itself. The scorer of a match may
    /// enter everything, except in remote play.
    pub fn permit_input(&self, actor: Actor, input: &Input, now: DateTime<Utc>) -> Result<(), Refusal> {
        self.permit_action(actor, Action::of_input(input), PermissionQuestion::Now)?;
        let side = actor.side();
        if side.is_none() && !self.is_remote() {
            return Ok(());
        }
        let owner = match (input, self.the_match.next()) {
            (Input::Abandon { .. }, _) => return self.permit_abandonment(side, now),
            (Input::Toss { caller, .. }, _) => Some(*caller),
            // Nobody reports a toss there: the rules say why.
            (Input::ReportedToss { .. }, _) if self.is_remote() => return Ok(()),
            (Input::ReportedToss { winner }, _) => Some(*winner),
            // The actor does not matter then: the review comes first.
            (Input::Play(_) | Input::Agreed(..), _) if self.the_match.reviews().open().is_some() => {
                return self.the_match.reviews().refuse_if_open();
            }
            (Input::Review { by } | Input::Accept { by }, _) => Some(*by),
            (Input::Play(_), _) if self.the_match.remote().secret_choice().is_some() => {
                return self.the_match.remote().refuse_play();
            }
            (Input::Agreed(..), _) if self.is_remote() => {
                let message =
                    "in remote play both sides have to agree: bowl the ball, then propose an amendment";
                return refuse(RefusalKind::NotYours, Place::Input, message);
            }
            (Input::Play(Play::Auto(_)), _) => return self.permit_for_both(actor),
            (
                Input::Play(
                    Play::SetUp(choices) | Play::Over(choices) | Play::Ball(choices) | Play::Choose(choices),
                )
                | Input::Agreed(choices, _),
                next,
            ) => {
                let of_other = |name: &&String| {
                    side.is_none_or(|side| !self.the_match.remote().is_chosen_by(name, side))
                };
                if let Some(name) = choices.keys().find(of_other) {
                    return refuse(
                        RefusalKind::NotYours,
                        Place::Choice(name.clone()),
                        format!("{name} is not your choice here"),
                    );
                }
                match next {
                    Next::Choose { side, .. } => side,
                    Next::Roll { .. } | Next::Finished { .. } => None,
                }
            }
            (Input::TossDecision { .. }, Next::Choose { side, .. }) => side,
            (Input::TossDecision { .. }, Next::Roll { .. } | Next::Finished { .. }) => None,
        };
        match owner {
            Some(owner) if side != Some(owner) => {
                let message = format!("this is for the {owner} side to choose, with its own token");
                refuse(RefusalKind::NotYours, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Refuses to act for both sides to anybody but the scorer of a match without remote play.
    pub fn permit_for_both(&self, actor: Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Scorer if !self.is_remote() => Ok(()),
            Actor::Scorer => refuse(
                RefusalKind::NotYours,
                Place::Input,
                "in remote play each side acts with its own token",
            ),
            _ => Err(Action::SideAct.refusal()),
        }
    }

    /// Refuses to act for a side to anybody but the side itself, and the scorer of a match at one table.
    pub fn permit_side_act(&self, actor: Actor, side: Side) -> Result<(), Refusal> {
        self.permit_action(actor, Action::SideAct, PermissionQuestion::Now)?;
        if actor == Actor::from(side) { Ok(()) } else { self.permit_for_both(actor) }
    }

    /// Refuses to add to the seed for a side as [`permit_side_act`](Self::permit_side_act) does, and to the
    /// scorer for a side that is claimed: it can do so itself.
    pub fn permit_seed(&self, actor: Actor, side: Side) -> Result<(), Refusal> {
        self.permit_side_act(actor, side)?;
        if actor == Actor::from(side) { Ok(()) } else { self.refuse_seed_of_claimed(side) }
    }

    /// Refuses to add to the seed for a side that is claimed.
    pub(super) fn refuse_seed_of_claimed(&self, side: Side) -> Result<(), Refusal> {
        if self.the_match.remote().is_claimed(side) {
            let message =
                format!("the {side} side has been claimed, and adds to the seed with its own token");
            return refuse(RefusalKind::NotYours, Place::Input, message);
        }
        Ok(())
    }

    /// Refuses to replace a token to anybody but its holder, the admin, and the scorer of a match without
    /// remote play.
    pub fn permit_rotation(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        self.permit_action(actor, Action::Rotation, PermissionQuestion::Now)?;
        self.permit_for(actor, role)?;
        self.the_match.remote().check_token_exists(role)
    }

    /// Refuses to abandon a match to a side, unless the other side has timed out over its seed: without both
    /// seeds there is nothing to draw from. The scorer may always abandon.
    pub(super) fn permit_abandonment(&self, side: Option<Side>, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Some(side) = side else { return Ok(()) };
        if self.the_match.remote().waits_for_seeds()
            && self.the_match.remote().has_timed_out(side.other(), now)
        {
            return Ok(());
        }
        let message = "a side abandons a match only after the other side's timeout over its seed; the scorer may at any time";
        refuse(RefusalKind::NotYours, Place::Input, message)
    }

    pub(super) fn permit_for(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        // The scorer issues the token of an umpire.
        let issues = role == Role::Umpire && actor == Actor::Scorer;
        let is_own = actor == Actor::Admin || actor == Actor::from(role);
        if is_own || issues { Ok(()) } else { self.permit_for_both(actor) }
    }
}
