use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::cache::CachedMatch;
use super::folding::{fold_corrected, read_log};
use super::submit::check_if_match;
use super::system::now;
use super::{MatchService, ServiceError};
use crate::commands::{Command, CommandRequest};
use crate::log::{Entry, Event};
use crate::matches::corrections::{self, Consent};
use crate::matches::{Match, Preview};
use crate::projection::LoadedMatch;
use crate::rules::{Place, Refusal, RefusalKind};

/// What a correction would come to.
pub enum DryRun {
    /// The match after it.
    Whole(Box<LoadedMatch>),
    /// What is asked next for an amended ball of which a die or a choice is missing, and the match before
    /// that ball.
    Unfinished(Box<(Match, Preview)>),
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
            let unchanged = DryRun::Whole(Box::new(LoadedMatch::clone(&before)));
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
        return Ok(DryRun::Whole(Box::new(current.loaded.as_ref().clone())));
    };
    let (log, seed) = (read_log(log)?, current.seed.as_ref());
    let found = correction.find(the_match, current.loaded.projection().places());
    let correction = found.map_err(|refusal| ServiceError::refused(refusal, &current.loaded))?;
    let as_made =
        match corrections::decide(the_match, &log, &correction, request.actor, seed, Consent::Assumed) {
            Ok(as_made) => as_made,
            Err(refused) => {
                return match refused.preview(&correction) {
                    Some(unfinished) => Ok(DryRun::Unfinished(Box::new(unfinished))),
                    None => Err(ServiceError::refused(*refused.refusal, &current.loaded)),
                };
            }
        };
    if as_made.shows_new_dice {
        let message = "this correction shows a die that is not in the log yet, and a dry run may show none";
        let place = Place::Field("dry_run".to_owned());
        return Err(Refusal::new(RefusalKind::IllegalInput, place, message).into());
    }
    let sealed = Event::seal_all(request.match_id, current.loaded.head(), now, as_made.events)?;
    let corrected = fold_corrected(log, &sealed, &the_match.play().info().editions)?;
    Ok(DryRun::Whole(Box::new(corrected)))
}
