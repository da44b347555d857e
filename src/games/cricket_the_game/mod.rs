//! Cricket: The Game, on its board, with its cards.

pub mod edition;
