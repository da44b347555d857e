//! What CubeRoots asks of those who score it.

use super::state::CubeRoots;
use crate::rules::{Ask, Asking, Draft, OnField};
use crate::scorebook::{Overs, Player};

impl Asking for CubeRoots {
    fn asks(&self, _draft: &Draft<'_>) -> Vec<Ask> {
        Vec::new()
    }

    fn on_field(&self) -> OnField<'_> {
        let batter = |player: Player| self.batters()[player.index()].as_str();
        // Nobody chooses who comes in: it is the next in the list.
        let [striker, non_striker] = match self.at_the_wicket().filter(|_| self.innings.is_open()) {
            Some(at_the_wicket) => at_the_wicket.map(Some),
            None => {
                [Some(Player(0)), Some(Player(1))].map(|opener| opener.filter(|_| !self.innings.is_open()))
            }
        };
        OnField {
            batting: self.batting(),
            striker: striker.map(batter),
            non_striker: non_striker.map(batter),
            bowler: self.innings.bowler().map(|bowler| self.bowlers()[bowler.index()].as_str()),
            style: None,
            keeper: None,
            balls_limit: self.setting.options.overs.map(|overs| u32::from(overs) * Overs::BALLS),
        }
    }
}
