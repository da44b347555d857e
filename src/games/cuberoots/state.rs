//! The state of a match of CubeRoots cricket, folded from its events: the sides, the innings, the bag and the
//! hands.

use std::sync::Arc;

use super::bag::{self, Bag, CUBES, Cubes, Six, built_in_cubes};
use super::ball::Pressure;
use super::duel::{ByDuty, Duty};
use super::hands::Hands;
use super::options::Options;
use crate::dice::{Dice, DiceFault, Draw};
use crate::log::{DiceMode, MatchCreated};
use crate::scorebook::{BySide, Delivery, Innings, MatchResult, Player, Side};

/// The number of players in a side.
pub const PLAYERS: u8 = 11;
/// The number of wickets at which a side is all out.
pub const WICKETS: u8 = 10;
/// The bowler of an over in the name of the side.
pub const SIDE_ITSELF: Player = Player(PLAYERS);

/// The part of a match that never changes.
#[derive(Debug, PartialEq)]
pub struct Setting {
    pub(super) created: Arc<MatchCreated>,
    pub(super) options: Options,
    /// The bowlers of each side: its eleven players, and the side itself.
    pub(super) bowlers: BySide<Vec<String>>,
    pub(super) cubes: Box<Cubes>,
    /// The number that each side reads on every cube.
    numbers: BySide<[u8; CUBES]>,
}

impl Setting {
    fn new(created: Arc<MatchCreated>, options: Options) -> Setting {
        let bowlers = |side| {
            let sheet = created.sheet(side);
            sheet.players.iter().chain([&sheet.name]).cloned().collect()
        };
        let cubes = options.bag.clone().unwrap_or_else(|| Box::new(built_in_cubes()));
        let read = |colour: u8| cubes.map(|cube| cube[usize::from(colour)]);
        Setting {
            bowlers: BySide { home: bowlers(Side::Home), away: bowlers(Side::Away) },
            numbers: BySide { home: read(options.colours.home), away: read(options.colours.away) },
            cubes,
            created,
            options,
        }
    }
}

/// The state of a match of CubeRoots cricket, folded from its events.
#[derive(Debug, Clone, PartialEq)]
pub struct CubeRoots {
    pub(super) setting: Arc<Setting>,
    pub(super) bats_first: Side,
    /// The number of deliveries bowled in the match.
    pub(super) deliveries: u32,
    /// The number of the innings in progress, or of the last, from 1.
    pub(super) innings_number: u16,
    /// The runs of each side in the innings before this one.
    runs_before: BySide<u32>,
    /// The innings in progress, or the last.
    pub(super) innings: Innings,
    dots_in_a_row: u8,
    /// The cubes left in the bag.
    pub(super) bag: Bag,
    /// Whether the bag was filled again for the over in progress.
    pub(super) refilled: bool,
    /// The cubes or numbers of both sides in the over in progress.
    pub(super) hands: Hands,
    /// The duties that have rolled a cube in the over in progress.
    pub(super) rolled: ByDuty<bool>,
}

impl CubeRoots {
    /// The state of a match before its first over.
    pub fn new(created: Arc<MatchCreated>, options: Options) -> CubeRoots {
        CubeRoots {
            setting: Arc::new(Setting::new(created, options)),
            bats_first: Side::Home,
            deliveries: 0,
            innings_number: 1,
            runs_before: BySide::default(),
            innings: Innings::default(),
            dots_in_a_row: 0,
            bag: Bag::FULL,
            refilled: false,
            hands: Hands::Unknown,
            rolled: ByDuty::default(),
        }
    }

    /// Whether the cubes are dealt from a seed.
    pub fn is_seeded(&self) -> bool {
        self.setting.created.dice == DiceMode::Seeded
    }

    /// The side batting.
    pub fn batting(&self) -> Side {
        if self.innings_number % 2 == 1 { self.bats_first } else { self.bats_first.other() }
    }

    /// The side with this duty.
    pub fn side(&self, duty: Duty) -> Side {
        match duty {
            Duty::Bowling => self.batting().other(),
            Duty::Batting => self.batting(),
        }
    }

    /// The duty of this side.
    pub fn duty(&self, side: Side) -> Duty {
        if side == self.batting() { Duty::Batting } else { Duty::Bowling }
    }

    /// The batting side's players.
    pub fn batters(&self) -> &[String] {
        &self.setting.created.sheet(self.batting()).players
    }

    /// The bowlers who may bowl: the bowling side's players, and the side itself.
    pub fn bowlers(&self) -> &[String] {
        &self.setting.bowlers[self.batting().other()]
    }

    /// The number of the next delivery in the match.
    pub fn next_delivery(&self) -> u32 {
        self.deliveries + 1
    }

    /// The index of the next ball in the over, from 0.
    pub fn turn(&self) -> usize {
        self.innings.ball_number() as usize - 1
    }

    /// The number that a side reads on a cube.
    #[inline]
    pub fn number(&self, duty: Duty, cube: u8) -> u8 {
        self.setting.numbers[self.side(duty)][usize::from(cube)]
    }

    /// The numbers that a side reads on cubes.
    pub fn numbers(&self, duty: Duty, cubes: Six) -> Six {
        cubes.map(|cube| self.number(duty, cube))
    }

    /// The pressure on the next ball: how far ahead the bowler needs to be.
    pub fn pressure(&self) -> Pressure {
        Pressure { base: self.setting.options.base(), dots_in_a_row: self.dots_in_a_row }
    }

    /// The striker and the non-striker on the next ball. After a wicket the next batter in the list comes in.
    pub fn at_the_wicket(&self) -> Option<[Player; 2]> {
        let next = || self.innings.yet_to_bat(PLAYERS).next();
        Some([self.innings.striker().or_else(next)?, self.innings.non_striker().or_else(next)?])
    }

    /// Whether a side has rolled its cube of the over in progress.
    pub fn has_rolled(&self, duty: Duty) -> bool {
        self.innings.bowler().is_some() && self.rolled[duty]
    }

    /// Deals the next over from the bag.
    pub fn deal<D: Dice + ?Sized>(&self, dice: &mut D) -> Result<ByDuty<Six>, DiceFault> {
        bag::deal(self.bag, Draw::over(self.innings_number, self.innings.over_number()), dice)
    }

    /// Begins an over.
    pub(super) fn begin_over(&mut self, bowler: Player, hands: Hands) {
        if !self.innings.is_open() {
            self.innings.open(Player(0), Player(1));
        }
        self.innings.begin_over(bowler);
        self.hands = hands;
        self.rolled = ByDuty::default();
        if let Hands::Dealt(hands) = hands {
            self.refilled = self.bag.is_too_small();
            self.bag = self.bag.for_an_over();
            for cube in hands.bowling.dealt.into_iter().chain(hands.batting.dealt) {
                self.bag.take(cube);
            }
        }
    }

    /// Counts a ball.
    #[inline]
    pub(super) fn count<D>(&mut self, delivery: &Delivery<D>) {
        if self.innings.awaits_batter() {
            let next = self.innings.yet_to_bat(PLAYERS).next();
            next.into_iter().for_each(|batter| self.innings.come_in(batter));
        }
        let ran = delivery.runs + delivery.extras.byes + delivery.extras.leg_byes;
        if delivery.boundary.is_none() && ran % 2 == 1 {
            self.innings.cross();
        }
        self.innings.count(delivery);
        self.deliveries += 1;
        let dot = delivery.total() == 0 && delivery.dismissal.is_none();
        self.dots_in_a_row = if dot { self.dots_in_a_row.saturating_add(1) } else { 0 };
        self.close_innings();
    }

    /// Moves on to the next innings when one has ended and was not the last.
    fn close_innings(&mut self) {
        if !self.is_last() && self.innings_has_ended() {
            self.begin_next_innings();
        }
    }

    /// Begins the next innings.
    pub(super) fn begin_next_innings(&mut self) {
        let batted = self.batting();
        self.runs_before[batted] += self.innings.runs;
        self.innings_number += 1;
        self.innings = Innings::default();
        self.dots_in_a_row = 0;
        self.bag = Bag::FULL;
        self.refilled = false;
    }

    fn is_last(&self) -> bool {
        self.innings_number == self.setting.options.innings()
    }

    fn innings_has_ended(&self) -> bool {
        let options = &self.setting.options;
        let chased =
            options.end_at_target && self.is_last() && self.runs() > self.runs_before[self.batting().other()];
        chased || self.innings.wickets == WICKETS || self.innings.overs_completed() == options.last_over()
    }

    /// The runs of the batting side so far, in all its innings.
    fn runs(&self) -> u32 {
        self.runs_before[self.batting()] + self.innings.runs
    }

    /// The target of the side that bats last, known once the innings before has ended; none when that side is
    /// already ahead.
    pub fn target(&self) -> Option<u32> {
        if !self.is_last() {
            return None;
        }
        let batting = self.batting();
        (self.runs_before[batting.other()] + 1)
            .checked_sub(self.runs_before[batting])
            .filter(|target| *target > 0)
    }

    /// The result, once the last innings has ended or is not needed.
    pub fn result(&self) -> Option<MatchResult> {
        if !self.is_last() {
            return None;
        }
        let options = &self.setting.options;
        let (last, first) = (self.batting(), self.batting().other());
        if options.end_at_target && self.runs_before[last] > self.runs_before[first] {
            return Some(MatchResult::by_innings(last, self.runs_before[last] - self.runs_before[first]));
        }
        if !self.innings_has_ended() {
            return None;
        }
        let (last_runs, first_runs) = (self.runs(), self.runs_before[first]);
        Some(if last_runs < first_runs {
            MatchResult::by_runs(first, first_runs - last_runs)
        } else if last_runs == first_runs {
            MatchResult::tie()
        } else if options.end_at_target {
            MatchResult::by_wickets(last, u32::from(WICKETS - self.innings.wickets))
        } else {
            MatchResult::by_runs(last, last_runs - first_runs)
        })
    }
}
