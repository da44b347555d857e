//! What every game in the registry has to satisfy: matches stored as stories, matches that bytes choose,
//! simulated ones, and whatever the service records.

mod corrections;
mod playthroughs;
mod properties;
mod recorded;
mod simulation;
