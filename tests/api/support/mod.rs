//! What every scenario needs: a house with a database of its own, a service that is a real process, a client that
//! holds every answer against the OpenAPI document, and a match to play.

mod answer;
mod captain;
mod client;
mod cluster;
mod contract;
mod cup;
mod database;
mod faulty;
mod house;
mod log;
mod play;
mod raw;
mod service;
#[cfg(target_os = "linux")]
mod shim;
mod stream;

pub use answer::{Answer, Refusal};
pub use captain::{Captain, Sealed, Sides, claiming, cubes, fresh, remote};
pub use client::{Client, Request, at_once};
pub use contract::{CONTRACT, DOCUMENT};
pub use cup::Cup;
pub use database::{Database, Engine, PROJECTIONS, SECRETS, Session};
pub use faulty::{Fault, FaultyService};
pub use house::House;
pub use log::{Mending, canonical, chained, forge, hash_of, sha256, with_event};
pub use play::{AWAY, HOME, Head, Match, last_event, seeded, seeded_by_service, table, with};
pub use raw::{RawRequest, exchange};
pub use service::{Service, Serving, Starting, run, until};
#[cfg(target_os = "linux")]
pub use shim::Shim;
pub use stream::EventStream;

/// Makes two tests of one scenario: `name::sqlite` and `name::postgres`.
#[macro_export]
macro_rules! on_both_stores {
    ($name:ident, $scenario:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn sqlite() {
                $crate::support::House::with($crate::support::Engine::Sqlite, $scenario);
            }

            #[test]
            fn postgres() {
                $crate::support::House::with($crate::support::Engine::Postgres, $scenario);
            }
        }
    };
}
