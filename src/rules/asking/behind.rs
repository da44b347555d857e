//! The rulings behind each question of a game, as a table by the name of the choice or of the die.

use crate::scorebook::Ruling;

/// The rulings behind each question of a game.
#[derive(Debug, Clone, Copy)]
pub struct RulingsBehind(pub &'static [(&'static str, &'static [&'static Ruling])]);

impl RulingsBehind {
    /// The rulings behind the choice or the die of this name; none where the table does not have it.
    pub fn of(self, name: &str) -> &'static [&'static Ruling] {
        self.0.iter().find(|(asked, _)| *asked == name).map_or(&[], |(_, rulings)| rulings)
    }
}
