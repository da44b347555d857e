//! Plans by chance: people score on the pages that the service serves, in Chromium, over a wire that refuses,
//! cuts, loses and holds; the service is killed and started again, its store is put back, tokens are replaced
//! and handed over, and others score in between. Nothing stands in for what a page loads, stores or asks.
//!
//! `PLANS` is how many there are, and `PLAN_SEED` the seed of the first.

mod game;
mod ledger;
mod plan;
mod scene;
mod seen;
mod tokens;

use std::time::{Duration, Instant};

use crate::liar::Trace;
use crate::phone::{Model, Phone};
use game::Game;
use plan::{Done, Plan};
use scene::Touch;

/// What the console may say: that requests fail or are refused, and that a page was about to lose something.
const EXPECTED: [&str; 5] = [
    "net::ERR_",
    "Failed to load resource",
    "Failed to fetch",
    "Failed to load module script",
    "beforeunload",
];

/// The number that a variable of the environment gives.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// A phone on which nothing moves and that expects its requests to fail; its pages are those of each plan.
fn phone(model: Model) -> Option<Phone> {
    let mut phone = Phone::of(Model { still: true, ..model }, "about:blank")?;
    phone.expected = EXPECTED.to_vec();
    Some(phone)
}

/// Prints what was done and seen, where a plan fails.
struct Printed(Trace);

impl Drop for Printed {
    fn drop(&mut self) {
        if std::thread::panicking() || number("PLAN_TRACE", 0) == 1 {
            println!("{}", self.0.text());
        }
    }
}

/// One plan, in a browser whose tabs are those that it opens.
fn goes(phone: &Phone, game: Game, seed: u64, deeds: usize, touch: Touch) -> Done {
    println!("plan of {game:?} with PLAN_SEED={seed} PLANS=1");
    let printed = Printed(Trace::default());
    let begun = Instant::now();
    let done = Plan::begins(phone, game, seed, touch, &printed.0).goes(deeds);
    println!("  {:?}, {done:?}", Duration::from_millis(begun.elapsed().as_millis() as u64));
    done
}

/// Plans one after the other.
fn go(game: Game, plans: u64, deeds: usize) {
    let (first, plans) = (number("PLAN_SEED", 1), number("PLANS", plans));
    let Some(phone) = phone(Model::PHONE) else { return };
    let begun = Instant::now();
    let mut all = Done::new();
    for seed in first..first + plans {
        for (what, count) in goes(&phone, game, seed, deeds, Touch::Script) {
            *all.entry(what).or_default() += count;
        }
    }
    println!("{plans} plans from seed {first} in {} s: {all:?}", begun.elapsed().as_secs());
    assert!(all["balls in the log"] > 0, "the plans have scored");
}

#[test]
fn every_ball_is_in_the_log_once_whatever_becomes_of_line_service_and_tokens() {
    go(Game::Howzat, 10, 32);
}

#[test]
#[ignore = "PLANS plans take some seconds each; PLAN_SEED is the seed of the first"]
fn every_ball_of_two_hundred_plans_is_in_the_log_once() {
    go(Game::Howzat, 200, 100);
}

#[test]
fn every_number_of_the_cubes_is_in_the_log_once_whatever_becomes_of_line_service_and_tokens() {
    go(Game::CubeRoots, 10, 32);
}

#[test]
fn every_card_and_die_is_in_the_log_once_whatever_becomes_of_line_service_and_tokens() {
    go(Game::Cards, 10, 32);
}

#[test]
#[ignore = "PLANS plans take some seconds each; PLAN_SEED is the seed of the first"]
fn every_number_of_a_hundred_plans_is_in_the_log_once() {
    go(Game::CubeRoots, 100, 100);
}

#[test]
#[ignore = "PLANS plans take some seconds each; PLAN_SEED is the seed of the first"]
fn every_card_of_a_hundred_plans_is_in_the_log_once() {
    go(Game::Cards, 100, 100);
}

#[test]
fn a_plan_by_real_taps_loses_and_doubles_no_ball() {
    let Some(phone) = phone(Model::WHOLE) else { return };
    goes(&phone, Game::Howzat, number("PLAN_SEED", 6), 60, Touch::Finger);
}
