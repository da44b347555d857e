//! One ball of Howzat: the dice that the rules ask for, and the outcome that they give.

use super::field::{BOWLER, Field};
use super::options::{Options, SixesOffExtras};
use super::rulings::*;
use crate::dice::{Dice, DiceFault};
use crate::scorebook::{Boundary, Delivery, Dismissal, Player};

/// The part of a delivery that only Howzat has; empty unless the ball was in the air.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// The position that the two fielder dice picked: 2 to 12.
    pub position: Option<u8>,
    /// The fielder who dropped the catch.
    pub dropped_by: Option<Player>,
}

/// The kind of a delivery, by the bowl die and the extra die.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bowled {
    Legal,
    NoBall,
    Wide,
    Byes,
    LegByes,
}

const D6: u16 = 6;

/// Bowls one ball: rolls the dice in the order of the rules, and writes the outcome into a delivery that so
/// far has only its players.
pub fn bowl<D: Dice + ?Sized>(
    ball: &mut Delivery<Detail>,
    field: &Field,
    options: &Options,
    dice: &mut D,
) -> Result<(), DiceFault> {
    let bowl = dice.roll("bowl", D6)?;
    let bowled = if bowl == 1 {
        ball.rulings.push(&BOWL_EXTRA);
        roll_extra(ball, dice)?
    } else {
        ball.rulings.push(&BOWL_LEGAL);
        Bowled::Legal
    };
    if bowled == Bowled::Wide {
        return Ok(());
    }
    match dice.roll("strike", D6)? {
        1 => score(ball, bowled, 1, &STRIKE_1),
        2 => score(ball, bowled, 2, &STRIKE_2),
        3 => ball.rulings.push(&STRIKE_3),
        4 => {
            score(ball, bowled, 4, &STRIKE_4);
            ball.boundary = Some(Boundary::Four);
        }
        5 => {
            ball.rulings.push(&APPEAL);
            appeal(ball, bowl, field, dice)?;
        }
        _ => strike_six(ball, bowl, bowled, options),
    }
    Ok(())
}

fn roll_extra<D: Dice + ?Sized>(ball: &mut Delivery<Detail>, dice: &mut D) -> Result<Bowled, DiceFault> {
    let (bowled, ruling) = match dice.roll("extra", D6)? {
        1 => (Bowled::NoBall, &EXTRA_NO_BALL),
        2 => (Bowled::Wide, &EXTRA_WIDE),
        3 => (Bowled::Byes, &EXTRA_BYES),
        4 => (Bowled::LegByes, &EXTRA_LEG_BYES),
        _ => (Bowled::Legal, &EXTRA_NONE),
    };
    ball.rulings.push(ruling);
    match bowled {
        Bowled::NoBall => (ball.extras.no_balls, ball.legal) = (1, false),
        Bowled::Wide => (ball.extras.wides, ball.legal) = (1, false),
        Bowled::Legal | Bowled::Byes | Bowled::LegByes => {}
    }
    Ok(bowled)
}

fn score(ball: &mut Delivery<Detail>, bowled: Bowled, runs: u16, ruling: &'static crate::scorebook::Ruling) {
    ball.rulings.push(ruling);
    match bowled {
        Bowled::Byes => ball.extras.byes = runs,
        Bowled::LegByes => ball.extras.leg_byes = runs,
        Bowled::Legal | Bowled::NoBall | Bowled::Wide => ball.runs = runs,
    }
}

fn strike_six(ball: &mut Delivery<Detail>, bowl: u16, bowled: Bowled, options: &Options) {
    let no_run = match options.sixes_off_extras {
        SixesOffExtras::AsWritten => matches!(bowled, Bowled::Byes | Bowled::LegByes),
        SixesOffExtras::Never => bowl == 1,
    };
    if no_run {
        ball.rulings.push(&STRIKE_6_NO_RUN);
    } else {
        score(ball, bowled, 6, &STRIKE_6);
        ball.boundary = Some(Boundary::Six);
    }
}

fn appeal<D: Dice + ?Sized>(
    ball: &mut Delivery<Detail>,
    bowl: u16,
    field: &Field,
    dice: &mut D,
) -> Result<(), DiceFault> {
    let (ruling, dismissal) = match bowl {
        1 => (&APPEAL_NOT_OUT, None),
        2 => (&APPEAL_BOWLED, Some(Dismissal::Bowled)),
        3 => {
            ball.rulings.push(&APPEAL_CATCH);
            return try_catch(ball, field, dice);
        }
        4 => (&APPEAL_STUMPED, Some(Dismissal::Stumped { keeper: field.keeper() })),
        5 => (&APPEAL_LBW, Some(Dismissal::Lbw)),
        _ => (&APPEAL_RUN_OUT, Some(Dismissal::RunOut { out: ball.striker, fielder: None })),
    };
    ball.rulings.push(ruling);
    ball.dismissal = dismissal;
    Ok(())
}

fn try_catch<D: Dice + ?Sized>(
    ball: &mut Delivery<Detail>,
    field: &Field,
    dice: &mut D,
) -> Result<(), DiceFault> {
    let position = (dice.roll("fielder", D6)? + dice.roll("fielder", D6)?) as u8;
    let fielder = field.at(position);
    ball.detail.position = Some(position);
    if dice.roll("catch", D6)? <= 2 {
        ball.rulings.push(&CATCH_DROPPED);
        ball.detail.dropped_by = Some(fielder);
    } else {
        ball.rulings.push(&CATCH_HELD);
        ball.dismissal =
            Some(if position == BOWLER { Dismissal::CaughtAndBowled } else { Dismissal::Caught { fielder } });
    }
    Ok(())
}
