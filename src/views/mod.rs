//! What readers want to know, folded from the events: scorecard, fall of wickets, commentary, the match list.
//!
//! Views look at what is recorded, never at a game's state, so they are the same for every game. What the store
//! keeps of them is a cache: dropped and folded again, it is the same byte for byte.

mod adjudication;
mod as_of;
mod book;
mod changed_choices;
mod commentary;
mod describe;
mod difference;
mod fall_of_wickets;
mod history;
mod innings;
mod match_list;
mod newspaper;
mod reviews;
mod rows;
mod scorecard;

pub use adjudication::{CorrectionEntry, CorrectionStatus, DisputeEntry, Exception, RulingGiven, Settled};
pub use as_of::{Moment, Telling, Told, Untold};
pub use book::Book;
pub use changed_choices::{ChangedChoice, Rethought, chosen};
pub use commentary::Commentary;
pub use describe::CommentaryLine;
pub(crate) use difference::changes_in_order;
pub use difference::{CardChange, card_changes};
pub use fall_of_wickets::{FallOfWickets, InningsWickets};
pub use history::Reading;
pub use innings::{BatterStatus, FallenWicket, Partnership};
pub use match_list::{InningsScore, MatchSummary, MatchTeams, Score};
pub use newspaper::newspaper_card;
pub use reviews::{ReviewEntry, Reviews, ReviewsLeft};
pub use rows::{Page, Rows};
pub use scorecard::{BatterLine, BowlerLine, ExtrasLine, InningsCard, InningsTotal, Scorecard};
