//! The command line and the audit, by the real program: what it proves, what it finds, and how it ends.

mod audit_clean;
mod bytes;
mod commands;
mod cricket_the_game;
mod diff;
mod edition;
mod leaves;
mod memory;
mod reader;
mod replay;
mod scorecard;
mod serve;
mod settling;
mod simulate;
mod stored_logs;
mod support;
mod tampering_unseen;
mod tampering_with_balls;
mod tampering_with_corrections;
mod tampering_with_order;
mod tampering_with_overs;
mod tampering_with_reviews;
mod tampering_with_sides;
mod tampering_with_start_and_end;
mod tampering_with_writing;
mod width;
