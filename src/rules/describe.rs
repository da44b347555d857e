//! Description: what scorecards, commentary and audits tell of a game beyond the scorebook that all games
//! share.

use super::{ChoiceOffers, Choices, Rules};
use crate::log::{Over, RecordedPlay, SetUp};
use crate::scorebook::BySide;

/// What a game tells of recorded play, from the events or from the state before them.
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

    /// The choices that could be made for the event of play that comes next and has these choices: the whole
    /// of a set-up, an over or a ball, however many steps its choices take.
    ///
    /// A decision that only dice ask for could be made where it stands in the event. A choice that was made
    /// in secret has no default. Choices that follow from others, or from the seed, are none.
    fn offers(&self, _made: &Choices) -> ChoiceOffers
    where
        Self: Rules,
    {
        ChoiceOffers::of(self.next())
    }
}
