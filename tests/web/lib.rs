//! The browser tests of third-umpire: `cargo test --manifest-path tests/web/Cargo.toml`.
