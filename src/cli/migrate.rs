use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::{Failure, StoreArgs, open_store, print};
use crate::store::{Migrate, distribution_on_citus};

#[derive(Args)]
pub struct MigrateArgs {
    /// Change nothing, and print the SQL that spreads the tables over the machines of this engine. Run it at
    /// the coordinator after each migration
    #[arg(long, env = "THIRD_UMPIRE_PRINT", value_enum, value_name = "ENGINE")]
    print: Option<ClusterEngine>,
    #[command(flatten)]
    store: StoreArgs,
}

/// A database engine that spreads tables over machines by SQL of its own.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterEngine {
    Citus,
}

/// Migrates the tables, or prints how to spread them.
pub async fn run(args: MigrateArgs) -> Result<ExitCode, Failure> {
    match args.print {
        Some(ClusterEngine::Citus) => print(&distribution_on_citus()),
        None => {
            open_store(&args.store, Migrate::Apply).await?.close().await;
            print("the tables are up to date with this version\n")
        }
    }
}
