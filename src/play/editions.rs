//! Editions: kept in the store, read once, found by whoever folds a match that is played with one.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use super::{Matches, PlayError};
use crate::games::edition::{self, Edition, named_in};
use crate::games::{Game, Place, Refusal, Why};
use crate::log::{EditionRecord, MatchId, hash_of, is_hash};
use crate::store::{EventStore, StoreError};

impl Matches {
    /// The edition of this hash, to read a match with: one that is held, or one that is kept.
    pub async fn edition(&self, sha256: &str) -> Result<Arc<Edition>, PlayError> {
        match edition::find(sha256) {
            Some(edition) => Ok(edition),
            None => kept(self.store(), sha256).await,
        }
    }

    /// The canonical form of the edition of this hash: a game's own, or one that was posted.
    pub async fn edition_text(&self, sha256: &str) -> Result<String, PlayError> {
        match edition::own(sha256) {
            Some(own) => Ok(own.text.clone()),
            None => kept_text(self.store(), sha256).await,
        }
    }

    /// The editions there are: the games' own, and those that were posted.
    pub async fn editions(&self) -> Result<Vec<EditionRecord>, PlayError> {
        let houses = edition::houses().iter().map(|house| house.record());
        let own: Vec<EditionRecord> = houses.collect();
        let known: BTreeSet<&String> = own.iter().map(|house| &house.sha256).collect();
        let mut posted = self.store().editions().await?;
        posted.retain(|edition| !known.contains(&edition.sha256));
        Ok(own.iter().cloned().chain(posted).collect())
    }

    /// Keeps an edition; whether it is new.
    pub async fn keep_edition(&self, edition: &Edition) -> Result<bool, PlayError> {
        Ok(!edition.is_house() && self.store().keep_edition(edition).await?)
    }

    /// Keeps the edition of a new match, a game's own too: a later version of the program may bring another.
    pub(super) async fn keep_for_match(&self, edition: Option<&Edition>) -> Result<(), PlayError> {
        let Some(edition) = edition.filter(|edition| edition.is_house()) else { return Ok(()) };
        let known = |kept: &BTreeSet<String>| kept.contains(&edition.sha256);
        if !known(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.store().keep_edition(edition).await?;
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(edition.sha256.clone());
        }
        Ok(())
    }

    /// The edition a stored match is played with, if its game has editions; none where its log does not say.
    pub async fn edition_of(&self, match_id: MatchId) -> Result<Option<Arc<Edition>>, PlayError> {
        let first = self.store().entries(match_id, 0, 1).await?.pop();
        let first = first.and_then(|entry| entry.read().ok());
        match first.as_ref().and_then(|event| named_in(&event.data)) {
            None => Ok(None),
            Some(named) => match self.edition(&named.sha256).await {
                Err(PlayError::NoSuchEdition(_)) => Ok(None),
                found => found.map(Some),
            },
        }
    }

    /// The edition a new match, or a simulation, is played with: the one of this hash, or the game's own.
    pub async fn edition_for(
        &self,
        game: &Game,
        sha256: Option<&str>,
    ) -> Result<Option<Arc<Edition>>, PlayError> {
        let Some(sha256) = sha256 else { return Ok(edition::house(game)) };
        let refuse = |message: String| {
            Refusal::new(Why::IllegalInput, Place::Field("edition".to_owned()), message).into()
        };
        if game.house.is_none() {
            return Err(refuse(format!("{} has no editions; leave edition out", game.id)));
        }
        if !is_hash(sha256) {
            return Err(refuse(
                "an edition is named by its sha256: 64 lower-case hexadecimal digits".to_owned(),
            ));
        }
        if let Some(own) = edition::own(sha256) {
            return Ok(Some(own));
        }
        // One that is only held, for an audit of a log that brings it, is gone when the match is to be read.
        match kept(self.store(), sha256).await {
            Err(PlayError::NoSuchEdition(_)) => {
                Err(refuse(format!("there is no edition {sha256} here; post it to /v1/editions first")))
            }
            found => found.map(Some),
        }
    }
}

fn broken(sha256: &str, reason: &str) -> PlayError {
    StoreError::Failed(format!("the stored edition {sha256} {reason}")).into()
}

/// The text of an edition in the store.
async fn kept_text(store: &dyn EventStore, sha256: &str) -> Result<String, PlayError> {
    let text = store.edition(sha256).await?;
    let text = text.ok_or_else(|| PlayError::NoSuchEdition(sha256.to_owned()))?;
    if hash_of(&text) == sha256 { Ok(text) } else { Err(broken(sha256, "is not what its hash says")) }
}

/// An edition in the store. It was checked when it came in.
async fn kept(store: &dyn EventStore, sha256: &str) -> Result<Arc<Edition>, PlayError> {
    let text = kept_text(store, sha256).await?;
    if let Some(held) = edition::find(sha256) {
        return Ok(held);
    }
    let read = Edition::of_text(text.as_bytes()).map_err(|faults| {
        let first = faults.first().map(ToString::to_string).unwrap_or_default();
        broken(sha256, &format!("cannot be read: {first}"))
    })?;
    Ok(edition::keep(read))
}

/// Every edition a store keeps, to be held while its matches are folded.
pub async fn all_editions(store: &dyn EventStore) -> Result<Vec<Arc<Edition>>, PlayError> {
    let mut all = Vec::new();
    for EditionRecord { sha256, .. } in store.editions().await? {
        all.push(kept(store, &sha256).await?);
    }
    Ok(all)
}
