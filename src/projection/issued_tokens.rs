//! The tokens of a match, as its log tells of them: what issued each, and what its holder has written since.

use chrono::{DateTime, Utc};

use crate::log::{Actor, Event, EventData, Role};
use crate::scorebook::{BySide, Side};

/// The events that issued the tokens of a match. No correction takes a token back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IssuedTokens {
    claims: BySide<Option<u64>>,
    /// The last rotation of each role's token.
    rotations: ByRole<Option<u64>>,
    holders: ByRole<TokenHolder>,
    /// Whether the service has created the match, which then is simulated.
    is_simulated: bool,
}

/// The holder of a role's token, as the log tells of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenHolder {
    /// How many tokens the role has had: the number of this one.
    pub number: u32,
    /// The time at which the token was issued; none where the role has none yet.
    pub since: Option<DateTime<Utc>>,
    /// The time of the last event that was written with it, live or void.
    pub wrote: Option<DateTime<Utc>>,
}

/// A value for each role.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ByRole<T> {
    scorer: T,
    sides: BySide<T>,
    umpire: T,
}

impl IssuedTokens {
    /// Takes in the next event of the log.
    pub(super) fn apply(&mut self, event: &Event) {
        let issued = match &event.data {
            EventData::MatchCreated(_) => {
                self.is_simulated = event.actor == Actor::Service;
                Some(Role::Scorer)
            }
            EventData::SideClaimed(claimed) => {
                self.claims[claimed.side] = Some(event.seq);
                Some(Role::from(claimed.side))
            }
            EventData::TokenRotated(rotated) => {
                *self.rotations.get_mut(rotated.role) = Some(event.seq);
                Some(rotated.role)
            }
            _ => None,
        };
        // Whoever issues the token of another role writes; the holder of a new token has written nothing yet.
        if let Some(author) = event.actor.role() {
            self.holders.get_mut(author).wrote = Some(event.at);
        }
        if let Some(role) = issued {
            let holder = self.holders.get_mut(role);
            *holder = TokenHolder { number: holder.number + 1, since: Some(event.at), wrote: None };
        }
    }

    /// The holder of a role's token.
    pub fn holder(&self, role: Role) -> TokenHolder {
        self.holders.of(role)
    }

    /// Whether the scorer has done nothing since the rotation of the scorer's token. Whoever has handed over
    /// can then come back.
    pub fn has_way_back(&self) -> bool {
        self.rotations.scorer.is_some() && self.holders.scorer.wrote.is_none()
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
        self.rotations.of(role)
    }
}

impl<T: Copy> ByRole<T> {
    fn of(&self, role: Role) -> T {
        match role {
            Role::Scorer => self.scorer,
            Role::Home => self.sides.home,
            Role::Away => self.sides.away,
            Role::Umpire => self.umpire,
        }
    }

    fn get_mut(&mut self, role: Role) -> &mut T {
        match role {
            Role::Scorer => &mut self.scorer,
            Role::Home => &mut self.sides.home,
            Role::Away => &mut self.sides.away,
            Role::Umpire => &mut self.umpire,
        }
    }
}
