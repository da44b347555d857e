//! Commands: each is decided on the match as it is now, and its events are appended.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use tracing::Instrument;

use super::cache::{CacheEntry, CachedMatch};
use super::folding::{fold_corrected, read_log};
use super::system::now;
use super::{Appended, MatchService, ServiceError};
use crate::commands::{Command, CommandHandler, CommandRequest, Secrets, TokenPurpose};
use crate::dice::ServerSeed;
use crate::log::{Entry, Event, Head, Role};
use crate::matches::{SealOpening, ServerSecrets};
use crate::projection::LoadedMatch;
use crate::store::{Append, IdempotencyRecord, StoreError};
use crate::views::MatchNow;

/// How often a command is decided again after another instance has appended first.
const TRIES: u32 = 20;

impl MatchService {
    /// Submits a command: decides it on the match as it is now, and appends the events.
    pub async fn submit(&self, request: &CommandRequest) -> Result<Appended, ServiceError> {
        let span = tracing::info_span!("submit", match_id = %request.match_id);
        self.submit_in_span(request).instrument(span).await
    }

    async fn submit_in_span(&self, request: &CommandRequest) -> Result<Appended, ServiceError> {
        let request = &self.for_this_head(request).await?;
        let entry = self.entry(request.match_id);
        let _lock = entry.write_lock.lock().await;
        if let Some(cached) = entry.cached() {
            match self.try_submit(request, &cached).await {
                Err(error) if !error.may_be_of_old_state() => return Err(error),
                Err(_) => {}
                Ok(appended) => return Ok(kept(&entry, appended, cached.seed)),
            }
        }
        for tries in 1..=TRIES {
            if let Some(token) = &request.token {
                self.confirm(request.match_id, token).await?;
            }
            if let Some(answered) = self.replay_idempotent(request).await? {
                return Ok(answered);
            }
            let current = self.current(request.match_id, &entry, &self.deciding).await?;
            match self.try_submit(request, &current).await {
                Ok(appended) => return Ok(kept(&entry, appended, current.seed)),
                Err(ServiceError::Store(StoreError::Conflict)) => {
                    self.metrics.count_lost_race();
                    back_off(tries).await;
                }
                // The request may have been stored with its key since the last look.
                Err(error) if error.may_be_of_old_state() => {
                    return self.replay_idempotent(request).await?.ok_or(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(ServiceError::Contended)
    }

    /// The request with the head as its condition, where its command is not to be decided again on a later
    /// head.
    async fn for_this_head<'a>(
        &self,
        request: &'a CommandRequest,
    ) -> Result<Cow<'a, CommandRequest>, ServiceError> {
        if request.command.is_for_any_head() || request.if_match.is_some() {
            return Ok(Cow::Borrowed(request));
        }
        let match_id = request.match_id;
        let head = self.head(match_id).await?;
        Ok(Cow::Owned(CommandRequest { if_match: Some(vec![head.hash]), ..request.clone() }))
    }

    async fn try_submit(
        &self,
        request: &CommandRequest,
        current: &CachedMatch,
    ) -> Result<Appended, ServiceError> {
        let head = current.loaded.head();
        check_if_match(request, head)?;
        check_way_back(request, &current.loaded)?;
        let openings = match request.command.needs_openings() {
            true => self.store.openings(request.match_id).await?,
            false => Vec::new(),
        };
        let ToAppend { sealed, loaded, mut secrets } = self.decide(request, current, openings).await?;
        let answered = request.key.as_ref().map(|key| IdempotencyRecord {
            actor: request.actor,
            key: key.key.clone(),
            request: key.request.clone(),
            first_seq: head.seq + 1,
            last_seq: loaded.head().seq,
        });
        if let Some(hash) = request.command.new_token()
            && self.store.knows_hash(request.match_id, hash).await?
        {
            return Err(ServiceError::HashKnown);
        }
        if matches!(request.command, Command::RotateToken { role: Role::Scorer, .. }) {
            secrets.tokens.extend(self.ended_by_rotation(request, loaded.last_at()).await?);
        }
        let now = MatchNow::of(&loaded);
        let append = Append {
            match_id: request.match_id,
            expected: head.clone(),
            token: request.token.clone(),
            events: Arc::clone(&sealed),
            rows: self.rows_with(&current.loaded, &loaded, &now),
            idempotency: answered,
            secrets,
        };
        let is_behind = append.rows.is_none();
        let noting = self.rows_behind.noting(request.match_id, loaded.head().seq, is_behind);
        let appended = self.committer.append(append).await;
        noting.ends(&appended);
        self.probe.record(&appended);
        appended?;
        let entries: Vec<Entry> = sealed.iter().map(|(_, entry)| entry.clone()).collect();
        self.subscriptions.append(request.match_id, &entries);
        self.count(&sealed);
        let before = request.command.tells_difference().then(|| Arc::clone(&current.loaded));
        Ok(Appended { entries, before, loaded: Arc::new(loaded), now, is_repeat: false })
    }

    /// Decides a command: a short one here, and one over many events on a thread of its own.
    async fn decide(
        &self,
        request: &CommandRequest,
        current: &CachedMatch,
        openings: Vec<SealOpening>,
    ) -> Result<ToAppend, ServiceError> {
        let now = now()?;
        let needs_log = handler(request, current, &openings, now).needs_log(&request.command);
        if !needs_log && !request.command.is_over_many_events() {
            return decide(request, current, &openings, &[], now);
        }
        let permit = self.deciding.permit(request.match_id).await?;
        let log = match needs_log {
            true => self.log_up_to(request.match_id, current.loaded.head()).await?,
            false => Vec::new(),
        };
        let (request, current) = (request.clone(), current.clone());
        permit.run(move || decide(&request, &current, &openings, &log, now)).await
    }
}

/// The events that a command has come to, and the match after them.
struct ToAppend {
    sealed: Arc<[(Event, Entry)]>,
    loaded: LoadedMatch,
    secrets: Secrets,
}

/// The handler of a request's command.
fn handler<'a>(
    request: &CommandRequest,
    current: &'a CachedMatch,
    openings: &'a [SealOpening],
    now: DateTime<Utc>,
) -> CommandHandler<'a> {
    let secrets = ServerSecrets { seed: current.seed.as_ref(), openings, now };
    let places = current.loaded.projection().places();
    CommandHandler { the_match: current.loaded.the_match(), places, actor: request.actor, secrets }
}

/// Decides a command on a match; `log` is the log of the match, where the decision needs it.
fn decide(
    request: &CommandRequest,
    current: &CachedMatch,
    openings: &[SealOpening],
    log: &[Entry],
    now: DateTime<Utc>,
) -> Result<ToAppend, ServiceError> {
    let log = read_log(log)?;
    let handler = handler(request, current, openings, now);
    let decided = handler.handle(&request.command, &log);
    let decided = decided.map_err(|refusal| ServiceError::refused(refusal, &current.loaded))?;
    let sealed = Event::seal_all(request.match_id, current.loaded.head(), now, decided.events)?;
    let loaded = match decided.after {
        Some(after) => {
            let events: Vec<&Event> = sealed.iter().map(|(event, _)| event).collect();
            current.loaded.append(&events, after)
        }
        None => fold_corrected(log, &sealed, &handler.the_match.play().info().editions)?,
    };
    Ok(ToAppend { sealed: sealed.into(), loaded, secrets: decided.secrets })
}

/// Checks that the match is still at a head that the request expects, if it names any.
pub(super) fn check_if_match(request: &CommandRequest, head: &Head) -> Result<(), ServiceError> {
    match &request.if_match {
        Some(expected) if !expected.contains(&head.hash) => Err(ServiceError::StaleHead(head.clone())),
        _ => Ok(()),
    }
}

/// Checks that a token that was handed over is still the way back.
fn check_way_back(request: &CommandRequest, loaded: &LoadedMatch) -> Result<(), ServiceError> {
    let is_handed_over = request.token.as_ref().is_some_and(|token| token.purpose == TokenPurpose::Replaced);
    if is_handed_over && !loaded.issued_tokens().has_way_back() {
        return Err(ServiceError::WayBackClosed);
    }
    Ok(())
}

/// Caches a match after an append.
fn kept(entry: &CacheEntry, appended: Appended, seed: Option<ServerSeed>) -> Appended {
    entry.keep(&CachedMatch::now(Arc::clone(&appended.loaded), seed), false);
    appended
}

/// Waits after a lost race, longer at each try, with some jitter so that two instances do not collide again.
async fn back_off(tries: u32) {
    let jitter = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos() % 4);
    tokio::time::sleep(Duration::from_millis(u64::from(tries.min(10) * (1 + jitter)))).await;
}
