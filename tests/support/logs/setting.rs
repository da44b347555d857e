//! What is settled before play: the game, its options, the sides, on what terms they come together.

use std::sync::Arc;

use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::editions::{Editions, built_in_for};
use third_umpire::games;
use third_umpire::log::{EventData, SeedSource, TeamSheet};
use third_umpire::matches::{MatchSettings, new_match, new_match_with};
use third_umpire::rules::{Choices, Edition, Game, Refusal};

use super::{LogMaker, PlayedMatch};

/// The home side of matches in tables: A, players A1 to A11. It bats first.
pub const HOME: &str = "A";
/// The away side of matches in tables: B, players B1 to B11.
pub const AWAY: &str = "B";
/// The server seed of every seeded log that is made here.
pub const SEED: &str = "7c9f0b5de1a4426688ff31c2b75d90ae13579bdf02468acefdb97531eca86420";

/// What is settled before play; the defaults are those of most logs.
pub struct Setting {
    pub game: &'static str,
    pub rules: Value,
    pub home: TeamSheet,
    pub away: TeamSheet,
    pub terms: MatchSettings,
    /// The edition it is played with, where that is not the one its game comes with.
    pub edition: Option<Arc<Edition>>,
    /// Who is said to have given the seed, where there is one.
    pub seed_source: SeedSource,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            game: "howzat",
            rules: json!({"overs": 5}),
            home: sheet("Wanderers"),
            away: sheet("Rovers"),
            terms: MatchSettings::default(),
            edition: None,
            seed_source: SeedSource::Os,
        }
    }
}

impl Setting {
    /// A match of Howzat of so many overs a side.
    pub fn overs(overs: u16) -> Setting {
        Setting { rules: json!({"overs": overs}), ..Setting::default() }
    }

    /// A match of any game between [`sides`].
    pub fn of(game: &Game, rules: Value) -> Setting {
        let [home, away] = sides(game);
        Setting { game: game.id, rules, home, away, ..Setting::default() }
    }

    /// The match, with this seed or with dice of the table.
    pub fn open(self, seed: Option<ServerSeed>) -> Result<PlayedMatch, Refusal> {
        let game = games::find(self.game).expect("one of the games");
        let rules = object(self.rules);
        let given = seed.as_ref().map(|seed| (seed, self.seed_source));
        let created = match &self.edition {
            Some(edition) => {
                new_match_with(Some(edition), game, &rules, self.home, self.away, given, self.terms)
            }
            None => new_match(game, &rules, self.home, self.away, given, self.terms),
        };
        Ok(PlayedMatch::begun(EventData::MatchCreated(created?), Editions::from(self.edition.as_ref()), seed))
    }

    /// A log with dice from [`SEED`].
    pub fn seeded(self) -> LogMaker {
        LogMaker::of(self.open(Some(ServerSeed::from_hex(SEED).unwrap())).unwrap())
    }

    /// A log with dice that are rolled at the table.
    pub fn table(self) -> LogMaker {
        LogMaker::of(self.open(None).unwrap())
    }
}

pub fn howzat() -> &'static Game {
    games::find("howzat").expect("howzat is one of the games")
}

/// Eleven players: `A1` to `A11` of a side that is called by a letter, and `Wanderers 1` to `Wanderers 11` of
/// one with a name.
pub fn sheet(side: &str) -> TeamSheet {
    let blank = if side.len() > 1 { " " } else { "" };
    TeamSheet::of_names(side, (1..=11).map(|n| format!("{side}{blank}{n}")).collect())
}

/// The two sides of most tests of any game: A and B or, where players have cards, the first teams of the
/// game's edition.
pub fn sides(game: &Game) -> [TeamSheet; 2] {
    let Some(edition) = built_in_for(game) else { return [sheet(HOME), sheet(AWAY)] };
    let teams = edition.teams();
    [(HOME, teams[0]), (AWAY, teams[1])].map(|(side, team)| edition.team(side, team).expect("its team"))
}

/// Choices and options are JSON objects; so are these.
pub fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not a JSON object"),
    }
}
