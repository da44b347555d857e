//! The odds of a ball of Howzat, computed by hand from the dice, and the means of an over that follow from
//! them.

use std::collections::BTreeMap;

use serde_json::json;
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::rules::{Place, RefusalKind};
use third_umpire::scorebook::{Outcome, WicketKind};
use third_umpire::simulate::{Estimate, Progress, Simulation, SimulationReport};
use third_umpire_test_support::logs::{PlayedMatch, ball, howzat, object};

const OPTIONS: [&str; 2] = ["as_written", "never"];

/// The number of 7,776 (6 to the 5th) rolls with each outcome, by the rules page alone. A bowl of 1 is a
/// sixth of all balls, each face of the extra die after it a 36th, and each face of the strike die after that
/// a 216th: 36 of 7,776. A catch is held in four of six, and one in 36 goes to the bowler.
const BY_HAND: [(&str, u64, u64); 26] = [
    //                  as written               never: nothing for a 6 where the bowl was 1
    ("wide", 6 * 36, 6 * 36),
    ("no-ball", 2 * 36, 3 * 36), // strike 3, or 5: not out
    ("no-ball 1", 36, 36),
    ("no-ball 2", 36, 36),
    ("no-ball 4", 36, 36),
    ("no-ball 6", 36, 0),
    ("byes 1", 36, 36),
    ("byes 2", 36, 36),
    ("byes 4", 36, 36),
    ("leg byes 1", 36, 36),
    ("leg byes 2", 36, 36),
    ("leg byes 4", 36, 36),
    // Runs off the bat come from five faces of the bowl die, each with six of the strike die, and from extra
    // 5 or 6, "none".
    ("1", (30 + 2) * 36, (30 + 2) * 36),
    ("2", (30 + 2) * 36, (30 + 2) * 36),
    ("4", (30 + 2) * 36, (30 + 2) * 36),
    ("6", (30 + 2) * 36, 30 * 36),
    // No run comes from strike 3 of all 36 legal; 5 and 6 off byes and leg byes; 5 after "none"; and catches
    // that are dropped.
    ("0", (30 + 2 + 2 * 3 + 2) * 36 + 2 * 36, (30 + 2 + 2 * 3 + 2 + 2) * 36 + 2 * 36),
    ("bowled", 6 * 36, 6 * 36),
    ("caught", 4 * 35, 4 * 35),
    ("caught and bowled", 4, 4),
    ("stumped", 6 * 36, 6 * 36),
    ("lbw", 6 * 36, 6 * 36),
    ("run out", 6 * 36, 6 * 36),
    // Impossible outcomes follow.
    ("byes 6", 0, 0),
    ("leg byes 6", 0, 0),
    ("3", 0, 0),
];
const ALL: u64 = 7_776;

fn by_hand(option: &str) -> BTreeMap<String, u64> {
    let odds = BY_HAND.into_iter().map(|(outcome, as_written, never)| {
        (outcome.to_owned(), if option == "never" { never } else { as_written })
    });
    odds.filter(|(_, odds)| *odds > 0).collect()
}

/// A ball in the words of the odds.
fn in_words(outcome: &Outcome) -> String {
    let (extras, bat) = (&outcome.extras, outcome.runs.batter);
    match &outcome.wicket {
        Some(wicket) => json!(wicket.kind).as_str().expect("a word").to_owned(),
        None if extras.wides > 0 => "wide".to_owned(),
        None if extras.no_balls > 0 && bat == 0 => "no-ball".to_owned(),
        None if extras.no_balls > 0 => format!("no-ball {bat}"),
        None if extras.byes > 0 => format!("byes {}", extras.byes),
        None if extras.leg_byes > 0 => format!("leg byes {}", extras.leg_byes),
        None => bat.to_string(),
    }
}

/// Every possible ball: the dice are entered one by one, each with all its faces, until the game needs no
/// more.
fn by_the_game(in_play: &PlayedMatch, dice: &[i64], found: &mut BTreeMap<String, u64>) {
    let mut now = in_play.clone();
    match now.enter(ball(json!({})), dice) {
        Ok(_) => {
            let outcome = now.log.iter().find_map(|event| match event {
                third_umpire::log::EventData::Ball(ball) => Some(&ball.outcome),
                _ => None,
            });
            let rolls = 6_u64.pow(6 - dice.len() as u32);
            *found.entry(in_words(outcome.expect("a ball"))).or_default() += rolls;
        }
        Err(refusal) => {
            assert_eq!(
                (refusal.kind, refusal.place),
                (RefusalKind::NeedsInput, Place::Die(dice.len())),
                "{dice:?}"
            );
            (1..=6).for_each(|face| by_the_game(in_play, &[dice, &[face]].concat(), found));
        }
    }
}

#[test]
fn the_odds_worked_out_by_hand_are_all_the_odds_there_are() {
    for option in OPTIONS {
        assert_eq!(by_hand(option).values().sum::<u64>(), ALL, "{option}");
    }
}

#[test]
fn every_ball_has_the_odds_worked_out_by_hand() {
    for option in OPTIONS {
        let mut found = BTreeMap::new();
        by_the_game(&PlayedMatch::in_play(json!({"sixes_off_extras": option})), &[], &mut found);
        let due: BTreeMap<String, u64> =
            by_hand(option).into_iter().map(|(outcome, odds)| (outcome, odds * 6)).collect();
        assert_eq!(found, due, "{option}, in 46,656ths");
    }
}

/// The mean of something in an over of six legal balls: the mean of a ball, divided by the share of legal
/// balls, times six (Wald's identity).
fn in_an_over(option: &str, of_a_ball: impl Fn(&str) -> u64) -> f64 {
    let odds = by_hand(option);
    let mean: u64 = odds.iter().map(|(outcome, odds)| of_a_ball(outcome) * odds).sum();
    let illegal: u64 = odds.iter().filter(|(outcome, _)| is_illegal(outcome)).map(|(_, odds)| odds).sum();
    6.0 * mean as f64 / (ALL - illegal) as f64
}

fn is_illegal(outcome: &str) -> bool {
    outcome == "wide" || outcome.starts_with("no-ball")
}

fn runs(outcome: &str) -> u64 {
    let last = outcome.rsplit(' ').next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    last + u64::from(is_illegal(outcome))
}

/// One of a dozen 95 % intervals misses its mean in about every other simulation; with this seed none does.
fn one_over_a_side(option: &str) -> SimulationReport {
    let rules = object(json!({"overs": 1, "sixes_off_extras": option}));
    let seed = ServerSeed::from_hex(&"d1ce".repeat(16)).expect("a seed");
    let simulation =
        Simulation::new(&Editions::default(), howzat(), &rules, None, 6_000, seed).expect("legal options");
    simulation.run(2, &Progress::default(), None).expect("the simulation runs to its end")
}

#[track_caller]
fn holds(estimate: &Estimate, mean: f64) {
    let (low, high) = estimate.low.zip(estimate.high).expect("many innings");
    assert!(low <= mean && mean <= high, "{mean} is not in {estimate:?}");
}

/// An over cannot bring ten wickets, so the side batting first has exactly six legal balls.
#[test]
fn the_means_that_follow_for_an_over_lie_in_the_intervals_of_a_simulation() {
    for option in OPTIONS {
        let report = one_over_a_side(option);
        let first = &report.summary.innings[0];
        assert_eq!((first.overs.mean, first.overs.sd), (1.0, Some(0.0)));
        holds(&first.runs.estimate, in_an_over(option, runs));
        let rate = first.run_rate.expect("balls were bowled");
        assert!((rate.rate - first.runs.estimate.mean).abs() < 1e-4, "an over a side: runs are runs an over");
        for (estimate, name) in [(&first.extras.byes, "byes"), (&first.extras.leg_byes, "leg byes")] {
            holds(
                estimate,
                in_an_over(option, |outcome| if outcome.starts_with(name) { runs(outcome) } else { 0 }),
            );
        }
        for (estimate, name) in [(&first.extras.wides, "wide"), (&first.extras.no_balls, "no-ball")] {
            holds(estimate, in_an_over(option, |outcome| u64::from(outcome.starts_with(name))));
        }
        let kinds = WicketKind::ALL.map(|kind| json!(kind).as_str().expect("a word").to_owned());
        holds(
            &first.wickets,
            in_an_over(option, |outcome| u64::from(kinds.iter().any(|kind| kind == outcome))),
        );
        for (found, kind) in first.dismissals.iter().zip(&kinds) {
            holds(&found.per_innings, in_an_over(option, |outcome| u64::from(outcome == kind)));
        }
    }
}

#[test]
fn the_means_of_a_ball_are_455_and_28_of_216() {
    let mean = |of: &dyn Fn(&str) -> u64| -> u64 {
        by_hand("as_written").iter().map(|(outcome, odds)| of(outcome) * odds).sum()
    };
    assert_eq!(mean(&runs) * 216, 455 * ALL);
    let out = ["bowled", "caught", "caught and bowled", "stumped", "lbw", "run out"];
    assert_eq!(mean(&|outcome| u64::from(out.contains(&outcome))) * 216, 28 * ALL);
}
