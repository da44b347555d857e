//! The decision of a command, from everything that it needs to the events to append: nothing here waits for
//! the store, so a thread of its own can do it.

use chrono::{DateTime, Utc};

use super::ServiceError;
use super::cache::CachedMatch;
use super::folding::{fold_corrected, read_log, seal};
use crate::commands::{Command, CommandHandler, CommandRequest, Secrets};
use crate::log::{Entry, Event};
use crate::matches::corrections::{self, Consent};
use crate::matches::{SealOpening, ServerSecrets};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::views::LoadedMatch;

/// The events that a command has come to, and the match after them.
pub(super) struct ToAppend {
    pub sealed: Vec<(Event, Entry)>,
    pub loaded: LoadedMatch,
    pub secrets: Secrets,
}

/// The handler of a request's command.
pub(super) fn handler<'a>(
    request: &CommandRequest,
    current: &'a CachedMatch,
    openings: &'a [SealOpening],
    now: DateTime<Utc>,
) -> CommandHandler<'a> {
    let secrets = ServerSecrets { seed: current.seed.as_ref(), openings, now };
    CommandHandler { the_match: current.loaded.the_match(), actor: request.actor, secrets }
}

/// Decides a command on a match; `log` is the log of the match, where the decision needs it.
pub(super) fn decide(
    request: &CommandRequest,
    current: &CachedMatch,
    openings: &[SealOpening],
    log: &[Entry],
    now: DateTime<Utc>,
) -> Result<ToAppend, ServiceError> {
    let log = read_log(log)?;
    let handler = handler(request, current, openings, now);
    let decided = handler.handle(&request.command, &log)?;
    let sealed = seal(request.match_id, current.loaded.head(), decided.events, now)?;
    let loaded = match decided.after {
        Some(after) => {
            let events: Vec<&Event> = sealed.iter().map(|(event, _)| event).collect();
            current.loaded.append(&events, after)
        }
        None => fold_corrected(log, &sealed, handler.the_match.play().info().editions.clone())?,
    };
    Ok(ToAppend { sealed, loaded, secrets: decided.secrets })
}

/// The match after a correction, as if everybody had consented to it.
pub(super) fn try_correction(
    request: &CommandRequest,
    current: &CachedMatch,
    log: &[Entry],
    now: DateTime<Utc>,
) -> Result<LoadedMatch, ServiceError> {
    let the_match = current.loaded.the_match();
    let Command::Correct(correction) = &request.command else { return Ok(current.loaded.as_ref().clone()) };
    let (log, seed) = (read_log(log)?, current.seed.as_ref());
    let as_made = corrections::decide(the_match, &log, correction, request.actor, seed, Consent::Assumed)?;
    if as_made.shows_new_dice {
        let message = "this correction shows a die that is not in the log yet, and a dry run may show none";
        let place = Place::Field("dry_run".to_owned());
        return Err(Refusal::new(RefusalKind::IllegalInput, place, message).into());
    }
    let sealed = seal(request.match_id, current.loaded.head(), as_made.events, now)?;
    fold_corrected(log, &sealed, the_match.play().info().editions.clone())
}
