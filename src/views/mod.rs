//! The views of a match for readers, folded from its events: scorecard, fall of wickets, reviews, commentary,
//! the match list.
//!
//! What a view shows comes from the recorded events, so it is shown for every game alike. [`MatchProjection`]
//! folds them, and [`LoadedMatch`] has the state of the match beside it. The store keeps some views as a
//! cache: a rebuild from the events gives the same bytes.

mod adjudication;
mod as_of;
mod changed_choices;
mod commentary;
mod describe;
mod difference;
mod fall_of_wickets;
mod innings;
mod loaded;
mod match_list;
mod newspaper;
mod projection;
mod reviews;
mod rows;
mod scorecard;
mod time_travel;

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
pub use innings::{BatterStatus, FallenWicket, Partnership};
pub use loaded::LoadedMatch;
pub use match_list::{InningsScore, MatchSummary, MatchTeams, Score};
pub use newspaper::newspaper_card;
pub use projection::MatchProjection;
pub use reviews::{ReviewEntry, Reviews, ReviewsLeft};
pub use rows::{Page, Rows};
pub use scorecard::{BatterLine, BowlerLine, ExtrasLine, InningsCard, InningsTotal, Scorecard};
