//! How the dice fell in every stored log of Howzat: the chances lead from the start to the result, and the
//! outcome of each ball is the one that its dice lead to.

use serde_json::json;
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::log::LogReader;
use third_umpire::luck::{DiceOfMatch, LuckTable, MatchEnd, MatchLuck, ResultChances, StateOfPlay, odds_of};
use third_umpire::projection::AsOf;
use third_umpire::rules::MatchOdds;
use third_umpire::scorebook::Side;
use third_umpire::simulate::{Progress, Simulation};
use third_umpire::views::{DeliveriesAsOf, DeliveriesBuilder};
use third_umpire_test_support::logs::{Log, Setting, every_stored_log, object};

/// A match with its deliveries, from its log.
fn folded(log: &Log) -> DeliveriesAsOf {
    let mut builder = DeliveriesBuilder::new(AsOf::default(), Editions::default());
    for line in LogReader::new(log.text().as_bytes()) {
        let event = line.expect("a match log").0.read().expect("an event");
        builder.follow(event).expect("a legal event");
    }
    builder.end().expect("a match")
}

fn odds_of_overs(overs: u16) -> MatchOdds {
    let the_match = Setting::overs(overs).table().home_bats().over(json!({})).the_match().clone();
    odds_of(the_match.play().info()).expect("dice alone")
}

fn share(chances: ResultChances) -> f64 {
    assert!((chances.home + chances.away + chances.tie - 1.0).abs() < 1e-9, "{chances:?}");
    chances.share_of_home()
}

/// Holds the luck of a match: its swings lead from the start to the result, or to the last chance.
fn holds(name: &str, luck: &MatchLuck, dice: &DiceOfMatch) {
    let mut at = share(luck.start);
    for delivery in &luck.deliveries {
        assert!((share(delivery.before) - at).abs() < 1e-8, "{name}: {delivery:?}");
        for die in &delivery.dice {
            let (Some(before), Some(after)) = (die.before, die.after) else {
                assert!(delivery.agreed, "{name}: {delivery:?}");
                continue;
            };
            assert!((share(before) - at).abs() < 1e-8, "{name}: {delivery:?}");
            at = share(after);
        }
        if delivery.agreed {
            at = share(delivery.after);
        }
        assert!((share(delivery.after) - at).abs() < 1e-8, "{name}: {delivery:?}");
    }
    let due = match dice.end {
        MatchEnd::Completed(Some(Side::Home)) => 1.0,
        MatchEnd::Completed(Some(Side::Away)) => 0.0,
        MatchEnd::Completed(None) => 0.5,
        MatchEnd::Abandoned | MatchEnd::None => at,
    };
    assert!((at - due).abs() < 1e-8, "{name}: the swings lead to {at}, and not to {due}");
}

#[test]
fn the_swings_of_every_stored_log_lead_to_its_result() {
    let (mut read, mut completed) = (0, 0);
    for (name, log) in every_stored_log() {
        if !name.starts_with("howzat") {
            continue;
        }
        let past = folded(&log);
        let Some(odds) = odds_of(past.loaded.the_match().play().info()) else {
            assert!(name.contains("reviewed") || name.contains("settled"), "{name} has no reviews");
            continue;
        };
        let table = LuckTable::of(&odds);
        let dice = DiceOfMatch::of(&past);
        let luck = MatchLuck::of(&table, None, &dice);
        holds(&name, &luck, &dice);
        // Only what the table agreed on goes another way than the dice.
        for (row, delivery) in past.rows.iter().zip(&luck.deliveries) {
            let said = past.loaded.exceptions().any(|exception| exception.delivery == row.delivery);
            let ended = dice.ended.iter().any(|ended| ended.after == row.delivery);
            assert_eq!(delivery.agreed, said || ended || row.dice.is_empty(), "{name}: {row:?}");
        }
        read += 1;
        completed += usize::from(matches!(dice.end, MatchEnd::Completed(_)));
    }
    assert!(read >= 5 && completed >= 3, "{read} logs were read, {completed} of completed matches");
}

#[test]
fn the_chances_at_the_start_are_those_of_simulated_matches() {
    let matches = 4_000;
    let seed = ServerSeed::from_hex(&"c0ffee00".repeat(8)).expect("a seed");
    let editions = Editions::default();
    let game = editions.registry().find("howzat").expect("a game");
    let rules = object(json!({"overs": 2}));
    let simulation = Simulation::new(&editions, game, &rules, None, matches, seed).expect("a simulation");
    let counts = simulation.count(1, &Progress::default(), None).expect("counts");
    let table = LuckTable::of(&odds_of_overs(2));
    let start = table.chances(StateOfPlay::START);
    for (counted, chance) in
        [(counts.base.first, start.first), (counts.base.second, start.second), (counts.base.ties, start.tie)]
    {
        let share = counted as f64 / matches as f64;
        let error = (chance * (1.0 - chance) / matches as f64).sqrt();
        assert!((share - chance).abs() < 4.0 * error, "{share} of the matches, and a chance of {chance}");
    }
    let runs = counts.base.innings[0].runs.sum() as f64 / matches as f64;
    assert!((runs - table.mean_total()).abs() < 1.5, "a mean of {runs}, and not {}", table.mean_total());
}
