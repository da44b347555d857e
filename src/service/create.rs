//! The creation of a match.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::cache::CachedMatch;
use super::folding::broken;
use super::idempotency::of_stored;
use super::system::{now, random_seed};
use super::{Appended, MatchService, ServiceError};
use crate::commands::{IdempotencyKey, NewSide, Secrets, TokenPurpose, TokenRow, team_sheets};
use crate::dice::ServerSeed;
use crate::log::{Actor, Event, EventData, Head, MatchId, SeedSource};
use crate::matches::{MatchSettings, new_match};
use crate::projection::LoadedMatch;
use crate::rules::{Choices, Place, Refusal, RefusalKind};
use crate::store::{Append, IdempotencyRecord, StoreError};
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
    /// The creation as its request is known when it is sent again, if its client has made the tokens.
    pub creation: Option<GivenCreation>,
}

/// The creation of a match whose tokens the client has made.
#[derive(Debug, Clone)]
pub struct GivenCreation {
    /// The id that the client has made.
    pub id: Option<MatchId>,
    /// The hash of the scorer's token.
    pub token: String,
    /// The idempotency key of the request.
    pub key: Option<IdempotencyKey>,
}

/// The longest time between the time in an id that a client has made and the service's, in milliseconds.
const ID_WITHIN: u64 = 10 * 60 * 1_000;

impl MatchService {
    /// Creates a match, or answers a request that is sent again as the first.
    pub async fn create(&self, new: NewMatch) -> Result<Appended, ServiceError> {
        let (creation, actor) = (new.creation.clone(), new.actor);
        let Some((id, creation)) = creation.as_ref().and_then(|creation| creation.id.zip(Some(creation)))
        else {
            return self.create_as(new, MatchId::now_v7()).await;
        };
        if let Some(first) = self.created_before(id, creation, actor).await? {
            return Ok(first);
        }
        match self.create_as(new, id).await {
            // Another try was stored meanwhile.
            Err(ServiceError::Store(StoreError::Conflict)) => {
                let first = self.created_before(id, creation, actor).await?;
                first.ok_or(ServiceError::Store(StoreError::Conflict))
            }
            created => created,
        }
    }

    /// The answer to an earlier try of a creation, known by its id and by the hash of its token.
    async fn created_before(
        &self,
        id: MatchId,
        creation: &GivenCreation,
        actor: Actor,
    ) -> Result<Option<Appended>, ServiceError> {
        if self.store.head(id).await?.is_none() {
            return Ok(None);
        }
        if self.store.role(id, TokenPurpose::Creation, &creation.token).await?.is_none() {
            return Err(ServiceError::IdTaken);
        }
        if let Some(key) = &creation.key
            && let Some(answered) = self.store.idempotency_record(id, actor, &key.key).await?
            && answered.request != key.request
        {
            return Err(ServiceError::KeyReused);
        }
        self.answer_at(id, 1).await.map(Some).map_err(of_stored)
    }

    async fn create_as(&self, new: NewMatch, match_id: MatchId) -> Result<Appended, ServiceError> {
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
        check_time_of(match_id, at)?;
        self.keep_for_match(edition).await?;
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
            rows: Some(Rows::of(&loaded, &now)),
            idempotency: new.creation.and_then(|creation| creation.key).map(|key| IdempotencyRecord {
                actor: new.actor,
                key: key.key,
                request: key.request,
                first_seq: 1,
                last_seq: 1,
            }),
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

/// Checks that the time in the id of a new match is about the service's.
fn check_time_of(match_id: MatchId, at: DateTime<Utc>) -> Result<(), Refusal> {
    let (seconds, nanos) = match_id.get_timestamp().map_or((0, 0), |time| time.to_unix());
    let made = seconds.saturating_mul(1_000).saturating_add(u64::from(nanos / 1_000_000));
    let service = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    if made.abs_diff(service) <= ID_WITHIN {
        return Ok(());
    }
    let told = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
    let made = i64::try_from(made).ok().and_then(DateTime::from_timestamp_millis).map(told);
    let message = format!(
        "id was made at {}, and the time of the service is {}: make it within ten minutes of that",
        made.as_deref().unwrap_or("no time at all"),
        told(at)
    );
    Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("id".to_owned()), message))
}
