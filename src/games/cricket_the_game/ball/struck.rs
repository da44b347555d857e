//! A ball that was struck: where it lands, who catches it, where it stops, and the runs.

use super::super::edition::model::{Attitude, Bounce, INFIELD, Position, SoFar, Zone};
use super::super::rulings::*;
use super::contest::{Contest, ContestTerms};
use super::decision_source::DecisionSource;
use super::detail::{Catch, Detail, Struck};
use super::question::{Question, Stop};
use crate::dice::Dice;
use crate::scorebook::{Boundary, Delivery, Dismissal};

const D6: u16 = 6;
/// The longest distance that a well struck ball can be given.
const LONGEST: u8 = 6;
/// The face of the die from which a run tried from a fielder who takes the ball out of the air is a run out.
const RUN_OUT_OF_THE_AIR: u8 = 6;
/// The face of the die from which any other run that is tried is a run out.
const RUN_OUT_OFF_THE_GROUND: u8 = 5;

/// Plays on a ball that was struck. When the batters are `protected`, only a run out can dismiss them.
pub fn struck<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &mut ContestTerms,
    margin: i8,
    protected: bool,
    delivery: &mut Delivery<Detail>,
    (dice, decisions): (&mut D, &mut C),
) -> Result<(), Stop> {
    contest.effects_at(SoFar::Strike, None).for_each(|then| terms.apply_effect(then));
    let format = contest.situation.format;
    let rolled = dice.roll("distance", format.distance_die())? as u8;
    let bounce = contest.bounce(dice)?;
    let distance = distance(contest, (rolled, bounce), margin, delivery, decisions)?;
    let area = distance.div_ceil(2);
    let mut flight = Struck { zone: contest.stroke, distance, area, bounce, stopped: None, fielder: None };
    delivery.detail.struck = Some(flight);
    let dropper = match lands(contest, terms, &flight, protected, delivery, dice)? {
        Landing::Caught => return Ok(()),
        Landing::Dropped(token) => Some(token),
        Landing::Untouched => None,
    };
    let end = area + bounce.areas;
    if end > format.areas() {
        let over_the_rope = area == format.areas() && bounce.areas == 2 && !bounce.air;
        let (ruling, boundary) = match over_the_rope {
            true => (&BOUNDARY_SIX, Boundary::Six),
            false => (&BOUNDARY_FOUR, Boundary::Four),
        };
        delivery.rulings.push(ruling);
        delivery.runs = boundary.runs();
        delivery.boundary = Some(boundary);
        return Ok(());
    }
    let token = contest.field.token_at(Position { zone: contest.stroke, area: end });
    let token = token.filter(|token| Some(*token) != dropper);
    flight.stopped = Some(end);
    flight.fielder = token.map(|token| contest.situation.token(token));
    delivery.detail.struck = Some(flight);
    run(contest, terms, &flight, delivery, (dice, decisions))
}

/// The distance that counts: some styles let the batter add one, or take one off.
fn distance<C: DecisionSource>(
    contest: &Contest<'_>,
    (rolled, bounce): (u8, Bounce),
    margin: i8,
    delivery: &mut Delivery<Detail>,
    decisions: &mut C,
) -> Result<u8, Stop> {
    let rules = contest.rules;
    if rules.must_deduct_below.is_some_and(|below| margin < below as i8) && rolled > 1 {
        delivery.rulings.push(&STRIKE_SHORTER);
        return Ok(rolled - 1);
    }
    let may_add = rules.may_add_from.is_some_and(|from| margin >= from as i8) && rolled < LONGEST;
    if may_add && decisions.answer(contest, Question::Longer { distance: rolled, bounce })? > 0 {
        delivery.rulings.push(&STRIKE_LONGER);
        return Ok(rolled + 1);
    }
    Ok(rolled)
}

enum Landing {
    Untouched,
    Caught,
    Dropped(usize),
}

/// Lands the ball: a fielder can catch it when it is in the air.
fn lands<D: Dice + ?Sized>(
    contest: &Contest<'_>,
    terms: &ContestTerms,
    flight: &Struck,
    protected: bool,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
) -> Result<Landing, Stop> {
    let token = contest.field.token_at(Position { zone: flight.zone, area: flight.area });
    let Some(token) = token.filter(|_| flight.bounce.air && !protected) else {
        return Ok(Landing::Untouched);
    };
    let Some(needed) = contest.catch_value(flight, terms.catch_value) else {
        delivery.rulings.push(&CATCH_IMPOSSIBLE);
        return Ok(Landing::Untouched);
    };
    let fielder = contest.situation.token(token);
    let held = dice.roll("catch", D6)? >= u16::from(needed);
    delivery.detail.catch = Some(Catch { fielder, needed, held });
    if held {
        delivery.rulings.push(&CATCH_HELD);
        delivery.dismissal = Some(Dismissal::Caught { fielder });
        return Ok(Landing::Caught);
    }
    delivery.rulings.push(&CATCH_DROPPED);
    Ok(Landing::Dropped(token))
}

/// Runs off a ball that stopped in the field.
fn run<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &ContestTerms,
    flight: &Struck,
    delivery: &mut Delivery<Detail>,
    (dice, decisions): (&mut D, &mut C),
) -> Result<(), Stop> {
    let fielded = flight.fielder.is_some();
    delivery.rulings.push(if fielded { &FIELDED } else { &STOPPED });
    if terms.no_run {
        delivery.rulings.push(&NO_RUN);
        return Ok(());
    }
    let infield = flight.stopped.is_some_and(|area| area <= INFIELD);
    let out_of_the_air = fielded && flight.bounce.air;
    let safe = u8::from(!infield) + u8::from(!out_of_the_air);
    let out_from = if out_of_the_air { RUN_OUT_OF_THE_AIR } else { RUN_OUT_OFF_THE_GROUND };
    let tries = !contest.wins_with(safe, delivery.extras.no_balls)
        && decisions.answer(contest, Question::Run { safe, out_from })? > 0;
    let tried = safe + u8::from(tries);
    delivery.detail.tried = Some(tried);
    delivery.runs = u16::from(tried);
    if tries {
        delivery.rulings.push(&EXTRA_RUN);
        if dice.roll("run_out", D6)? >= u16::from(out_from) {
            delivery.rulings.push(&RUN_OUT);
            delivery.runs = u16::from(safe);
            let out =
                if striker_is_out(flight.zone, tried) { delivery.striker } else { delivery.non_striker };
            delivery.dismissal = Some(Dismissal::RunOut { out, fielder: flight.fielder });
            return Ok(());
        }
        delivery.rulings.push(&RUN_SAFE);
    }
    if fielded && terms.overthrows > 0 {
        delivery.rulings.push(&OVERTHROWS);
        delivery.runs += u16::from(terms.overthrows);
    }
    Ok(())
}

/// Whether the striker is out by the throw: out is the batter who runs to the end nearer the fielder. On an
/// odd run the striker runs to the bowler's end, on an even one back to his own.
fn striker_is_out(zone: Zone, tried: u8) -> bool {
    let to_strikers_end = matches!(zone, Zone::Bye | Zone::GlanceHook | Zone::Cut);
    to_strikers_end == tried.is_multiple_of(2)
}

impl Contest<'_> {
    /// Rolls the bounce die of the batter's attitude: red or green.
    fn bounce<D: Dice + ?Sized>(&self, dice: &mut D) -> Result<Bounce, Stop> {
        let name = match self.conditions.attitude {
            Attitude::Aggressive => "red_bounce",
            Attitude::Defensive => "green_bounce",
        };
        let face = dice.roll(name, D6)?;
        Ok(self.situation.edition.bounce_dice.of(self.conditions.attitude)[usize::from(face - 1)])
    }

    /// The face that a d6 has to show for a catch where the ball lands; none when it cannot be held.
    fn catch_value(&self, flight: &Struck, by: i8) -> Option<u8> {
        let board = self.situation.edition.board.of(self.situation.format);
        let area = board.0.of(flight.zone).get(usize::from(flight.area - 1))?;
        let red = i8::from(area.red.has(self.conditions.style));
        let needed = (area.catch? as i8).saturating_add(by).saturating_sub(red).max(2);
        (needed <= 6).then_some(needed as u8)
    }

    /// Whether the match is won with these runs and extras.
    fn wins_with(&self, runs: u8, extras: u16) -> bool {
        self.situation.needed.is_some_and(|needed| needed <= u32::from(runs) + u32::from(extras))
    }
}
