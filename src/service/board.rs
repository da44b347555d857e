//! The match on the board: the one that a television shows under its short address. It follows from the
//! match list and the time, so a service that starts anew gives the same answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::system::now;
use super::{MatchService, ServiceError};
use crate::log::{DiceMode, MatchId};
use crate::matches::Phase;
use crate::projection::LoadedMatch;
use crate::store::{ListOrder, ListPlace, MatchFilter};

/// How long the board stays with a match that has ended, in milliseconds.
const AFTER_THE_END: i64 = 3 * 60 * 1_000;
/// How long a match without an event keeps the board while another one is in play, in milliseconds. A match
/// that nobody ends would keep it for ever.
const WITHOUT_AN_EVENT: i64 = 3 * 60 * 60 * 1_000;
/// The number of matches that are looked at: those that changed last.
const LOOKED_AT: u32 = 50;
/// How long an answer of the store is used again: any number of televisions cost it one query a second.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// How far a match has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Before the toss is decided.
    Created,
    /// In play.
    InPlay,
    /// Over since this time, in milliseconds.
    Over(i64),
}

/// A match that the board may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardRow {
    id: MatchId,
    stage: Stage,
    /// The time of its last event in milliseconds.
    last_at: i64,
}

impl BoardRow {
    fn of(loaded: &LoadedMatch) -> BoardRow {
        let last_at = loaded.last_at().timestamp_millis();
        let over = || loaded.projection().ended_at().map_or(last_at, |at| at.timestamp_millis());
        let stage = match loaded.the_match().play().phase() {
            Phase::SetUp | Phase::Toss => Stage::Created,
            Phase::TossDecision(_) | Phase::Play => Stage::InPlay,
            Phase::Completed(_) | Phase::Abandoned => Stage::Over(over()),
        };
        BoardRow { id: loaded.match_id(), stage, last_at }
    }

    /// Whether the match keeps a board that shows it: until some time after its end, or after its last event
    /// where it does not end.
    fn keeps_the_board(&self, now: i64) -> bool {
        match self.stage {
            Stage::Over(at) => now - at < AFTER_THE_END,
            Stage::Created | Stage::InPlay => now - self.last_at < WITHOUT_AN_EVENT,
        }
    }
}

/// The match on the board: of `rows`, the matches with table dice that changed last, the last change first.
/// `showing` is the match that this board shows, with dice of either kind.
fn on_board(showing: Option<BoardRow>, rows: &[BoardRow], now: i64) -> Option<MatchId> {
    if let Some(kept) = showing.filter(|row| row.keeps_the_board(now)) {
        return Some(kept.id);
    }
    let others = || rows.iter().filter(|row| showing.is_none_or(|showing| showing.id != row.id));
    let first = |is: fn(Stage) -> bool| {
        others().filter(|row| is(row.stage) && row.keeps_the_board(now)).map(|row| row.id).min()
    };
    if let Some(showing) = showing {
        // A result stays until play begins elsewhere, and not only until a match is made.
        return first(|stage| stage == Stage::InPlay).or(Some(showing.id));
    }
    first(|stage| stage != Stage::Created)
        .or_else(|| first(|stage| stage == Stage::Created))
        .or_else(|| rows.first().map(|row| row.id))
}

/// The matches of the list that a board without a match of its own may show, and when they were read.
pub(super) type BoardRows = Mutex<Option<(Instant, Arc<[BoardRow]>)>>;

/// What the board reads of an entry of the list.
#[derive(Deserialize)]
struct ListedMatch {
    dice: DiceMode,
    status: String,
}

impl MatchService {
    /// The match on the board. A board that shows a match names it: it stays with it until some time after
    /// its end. Then the first match with table dice that is in play follows. A match that is not known
    /// counts as none.
    pub async fn on_board(&self, showing: Option<MatchId>) -> Result<Option<MatchId>, ServiceError> {
        let showing = match showing {
            Some(id) => self.board_row(id).await?,
            None => None,
        };
        let now = now()?.timestamp_millis();
        // A match that keeps the board needs no list.
        if let Some(kept) = showing.filter(|row| row.keeps_the_board(now)) {
            return Ok(Some(kept.id));
        }
        Ok(on_board(showing, &self.board_rows(now).await?, now))
    }

    /// A match as the board has it; none if there is no such match, or its log is not valid.
    async fn board_row(&self, id: MatchId) -> Result<Option<BoardRow>, ServiceError> {
        match self.loaded(id).await {
            Ok(loaded) => Ok(Some(BoardRow::of(&loaded))),
            Err(ServiceError::NoSuchMatch(_) | ServiceError::BrokenLog { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The matches with table dice that changed last, the last change first.
    async fn board_rows(&self, now: i64) -> Result<Arc<[BoardRow]>, ServiceError> {
        let kept = self.board_rows.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, rows)) = kept.filter(|(read_at, _)| read_at.elapsed() < KEPT_FOR) {
            return Ok(rows);
        }
        let filter = MatchFilter { order: ListOrder::Changed, limit: LOOKED_AT, ..MatchFilter::default() };
        let mut rows = Vec::new();
        for (place, body) in self.list(&filter).await? {
            // An entry that cannot be read has to be rebuilt; the board goes on without it.
            let Ok(listed) = serde_json::from_str::<ListedMatch>(&body) else { continue };
            if listed.dice == DiceMode::Table {
                rows.extend(self.listed_row(place, &listed.status, now).await?);
            }
        }
        let rows: Arc<[BoardRow]> = rows.into();
        *self.board_rows.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Instant::now(), Arc::clone(&rows)));
        Ok(rows)
    }

    /// A match of the list as the board has it. Only where one may have ended just now is its log asked for
    /// the end: an entry has the time of the last event, which may be later.
    async fn listed_row(
        &self,
        place: ListPlace,
        status: &str,
        now: i64,
    ) -> Result<Option<BoardRow>, ServiceError> {
        let ListPlace { match_id: id, last_at } = place;
        let stage = match status {
            "created" => Stage::Created,
            "in_play" => Stage::InPlay,
            _ if now - last_at < AFTER_THE_END => return self.board_row(id).await,
            _ => Stage::Over(last_at),
        };
        Ok(Some(BoardRow { id, stage, last_at }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const NOW: i64 = 24 * HOUR;

    fn row(id: u128, stage: Stage, last_at: i64) -> BoardRow {
        BoardRow { id: MatchId::from_u128(id), stage, last_at }
    }

    /// A match whose last event was a minute ago.
    fn changed_lately(id: u128, stage: Stage) -> BoardRow {
        row(id, stage, NOW - MINUTE)
    }

    fn board(showing: Option<BoardRow>, rows: &[BoardRow]) -> Option<u128> {
        on_board(showing, rows, NOW).map(|id| id.as_u128())
    }

    #[test]
    fn a_board_stays_with_its_match_until_three_minutes_after_the_end() {
        let next = changed_lately(9, Stage::InPlay);
        for (shown, due) in [
            (changed_lately(1, Stage::Created), 1),
            (changed_lately(1, Stage::InPlay), 1),
            (changed_lately(1, Stage::Over(NOW - 3 * MINUTE + 1)), 1),
            (changed_lately(1, Stage::Over(NOW - 3 * MINUTE)), 9),
            // A correction after the end does not hold the board.
            (row(1, Stage::Over(NOW - 4 * MINUTE), NOW), 9),
        ] {
            assert_eq!(board(Some(shown), &[next, shown]), Some(due), "{shown:?}");
            assert_eq!(board(Some(shown), &[shown]), Some(1), "nothing else is in play: {shown:?}");
        }
    }

    #[test]
    fn a_match_that_nobody_ends_gives_way_to_one_in_play_after_three_hours() {
        for stage in [Stage::Created, Stage::InPlay] {
            let next = changed_lately(9, Stage::InPlay);
            let left = row(1, stage, NOW - 3 * HOUR);
            assert_eq!(board(Some(left), &[next, left]), Some(9));
            assert_eq!(board(Some(left), &[left]), Some(1));
            let late = row(1, stage, NOW - 3 * HOUR + 1);
            assert_eq!(board(Some(late), &[next, late]), Some(1));
        }
    }

    #[test]
    fn a_result_stays_until_play_begins_elsewhere() {
        let over = changed_lately(1, Stage::Over(NOW - HOUR));
        assert_eq!(board(Some(over), &[changed_lately(9, Stage::Created), over]), Some(1));
        assert_eq!(board(Some(over), &[changed_lately(9, Stage::InPlay), over]), Some(9));
        let (earlier, later) = (changed_lately(5, Stage::InPlay), changed_lately(9, Stage::InPlay));
        assert_eq!(board(Some(over), &[later, earlier, over]), Some(5), "the one that was made first");
        let left = row(5, Stage::InPlay, NOW - 5 * HOUR);
        assert_eq!(board(Some(over), &[later, left, over]), Some(9), "nobody plays the first one");
    }

    #[test]
    fn a_board_that_shows_nothing_takes_what_others_show() {
        let (first, second) = (changed_lately(1, Stage::InPlay), changed_lately(2, Stage::InPlay));
        assert_eq!(board(None, &[second, first]), Some(1));
        let ended = changed_lately(1, Stage::Over(NOW - 2 * MINUTE));
        assert_eq!(board(None, &[second, ended]), Some(1), "for three minutes after its end");
        let ended = changed_lately(1, Stage::Over(NOW - 4 * MINUTE));
        assert_eq!(board(None, &[second, ended]), Some(2));
    }

    #[test]
    fn a_board_that_shows_nothing_takes_a_new_match_before_an_old_result() {
        let result = changed_lately(1, Stage::Over(NOW - HOUR));
        assert_eq!(board(None, &[result, changed_lately(2, Stage::Created)]), Some(2));
        let left = row(2, Stage::Created, NOW - 4 * HOUR);
        assert_eq!(board(None, &[result, left]), Some(1), "the last one that changed");
        assert_eq!(board(None, &[]), None);
    }
}
