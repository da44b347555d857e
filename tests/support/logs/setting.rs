//! The settings before play: the game, its options, the sides, and how they play together.

use std::sync::Arc;

use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::{EventData, SeedSource, TeamSheet};
use third_umpire::matches::{MatchSettings, new_match};
use third_umpire::rules::{Choices, Edition, Game, Refusal};

use super::{LogMaker, PlayedMatch};
use crate::coin_cricket::every_game;

/// The home side of matches in tables: A, players A1 to A11. It bats first.
pub const HOME: &str = "A";
/// The away side of matches in tables: B, players B1 to B11.
pub const AWAY: &str = "B";
/// The server seed of every seeded log of the kit.
pub const SEED: &str = "7c9f0b5de1a4426688ff31c2b75d90ae13579bdf02468acefdb97531eca86420";

/// The settings before play; the defaults are those of most logs.
pub struct Setting {
    /// The games and editions there are.
    pub known: Editions,
    pub game: &'static str,
    pub rules: Value,
    pub home: TeamSheet,
    pub away: TeamSheet,
    pub settings: MatchSettings,
    /// The edition, where it is not the game's built-in one.
    pub edition: Option<Arc<Edition>>,
    /// The recorded source of the seed, where there is one.
    pub seed_source: SeedSource,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            known: every_game(),
            game: "howzat",
            rules: json!({"overs": 5}),
            home: sheet("Wanderers"),
            away: sheet("Rovers"),
            settings: MatchSettings::default(),
            edition: None,
            seed_source: SeedSource::Os,
        }
    }
}

impl Setting {
    /// A match of Howzat with this number of overs a side.
    pub fn overs(overs: u16) -> Setting {
        Setting { rules: json!({"overs": overs}), ..Setting::default() }
    }

    /// A match of any game between [`sides`].
    pub fn of(game: &Game, rules: Value) -> Setting {
        let [home, away] = sides(game);
        Setting { game: game.info.id, rules, home, away, ..Setting::default() }
    }

    /// Creates the match, with this seed or with dice of the table.
    pub fn open(self, seed: Option<ServerSeed>) -> Result<PlayedMatch, Refusal> {
        let game = self.known.registry().find(self.game).expect("one of the games");
        let rules = object(self.rules);
        let given = seed.as_ref().map(|seed| (seed, self.seed_source));
        let edition = self.edition.or_else(|| self.known.built_in_for(game));
        let editions = self.known.only(edition.as_ref());
        let created =
            new_match(edition.as_deref(), game, &rules, self.home, self.away, given, self.settings)?;
        Ok(PlayedMatch::begun(EventData::MatchCreated(created), editions, seed))
    }

    /// Begins a log with dice from [`SEED`].
    pub fn seeded(self) -> LogMaker {
        LogMaker::of(self.open(Some(ServerSeed::from_hex(SEED).unwrap())).unwrap())
    }

    /// Begins a log with dice that are rolled at the table.
    pub fn table(self) -> LogMaker {
        LogMaker::of(self.open(None).unwrap())
    }
}

pub fn howzat() -> &'static Game {
    games::BUILT_IN.find("howzat").expect("howzat is one of the games")
}

/// A team sheet of eleven players: `A1` to `A11` for a side named by a letter, and `Wanderers 1` to
/// `Wanderers 11` for one with a name.
pub fn sheet(side: &str) -> TeamSheet {
    let blank = if side.len() > 1 { " " } else { "" };
    TeamSheet::of_names(side, (1..=11).map(|n| format!("{side}{blank}{n}")).collect())
}

/// The two sides in most tests of a game: A and B or, where players have cards, the first teams of its
/// edition.
pub fn sides(game: &Game) -> [TeamSheet; 2] {
    let Some(edition) = every_game().built_in_for(game) else { return [sheet(HOME), sheet(AWAY)] };
    let teams = edition.teams();
    [(HOME, teams[0]), (AWAY, teams[1])]
        .map(|(side, team)| edition.team(side, team).expect("the team has a card for each player"))
}

/// The members of a JSON object, as choices and options are.
pub fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not a JSON object"),
    }
}
