use std::sync::Arc;

use super::creation::admit_created;
use crate::editions::Editions;
use crate::log::{EventData, InvalidEvent, MatchCreated, MatchId};
use crate::rules::{DynGame, Edition, Game};

/// The facts about a match that no later event changes.
pub struct MatchInfo {
    /// The match's id.
    pub match_id: MatchId,
    /// The game that is played.
    pub game: &'static Game,
    /// The edition of the match, if its game has editions.
    pub edition: Option<Arc<Edition>>,
    /// The games and editions with which the log of the match can be read again.
    pub editions: Editions,
    /// The first event of the match: game, options, sides, dice and edition.
    pub created: MatchCreated,
}

impl MatchInfo {
    /// The facts in the first event of a log, and the state of the game before the set-up and the toss. The
    /// edition that the event names has to be one of those handed in.
    pub(super) fn from_log(
        match_id: MatchId,
        first: &EventData,
        editions: &Editions,
    ) -> Result<(MatchInfo, Box<dyn DynGame>), InvalidEvent> {
        let EventData::MatchCreated(created) = first else {
            return Err(InvalidEvent::new("kind", "a log begins with match_created"));
        };
        let edition = created.edition.as_ref().and_then(|named| editions.find(&named.sha256));
        let game = editions
            .registry()
            .find(&created.game)
            .ok_or_else(|| InvalidEvent::new("data.game", format!("there is no game {:?}", created.game)))?;
        let opened = admit_created(game, created, edition.as_deref())?;
        let editions = editions.only(edition.as_ref());
        Ok((MatchInfo { match_id, game, edition, editions, created: created.clone() }, opened))
    }
}
