//! Express play: the ball follows from the symbol on the over card alone.

use super::super::edition::model::{CardDecision, Express};
use super::super::rulings::*;
use super::detail::Detail;
use super::question::Stop;
use super::situation::BallSituation;
use crate::dice::Dice;
use crate::scorebook::{Boundary, Delivery, Dismissal};

/// The face that the second threat of an over has to roll to bowl the batter.
const THREAT: u16 = 5;

/// Plays a ball by the symbol on its over card.
pub fn express<D: Dice + ?Sized>(
    situation: &BallSituation<'_>,
    symbol: Express,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
) -> Result<(), Stop> {
    delivery.detail.express = Some(symbol);
    let runs = |delivery: &mut Delivery<Detail>, runs| {
        delivery.rulings.push(&EXPRESS_RUNS);
        delivery.runs = runs;
    };
    match symbol {
        Express::Dot => delivery.rulings.push(&EXPRESS_DOT),
        Express::One => runs(delivery, 1),
        Express::Two => runs(delivery, 2),
        Express::Three => runs(delivery, 3),
        Express::Patience => delivery.rulings.push(&EXPRESS_PATIENCE),
        Express::Threat => {
            delivery.rulings.push(&EXPRESS_THREAT);
            if situation.over.threats > 0 && dice.roll("threat", 6)? >= THREAT {
                delivery.dismissal = Some(Dismissal::Bowled);
            }
        }
        Express::Boundary => {
            delivery.rulings.push(&EXPRESS_BOUNDARY);
            let face = dice.roll("boundary", 8)?;
            match situation.rules().express_boundary[usize::from(face - 1)] {
                CardDecision::Out(how) => delivery.dismissal = Some(situation.dismissal(how)),
                CardDecision::Runs(runs) => {
                    delivery.runs = u16::from(runs);
                    delivery.boundary = Boundary::of_runs(delivery.runs);
                }
            }
        }
    }
    Ok(())
}
