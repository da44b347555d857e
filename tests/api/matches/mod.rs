//! `/v1/matches`

mod abandonment;
mod audit;
mod autoplay;
mod balls;
mod cards;
mod create;
mod events;
mod get;
mod list;
mod overs;
mod stream;
mod tokens;
mod toss;
