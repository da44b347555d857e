//! Remote play: the order in which the sides choose, in the open or, for bowl and stroke, in secret.

mod open;
mod secret;

pub use self::open::{
    choose, next, next_over, on_timeout, open_choice, refuse_before_its_turn, with_open_choices,
};
pub use self::secret::{bowl_remotely, choose_in_secret, draw, drawn, reveal, secret};
