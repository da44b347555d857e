//! The kit for scenarios of the service: services in the process of the tests or as processes, their
//! databases, a client that checks every answer against the OpenAPI document, and matches to play.

mod answer;
mod captain;
mod client;
mod cluster;
mod contract;
mod cup;
mod database;
mod deployment;
mod faulty;
mod folder;
mod in_process;
mod log;
mod members;
mod play;
mod process;
mod put;
mod raw;
mod rebuild;
mod returned;
mod scenarios;
mod shared;
#[cfg(target_os = "linux")]
mod shim;
mod stream;

pub use crate::logs::{canonical, chained, hash_of, sha256};
pub use answer::{Answer, Refusal, tag_of};
pub use captain::{Captain, Sealed, Sides, claiming, cubes, fresh_hex, remote};
pub use client::{Client, Request, at_once};
pub use cluster::{Cluster, Fsync, as_user, programs, server_user};
pub use contract::{CONTRACT, DOCUMENT, resolved};
pub use cup::Cup;
pub use database::{Database, Engine, PROJECTIONS, SECRETS, Session, beside};
pub use deployment::Deployment;
pub use faulty::{Fault, FaultyService};
pub use in_process::InProcess;
pub use log::{Mending, forge, with_event};
pub use members::Shapes;
pub use play::{AWAY, HOME, Head, Match, last_event, seeded, seeded_by_service, step, table, with};
pub use process::{Process, Serving, Starting, run, until};
pub use put::{put_log, put_log_for};
pub use raw::{RawRequest, exchange};
pub use rebuild::Rebuilder;
pub use shared::Service;
#[cfg(target_os = "linux")]
pub use shim::Shim;
pub use stream::EventStream;
