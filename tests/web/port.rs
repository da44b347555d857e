//! Ports for programs that are told where to listen, or that listen there again after they were stopped. They
//! are below those that a system gives to connections, one of which could take a port in between.

use std::net::TcpListener;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The first port, and how many there are.
const FIRST: u32 = 12_000;
const MANY: u32 = 20_000;

/// How many ports were looked at.
static LOOKED_AT: AtomicU32 = AtomicU32::new(0);

/// A port where nothing listens, which this process hands out once.
pub fn free_port() -> u16 {
    // Two processes of tests at a time begin far from one another.
    let begins = process::id().wrapping_mul(97);
    let mut ports = (0..MANY).map(|_| {
        let looked_at = LOOKED_AT.fetch_add(1, Ordering::Relaxed);
        u16::try_from(FIRST + begins.wrapping_add(looked_at) % MANY).expect("a port")
    });
    ports.find(|port| TcpListener::bind(("0.0.0.0", *port)).is_ok()).expect("a port is free")
}
