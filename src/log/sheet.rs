//! Team sheets: the name of a side and its players, with player cards in games that have them.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::canonical::{Canonical, Cursor, NotCanonical, write_string};

/// The team sheet of a side: its name and its players.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "SheetRecord", into = "SheetRecord")]
pub struct TeamSheet {
    /// The name of the side, of 1 to 100 characters.
    pub name: String,
    /// The players in batting order, 1 to 100 characters each, no two alike. The game says how many.
    /// In a game with player cards, each player is an object: his name, and the members of his card.
    #[schema(value_type = Vec<PlayerEntry>)]
    pub players: Vec<String>,
    /// The members of their cards, in the order of the players; empty in a game without player cards.
    #[schema(ignore)]
    pub cards: Vec<Map<String, Value>>,
}

/// A player on a team sheet: his name, or his card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlayerEntry {
    /// The name of the player.
    Name(String),
    /// The card of the player, with his name as `name`.
    #[schema(value_type = Object)]
    Card(Map<String, Value>),
}

/// The names of a side's players, and the members of their cards.
pub type NamedSquad = (Vec<String>, Vec<Map<String, Value>>);

const NAME: &str = "name";

impl TeamSheet {
    /// The sheet of a side whose players have no cards.
    pub fn of_names(name: impl Into<String>, players: Vec<String>) -> TeamSheet {
        TeamSheet { name: name.into(), players, cards: Vec::new() }
    }

    /// The card of a player with his name, in its form for JSON.
    fn card(&self, place: usize) -> Option<Map<String, Value>> {
        let (name, card) = (self.players.get(place)?, self.cards.get(place)?);
        let mut card = card.clone();
        card.insert(NAME.to_owned(), Value::from(name.as_str()));
        Some(card)
    }

    /// The players in their form for JSON: cards if every player has one, else names.
    fn entries(&self) -> Vec<PlayerEntry> {
        let names = self.players.iter().enumerate();
        names
            .map(|(place, name)| {
                self.card(place).map_or_else(|| PlayerEntry::Name(name.clone()), PlayerEntry::Card)
            })
            .collect()
    }
}

/// A fault of a player on a team sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct EntryFault {
    /// The path of the fault, e.g. `players[4]`.
    pub path: String,
    /// The reason: what is wrong, and what would be right.
    pub reason: &'static str,
}

impl PlayerEntry {
    /// Splits entries into names and cards; refuses entries of which only some are cards, and cards without a
    /// name.
    pub fn squad(entries: Vec<PlayerEntry>) -> Result<NamedSquad, EntryFault> {
        let (mut names, mut cards) = (Vec::with_capacity(entries.len()), Vec::new());
        for (place, entry) in entries.into_iter().enumerate() {
            let fault = |field: &str, reason| EntryFault { path: format!("players[{place}]{field}"), reason };
            match entry {
                PlayerEntry::Name(name) => names.push(name),
                PlayerEntry::Card(mut card) => match card.remove(NAME) {
                    Some(Value::String(name)) => {
                        names.push(name);
                        cards.push(card);
                    }
                    _ => return Err(fault(".name", "a player's card has a name, which is a string")),
                },
            }
            if !cards.is_empty() && cards.len() != names.len() {
                return Err(fault("", "players are all names, or all cards with a name"));
            }
        }
        Ok((names, cards))
    }
}

impl<'de> Deserialize<'de> for PlayerEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerEntry, D::Error> {
        struct Either;

        impl<'de> de::Visitor<'de> for Either {
            type Value = PlayerEntry;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a player's name, or an object with his name and what his card says")
            }

            fn visit_str<E>(self, name: &str) -> Result<PlayerEntry, E> {
                Ok(PlayerEntry::Name(name.to_owned()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, members: A) -> Result<PlayerEntry, A::Error> {
                let members = de::value::MapAccessDeserializer::new(members);
                Map::deserialize(members).map(PlayerEntry::Card)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetRecord {
    name: String,
    players: Vec<PlayerEntry>,
}

impl TryFrom<SheetRecord> for TeamSheet {
    type Error = EntryFault;

    fn try_from(record: SheetRecord) -> Result<TeamSheet, EntryFault> {
        let (players, cards) = PlayerEntry::squad(record.players)?;
        Ok(TeamSheet { name: record.name, players, cards })
    }
}

impl From<TeamSheet> for SheetRecord {
    fn from(sheet: TeamSheet) -> SheetRecord {
        SheetRecord { players: sheet.entries(), name: sheet.name }
    }
}

impl Canonical for PlayerEntry {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            PlayerEntry::Name(name) => name.write(out),
            PlayerEntry::Card(card) => card.write(out),
        }
    }

    fn read(text: &mut Cursor<'_>) -> Option<PlayerEntry> {
        if let Some(name) = String::read(text) {
            return Some(PlayerEntry::Name(name));
        }
        Canonical::read(text).map(PlayerEntry::Card)
    }
}

impl Canonical for TeamSheet {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        out.push_str("{\"name\":");
        write_string(&self.name, out);
        out.push_str(",\"players\":");
        if self.cards.is_empty() {
            self.players.write(out)?
        } else {
            self.entries().write(out)?
        }
        out.push('}');
        Ok(())
    }

    fn read(text: &mut Cursor<'_>) -> Option<TeamSheet> {
        text.take("{\"name\":")?;
        let name = String::read(text)?;
        text.take(",\"players\":")?;
        let (players, cards) = PlayerEntry::squad(Vec::read(text)?).ok()?;
        text.take("}")?;
        Some(TeamSheet { name, players, cards })
    }
}
