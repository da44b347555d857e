//! The running count of an innings: score, wickets, batters at the two ends, and the over in progress.

use super::{Delivery, Overs, Player};

/// An over of an innings, while it is being bowled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OverTally {
    bowler: Player,
    legal: u8,
    deliveries: u32,
}

/// The running count of one innings: the score, the batters at each end, and the position in the over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Innings {
    /// The side's total.
    pub runs: u32,
    /// Wickets that have fallen.
    pub wickets: u8,
    overs_completed: u16,
    over: Option<OverTally>,
    /// The two ends; an end is empty after a wicket until the next batter comes in.
    ends: [Option<Player>; 2],
    facing: usize,
    /// Bit `p` is set once player `p` has come in.
    came_in: u32,
}

impl Innings {
    /// Sends in the two openers.
    pub fn open(&mut self, striker: Player, non_striker: Player) {
        self.ends = [Some(striker), Some(non_striker)];
        self.facing = 0;
        self.came_in = 1 << striker.0 | 1 << non_striker.0;
    }

    /// Whether the openers have been sent in.
    pub fn is_open(&self) -> bool {
        self.came_in != 0
    }

    /// The batter facing; `None` before the innings, and until a new batter comes in at that end.
    pub fn striker(&self) -> Option<Player> {
        self.ends[self.facing]
    }

    /// The batter at the other end.
    pub fn non_striker(&self) -> Option<Player> {
        self.ends[1 - self.facing]
    }

    /// Whether a wicket has fallen and the next batter has not come in yet.
    pub fn awaits_batter(&self) -> bool {
        self.is_open() && self.ends.contains(&None)
    }

    /// Brings in the next batter, in the place of the one who is out.
    pub fn come_in(&mut self, batter: Player) {
        if let Some(end) = self.ends.iter_mut().find(|end| end.is_none()) {
            *end = Some(batter);
            self.came_in |= 1 << batter.0;
        }
    }

    /// Whether this player has come in, and may be out by now.
    pub fn has_come_in(&self, player: Player) -> bool {
        self.came_in & 1 << player.0 != 0
    }

    /// The players of a side of `players` who have not come in, in team order.
    pub fn yet_to_bat(&self, players: u8) -> impl Iterator<Item = Player> + '_ {
        (0..players).map(Player).filter(|&player| !self.has_come_in(player))
    }

    /// Lets the batters change ends.
    pub fn cross(&mut self) {
        self.facing = 1 - self.facing;
    }

    /// Lets a batter face. None where he is not at the wicket; else whether the batters change ends for it.
    pub fn let_face(&mut self, batter: Player) -> Option<bool> {
        let changes = self.ends.iter().position(|end| *end == Some(batter))? != self.facing;
        if changes {
            self.cross();
        }
        Some(changes)
    }

    /// Begins an over.
    pub fn begin_over(&mut self, bowler: Player) {
        self.over = Some(OverTally { bowler, legal: 0, deliveries: 0 });
    }

    /// The bowler of the over in progress; `None` between overs.
    pub fn bowler(&self) -> Option<Player> {
        self.over.map(|over| over.bowler)
    }

    /// The number of the over in progress or, between overs, of the next one; from 1.
    pub fn over_number(&self) -> u16 {
        self.overs_completed + 1
    }

    /// The number in the over of the next ball, counting every delivery; from 1.
    pub fn ball_number(&self) -> u32 {
        self.over.map_or(1, |over| over.deliveries + 1)
    }

    /// Counts a ball: the runs, the wicket, the over. At the end of an over the batters change ends. Whether
    /// they crossed on the ball itself is up to the game, which calls [`cross`](Self::cross) before.
    pub fn count<D>(&mut self, delivery: &Delivery<D>) {
        self.runs += u32::from(delivery.total());
        if let Some(out) = delivery.player_out() {
            self.wickets += 1;
            for end in self.ends.iter_mut().filter(|end| **end == Some(out)) {
                *end = None;
            }
        }
        if let Some(over) = &mut self.over {
            over.deliveries += 1;
            over.legal += u8::from(delivery.legal);
            if u32::from(over.legal) == Overs::BALLS {
                self.over = None;
                self.overs_completed += 1;
                self.cross();
            }
        }
    }

    /// The number of complete overs.
    pub fn overs_completed(&self) -> u16 {
        self.overs_completed
    }

    /// The number of legal balls bowled, as overs.
    pub fn overs(&self) -> Overs {
        let this_over = self.over.map_or(0, |over| u32::from(over.legal));
        Overs::of_balls(u32::from(self.overs_completed) * Overs::BALLS + this_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scorebook::{Dismissal, Extras, Rulings};

    fn ball(runs: u16, legal: bool, dismissal: Option<Dismissal>) -> Delivery<()> {
        Delivery {
            striker: Player(0),
            non_striker: Player(1),
            bowler: Player(10),
            runs,
            extras: Extras::default(),
            legal,
            boundary: None,
            dismissal,
            rulings: Rulings::new(),
            detail: (),
        }
    }

    #[test]
    fn an_over_is_six_legal_balls_and_ends_with_a_change_of_ends() {
        let mut innings = Innings::default();
        innings.open(Player(0), Player(1));
        innings.begin_over(Player(10));
        for legal in [true, true, false, true, true, true] {
            innings.count(&ball(0, legal, None));
        }
        assert_eq!((innings.overs().to_string().as_str(), innings.ball_number()), ("0.5", 7));
        innings.count(&ball(2, true, None));
        assert_eq!((innings.overs().to_string().as_str(), innings.over_number()), ("1.0", 2));
        assert_eq!((innings.striker(), innings.bowler(), innings.runs), (Some(Player(1)), None, 2));
    }

    #[test]
    fn the_next_batter_takes_the_place_of_the_one_who_is_out_even_after_a_change_of_ends() {
        let mut innings = Innings::default();
        innings.open(Player(0), Player(1));
        innings.begin_over(Player(10));
        (0..5).for_each(|_| innings.count(&ball(0, true, None)));
        innings.count(&ball(0, true, Some(Dismissal::Bowled)));
        assert!(innings.awaits_batter());
        assert_eq!((innings.striker(), innings.non_striker(), innings.wickets), (Some(Player(1)), None, 1));
        assert_eq!(innings.yet_to_bat(4).collect::<Vec<_>>(), [Player(2), Player(3)]);
        innings.come_in(Player(3));
        assert_eq!(innings.non_striker(), Some(Player(3)));
    }
}
