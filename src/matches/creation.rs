//! The creation of a match: the settings, the checks of team sheets and edition, and the first event of the
//! log.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use crate::canonical::canonical;
use crate::dice::{DICE_SPEC, ServerSeed};
use crate::log::{
    ClientSeeds, DiceMode, EditionRecord, InvalidEvent, MatchCreated, SeedSource, TeamSheet, is_hash,
};
use crate::rules::reading::name_fault;
use crate::rules::{Choices, DynGame, Edition, Game, Place, Refusal, RefusalKind};

/// The longest choice timeout, in seconds: thirty days.
const LONGEST_TIMEOUT: u64 = 2_592_000;

/// The settings of a match that are about its two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchSettings {
    /// The client seeds that go into the match seed.
    pub client_seeds: ClientSeeds,
    /// Whether the match has remote play: each side on a device of its own.
    pub remote: bool,
    /// The seconds in which a side that is called has to choose.
    pub choice_timeout: u64,
}

impl Default for MatchSettings {
    /// The settings of a match at one table: no client seeds, a day for each choice.
    fn default() -> MatchSettings {
        MatchSettings { client_seeds: ClientSeeds::None, remote: false, choice_timeout: 86_400 }
    }
}

/// Makes the first event of a match, with an edition if the game has editions; refuses illegal options and
/// team sheets. `seed` is the server seed of a seeded match, with its source.
pub fn new_match(
    edition: Option<&Edition>,
    game: &Game,
    rules: &Choices,
    home: TeamSheet,
    away: TeamSheet,
    seed: Option<(&ServerSeed, SeedSource)>,
    settings: MatchSettings,
) -> Result<MatchCreated, Refusal> {
    let created = MatchCreated {
        game: game.info.id.to_owned(),
        rules: (game.resolve_options)(rules)?,
        home: named(game, "Home", home),
        away: named(game, "Away", away),
        dice: if seed.is_some() { DiceMode::Seeded } else { DiceMode::Table },
        dice_spec: DICE_SPEC,
        seed_source: seed.map(|(_, source)| source),
        client_seeds: settings.client_seeds,
        remote: settings.remote,
        choice_timeout: settings.choice_timeout,
        commitment: seed.map(|(seed, _)| seed.commitment()),
        edition: edition.map(Edition::record),
    };
    open(game, &created, edition)?;
    Ok(created)
}

/// Names the players of a side that may come without names: `Home 1`, `Home 2` and so on.
fn named(game: &Game, side: &str, sheet: TeamSheet) -> TeamSheet {
    if game.info.nameless && sheet.players.is_empty() {
        let players = (1..=game.info.players).map(|place| format!("{side} {place}")).collect();
        return TeamSheet { players, ..sheet };
    }
    sheet
}

/// Refuses settings that would leave the dice, or a choice, in the hands of one side.
fn check_settings(game: &Game, created: &MatchCreated) -> Result<(), Refusal> {
    let refuse = |field: &str, message: String| {
        Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message))
    };
    let both = created.client_seeds == ClientSeeds::Both;
    if both && created.dice != DiceMode::Seeded {
        return refuse(
            "client_seeds",
            "client seeds go into the seed of a match with seeded dice".to_owned(),
        );
    }
    if both && created.seed_source == Some(SeedSource::Creator) {
        let message = "both sides add to the seed of this match, so nobody can give it; leave seed out";
        return refuse("seed", message.to_owned());
    }
    if !(1..=LONGEST_TIMEOUT).contains(&created.choice_timeout) {
        let message =
            format!("choice_timeout is 1 to {LONGEST_TIMEOUT} seconds, not {}", created.choice_timeout);
        return refuse("choice_timeout", message);
    }
    if !created.remote {
        return Ok(());
    }
    if !game.info.remote {
        return refuse("remote", format!("{} is played at one table; leave remote out", game.info.id));
    }
    if !both {
        let message = "remote play needs a seed from both sides: dice \"seeded\" and client_seeds \"both\"";
        return refuse("client_seeds", message.to_owned());
    }
    Ok(())
}

/// Opens the state of the game before the toss; refuses a match that cannot be played.
fn open(game: &Game, created: &MatchCreated, edition: Option<&Edition>) -> Result<Box<dyn DynGame>, Refusal> {
    let field = |name: &str| Place::Field(name.to_owned());
    if let Some(reason) = record_fault(game, created.edition.as_ref(), edition) {
        return Err(Refusal::new(RefusalKind::IllegalInput, field("edition"), reason));
    }
    check_sheet(game, "home", &created.home)?;
    check_sheet(game, "away", &created.away)?;
    if created.home.name == created.away.name {
        let message = "the two sides have the same name; they need different ones";
        return Err(Refusal::new(RefusalKind::IllegalInput, field("away.name"), message));
    }
    check_settings(game, created)?;
    (game.open)(&Arc::new(created.clone()), edition)
}

fn check_sheet(game: &Game, side: &str, sheet: &TeamSheet) -> Result<(), Refusal> {
    let refuse = |field: String, message: String| {
        Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("{side}.{field}")), message))
    };
    if let Some(fault) = name_fault(&sheet.name) {
        return refuse("name".to_owned(), fault);
    }
    if let Some((field, fault)) = cards_fault(game, sheet) {
        return refuse(field, fault);
    }
    let mut seen = HashSet::new();
    for (i, player) in sheet.players.iter().enumerate() {
        if let Some(fault) = name_fault(player) {
            return refuse(format!("players[{i}]"), fault);
        }
        if !seen.insert(player) {
            return refuse(format!("players[{i}]"), format!("{player:?} is in the side twice"));
        }
    }
    Ok(())
}

/// Opens the state of the game before the toss, from the first event of a log and the edition that it names.
pub(super) fn admit_created(
    game: &Game,
    created: &MatchCreated,
    edition: Option<&Edition>,
) -> Result<Box<dyn DynGame>, InvalidEvent> {
    let resolved = (game.resolve_options)(&created.rules)
        .map_err(|refusal| InvalidEvent::new("data.rules", refusal.message))?;
    if resolved != created.rules {
        return Err(InvalidEvent::new("data.rules", "must list every option with its value"));
    }
    if created.dice_spec != DICE_SPEC {
        return Err(InvalidEvent::new("data.dice_spec", format!("is {DICE_SPEC} in every log so far")));
    }
    let seeded = created.dice == DiceMode::Seeded;
    if created.commitment.is_some() != seeded || created.seed_source.is_some() != seeded {
        let reason = "a seeded match has a commitment and a seed source, and no other match has";
        return Err(InvalidEvent::new("data.commitment", reason));
    }
    if created.commitment.as_ref().is_some_and(|commitment| !is_hash(commitment)) {
        return Err(InvalidEvent::new("data.commitment", "is 64 lower-case hexadecimal digits"));
    }
    open(game, created, edition).map_err(|refusal| {
        let field = match &refusal.place {
            Place::Field(name) | Place::Choice(name) => format!("data.{name}"),
            Place::Input | Place::Die(_) => "data".to_owned(),
        };
        InvalidEvent::new(field, refusal.message)
    })
}

/// The reason why a match of this game cannot be played with this edition.
fn record_fault(game: &Game, record: Option<&EditionRecord>, edition: Option<&Edition>) -> Option<String> {
    let Some(record) = record else {
        let reason = || format!("{} is played with an edition: its id and sha256", game.info.id);
        return game.editions.is_some().then(reason);
    };
    if game.editions.is_none() {
        return Some(format!("{} has no editions: it is null", game.info.id));
    }
    match edition.filter(|edition| edition.sha256 == record.sha256) {
        None => Some(unknown(&record.sha256)),
        Some(edition) if edition.game != game.info.id => {
            Some(format!("edition {:?} is made for {}, not for {}", edition.id, edition.game, game.info.id))
        }
        Some(edition) if edition.id != record.id => {
            Some(format!("the edition of this hash is {:?}, not {:?}", edition.id, record.id))
        }
        Some(_) => None,
    }
}

fn unknown(sha256: &str) -> String {
    format!("edition {sha256} is not known here, and a match can be read only with its edition")
}

/// The reason why a side's player cards do not fit this game.
fn cards_fault(game: &Game, sheet: &TeamSheet) -> Option<(String, String)> {
    let of_all_players = |reason: String| Some(("players".to_owned(), reason));
    if game.editions.is_none() {
        let reason = || format!("{} has no player cards: players are names", game.info.id);
        return if sheet.cards.is_empty() { None } else { of_all_players(reason()) };
    }
    if !sheet.cards.is_empty() && sheet.cards.len() != sheet.players.len() {
        return of_all_players("either every player has a card, or none has".to_owned());
    }
    sheet.cards.iter().enumerate().find_map(|(place, card)| {
        let fault = canonical(&Value::Object(card.clone())).err()?;
        Some((format!("players[{place}]"), fault.to_string()))
    })
}
