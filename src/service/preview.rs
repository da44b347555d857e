//! Previews: a request is decided on the match as it is now, and nothing is stored.

use std::sync::Arc;

use super::system::now;
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::{Actor, Event, EventData, MatchId};
use crate::matches::{Preview, PreviewRequest};
use crate::projection::LoadedMatch;

/// What a request would come to.
pub struct Previewed {
    /// The match as it is.
    pub before: Arc<LoadedMatch>,
    /// What the request would come to.
    pub preview: Preview,
    /// The match as it would be, where the body is whole.
    pub after: Option<PreviewedMatch>,
}

/// A match as it would be after a request.
pub struct PreviewedMatch {
    /// The match after the events of the request.
    pub loaded: LoadedMatch,
    /// The sentence of the commentary for the last of them that is play.
    pub text: String,
}

impl MatchService {
    /// What a request would come to on the match as it is now.
    pub async fn preview(
        &self,
        match_id: MatchId,
        request: PreviewRequest,
    ) -> Result<Previewed, ServiceError> {
        let before = self.loaded(match_id).await?;
        on_own_thread(move || preview(before, &request)).await?
    }
}

fn preview(before: Arc<LoadedMatch>, request: &PreviewRequest) -> Result<Previewed, ServiceError> {
    let mut preview = Preview::of(before.the_match(), request)
        .map_err(|refusal| ServiceError::refused(refusal, &before))?;
    let after = match preview.decided.take() {
        None => None,
        Some(decided) => {
            let events = decided.events.into_iter().map(|event| (event, Actor::Scorer)).collect();
            let sealed = Event::seal_all(before.match_id(), before.head(), now()?, events)?;
            let events: Vec<&Event> = sealed.iter().map(|(event, _)| event).collect();
            let loaded = before.append(&events, decided.after);
            let played =
                events.iter().rev().find(|event| !matches!(event.data, EventData::MatchCompleted(_)));
            let text = played.map_or(String::new(), |event| loaded.describe(event).text);
            Some(PreviewedMatch { loaded, text })
        }
    };
    Ok(Previewed { before, preview, after })
}
