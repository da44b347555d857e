use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use crate::dice::{DICE_SPEC, ServerSeed};
use crate::editions;
use crate::games;
use crate::log::{
    Broken, ClientSeeds, DiceMode, EditionRecord, MatchCreated, SeedSource, TeamSheet, canonical, is_hash,
};
use crate::rules::reading::name_fault;
use crate::rules::{Choices, Edition, Game, GameState, Place, Refusal, Why};

/// The most seconds a side may have to answer a call; thirty days.
const LONGEST_TIMEOUT: u64 = 2_592_000;

/// How the two sides come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Which client seeds go into the match seed.
    pub client_seeds: ClientSeeds,
    /// Whether each side plays from a device of its own.
    pub remote: bool,
    /// Seconds a side has to answer a call.
    pub choice_timeout: u64,
}

impl Default for Terms {
    /// One table, no client seeds, a day to answer.
    fn default() -> Terms {
        Terms { client_seeds: ClientSeeds::None, remote: false, choice_timeout: 86_400 }
    }
}

/// Makes the first event of a match; refuses options and team sheets it cannot be played with.
/// `seed` is the server seed and who gave it, in a seeded match. A game with editions is played with the built-in one.
pub fn new_match(
    game: &'static Game,
    rules: &Choices,
    home: TeamSheet,
    away: TeamSheet,
    seed: Option<(&ServerSeed, SeedSource)>,
    terms: Terms,
) -> Result<MatchCreated, Refusal> {
    new_match_with(editions::built_in_for(game).as_deref(), game, rules, home, away, seed, terms)
}

/// Makes the first event of a match that is played with this edition.
pub fn new_match_with(
    edition: Option<&Edition>,
    game: &'static Game,
    rules: &Choices,
    home: TeamSheet,
    away: TeamSheet,
    seed: Option<(&ServerSeed, SeedSource)>,
    terms: Terms,
) -> Result<MatchCreated, Refusal> {
    let created = MatchCreated {
        game: game.id.to_owned(),
        rules: (game.options)(rules)?,
        home: named(game, "Home", home),
        away: named(game, "Away", away),
        dice: if seed.is_some() { DiceMode::Seeded } else { DiceMode::Table },
        dice_spec: DICE_SPEC,
        seed_source: seed.map(|(_, source)| source),
        client_seeds: terms.client_seeds,
        remote: terms.remote,
        choice_timeout: terms.choice_timeout,
        commitment: seed.map(|(seed, _)| seed.commitment()),
        edition: edition.map(Edition::record),
    };
    open(&created, edition)?;
    Ok(created)
}

/// A side whose players need no names gets some: `Home 1`, `Home 2` and so on.
fn named(game: &Game, side: &str, sheet: TeamSheet) -> TeamSheet {
    if game.nameless && sheet.players.is_empty() {
        let players = (1..=game.players).map(|place| format!("{side} {place}")).collect();
        return TeamSheet { players, ..sheet };
    }
    sheet
}

/// Refuses terms that would leave the dice, or a choice, in the hands of one side.
fn check_terms(game: &Game, created: &MatchCreated) -> Result<(), Refusal> {
    let refuse = |field: &str, message: String| {
        Err(Refusal::new(Why::IllegalInput, Place::Field(field.to_owned()), message))
    };
    let both = created.client_seeds == ClientSeeds::Both;
    if both && created.dice != DiceMode::Seeded {
        return refuse(
            "client_seeds",
            "client seeds go into the seed of a match with seeded dice".to_owned(),
        );
    }
    if both && created.seed_source == Some(SeedSource::Creator) {
        let message = "where both sides add to the seed nobody gives it; leave seed out";
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
    if !game.remote {
        return refuse("remote", format!("{} is played at one table; leave remote out", game.id));
    }
    if !both {
        let message =
            "sides that play from afar both add to the seed: dice \"seeded\" and client_seeds \"both\"";
        return refuse("client_seeds", message.to_owned());
    }
    Ok(())
}

/// The game's state before the toss; refuses a match that cannot be played.
fn open(created: &MatchCreated, edition: Option<&Edition>) -> Result<Box<dyn GameState>, Refusal> {
    let field = |name: &str| Place::Field(name.to_owned());
    let game = games::find(&created.game).ok_or_else(|| {
        Refusal::new(Why::IllegalInput, field("game"), format!("there is no game {:?}", created.game))
    })?;
    if let Some(reason) = record_fault(game, created.edition.as_ref(), edition) {
        return Err(Refusal::new(Why::IllegalInput, field("edition"), reason));
    }
    check_sheet(game, "home", &created.home)?;
    check_sheet(game, "away", &created.away)?;
    if created.home.name == created.away.name {
        let message = "the two sides have the same name; they need different ones";
        return Err(Refusal::new(Why::IllegalInput, field("away.name"), message));
    }
    check_terms(game, created)?;
    (game.open)(&Arc::new(created.clone()), edition)
}

fn check_sheet(game: &Game, side: &str, sheet: &TeamSheet) -> Result<(), Refusal> {
    let refuse = |field: String, message: String| {
        Err(Refusal::new(Why::IllegalInput, Place::Field(format!("{side}.{field}")), message))
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

/// The game's state before the toss, from the first event of a log and the edition that it names.
pub(super) fn admit_created(
    created: &MatchCreated,
    edition: Option<&Edition>,
) -> Result<Box<dyn GameState>, Broken> {
    let game = games::find(&created.game)
        .ok_or_else(|| Broken::new("data.game", format!("there is no game {:?}", created.game)))?;
    let resolved =
        (game.options)(&created.rules).map_err(|refusal| Broken::new("data.rules", refusal.message))?;
    if resolved != created.rules {
        return Err(Broken::new("data.rules", "not every option is written out"));
    }
    if created.dice_spec != DICE_SPEC {
        return Err(Broken::new("data.dice_spec", format!("is {DICE_SPEC} in every log so far")));
    }
    let seeded = created.dice == DiceMode::Seeded;
    if created.commitment.is_some() != seeded || created.seed_source.is_some() != seeded {
        let reason = "a seeded match has a commitment and a seed source, and no other has";
        return Err(Broken::new("data.commitment", reason));
    }
    if created.commitment.as_ref().is_some_and(|commitment| !is_hash(commitment)) {
        return Err(Broken::new("data.commitment", "is 64 lower-case hexadecimal digits"));
    }
    open(created, edition).map_err(|refusal| {
        let field = match &refusal.place {
            Place::Field(name) | Place::Choice(name) => format!("data.{name}"),
            Place::Input | Place::Die(_) => "data".to_owned(),
        };
        Broken::new(field, refusal.message)
    })
}

/// Why a match of this game cannot be played with this edition.
fn record_fault(game: &Game, record: Option<&EditionRecord>, edition: Option<&Edition>) -> Option<String> {
    let Some(record) = record else {
        let reason = || format!("{} is played with an edition: its id and sha256", game.id);
        return game.built_in.is_some().then(reason);
    };
    if game.built_in.is_none() {
        return Some(format!("{} has no editions: it is null", game.id));
    }
    match edition.filter(|edition| edition.sha256 == record.sha256) {
        None => Some(unknown(&record.sha256)),
        Some(edition) if edition.game != game.id => {
            Some(format!("edition {:?} is made for {}, not for {}", edition.id, edition.game, game.id))
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

/// Why a side's cards are not what this game needs.
fn cards_fault(game: &Game, sheet: &TeamSheet) -> Option<(String, String)> {
    let whole = |reason: String| Some(("players".to_owned(), reason));
    if game.built_in.is_none() {
        let reason = || format!("{} has no player cards: players are names", game.id);
        return if sheet.cards.is_empty() { None } else { whole(reason()) };
    }
    if !sheet.cards.is_empty() && sheet.cards.len() != sheet.players.len() {
        return whole("every player comes with his card, or none does".to_owned());
    }
    sheet.cards.iter().enumerate().find_map(|(place, card)| {
        let fault = canonical(&Value::Object(card.clone())).err()?;
        Some((format!("players[{place}]"), fault.to_string()))
    })
}
