//! `/v1/matches`

mod abandonment;
mod audit;
mod autoplay;
mod balls;
mod corrections;
mod create;
mod delivery_places;
pub mod disputes;
mod events;
mod get;
mod given_creations;
mod hand_over;
mod hand_over_plans;
mod issued_tokens;
mod list;
mod long;
mod named_deliveries;
mod names;
mod overs;
mod reviews;
mod scorecards;
mod situation;
mod stream;
mod tokens;
mod toss;
mod viewers;
