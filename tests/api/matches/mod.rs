//! `/v1/matches`

mod abandonment;
mod audit;
mod autoplay;
mod balls;
mod corrections;
mod create;
pub mod disputes;
mod events;
mod get;
mod list;
mod overs;
mod reviews;
mod scorecards;
mod situation;
mod stream;
mod tokens;
mod toss;
