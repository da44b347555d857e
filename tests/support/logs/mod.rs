//! Matches and their logs, made by the library alone, as the service would write them.
//!
//! A [`Setting`] has the settings before play. A [`PlayedMatch`] is played, and has the recorded events; a
//! [`LogMaker`] also seals them one by one into a [`SealedLog`]. A [`Log`] is the lines of a file, and a
//! [`Forger`] changes them.

mod board_game;
mod chain;
mod corrected;
pub mod forger;
mod log;
mod maker;
mod played;
mod remote;
mod remote_board_game;
mod sealed;
mod setting;
mod shorthand;
mod wides;

pub use board_game::{board_game_at_the_table, board_game_begun, built_in_edition, with_edition};
pub use chain::{canonical, chained, hash_of, sha256, without_hash};
pub use corrected::{
    adjudicated_at_the_table, adjudicated_to_the_end, amends, corrected_remote_match, stands,
    striker_agreed_on,
};
pub use forger::Forger;
pub use log::{HEADS, Log, every_stored_log, stored, stored_folder, stored_heads, stored_logs};
pub use maker::{LogMaker, scripted, short};
pub use played::PlayedMatch;
pub use remote::remote_match;
pub use remote_board_game::{chosen_after_timeout, remote_board_game, remote_board_game_bowled_again};
pub use sealed::{SealedLog, match_id};
pub use setting::{AWAY, HOME, SEED, Setting, howzat, object, sheet, sides};
pub use shorthand::{ball, dice_for, heads, over};
pub use wides::Wides;
