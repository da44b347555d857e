//! Sides that play from afar: who chooses what and when, in the open or, for bowl and stroke, in secret.

mod open;
mod secret;

pub use self::open::{choose, for_silent, in_the_open, next, next_over, refuse_before_its_turn, with_said};
pub use self::secret::{bowl_from_afar, choose_in_secret, draw, drawn, reveal, secret};
