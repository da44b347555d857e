//! The two sorts of long work: what anybody may read never holds up a decision.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::threads::WorkerPermit;
use super::*;
use crate::commands::{Command, CommandRequest, NewPlayers, NewSide, Until};
use crate::log::{Actor, PlayerEntry};
use crate::matches::MatchSettings;
use crate::projection::AsOf;
use crate::store::{self, Migrate};

/// A service on an SQLite file of its own, which is removed at the end.
struct Own {
    service: MatchService,
    file: std::path::PathBuf,
}

impl Own {
    async fn open() -> Own {
        let file = std::env::temp_dir().join(format!("third-umpire-{}.db", Uuid::now_v7()));
        let store =
            store::open(&format!("sqlite://{}", file.display()), Migrate::Apply, CommitMode::Group).await;
        let metrics = Metrics::new().expect("they are recorded once");
        let service =
            MatchService::new(store.expect("a store"), CommitMode::Group, metrics, Editions::default());
        Own { service: service.expect("a thread can be started"), file }
    }

    /// A seeded match of Howzat, of one over, after its toss.
    async fn in_play(&self) -> MatchId {
        let side = |name: &str| NewSide {
            name: name.to_owned(),
            players: NewPlayers::Listed(
                (1..=11).map(|player| PlayerEntry::Name(format!("{name} {player}"))).collect(),
            ),
        };
        let new = NewMatch {
            game: "howzat".to_owned(),
            rules: json!({"overs": 1}).as_object().expect("an object").clone(),
            edition: None,
            home: side("Home"),
            away: side("Away"),
            seeded: true,
            seed: None,
            settings: MatchSettings::default(),
            actor: Actor::Scorer,
            tokens: Vec::new(),
            creation: None,
        };
        self.service.create(new).await.expect("a match").loaded.match_id()
    }

    async fn autoplay(&self, match_id: MatchId) -> Result<Appended, ServiceError> {
        let command = Command::Autoplay { until: Until::Over };
        let (token, if_match, key) = (None, None, None);
        let request = CommandRequest { match_id, actor: Actor::Scorer, token, command, if_match, key };
        self.service.submit(&request).await
    }

    async fn close(self) {
        self.service.store().close().await;
        for beside in ["", "-wal", "-shm"] {
            // SQLite removes the files beside the database when it closes.
            let _ = std::fs::remove_file(format!("{}{beside}", self.file.display()));
        }
    }
}

/// Every permit of some threads.
async fn all(threads: &WorkerThreads) -> Vec<WorkerPermit> {
    let mut permits = Vec::new();
    // Each for another match, since a match leaves a core to others.
    while let Ok(permit) =
        tokio::time::timeout(Duration::from_millis(50), threads.permit(MatchId::now_v7())).await
    {
        permits.push(permit.expect("the threads are there"));
    }
    permits
}

#[tokio::test]
async fn readers_hold_up_no_decision() {
    let own = Own::open().await;
    let match_id = own.in_play().await;
    let readers = all(&own.service.reading).await;
    assert!(!readers.is_empty());
    let appended = own.autoplay(match_id).await.expect("it does not wait for readers");
    assert!(appended.entries.len() > 6, "{} events", appended.entries.len());
    let commentary = own.service.commentary_as_of(match_id, AsOf::default());
    let mut commentary = Box::pin(commentary);
    let waited = tokio::time::timeout(Duration::from_millis(100), commentary.as_mut()).await;
    assert!(waited.is_err(), "a reader waits for other readers");
    drop(readers);
    let read = commentary.await.expect("a permit is free again");
    assert_eq!(read.lines.len(), appended.loaded.head().seq as usize);
    own.close().await;
}

#[tokio::test]
async fn a_read_of_the_past_is_what_a_repeated_request_is_answered_with() {
    let own = Own::open().await;
    let match_id = own.in_play().await;
    let readers = all(&own.service.reading).await;
    let appended = own.autoplay(match_id).await.expect("a match in play");
    let last = appended.loaded.head().seq;
    for at in [1, last] {
        let loaded = own.service.loaded_at(match_id, at).await.expect("it waits for no reader");
        assert_eq!(loaded.head().seq, at);
    }
    for at in [0, last + 1] {
        let refused = own.service.loaded_at(match_id, at).await;
        assert!(matches!(refused, Err(ServiceError::AsOf(_))), "event {at}");
    }
    drop(readers);
    own.close().await;
}

#[tokio::test]
async fn readers_of_one_place_share_its_fold_until_the_match_goes_on() {
    let mut own = Own::open().await;
    own.service.reading = WorkerThreads::on(1);
    let match_id = own.in_play().await;
    own.autoplay(match_id).await.expect("a match in play");
    let as_of = AsOf { seq: Some(3), known_at: None };
    let held = own.service.reading.permit(match_id).await.expect("the core is free");
    let mut readers: Vec<_> =
        (0..16).map(|_| Box::pin(own.service.commentary_as_of(match_id, as_of))).collect();
    let waited = tokio::time::timeout(Duration::from_millis(100), join_all(readers.iter_mut())).await;
    assert!(waited.is_err(), "the fold is held");
    drop(held);
    let read = join_all(readers).await;
    let read: Vec<_> = read.into_iter().map(|past| past.expect("the log folds")).collect();
    assert_eq!((read.len(), read[0].lines.len()), (16, 3));
    assert!(read.iter().all(|past| Arc::ptr_eq(past, &read[0])), "one fold is made for all");
    let later = own.service.commentary_as_of(match_id, as_of).await.expect("it is kept");
    assert!(Arc::ptr_eq(&later, &read[0]), "it is kept for who comes later");
    let another = AsOf { seq: Some(4), known_at: None };
    let another = own.service.commentary_as_of(match_id, another).await.expect("the log folds");
    assert_eq!(another.lines.len(), 4);
    own.autoplay(match_id).await.expect("a second innings");
    let anew = own.service.commentary_as_of(match_id, as_of).await.expect("the log folds");
    assert!(!Arc::ptr_eq(&anew, &read[0]), "a correction could have changed what was before it");
    own.close().await;
}

#[tokio::test]
async fn a_reader_does_not_wait_for_all_places_of_another_match() {
    let mut own = Own::open().await;
    own.service.reading = WorkerThreads::on(2);
    let (busy, other) = (own.in_play().await, own.in_play().await);
    own.autoplay(busy).await.expect("a match in play");
    let service = &own.service;
    let read = async |match_id, at| {
        let as_of = AsOf { seq: Some(at), known_at: None };
        service.commentary_as_of(match_id, as_of).await.expect("the log folds")
    };
    let held = service.reading.permit(busy).await.expect("a core is free");
    let mut readers = Box::pin(join_all((1..=8).map(|at| read(busy, at))));
    let waited = tokio::time::timeout(Duration::from_millis(100), readers.as_mut()).await;
    assert!(waited.is_err(), "the other core is left to other matches");
    assert_eq!(read(other, 1).await.lines.len(), 1, "the match that came last has its turn first");
    drop(held);
    assert_eq!(readers.await.len(), 8);
    own.close().await;
}

#[tokio::test]
async fn readers_of_one_dispute_share_its_evidence() {
    let mut own = Own::open().await;
    own.service.reading = WorkerThreads::on(1);
    let match_id = own.in_play().await;
    own.autoplay(match_id).await.expect("a match in play");
    let held = own.service.reading.permit(match_id).await.expect("the core is free");
    let mut readers: Vec<_> = (0..16).map(|_| Box::pin(own.service.evidence(match_id, 1))).collect();
    let waited = tokio::time::timeout(Duration::from_millis(100), join_all(readers.iter_mut())).await;
    assert!(waited.is_err(), "the replay is held");
    drop(held);
    let read = join_all(readers).await;
    let read: Vec<_> = read.into_iter().map(|found| found.expect("the log replays").0).collect();
    assert!(read.iter().all(|found| found.is_none() && Arc::ptr_eq(found, &read[0])));
    own.close().await;
}
