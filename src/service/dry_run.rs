//! The dry run of a correction: what it would come to, or what it asks next. Nothing is stored.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::cache::CachedMatch;
use super::folding::{fold_corrected, read_log};
use super::submit::check_if_match;
use super::system::now;
use super::{MatchService, ServiceError};
use crate::commands::{Command, CommandRequest};
use crate::log::{DeliveryPlace, Entry, Event, InvalidEvent, MatchId};
use crate::matches::corrections::{
    self, AskedBall, AskedLater, AskedMissing, Consent, CorrectionRefused, RefitNote,
};
use crate::matches::{History, Match, Preview};
use crate::projection::LoadedMatch;
use crate::rules::{Place, Refusal, RefusalKind};

/// What a correction would come to.
pub enum DryRun {
    /// The match after it, and what a refit could not keep of later deliveries.
    Whole(Box<LoadedMatch>, Vec<RefitNote>),
    /// What is asked next for a ball or an over of which a die or a choice is missing.
    Unfinished(Box<UnfinishedCorrection>),
}

/// What is asked next for a ball or an over of which a die or a choice is missing.
pub struct UnfinishedCorrection {
    /// The match before the step.
    pub state: Match,
    /// What is asked.
    pub preview: Preview,
    /// The ball after the changed one that is asked about, in a refit.
    pub later: Option<LaterAsked>,
}

/// The ball after the changed one that a refit asks about, and the match before it.
pub struct LaterAsked {
    /// What is asked about.
    pub ball: LaterBall,
    /// The match before the ball, as it is now.
    pub was: LoadedMatch,
    /// The match before the ball, after the correction.
    pub is: LoadedMatch,
    /// What the refit could not keep before the ball.
    pub notes: Vec<RefitNote>,
}

/// A ball after the changed one that a refit asks about.
#[derive(Debug, Clone)]
pub enum LaterBall {
    /// A later delivery, with its number and its place before the correction.
    Kept(u32, Option<DeliveryPlace>),
    /// A ball that this innings misses.
    Missing(u16),
}

impl MatchService {
    /// The match before a correction, and what the correction would come to. Nothing is stored.
    pub async fn dry_run(
        &self,
        request: &CommandRequest,
    ) -> Result<(Arc<LoadedMatch>, DryRun), ServiceError> {
        if let Some(token) = &request.token {
            self.confirm(request.match_id, token).await?;
        }
        let current = self.current(request.match_id, &self.entry(request.match_id), &self.reading).await?;
        check_if_match(request, current.loaded.head())?;
        let before = Arc::clone(&current.loaded);
        let Command::Correct(_) = &request.command else {
            let unchanged = DryRun::Whole(Box::new(LoadedMatch::clone(&before)), Vec::new());
            return Ok((before, unchanged));
        };
        let permit = self.reading.permit(request.match_id).await?;
        let log = self.log_up_to(request.match_id, before.head()).await?;
        let (request, now) = (request.clone(), now()?);
        let tried = move || try_correction(&request, &current, &log, now);
        Ok((before, permit.run(tried).await?))
    }
}

/// What a correction would come to, as if everybody had consented to it.
fn try_correction(
    request: &CommandRequest,
    current: &CachedMatch,
    log: &[Entry],
    now: DateTime<Utc>,
) -> Result<DryRun, ServiceError> {
    let the_match = current.loaded.the_match();
    let Command::Correct(correction) = &request.command else {
        return Ok(DryRun::Whole(Box::new(current.loaded.as_ref().clone()), Vec::new()));
    };
    let (log, seed) = (read_log(log)?, current.seed.as_ref());
    let found = correction.find(the_match, current.loaded.projection().places());
    let correction = found.map_err(|refusal| ServiceError::refused(refusal, &current.loaded))?;
    let as_made =
        match corrections::decide(the_match, &log, &correction, request.actor, seed, Consent::Assumed) {
            Ok(as_made) => as_made,
            Err(refused) => {
                let Some((state, preview)) = refused.preview(&correction) else {
                    return Err(ServiceError::refused(*refused.refusal, &current.loaded));
                };
                let later = later_asked(refused, request.match_id, current, log, now)?;
                return Ok(DryRun::Unfinished(Box::new(UnfinishedCorrection { state, preview, later })));
            }
        };
    if as_made.shows_new_dice {
        let message = "this correction shows a die that is not in the log yet, and a dry run may show none";
        let place = Place::Field("dry_run".to_owned());
        return Err(Refusal::new(RefusalKind::IllegalInput, place, message).into());
    }
    let sealed = Event::seal_all(request.match_id, current.loaded.head(), now, as_made.events)?;
    let corrected = fold_corrected(log, &sealed, &the_match.play().info().editions)?;
    Ok(DryRun::Whole(Box::new(corrected), as_made.notes))
}

/// The ball after the changed one that a refused refit asks about, with the match before it, now and after
/// the correction.
fn later_asked(
    refused: CorrectionRefused,
    match_id: MatchId,
    current: &CachedMatch,
    log: Vec<Event>,
    now: DateTime<Utc>,
) -> Result<Option<LaterAsked>, ServiceError> {
    let asked = refused.unfinished.as_ref().map_or(AskedBall::Changed, |unfinished| unfinished.asked);
    if asked == AskedBall::Changed {
        return Ok(None);
    }
    let editions = &current.loaded.the_match().play().info().editions;
    let mut history: History<LoadedMatch> = History::new(editions.clone());
    let broken =
        |seq: u64| move |invalid: InvalidEvent| ServiceError::BrokenLog { seq, reason: invalid.to_string() };
    for event in &log {
        history.follow(event.clone()).map_err(broken(event.seq))?;
    }
    let live = history.live();
    let (ball, first) = match asked {
        AskedBall::Later(AskedLater { delivery, .. }) => {
            let place = current.loaded.projection().places().place_of(delivery);
            (LaterBall::Kept(delivery, place), live.begin_of(delivery).ok())
        }
        AskedBall::Missing(AskedMissing { innings, .. }) => {
            (LaterBall::Missing(innings), live.begin_after(innings))
        }
        AskedBall::Changed => return Ok(None),
    };
    let first = first.unwrap_or(u64::MAX);
    let was = history.state_after(live.before(first)).map_err(broken(first))?;
    let sealed = Event::seal_all(match_id, current.loaded.head(), now, refused.so_far)?;
    let is = fold_corrected(log, &sealed, editions)?;
    Ok(Some(LaterAsked { ball, was, is, notes: refused.notes }))
}
