//! The policies by which a side puts its cubes in order in a simulation.

use super::bag::Six;
use super::duel::{ByDuty, Duty};
use super::hands::Hand;
use super::state::CubeRoots;
use crate::dice::{Dice, DiceFault, Draw};
use crate::scorebook::BySide;

/// The policies of a side.
///
/// - `dealt`: its cubes stay as they were dealt.
/// - `random`: its cubes are shuffled, with the draw for a side that timed out.
/// - `sorted`: its low numbers come first.
/// - `low_after_dots`: a bowling side plays its low numbers first when the over begins under the pressure of
///   dot balls, because it then needs little, and its high numbers first otherwise; a batting side does the
///   opposite.
pub const POLICIES: &[&str] = &["dealt", "random", "sorted", "low_after_dots"];

const RANDOM: usize = 1;
const SORTED: usize = 2;
const LOW_AFTER_DOTS: usize = 3;

/// Deals the next over, and puts the cubes of each side in order by its policy, an index into [`POLICIES`].
pub fn hands<D: Dice + ?Sized>(
    state: &CubeRoots,
    policies: BySide<usize>,
    dice: &mut D,
) -> Result<ByDuty<Hand>, DiceFault> {
    let dealt = state.deal(dice)?;
    let policy = |duty| policies[state.side(duty)];
    if Duty::BOTH.into_iter().any(|duty| policy(duty) == RANDOM) {
        dice.begin(Draw::timeout_over(state.innings_number, state.innings.over_number()));
    }
    let under_pressure = state.pressure().dots_in_a_row > 0;
    ByDuty::try_of(|duty| {
        let mut hand = Hand::as_dealt(dealt[duty]);
        match policy(duty) {
            RANDOM => hand.order = shuffled(hand.order, dice)?,
            SORTED => low_first(state, duty, &mut hand.order),
            LOW_AFTER_DOTS => {
                low_first(state, duty, &mut hand.order);
                if under_pressure != (duty == Duty::Bowling) {
                    hand.order.reverse();
                }
            }
            _ => {}
        }
        Ok(hand)
    })
}

/// Shuffles six cubes with the draw that has begun.
pub fn shuffled<D: Dice + ?Sized>(cubes: Six, dice: &mut D) -> Result<Six, DiceFault> {
    let order = dice.deal(&cubes, cubes.len())?;
    Six::try_from(order).map_err(|_| DiceFault::Misdealt { take: cubes.len(), there: cubes.len() })
}

/// Sorts cubes by the numbers that the side reads on them; equal ones keep their order.
fn low_first(state: &CubeRoots, duty: Duty, cubes: &mut Six) {
    cubes.sort_by_key(|cube| state.number(duty, *cube));
}
