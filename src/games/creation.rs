use std::collections::HashSet;
use std::sync::Arc;

use super::{Choices, Game, GameState, Place, Refusal, Why};
use crate::dice::{DICE_SPEC, ServerSeed};
use crate::log::{Broken, ClientSeeds, DiceMode, MatchCreated, SeedSource, TeamSheet, is_hash, is_unsafe};

const LONGEST_NAME: usize = 100;
/// Seconds a side has to answer a call; a day.
const CHOICE_TIMEOUT: u64 = 86_400;

/// Makes the first event of a match; refuses options and team sheets it cannot be played with.
/// `seed` is the server seed and who gave it, in a seeded match.
pub fn new_match(
    game: &'static Game,
    rules: &Choices,
    home: TeamSheet,
    away: TeamSheet,
    seed: Option<(&ServerSeed, SeedSource)>,
) -> Result<MatchCreated, Refusal> {
    let created = MatchCreated {
        game: game.id.to_owned(),
        rules: (game.options)(rules)?,
        home,
        away,
        dice: if seed.is_some() { DiceMode::Seeded } else { DiceMode::Table },
        dice_spec: DICE_SPEC,
        seed_source: seed.map(|(_, source)| source),
        client_seeds: ClientSeeds::None,
        remote: false,
        choice_timeout: CHOICE_TIMEOUT,
        commitment: seed.map(|(seed, _)| seed.commitment()),
        edition: None,
    };
    open(&created)?;
    Ok(created)
}

/// The game's state before the toss; refuses a match that cannot be played.
fn open(created: &MatchCreated) -> Result<Box<dyn GameState>, Refusal> {
    let field = |name: &str| Place::Field(name.to_owned());
    let game = Game::find(&created.game).ok_or_else(|| {
        Refusal::new(Why::IllegalInput, field("game"), format!("there is no game {:?}", created.game))
    })?;
    check_sheet("home", &created.home)?;
    check_sheet("away", &created.away)?;
    if created.home.name == created.away.name {
        let message = "the two sides have the same name; they need different ones";
        return Err(Refusal::new(Why::IllegalInput, field("away.name"), message));
    }
    (game.open)(&Arc::new(created.clone()))
}

fn check_sheet(side: &str, sheet: &TeamSheet) -> Result<(), Refusal> {
    let refuse = |field: String, message: String| {
        Err(Refusal::new(Why::IllegalInput, Place::Field(format!("{side}.{field}")), message))
    };
    if let Some(fault) = name_fault(&sheet.name) {
        return refuse("name".to_owned(), fault);
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

fn name_fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        Some(format!("a name has 1 to {LONGEST_NAME} characters; this has {length}"))
    } else if name.trim() != name || name.chars().any(is_unsafe) {
        Some("a name has no blank at either end, no control characters and no marks of direction".to_owned())
    } else {
        None
    }
}

/// The game's state before the toss, from the first event of a log.
pub(super) fn admit_created(created: &MatchCreated) -> Result<Box<dyn GameState>, Broken> {
    let game = Game::find(&created.game)
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
    if created.client_seeds != ClientSeeds::None || created.remote || created.edition.is_some() {
        let reason = "client seeds, remote sides and editions are not known to this version";
        return Err(Broken::new("data", reason));
    }
    open(created).map_err(|refusal| {
        let field = match &refusal.place {
            Place::Field(name) | Place::Choice(name) => format!("data.{name}"),
            Place::Input | Place::Die(_) => "data".to_owned(),
        };
        Broken::new(field, refusal.message)
    })
}
