use crate::log::{Actor, Event, EventData, Role};
use crate::scorebook::{BySide, Side};

/// The events that issued the tokens of a match. No correction takes a token back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IssuedTokens {
    claims: BySide<Option<u64>>,
    rotations: RoleRotations,
    /// The last event by the scorer, live or void.
    scorer_acted: u64,
    /// Whether the service has created the match, which then is simulated.
    is_simulated: bool,
}

/// The last rotation of each role's token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct RoleRotations {
    scorer: Option<u64>,
    sides: BySide<Option<u64>>,
    umpire: Option<u64>,
}

impl IssuedTokens {
    /// Takes in the next event of the log.
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.data {
            EventData::SideClaimed(claimed) => self.claims[claimed.side] = Some(event.seq),
            EventData::TokenRotated(rotated) => *self.rotations.of_mut(rotated.role) = Some(event.seq),
            EventData::MatchCreated(_) => self.is_simulated = event.actor == Actor::Service,
            _ => {}
        }
        if event.actor == Actor::Scorer {
            self.scorer_acted = event.seq;
        }
    }

    /// Whether the scorer has done nothing since the rotation of the scorer's token. Whoever has handed over
    /// can then come back.
    pub fn has_way_back(&self) -> bool {
        self.rotations.scorer.is_some_and(|rotated| self.scorer_acted <= rotated)
    }

    /// Whether the match is simulated, so that nobody scores it.
    pub fn is_simulated(&self) -> bool {
        self.is_simulated
    }

    /// The event that claimed a side, if its token is still the one of the claim.
    pub fn claim(&self, side: Side) -> Option<u64> {
        self.claims[side].filter(|_| self.rotation(Role::from(side)).is_none())
    }

    /// The event that replaced the token of a role last.
    pub fn rotation(&self, role: Role) -> Option<u64> {
        match role {
            Role::Scorer => self.rotations.scorer,
            Role::Home => self.rotations.sides.home,
            Role::Away => self.rotations.sides.away,
            Role::Umpire => self.rotations.umpire,
        }
    }
}

impl RoleRotations {
    fn of_mut(&mut self, role: Role) -> &mut Option<u64> {
        match role {
            Role::Scorer => &mut self.scorer,
            Role::Home => &mut self.sides.home,
            Role::Away => &mut self.sides.away,
            Role::Umpire => &mut self.umpire,
        }
    }
}
