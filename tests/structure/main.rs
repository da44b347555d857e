//! The structure of the source: in which order its rooms use each other, and what each file says of itself.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod classes;
mod comments;
mod floors;
mod kinds;
mod names;
mod rooms;
mod source;
mod sql;
mod test_names;
mod tokens;
