//! The reading of a match: the chances before and after each of its dice, and what follows from them.

use super::ball::FIRST;
use super::dice_of_match::{DiceOfDelivery, DiceOfMatch, MatchEnd};
use super::figures::{Figures, Helped};
use super::reach::{ByOrder, StateOfPlay};
use super::report::{
    DeliveryLuck, DieLuck, FaceSeen, FacesSeen, LuckByThrower, MatchLuck, ResultChances, ThrowerLuck,
    ThrowsLuck, TurnOfMatch,
};
use super::simulated::SimulatedLuck;
use super::table::LuckTable;
use crate::log::EndedInnings;
use crate::rules::Thrower;
use crate::scorebook::{BySide, Side};

/// The least swing of a throw that turned a match.
const TURNS: f64 = 0.1;
/// The decimals of a chance that are told, as a power of ten.
const DECIMALS: f64 = 1e10;

impl MatchLuck {
    /// Reads how the dice of a match fell. The table is of the odds of the match. A completed match is
    /// compared with simulated ones.
    pub fn of(table: &LuckTable, simulated: Option<&SimulatedLuck>, dice: &DiceOfMatch) -> MatchLuck {
        let Some(bats_first) = dice.bats_first else { return MatchLuck::before_the_toss(table) };
        let mut reading = Reading {
            table,
            bats_first,
            dice,
            standing: StateOfPlay::START,
            figures: Figures::with_sides(table.ball.most_sides()),
            turn: None,
        };
        if reading.ends_by_agreement(0) {
            reading.standing = reading.standing.chased();
        }
        let start = reading.chances(reading.standing);
        let deliveries = dice.deliveries.iter().map(|delivery| reading.deliver(delivery)).collect();
        let is_completed = matches!(dice.end, MatchEnd::Completed(_));
        let compared = simulated.filter(|_| is_completed).map(|simulated| (simulated, bats_first));
        MatchLuck {
            start: told(start),
            deliveries,
            by_thrower: reading.figures.by_thrower(compared),
            faces: reading.figures.faces(compared),
            turn: reading.turn.filter(|turn| turn.swing >= TURNS).map(TurnOfMatch::told),
        }
    }

    /// The luck of a match in which either side may bat first.
    fn before_the_toss(table: &LuckTable) -> MatchLuck {
        let ByOrder { first, second, tie } = table.chances(StateOfPlay::START);
        let either = (first + second) / 2.0;
        let none = Figures::with_sides(table.ball.most_sides());
        MatchLuck {
            start: told(ResultChances { home: either, away: either, tie }),
            deliveries: Vec::new(),
            by_thrower: none.by_thrower(None),
            faces: none.faces(None),
            turn: None,
        }
    }
}

/// A match that is being read.
struct Reading<'a> {
    table: &'a LuckTable,
    bats_first: Side,
    dice: &'a DiceOfMatch,
    /// The state before the next delivery.
    standing: StateOfPlay,
    figures: Figures,
    /// The largest swing towards the winner so far.
    turn: Option<TurnOfMatch>,
}

impl Reading<'_> {
    fn chances(&self, standing: StateOfPlay) -> ResultChances {
        ResultChances::of(self.table.chances(standing), self.bats_first)
    }

    /// Whether the first innings ends by agreement after this delivery.
    fn ends_by_agreement(&self, after: u32) -> bool {
        self.dice.ended.contains(&EndedInnings { innings: 1, after })
    }

    /// Reads the next delivery.
    fn deliver(&mut self, delivery: &DiceOfDelivery) -> DeliveryLuck {
        if delivery.innings > 1 && self.standing.target.is_none() {
            self.standing = self.standing.chased();
        }
        let before = self.standing;
        let counted = StateOfPlay {
            balls: delivery.balls,
            wickets: delivery.wickets,
            runs: delivery.runs,
            target: before.target,
        };
        let ends = before.target.is_none() && self.ends_by_agreement(delivery.delivery);
        self.standing = if ends { counted.chased() } else { counted };
        let ball = &self.table.ball;
        let path = ball.path(&delivery.dice).filter(|path| {
            let effect = path.last().and_then(|place| ball.effect_at(*place));
            !delivery.agreed && !ends && effect.is_some_and(|effect| before.after(effect) == counted)
        });
        let batting = if before.target.is_none() { self.bats_first } else { self.bats_first.other() };
        let chances = path.as_ref().map(|path| self.along(before, path));
        let dice = self.dice_of(delivery, batting, chances.as_deref());
        DeliveryLuck {
            delivery: delivery.delivery,
            place: delivery.place.clone(),
            before: told(self.chances(before)),
            after: told(self.chances(self.standing)),
            agreed: path.is_none(),
            dice,
        }
    }

    /// The chances at each place that the dice of a ball lead through.
    fn along(&self, before: StateOfPlay, path: &[usize]) -> Vec<ResultChances> {
        let ball = &self.table.ball;
        let after: Vec<ResultChances> =
            ball.effects.iter().map(|effect| self.chances(before.after(*effect))).collect();
        let of = |each: fn(&ResultChances) -> f64| after.iter().map(each).collect::<Vec<f64>>();
        let [home, away, tie] = [of(|it| it.home), of(|it| it.away), of(|it| it.tie)];
        let at = |place: &usize| match *place {
            FIRST => self.chances(before),
            place => ResultChances {
                home: ball.mean(place, &home),
                away: ball.mean(place, &away),
                tie: ball.mean(place, &tie),
            },
        };
        path.iter().map(at).collect()
    }

    /// The dice of a delivery, which are counted. `chances` are those before the first and after each.
    fn dice_of(
        &mut self,
        delivery: &DiceOfDelivery,
        batting: Side,
        chances: Option<&[ResultChances]>,
    ) -> Vec<DieLuck> {
        let mut dice = Vec::with_capacity(delivery.dice.len());
        for (i, die) in delivery.dice.iter().enumerate() {
            let Some(thrower) = self.table.ball.thrower_of(&die.what) else { continue };
            let by = match thrower {
                Thrower::Batting => batting,
                Thrower::Bowling => batting.other(),
            };
            self.figures.roll(by, usize::from(die.sides), die.value);
            let around = chances.and_then(|chances| chances.get(i).copied().zip(chances.get(i + 1).copied()));
            if let Some((before, after)) = around {
                let towards_home = after.share_of_home() - before.share_of_home();
                self.figures.swing(by, thrower, towards_home);
                self.weigh(delivery, batting, i, towards_home);
            }
            let (before, after) = around.map(|(before, after)| (told(before), told(after))).unzip();
            dice.push(DieLuck { what: die.what.clone(), by, value: die.value, before, after });
        }
        dice
    }

    /// Keeps the swing of a die, if it is the largest towards the winner.
    fn weigh(&mut self, of: &DiceOfDelivery, batting: Side, die: usize, towards_home: f64) {
        let swing = match self.dice.end {
            MatchEnd::Completed(Some(Side::Home)) => towards_home,
            MatchEnd::Completed(Some(Side::Away)) => -towards_home,
            MatchEnd::Completed(None) | MatchEnd::Abandoned | MatchEnd::None => return,
        };
        if self.turn.as_ref().is_none_or(|turn| turn.swing < swing) {
            let (place, thrown) = (of.place.clone(), of.dice[die].clone());
            self.turn = Some(TurnOfMatch { delivery: of.delivery, place, batting, die, thrown, swing });
        }
    }
}

impl Figures {
    /// What the dice of each side did for it. `compared` has the simulated matches to compare with,
    /// and the side that batted first.
    fn by_thrower(&self, compared: Option<(&SimulatedLuck, Side)>) -> LuckByThrower {
        let of = |side: Side, thrower: Thrower, sum: f64| {
            let more = |(simulated, bats_first): (&SimulatedLuck, Side)| {
                simulated.helped_less(in_order(side, bats_first), thrower, sum)
            };
            ThrowsLuck { sum: round(sum), more_than: compared.map(more) }
        };
        let luck = |side: Side| {
            let Helped { batting, bowling } = self.helped[side];
            let (batting, bowling) =
                (of(side, Thrower::Batting, batting), of(side, Thrower::Bowling, bowling));
            ThrowerLuck { batting, bowling }
        };
        LuckByThrower { home: luck(Side::Home), away: luck(Side::Away) }
    }

    /// How often each face fell.
    fn faces(&self, compared: Option<(&SimulatedLuck, Side)>) -> FacesSeen {
        let of = |side: Side| {
            let seen = |(face, seen): (u16, &u32)| {
                let range = compared.and_then(|(simulated, bats_first)| {
                    simulated.range(in_order(side, bats_first), usize::from(face))
                });
                let (low, high) = range.unzip();
                FaceSeen { face, seen: *seen, low, high }
            };
            (1..).zip(&self.thrown[side].seen).map(seen).collect()
        };
        let p = compared.map(|(simulated, _)| simulated.as_uneven(self.unevenness()));
        let BySide { home, away } = BySide { home: of(Side::Home), away: of(Side::Away) };
        FacesSeen { home, away, p }
    }
}

/// The side of a simulated match, where the home side bats first, that has the place of a side in the order
/// of batting.
fn in_order(side: Side, bats_first: Side) -> Side {
    if side == bats_first { Side::Home } else { Side::Away }
}

impl ResultChances {
    fn of(ByOrder { first, second, tie }: ByOrder, bats_first: Side) -> ResultChances {
        match bats_first {
            Side::Home => ResultChances { home: first, away: second, tie },
            Side::Away => ResultChances { home: second, away: first, tie },
        }
    }

    /// The home side's share of the match: a tie is half of it.
    pub fn share_of_home(self) -> f64 {
        self.home + self.tie / 2.0
    }
}

impl TurnOfMatch {
    fn told(self) -> TurnOfMatch {
        TurnOfMatch { swing: round(self.swing), ..self }
    }
}

fn told(ResultChances { home, away, tie }: ResultChances) -> ResultChances {
    ResultChances { home: round(home), away: round(away), tie: round(tie) }
}

/// Rounds to the decimals that are told. A zero has no sign.
fn round(value: f64) -> f64 {
    (value * DECIMALS).round() / DECIMALS + 0.0
}
