//! How the dice fell: the table of chances, its simulated matches, and the reading of a match with it.

use std::hint::black_box;
use std::time::Instant;

use serde_json::json;
use third_umpire::editions::Editions;
use third_umpire::log::LogReader;
use third_umpire::luck::{DiceOfMatch, LuckPage, LuckTable, MatchLuck, SIMULATED, SimulatedLuck, odds_of};
use third_umpire::projection::AsOf;
use third_umpire::rules::MatchOdds;
use third_umpire::views::{Deliveries, DeliveriesAsOf, DeliveriesBuilder, ListWindow};
use third_umpire_test_support::logs::Setting;

use super::logs::logs;
use super::report::{Reach, Row};
use super::turns::Scale;

const MIB: f64 = 1_048_576.0;

/// Measures in milliseconds: whoever reads the first match with some options waits for their table.
pub fn rows(scale: Scale) -> Vec<Row> {
    let rounds = scale.pick(5, 1);
    let mut rows = Vec::new();
    for (overs, most_ms, most_mib) in [(20, 300.0, 20.0), (50, 2_000.0, 64.0)] {
        let odds = odds_of_overs(overs);
        let alone = median(rounds, || drop(black_box(LuckTable::of(&odds))));
        let work = format!("table of chances of Howzat, {overs} overs");
        rows.push(Row::alone(&work, alone, format!("{alone:.0} ms"), Reach::AtMost(most_ms)));
        let matches = scale.pick(SIMULATED as u64, 10) as usize;
        let table = LuckTable::of(&odds);
        let ours = median(rounds, || drop(black_box(SimulatedLuck::of(&table, matches))));
        let work = format!("10,000 simulated matches of {overs} overs");
        rows.push(Row::alone(&work, ours, format!("{ours:.0} ms"), Reach::AtMost(2_000.0)));
        let kept = (table.size() + SimulatedLuck::of(&table, matches).size()) as f64 / MIB;
        let work = format!("memory of both, {overs} overs (MiB)");
        rows.push(Row::alone(&work, kept, format!("{kept:.1} MiB"), Reach::AtMost(most_mib)));
    }
    rows.extend(read(scale));
    rows
}

/// The reading of a whole match of twenty overs, and its answer as JSON: of its luck, and of its deliveries,
/// which are made from the log for each read.
fn read(scale: Scale) -> [Row; 2] {
    let table = LuckTable::of(&odds_of_overs(20));
    let simulated = SimulatedLuck::of(&table, scale.pick(SIMULATED as u64, 10) as usize);
    let logs = logs(scale.pick(20, 1) as usize);
    let matches: Vec<DeliveriesAsOf> = logs.iter().map(|log| folded(log)).collect();
    let whole = ListWindow { after: 0, most: usize::MAX, bytes: usize::MAX };
    let answered = || {
        for past in &matches {
            let luck = MatchLuck::of(&table, Some(&simulated), &DiceOfMatch::of(past));
            black_box(serde_json::to_vec(&LuckPage::of(&luck, &past.loaded, whole)).expect("JSON"));
        }
    };
    let each = median(scale.pick(5, 1), answered) / matches.len() as f64;
    let work = "luck of a whole match of 20 overs, read and written";
    let luck = Row::alone(work, each, format!("{each:.2} ms"), Reach::AtMost(50.0));
    let answered = || {
        for log in &logs {
            let page = folded(log);
            black_box(serde_json::to_vec(&Deliveries::page(&page, whole)).expect("JSON"));
        }
    };
    let each = median(scale.pick(5, 1), answered) / logs.len() as f64;
    let work = "deliveries of a whole match of 20 overs, folded from its log and written";
    [luck, Row::alone(work, each, format!("{each:.2} ms"), Reach::AtMost(50.0))]
}

fn odds_of_overs(overs: u16) -> MatchOdds {
    let the_match = Setting::overs(overs).table().home_bats().over(json!({})).the_match().clone();
    odds_of(the_match.play().info()).expect("dice alone")
}

fn folded(log: &str) -> DeliveriesAsOf {
    let mut builder = DeliveriesBuilder::new(AsOf::default(), Editions::default());
    for line in LogReader::new(log.as_bytes()) {
        let event = line.expect("a match log").0.read().expect("an event");
        builder.follow(event).expect("a legal event");
    }
    builder.end().expect("a match")
}

/// The median of the milliseconds that some rounds of work take.
fn median(rounds: u64, mut work: impl FnMut()) -> f64 {
    let mut timed = || {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let mut times: Vec<f64> = (0..rounds).map(|_| timed()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
