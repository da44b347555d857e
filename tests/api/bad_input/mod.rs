//! Bad input: nothing is stored for it, the answer says what is expected instead, and the match goes on.

mod choices;
mod creation;
mod cuberoots;
mod dice;
mod members;
mod requests;
mod turns;
