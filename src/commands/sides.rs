//! The sides of a new match: their players by name, by card, or as a team of the edition.

use std::collections::HashMap;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

use crate::log::{PlayerEntry, TeamSheet, invisible_in, is_same_name, normal_name, seen_name, shown_name};
use crate::rules::{Edition, Place, Refusal, RefusalKind};
use crate::scorebook::Side;

/// A side of a new match.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSide {
    /// The side's name: 1 to 100 characters, which are recorded in NFC.
    pub name: String,
    /// The players of the side.
    pub players: NewPlayers,
}

/// The players of a side in batting order, 1 to 100 characters each, no two alike; the game says how many.
/// Their names are recorded in NFC.
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

/// The team sheets of both sides, as the log holds them. Two sides whose names look alike are refused.
pub fn team_sheets(
    home: NewSide,
    away: NewSide,
    edition: Option<&Edition>,
) -> Result<[TeamSheet; 2], Refusal> {
    let (home, away) = (home.sheet(Side::Home, edition)?, away.sheet(Side::Away, edition)?);
    if home.name != away.name && is_same_name(&home.name, &away.name) {
        return Err(refusal(Side::Away, "name", "the two sides have names that look alike".to_owned()));
    }
    Ok([home, away])
}

fn refusal(side: Side, field: &str, message: String) -> Refusal {
    Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("{side}.{field}")), message)
}

impl NewSide {
    /// The team sheet of the side, as the log holds it: its names in NFC. A team that the edition has not is
    /// refused, and so are players of whom only some have a card, names with a character that nobody sees,
    /// and players whose names look alike.
    fn sheet(self, side: Side, edition: Option<&Edition>) -> Result<TeamSheet, Refusal> {
        let refuse = |field: &str, message: String| refusal(side, field, message);
        let name = normal_name(&self.name);
        check_visible(side, "name", "the name", &name)?;
        match (self.players, edition) {
            (NewPlayers::Listed(entries), _) => {
                let (players, cards) = PlayerEntry::squad(entries)
                    .map_err(|fault| refuse(&fault.path, fault.reason.to_owned()))?;
                let players: Vec<String> = players.iter().map(|player| normal_name(player)).collect();
                check_players(side, &players)?;
                Ok(TeamSheet { name, players, cards })
            }
            (NewPlayers::Team(TeamNamed { team }), Some(edition)) => {
                let found = edition.team(&name, &team);
                found.map_err(|message| refuse("players.team", message).legal(edition.teams()))
            }
            (NewPlayers::Team(_), None) => {
                let message = "this game has no editions, and so no teams; players are names";
                Err(refuse("players", message.to_owned()))
            }
        }
    }
}

/// Refuses a player whose name has a character that nobody sees, or looks like that of a player before him.
fn check_players(side: Side, players: &[String]) -> Result<(), Refusal> {
    let mut before: HashMap<String, &str> = HashMap::new();
    for (place, name) in players.iter().enumerate() {
        let field = format!("players[{place}]");
        check_visible(side, &field, &format!("name {}", place + 1), name)?;
        if before.insert(seen_name(name), name).is_some_and(|other| other != name) {
            let name = shown_name(name);
            return Err(refusal(side, &field, format!("{name} is in the side twice, written in two ways")));
        }
    }
    Ok(())
}

/// Refuses a name with a character that nobody sees.
fn check_visible(side: Side, field: &str, which: &str, name: &str) -> Result<(), Refusal> {
    let Some(sign) = invisible_in(name) else { return Ok(()) };
    let sign = u32::from(sign);
    let name = shown_name(name);
    let message = format!("{which} of the {side} side, {name}, has an invisible character: U+{sign:04X}");
    Err(refusal(side, field, message))
}
