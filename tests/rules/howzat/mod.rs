//! The rules of Howzat, as tables and small matches.

mod innings;
mod luck;
mod odds;
mod overs;
mod properties;
mod refusals;
mod reviews;
mod table;
mod witness;
mod words;
