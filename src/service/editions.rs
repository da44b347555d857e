//! The editions in the store: each is posted once, read once, and handed to the folds of matches that are
//! played with it.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{MatchService, ServiceError};
use crate::editions::Editions;
use crate::log::{EditionRecord, MatchId, given_hash, hash_of};
use crate::rules::{Edition, Game, Place, Refusal, RefusalKind};
use crate::store::{EventStore, StoreError};

/// The games and built-in editions of the service, and its cache of editions: those of matches in memory, and
/// the hashes of the built-in ones that the store has.
#[derive(Debug)]
pub(super) struct EditionCache {
    known: Editions,
    read: Mutex<HashMap<String, Weak<Edition>>>,
    stored: Mutex<BTreeSet<String>>,
}

impl EditionCache {
    /// A cache for a service that knows these games and their built-in editions. Any other edition has to be
    /// stored before a match is begun with it.
    pub(super) fn new(known: &Editions) -> EditionCache {
        EditionCache { known: known.only(None), read: Mutex::default(), stored: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<Edition>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The edition with this hash, if it is built in, or a match in memory is played with it.
    pub(super) fn find(&self, sha256: &str) -> Option<Arc<Edition>> {
        let of_a_match = || self.lock().get(sha256).and_then(Weak::upgrade);
        self.known.find(sha256).or_else(of_a_match)
    }

    /// Caches an edition for as long as the returned reference, or another, is held.
    fn remember(&self, edition: Edition) -> Arc<Edition> {
        let mut read = self.lock();
        if let Some(known) = read.get(&edition.sha256).and_then(Weak::upgrade) {
            return known;
        }
        let edition = Arc::new(edition);
        read.retain(|_, held| held.strong_count() > 0);
        read.insert(edition.sha256.clone(), Arc::downgrade(&edition));
        edition
    }

    fn has_stored(&self, sha256: &str) -> bool {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner).contains(sha256)
    }

    fn note_stored(&self, sha256: &str) {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner).insert(sha256.to_owned());
    }
}

impl MatchService {
    /// The games that the service knows, with their built-in editions.
    pub fn known_editions(&self) -> &Editions {
        &self.editions.known
    }

    /// The edition with this hash.
    pub async fn edition(&self, sha256: &str) -> Result<Arc<Edition>, ServiceError> {
        if let Some(known) = self.editions.find(sha256) {
            return Ok(known);
        }
        Ok(self.editions.remember(stored(self.store(), self.known_editions(), sha256).await?))
    }

    /// The canonical form of the edition with this hash, built in or posted.
    pub async fn edition_text(&self, sha256: &str) -> Result<String, ServiceError> {
        match self.known_editions().find(sha256) {
            Some(built_in) => Ok(built_in.text.clone()),
            None => stored_text(self.store(), sha256).await,
        }
    }

    /// All editions, the built-in ones first, then those that were posted.
    pub async fn editions(&self) -> Result<Vec<EditionRecord>, ServiceError> {
        let built_in = self.known_editions().built_in().iter();
        let mut all: Vec<EditionRecord> = built_in.map(|edition| edition.record()).collect();
        let mut posted = self.store().editions().await?;
        posted.retain(|edition| all.iter().all(|built_in| built_in.sha256 != edition.sha256));
        all.append(&mut posted);
        Ok(all)
    }

    /// Stores an edition, and returns whether it is new.
    pub async fn keep_edition(&self, edition: &Edition) -> Result<bool, ServiceError> {
        Ok(!self.known_editions().is_built_in(edition) && self.store().keep_edition(edition).await?)
    }

    /// Stores the built-in edition of a new match, since a later version of the program may have another.
    pub(super) async fn keep_for_match(&self, edition: Option<&Edition>) -> Result<(), ServiceError> {
        let Some(edition) = edition.filter(|edition| self.known_editions().is_built_in(edition)) else {
            return Ok(());
        };
        if !self.editions.has_stored(&edition.sha256) {
            self.store().keep_edition(edition).await?;
            self.editions.note_stored(&edition.sha256);
        }
        Ok(())
    }

    /// The edition of a stored match; none where its log names none.
    pub async fn edition_of(&self, match_id: MatchId) -> Result<Option<Arc<Edition>>, ServiceError> {
        let first = self.store().entries(match_id, 0, 1).await?.pop();
        let first = first.and_then(|entry| entry.read().ok());
        match first.as_ref().and_then(|event| self.known_editions().named_in(&event.data)) {
            None => Ok(None),
            Some(named) => match self.edition(&named.sha256).await {
                Err(ServiceError::NoSuchEdition(_)) => Ok(None),
                found => found.map(Some),
            },
        }
    }

    /// The games and editions with which the log of a match may be read.
    pub(super) async fn editions_of(&self, match_id: MatchId) -> Result<Editions, ServiceError> {
        Ok(self.known_editions().only(self.edition_of(match_id).await?.as_ref()))
    }

    /// The edition for a new match or a simulation: the one with this hash, or the built-in one.
    pub async fn edition_for(
        &self,
        game: &Game,
        sha256: Option<&str>,
    ) -> Result<Option<Arc<Edition>>, ServiceError> {
        let Some(sha256) = sha256 else { return Ok(self.known_editions().built_in_for(game)) };
        let refuse = |message: String| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field("edition".to_owned()), message).into()
        };
        if game.editions.is_none() {
            return Err(refuse(format!("{} has no editions; leave edition out", game.info.id)));
        }
        let sha256 = given_hash(sha256)
            .ok_or_else(|| refuse("an edition is named by its sha256: 64 hexadecimal digits".to_owned()))?;
        match self.edition(&sha256).await {
            Err(ServiceError::NoSuchEdition(_)) => {
                Err(refuse(format!("this service has no edition {sha256}; post it to /v1/editions first")))
            }
            found => found.map(Some),
        }
    }
}

fn broken(sha256: &str, reason: &str) -> ServiceError {
    StoreError::Failed(format!("the stored edition {sha256} {reason}")).into()
}

/// The text of an edition in the store.
async fn stored_text(store: &dyn EventStore, sha256: &str) -> Result<String, ServiceError> {
    let text = store.edition(sha256).await?;
    let text = text.ok_or_else(|| ServiceError::NoSuchEdition(sha256.to_owned()))?;
    if hash_of(&text) == sha256 { Ok(text) } else { Err(broken(sha256, "does not fit its hash")) }
}

/// An edition in the store, which was checked when it was posted.
async fn stored(store: &dyn EventStore, known: &Editions, sha256: &str) -> Result<Edition, ServiceError> {
    let text = stored_text(store, sha256).await?;
    known.read(text.as_bytes()).map_err(|faults| {
        let first = faults.first().map(ToString::to_string).unwrap_or_default();
        broken(sha256, &format!("cannot be read: {first}"))
    })
}

/// These games and editions, and every edition of a store.
pub async fn all_editions(store: &dyn EventStore, known: &Editions) -> Result<Editions, ServiceError> {
    let mut all = known.clone();
    for EditionRecord { sha256, .. } in store.editions().await? {
        all.insert(Arc::new(stored(store, known, &sha256).await?));
    }
    Ok(all)
}
