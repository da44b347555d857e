//! Properties of every game in the registry: matches stored as stories, random matches, simulated ones, and
//! whatever the service records.

mod contract;
mod corrections;
mod documents;
mod places;
mod playthroughs;
mod properties;
mod recorded;
mod refits;
mod requests;
mod simulation;
mod situation;
