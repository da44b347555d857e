//! The sides of a new match: their players by name, by card, or as a team of the edition.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

use crate::log::{PlayerEntry, TeamSheet};
use crate::rules::{Edition, Place, Refusal, RefusalKind};
use crate::scorebook::Side;

/// A side of a new match.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSide {
    /// The side's name: 1 to 100 characters.
    pub name: String,
    /// The players of the side.
    pub players: NewPlayers,
}

/// The players of a side in batting order, 1 to 100 characters each, no two alike; the game says how many.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum NewPlayers {
    /// A list of players: names, or cards where the game has player cards.
    Listed(Vec<PlayerEntry>),
    /// A team of the edition.
    Team(TeamNamed),
}

/// A team of an edition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamNamed {
    /// The name of the team in the edition.
    pub team: String,
}

impl<'de> Deserialize<'de> for NewPlayers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NewPlayers, D::Error> {
        struct Either;

        impl<'de> de::Visitor<'de> for Either {
            type Value = NewPlayers;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of players, or {\"team\": the name of a team of the edition}")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, items: A) -> Result<NewPlayers, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(items)).map(NewPlayers::Listed)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, members: A) -> Result<NewPlayers, A::Error> {
                TeamNamed::deserialize(MapAccessDeserializer::new(members)).map(NewPlayers::Team)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl NewSide {
    /// The team sheet of the side, as the log holds it. A team that the edition has not is refused, and so
    /// are players of whom only some have a card.
    pub fn sheet(self, side: Side, edition: Option<&Edition>) -> Result<TeamSheet, Refusal> {
        let refuse = |field: &str, message: String| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("{side}.{field}")), message)
        };
        match (self.players, edition) {
            (NewPlayers::Listed(entries), _) => {
                let (players, cards) = PlayerEntry::squad(entries)
                    .map_err(|fault| refuse(&fault.path, fault.reason.to_owned()))?;
                Ok(TeamSheet { name: self.name, players, cards })
            }
            (NewPlayers::Team(TeamNamed { team }), Some(edition)) => {
                let found = edition.team(&self.name, &team);
                found.map_err(|message| refuse("players.team", message).legal(edition.teams()))
            }
            (NewPlayers::Team(_), None) => {
                let message = "this game has no editions, and so no teams; players are names";
                Err(refuse("players", message.to_owned()))
            }
        }
    }
}
