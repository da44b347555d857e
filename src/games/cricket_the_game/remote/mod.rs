//! Remote play: the order in which the sides choose, in the open or, for bowl and stroke, in secret.

mod open;
mod secret;

pub use self::open::{choose, next, next_over, refuse_before_its_turn, with_open_choices};
pub use self::secret::{bowl_remotely, drawn};
use super::state::CricketTheGame;
use crate::dice::Dice;
use crate::rules::{ChoiceKind, Choices, Play, Refusal, RemoteChoices};
use crate::scorebook::{BySide, Side};

impl RemoteChoices for CricketTheGame {
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool {
        let is_of_batting_side = match choice {
            "next_batter" | "next_attitude" | "openers" | "attitudes" | "attitude" | "stroke"
            | "power_play" | "reroll_batter" | "longer" | "run" => true,
            "bowler" | "field" | "bowl" | "reroll_bowler" | "chance" => false,
            _ => return false,
        };
        is_of_batting_side == (side == self.side_batting())
    }

    fn secret(&self) -> Option<ChoiceKind> {
        secret::secret(self)
    }

    fn open_choice(&self) -> Option<(Side, ChoiceKind)> {
        open::open_choice(self)
    }

    fn on_timeout(&self) -> Play {
        open::on_timeout(self)
    }

    fn check(&self, side: Side, given: &Choices, _dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        secret::check(self, side, given)
    }

    fn draw_for(&self, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        secret::draw(self, timed_out, dice)
    }

    fn reveal(&self, choices: BySide<Choices>) -> Play {
        secret::reveal(choices)
    }
}
