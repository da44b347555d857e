//! Simulated balls of Cricket: The Game a second: the service's own rules and two captains, counted and not
//! recorded, against the draws they make: each over's deck shuffled, each ball's captains' numbers and dice,
//! drawn and not looked at.

use std::hint::black_box;

use serde_json::json;
use third_umpire::dice::{Dice, Domain, Draw, SeedSeries, SeededDice, ServerSeed};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::simulate::{Progress, Simulation};

use crate::report::{Reach, Row};
use crate::turns::{Done, Scale, in_turn};

const SEED: [u8; 32] = [0x5d; 32];
const DECK: u8 = 15;
/// The numbers the captains make up their minds by on a ball.
const NUMBERS: usize = 12;
/// The dice of a ball, about: two for the duel, and as many for what follows from it.
const DICE: usize = 4;

/// Benches the simulation.
pub fn rows(scale: Scale) -> Vec<Row> {
    let matches = scale.pick(2_000, 20);
    let balls = simulated(matches);
    let compared = in_turn(
        scale.pick(7, 1),
        || Done::timed(|| simulated(matches)),
        || Done::timed(|| bare_draws(matches, balls)),
    );
    vec![Row::rates(
        "simulate cricket-the-game, T20, 1 thread",
        "its shuffles and dice, drawn and not used",
        "balls",
        compared,
        Reach::AtLeast(0.6),
    )]
}

fn seed() -> ServerSeed {
    ServerSeed::from_hex(&hex::encode(SEED)).expect("32 bytes in hexadecimal")
}

/// The legal balls of so many matches.
fn simulated(matches: u64) -> u64 {
    let game = games::BUILT_IN.find("cricket-the-game").expect("cricket-the-game is one of the games");
    let rules = json!({"format": "t20"}).as_object().cloned().unwrap_or_default();
    let simulation =
        Simulation::new(&Editions::default(), game, &rules, None, matches, seed()).expect("legal options");
    let counts = simulation.count(1, &Progress::default(), None).expect("the simulation runs to its end");
    counts.base.innings.iter().map(|innings| innings.balls.sum()).sum()
}

/// The draws of so many balls, in as many matches.
fn bare_draws(matches: u64, balls: u64) -> u64 {
    let series = SeedSeries::new(&seed());
    let each = balls / matches;
    for k in 1..=matches {
        let mut dice = SeededDice::new(&series.server_seed(k).match_seed(&[]));
        for delivery in 1..=each {
            if delivery % 6 == 1 {
                dice.begin(Draw::over(1, (delivery / 6) as u16 + 1));
                let mut deck: Vec<u8> = (0..DECK).collect();
                dice.shuffle(&mut deck);
                black_box(deck);
            }
            dice.begin(Draw { domain: Domain::TimeoutBall, ordinal: delivery });
            for _ in 0..NUMBERS {
                black_box(dice.die(256));
            }
            dice.begin(Draw::ball(delivery as u32));
            for _ in 0..DICE {
                black_box(dice.die(8));
            }
        }
    }
    balls
}
