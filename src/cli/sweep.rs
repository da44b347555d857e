use std::process::ExitCode;

use super::{Failure, StoreArgs, open_store, print};
use crate::service::{now, sweep};
use crate::store::Migrate;

/// Removes old idempotency keys. The tables are not migrated, since a role that may sweep need not own
/// them.
pub async fn run(args: StoreArgs) -> Result<ExitCode, Failure> {
    let store = open_store(&args, Migrate::Check).await?;
    let swept = sweep(store.as_ref(), now()?).await;
    store.close().await;
    let removed = swept?;
    let keys = if removed == 1 { "key" } else { "keys" };
    print(&format!("removed {removed} idempotency {keys} older than 30 days\n"))
}
