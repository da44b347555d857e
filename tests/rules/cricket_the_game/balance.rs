//! The balance of the built-in edition of Cricket: The Game, as `steady` captains play it.
//!
//! Every run of the tests plays some hundred matches, checked with wide bounds. The whole measurement, also
//! with single bowls, cards or skills taken away, takes some minutes and prints its tables:
//! `cargo test --release --test rules -- --ignored balance --nocapture`.

use std::ops::Range;
use std::sync::Arc;
use std::thread::available_parallelism;

use serde_json::{Value, json};
use third_umpire::dice::{SeedSeries, ServerSeed};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::rules::Game;
use third_umpire::scorebook::{BySide, Side, WicketKind};
use third_umpire::simulate::{InningsReport, Progress, Simulation, SimulationReport};
use third_umpire_test_support::logs::{Setting, built_in_edition, object};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";
/// The number of matches with the whole edition.
const OF_ALL: u64 = 10_000;
/// The number of matches with one thing taken away from the edition.
const OF_EACH: u64 = 2_000;
/// The limit for the effect of one bowl, card or skill on the first innings.
const MOST_MOVED: f64 = 0.08;

/// The bounds for the matches of a format.
struct Wanted {
    format: &'static str,
    /// The mean runs of the first innings.
    runs: Range<f64>,
    wickets: Range<f64>,
    no_balls: Range<f64>,
    /// The share of first innings that are all out.
    all_out: Range<f64>,
    /// The share of matches that the side batting second wins.
    chased: Range<f64>,
    /// The share of bowled among the wickets of the first innings.
    bowled: Range<f64>,
    run_out: Range<f64>,
}

const T20: Wanted = Wanted {
    format: "t20",
    runs: 120.0..180.0,
    wickets: 6.0..9.0,
    no_balls: 2.0..4.0,
    all_out: 0.0..0.25,
    chased: 0.42..0.58,
    bowled: 0.15..0.4,
    run_out: 0.05..0.1,
};

const T10: Wanted = Wanted {
    format: "t10",
    runs: 70.0..110.0,
    wickets: 4.0..7.0,
    no_balls: 1.0..3.0,
    all_out: 0.0..0.1,
    chased: 0.42..0.58,
    bowled: 0.15..0.4,
    run_out: 0.05..0.2,
};

/// The bounds for the built-in edition where there is only time for a hundred matches.
const SOME_T20: Wanted = Wanted { all_out: 0.0..0.35, chased: 0.35..0.65, run_out: 0.02..0.15, ..T20 };
const SOME_T10: Wanted = Wanted { all_out: 0.0..0.2, chased: 0.35..0.65, run_out: 0.02..0.25, ..T10 };

fn cricket() -> &'static Game {
    games::BUILT_IN.find("cricket-the-game").expect("cricket-the-game is one of the games")
}

fn built_in() -> Value {
    serde_json::from_str(built_in_edition()).expect("JSON")
}

fn seed() -> ServerSeed {
    ServerSeed::from_hex(SEED).expect("a seed")
}

/// Simulates matches between two `steady` captains.
fn played(edition: Value, format: &str, matches: u64) -> SimulationReport {
    let edition =
        Arc::new(Editions::default().read_value(edition).unwrap_or_else(|faults| panic!("{faults:#?}")));
    let rules = object(json!({"format": format}));
    let simulation = Simulation::with_edition(
        &Editions::default(),
        Some(edition),
        cricket(),
        &rules,
        None,
        matches,
        seed(),
    )
    .and_then(|simulation| simulation.with_policies(Some("steady"), Some("steady")))
    .expect("a simulation");
    let threads = available_parallelism().map_or(1, usize::from);
    simulation.run(threads, &Progress::default(), None).expect("the simulation runs to its end")
}

fn first_innings(report: &SimulationReport) -> &InningsReport {
    report.summary.innings.first().expect("a first innings")
}

fn share_of(innings: &InningsReport, kind: WicketKind) -> f64 {
    let of_kind = innings.dismissals.iter().find(|dismissal| dismissal.kind == kind);
    of_kind.and_then(|dismissal| dismissal.of_wickets).map_or(0.0, |share| share.share)
}

/// Prints the figures of a format with their bounds, and returns those out of bounds.
fn judged(wanted: &Wanted, report: &SimulationReport) -> Vec<String> {
    let first = first_innings(report);
    let chased = report.summary.results.batting_second.map_or(0.0, |share| share.share);
    println!("\n{}, {} matches", wanted.format, report.matches);
    let figures = [
        ("runs", first.runs.estimate.mean, &wanted.runs),
        ("wickets", first.wickets.mean, &wanted.wickets),
        ("no-balls", first.extras.no_balls.mean, &wanted.no_balls),
        ("all out", first.all_out.share, &wanted.all_out),
        ("chased", chased, &wanted.chased),
        ("bowled", share_of(first, WicketKind::Bowled), &wanted.bowled),
        ("run out", share_of(first, WicketKind::RunOut), &wanted.run_out),
    ];
    let mut amiss = Vec::new();
    for (name, figure, wanted) in figures {
        println!("  {name:<10}{figure:>9.3}   {wanted:?}");
        if !wanted.contains(&figure) {
            amiss.push(format!("{name} {figure:.3}, not in {wanted:?}"));
        }
    }
    for kind in [WicketKind::Caught, WicketKind::Lbw, WicketKind::Stumped] {
        let share = share_of(first, kind);
        println!("  {:<10}{share:>9.3}", format!("{kind:?}").to_lowercase());
        if share == 0.0 {
            amiss.push(format!("nobody is out {kind:?}"));
        }
    }
    amiss
}

/// The built-in edition without one thing, each variant with its name: a bowl left out, an over card that
/// shows only its sign of express play, a skill without effect.
fn with_one_taken_away(built_in: &Value) -> Vec<(String, Value)> {
    let mut editions = Vec::new();
    let mut without = |list: &str, of: &str, take: fn(&mut Vec<Value>, usize)| {
        let cards = built_in[list][of].as_array().expect("a list of cards");
        for (at, card) in cards.iter().enumerate() {
            let mut edition = built_in.clone();
            take(edition[list][of].as_array_mut().expect("a list of cards"), at);
            let name = card["name"].as_str().expect("a name");
            editions.push((format!("{list} {of}: {name}"), edition));
        }
    };
    for style in ["pace", "spin", "medium"] {
        without("bowls", style, |bowls, at| {
            bowls.remove(at);
        });
        without("over_decks", style, |deck, at| {
            deck[at]["snick"] = json!(false);
            deck[at]["effects"] = json!([]);
        });
    }
    for side in ["batter", "bowler"] {
        without("skills", side, |skills, at| skills[at]["effects"] = json!([]));
    }
    editions
}

/// The number of home matches that `steady` wins against `random`.
fn won_against_random(format: &str, matches: u64) -> u64 {
    let game = cricket();
    let rules = json!({"format": format});
    let the_match = Setting::of(game, rules).open(Some(seed())).expect("legal options").the_match;
    let policy = |name| game.policies.iter().position(|policy| *policy == name).expect("a policy");
    let policies = BySide { home: policy("steady"), away: policy("random") };
    let series = SeedSeries::new(&seed());
    let is_won = |k: &u64| {
        let seed = series.server_seed(*k).match_seed(&[]);
        let tally = the_match.simulate_match(&seed, policies).expect("the choices are legal");
        tally.result.winner == Some(Side::Home)
    };
    (1..=matches).filter(is_won).count() as u64
}

#[test]
fn some_matches_of_the_built_in_edition_come_out_as_cricket_does() {
    for wanted in [SOME_T20, SOME_T10] {
        let amiss = judged(&wanted, &played(built_in(), wanted.format, 100));
        assert!(amiss.is_empty(), "{}: {amiss:#?}", wanted.format);
    }
}

#[test]
fn steady_captains_beat_those_who_choose_at_random() {
    for format in ["t20", "t10"] {
        let won = won_against_random(format, 40);
        assert!(won > 22, "{format}: {won} of 40");
    }
}

#[test]
#[ignore = "minutes, and only of use in release: cargo test --release --test rules -- --ignored balance --nocapture"]
fn no_bowl_card_or_skill_carries_the_built_in_edition() {
    let built_in = built_in();
    let mut amiss = Vec::new();
    for wanted in [T20, T10] {
        let whole = played(built_in.clone(), wanted.format, OF_ALL);
        let of_format = |fault: String| format!("{}: {fault}", wanted.format);
        amiss.extend(judged(&wanted, &whole).into_iter().map(of_format));
        let won = won_against_random(wanted.format, OF_EACH) as f64 / OF_EACH as f64;
        println!("  steady wins {won:.3} against random");
        if won < 0.6 {
            amiss.push(of_format(format!("steady wins only {won:.3} against random")));
        }
        let mean = first_innings(&whole).runs.estimate.mean;
        println!("\n{}: the first innings without one thing, {OF_EACH} matches each", wanted.format);
        for (name, edition) in with_one_taken_away(&built_in) {
            let without = first_innings(&played(edition, wanted.format, OF_EACH)).runs.estimate.mean;
            let moved = without / mean - 1.0;
            println!("  {name:<42}{without:>8.2}{:>+8.2} %", moved * 100.0);
            if moved.abs() >= MOST_MOVED {
                amiss.push(of_format(format!("without {name} it moves by {:+.2} %", moved * 100.0)));
            }
        }
    }
    assert!(amiss.is_empty(), "{amiss:#?}");
}
