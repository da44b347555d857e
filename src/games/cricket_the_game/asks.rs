//! What Cricket: The Game asks of those who score it.

use std::borrow::Cow;

use super::edition::model::EditionWord;
use super::state::CricketTheGame;
use crate::rules::{Ask, Asking, Draft, OnField};
use crate::scorebook::{Overs, Player};

impl Asking for CricketTheGame {
    fn asks(&self, _draft: &Draft<'_>) -> Vec<Ask> {
        Vec::new()
    }

    fn on_field(&self) -> OnField<'_> {
        let batting = self.side_batting();
        let batter = |player: Option<Player>| player.map(|player| self.batters()[player.index()].as_str());
        let fielder = |player: Player| self.fielders()[player.index()].as_str();
        let bowler = self.innings.bowler();
        OnField {
            batting,
            striker: batter(self.innings.striker()),
            non_striker: batter(self.innings.non_striker()),
            bowler: bowler.map(fielder),
            style: bowler.map(|_| Cow::Borrowed(self.style().word())),
            keeper: Some(fielder(self.eleven(batting.other()).keeper())),
            balls_limit: Some(u32::from(self.format().overs()) * Overs::BALLS),
        }
    }
}
