use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Role;
use crate::canonical::canonical_form;
use crate::scorebook::Side;

canonical_form! {
    /// The author of an event.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    pub enum Actor {
        /// The holder of the scorer's token.
        #[serde(rename = "scorer")]
        Scorer,
        /// The home side.
        #[serde(rename = "home")]
        Home,
        /// The away side.
        #[serde(rename = "away")]
        Away,
        /// The holder of the umpire's token.
        #[serde(rename = "umpire")]
        Umpire,
        /// The holder of the admin token.
        #[serde(rename = "admin")]
        Admin,
        /// The service itself, when an event follows from the rules.
        #[serde(rename = "service")]
        Service,
    }
}

impl Actor {
    /// The side of the actor, if the actor is a side.
    pub const fn side(self) -> Option<Side> {
        match self {
            Actor::Home => Some(Side::Home),
            Actor::Away => Some(Side::Away),
            Actor::Scorer | Actor::Umpire | Actor::Admin | Actor::Service => None,
        }
    }
}

impl From<Side> for Actor {
    fn from(side: Side) -> Actor {
        match side {
            Side::Home => Actor::Home,
            Side::Away => Actor::Away,
        }
    }
}

impl Actor {
    /// The role of the token with which the actor writes; none for the admin and the service.
    pub fn role(self) -> Option<Role> {
        Role::ALL.into_iter().find(|role| Actor::from(*role) == self)
    }
}

impl From<Role> for Actor {
    fn from(role: Role) -> Actor {
        match role {
            Role::Scorer => Actor::Scorer,
            Role::Home => Actor::Home,
            Role::Away => Actor::Away,
            Role::Umpire => Actor::Umpire,
        }
    }
}
