//! Measurements of this program against what the same machine could do at best. Each row takes both sides
//! in turn in one run; the table at the end is the one docs/benchmarks.md quotes.
//!
//! `cargo bench` runs every row, `cargo bench -- appends` those whose name has this in it, `cargo bench --
//! --smoke` runs all of them as briefly as can be, to see that they still run.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod appends;
mod audit;
mod cards;
mod codec;
mod growth;
mod live;
mod logs;
mod logs_in_the_store;
mod luck;
mod memory;
mod previews;
mod replay;
mod report;
mod scorer;
mod simulate;
mod simulate_board;
mod simulate_cubes;
mod stage;
mod turns;
mod wire;

use std::path::Path;
use std::process::ExitCode;

use mimalloc::MiMalloc;
use report::{Row, table, write_json};
use turns::Scale;

/// The allocator of the program, for both sides of what is measured in this process.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A bench: its name, and the function that measures its rows.
type Bench = (&'static str, fn(Scale) -> Vec<Row>);

const BENCHES: &[Bench] = &[
    ("simulate", simulate::rows),
    ("simulate cuberoots", simulate_cubes::rows),
    ("simulate cricket-the-game", simulate_board::rows),
    ("replay", replay::rows),
    ("audit", audit::rows),
    ("codec", codec::rows),
    ("appends, Postgres", appends::on_postgres),
    ("appends, SQLite", appends::on_sqlite),
    ("cards", cards::rows),
    ("live", live::rows),
    ("previews", previews::rows),
    ("luck", luck::rows),
    ("load", logs_in_the_store::loads),
    ("rebuild", logs_in_the_store::rebuilds),
    ("memory", memory::rows),
    ("growth", growth::rows),
];

fn main() -> ExitCode {
    // The option `--bench` comes from cargo.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let scale = if arguments.iter().any(|one| one == "--smoke") { Scale::Smoke } else { Scale::Full };
    let wanted: Vec<&String> = arguments.iter().filter(|one| *one != "--smoke").collect();
    let mut rows = Vec::new();
    for (name, bench) in BENCHES {
        if wanted.is_empty() || wanted.iter().any(|filter| name.contains(filter.as_str())) {
            eprintln!("{name} ...");
            rows.extend(bench(scale));
        }
    }
    if rows.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        eprintln!("no bench is called so; there are: {}", names.join(", "));
        return ExitCode::FAILURE;
    }
    print!("{}", table(&rows));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../bench-table.json");
    if let Err(error) = write_json(&rows, &file) {
        eprintln!("{} cannot be written: {error}", file.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
