use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::NotCanonical;
use super::canonical::write_string;
use super::codec::{Form, Text};

/// A side's name and players.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Written", into = "Written")]
pub struct TeamSheet {
    /// The side's name: 1 to 100 characters.
    pub name: String,
    /// The players in batting order: 1 to 100 characters each, no two alike. Howzat takes eleven. Where a game has player
    /// cards, each is an object: his name, and what his card says.
    #[schema(value_type = Vec<PlayerEntry>)]
    pub players: Vec<String>,
    /// What their cards say, in the same order; nothing where the game has no player cards.
    #[schema(ignore)]
    pub cards: Vec<Map<String, Value>>,
}

/// A player as he stands on a sheet: by his name, or by his card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlayerEntry {
    /// His name.
    Name(String),
    /// His name, as `name`, and what his card says.
    #[schema(value_type = Object)]
    Card(Map<String, Value>),
}

/// A side's players, and what their cards say.
pub type Squad = (Vec<String>, Vec<Map<String, Value>>);

const NAME: &str = "name";

impl TeamSheet {
    /// A side whose players have no cards.
    pub fn of_names(name: impl Into<String>, players: Vec<String>) -> TeamSheet {
        TeamSheet { name: name.into(), players, cards: Vec::new() }
    }

    /// A player's card with his name on it, as it is written.
    fn card(&self, place: usize) -> Option<Map<String, Value>> {
        let (name, card) = (self.players.get(place)?, self.cards.get(place)?);
        let mut card = card.clone();
        card.insert(NAME.to_owned(), Value::from(name.as_str()));
        Some(card)
    }

    /// The players as they are written: cards where there is one for each, else names.
    fn entries(&self) -> Vec<PlayerEntry> {
        let names = self.players.iter().enumerate();
        names
            .map(|(place, name)| {
                self.card(place).map_or_else(|| PlayerEntry::Name(name.clone()), PlayerEntry::Card)
            })
            .collect()
    }
}

/// What is wrong with a player as he stands on a sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct EntryFault {
    /// The place, e.g. `players[4]`.
    pub path: String,
    /// What is wrong there, and what would be right.
    pub reason: &'static str,
}

impl PlayerEntry {
    /// The players and their cards; says what is wrong where some come with a card and some without, or without a name.
    pub fn squad(entries: Vec<PlayerEntry>) -> Result<Squad, EntryFault> {
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
                    _ => return Err(fault(".name", "a player's card has his name on it, which is a string")),
                },
            }
            if !cards.is_empty() && cards.len() != names.len() {
                return Err(fault("", "players are all names, or all cards with a name on them"));
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
struct Written {
    name: String,
    players: Vec<PlayerEntry>,
}

impl TryFrom<Written> for TeamSheet {
    type Error = EntryFault;

    fn try_from(written: Written) -> Result<TeamSheet, EntryFault> {
        let (players, cards) = PlayerEntry::squad(written.players)?;
        Ok(TeamSheet { name: written.name, players, cards })
    }
}

impl From<TeamSheet> for Written {
    fn from(sheet: TeamSheet) -> Written {
        Written { players: sheet.entries(), name: sheet.name }
    }
}

impl Form for PlayerEntry {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            PlayerEntry::Name(name) => name.write(out),
            PlayerEntry::Card(card) => card.write(out),
        }
    }

    fn read(text: &mut Text<'_>) -> Option<PlayerEntry> {
        if let Some(name) = String::read(text) {
            return Some(PlayerEntry::Name(name));
        }
        Form::read(text).map(PlayerEntry::Card)
    }
}

impl Form for TeamSheet {
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

    fn read(text: &mut Text<'_>) -> Option<TeamSheet> {
        text.take("{\"name\":")?;
        let name = String::read(text)?;
        text.take(",\"players\":")?;
        let (players, cards) = PlayerEntry::squad(Vec::read(text)?).ok()?;
        text.take("}")?;
        Some(TeamSheet { name, players, cards })
    }
}
