//! Description: what scorecards and commentary tell of a game beyond the scorebook that all games share.

use crate::log::{Over, RecordedPlay, SetUp};
use crate::scorebook::BySide;

/// What a game tells of recorded play, from the events alone.
pub trait Describe {
    /// The note of the game on an event of play, for the commentary: words after a comma.
    fn note(_recorded: RecordedPlay<'_>) -> Option<String> {
        None
    }

    /// The striker and the non-striker who open an innings, if they were named for this over.
    fn openers(_over: &Over) -> Option<[&str; 2]> {
        None
    }

    /// The bowler of an over.
    fn bowler(_over: &Over) -> Option<&str> {
        None
    }

    /// The players on the team sheets who take no part after the set-up.
    fn dropped(_set_up: &SetUp) -> BySide<Vec<String>> {
        BySide::default()
    }
}
