//! The creation of a match.

use std::sync::Arc;

use super::cache::CachedMatch;
use super::folding::broken;
use super::system::{now, random_seed};
use super::{Appended, MatchService, ServiceError};
use crate::commands::{NewSide, Secrets, TokenRow, team_sheets};
use crate::dice::ServerSeed;
use crate::log::{Actor, Event, EventData, Head, MatchId, SeedSource};
use crate::matches::{MatchSettings, new_match};
use crate::projection::LoadedMatch;
use crate::rules::{Choices, Place, Refusal, RefusalKind};
use crate::store::Append;
use crate::views::{MatchNow, Rows};

/// The settings of a new match, as its creator gives them.
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The options of the game.
    pub rules: Choices,
    /// The hash of the edition; the built-in one if left out, in a game that has editions.
    pub edition: Option<String>,
    /// The home side.
    pub home: NewSide,
    /// The away side.
    pub away: NewSide,
    /// Whether the dice come from a seed.
    pub seeded: bool,
    /// The server seed that the creator gives, 64 hexadecimal digits; random bytes of the operating system if
    /// left out.
    pub seed: Option<String>,
    /// The settings of client seeds, remote play and the timeout.
    pub settings: MatchSettings,
    /// The author of the match.
    pub actor: Actor,
    /// The hashes of tokens and invites.
    pub tokens: Vec<TokenRow>,
}

impl MatchService {
    /// Creates a match.
    pub async fn create(&self, new: NewMatch) -> Result<Appended, ServiceError> {
        let illegal = |field: &str, message: String| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message)
        };
        let registry = self.known_editions().registry();
        let game = registry.find(&new.game).ok_or_else(|| {
            illegal("game", format!("there is no game {:?}", new.game)).legal(registry.ids())
        })?;
        let seed = match (new.seeded, &new.seed) {
            (false, None) => None,
            (false, Some(_)) => {
                return Err(illegal("seed", "a match with table dice has no seed".to_owned()).into());
            }
            (true, None) => Some((random_seed().map_err(|_| ServiceError::NoEntropy)?, SeedSource::Os)),
            (true, Some(text)) => {
                let seed = ServerSeed::from_hex(text).map_err(|fault| illegal("seed", fault.to_string()))?;
                Some((seed, SeedSource::Creator))
            }
        };
        let given = seed.as_ref().map(|(seed, source)| (seed, *source));
        let edition = self.edition_for(game, new.edition.as_deref()).await?;
        let editions = self.known_editions().only(edition.as_ref());
        let edition = edition.as_deref();
        let [home, away] = team_sheets(new.home, new.away, edition)?;
        let created = new_match(edition, game, &new.rules, home, away, given, new.settings)?;
        // Match ids hold the time as well, so a match is created only while the clock is valid.
        let at = now()?;
        self.keep_for_match(edition).await?;
        let match_id = MatchId::now_v7();
        let created = EventData::MatchCreated(created);
        let (first, entry) = Event::seal(match_id, &Head::default(), at, new.actor, created)?;
        let kind = first.data.kind();
        let loaded = LoadedMatch::open(&first, &editions).map_err(|fault| broken((1, fault)))?;
        let server_seed = given.map(|(seed, _)| seed.clone());
        let secrets = Secrets { server_seed, tokens: new.tokens, opening: None };
        let now = MatchNow::of(&loaded);
        let append = Append {
            match_id,
            expected: Head::default(),
            token: None,
            events: Arc::new([(first, entry.clone())]),
            rows: Rows::of(&loaded, &now),
            idempotency: None,
            secrets,
        };
        // A new match has no other writer, so it needs no group commit and no second try.
        for written in self.store.write(&[append]).await {
            self.probe.record(&written);
            written?;
        }
        self.metrics.count_event(kind);
        let cached = CachedMatch::now(Arc::new(loaded), seed.map(|(seed, _)| seed));
        let (entries, loaded) = (vec![entry], Arc::clone(&cached.loaded));
        let appended = Appended { entries, before: None, loaded, now, is_repeat: false };
        self.entry(match_id).keep(&cached, false);
        Ok(appended)
    }
}
