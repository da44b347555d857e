//! The views of a match for readers, folded from its events: scorecard, fall of wickets, reviews, commentary,
//! the match list.
//!
//! Views read recorded events, never a game's state, so they work for every game. The store keeps some of
//! them as a cache: a rebuild from the events gives the same bytes.

mod adjudication;
mod as_of;
mod changed_choices;
mod commentary;
mod describe;
mod difference;
mod fall_of_wickets;
mod history;
mod innings;
mod match_list;
mod newspaper;
mod projection;
mod reviews;
mod rows;
mod scorecard;

pub use adjudication::{
    AdjudicationRecord, AgreedException, CorrectionEntry, CorrectionStatus, DisputeEntry, RulingGiven,
};
pub use as_of::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder};
pub use changed_choices::{ChangedChoice, ChoiceChanges, chosen};
pub use commentary::Commentary;
pub use describe::CommentaryLine;
pub(crate) use difference::changes_in_order;
pub use difference::{CardChange, card_changes};
pub use fall_of_wickets::{FallOfWickets, InningsWickets};
pub use history::History;
pub use innings::{BatterStatus, FallenWicket, Partnership};
pub use match_list::{InningsScore, MatchSummary, MatchTeams, Score};
pub use newspaper::newspaper_card;
pub use projection::MatchProjection;
pub use reviews::{ReviewEntry, Reviews, ReviewsLeft};
pub use rows::{Page, Rows};
pub use scorecard::{BatterLine, BowlerLine, ExtrasLine, InningsCard, InningsTotal, Scorecard};
