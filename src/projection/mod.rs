//! The projection of a match: what the recorded events come to for readers, folded event by event.
//!
//! [`MatchProjection`] folds the events, and [`LoadedMatch`] has the state of the match beside it, so that a
//! match is decided and read at one head. What a reader is shown comes from recorded events, so it is shown
//! for every game alike.

mod adjudication;
mod anew_in_words;
mod as_of;
mod changed_choices;
mod correction_difference;
mod describe;
mod innings;
mod issued_tokens;
mod last_over;
mod loaded;
mod match_projection;
mod places;
mod reviews;
mod seen_choice;
mod time_travel;

pub use self::adjudication::{
    AdjudicationRecord, AgreedException, Compared, CorrectionEntry, CorrectionStatus, DisputeEntry,
    RulingGiven,
};
pub use self::as_of::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder, KnownPast, PastBuilder};
pub use self::changed_choices::{ChangedChoice, ChoiceChanges};
pub use self::describe::CommentaryLine;
pub use self::innings::{BatterStatus, FallenWicket, InningsScore, Partnership, Wicketkeeper};
pub(crate) use self::innings::{Bowler, InningsFold};
pub use self::issued_tokens::{IssuedTokens, TokenHolder};
pub(crate) use self::last_over::CountedBall;
pub use self::loaded::LoadedMatch;
pub use self::match_projection::MatchProjection;
pub use self::places::DeliveryPlaces;
pub use self::reviews::ReviewEntry;
