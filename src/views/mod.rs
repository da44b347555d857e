//! The views of a match for readers: situation, scorecard, fall of wickets, reviews, commentary, deliveries,
//! the match list.
//!
//! A view shows what the projection of a match has folded. The store keeps some views as a cache: a rebuild
//! from the events gives the same bytes.

mod bounded;
mod cell;
mod columns;
mod commentary;
mod deliveries;
mod delivery;
mod difference;
mod fall_of_wickets;
mod match_list;
mod newspaper;
mod reviews;
mod rows;
mod scorecard;
mod situation;

pub use bounded::{FirstFew, ListWindow, counts_nothing};
pub(crate) use bounded::{first_of, fitting, page_of, slice_of};
pub use cell::DeliveryCell;
pub use commentary::Commentary;
pub use deliveries::{Deliveries, DeliveriesAsOf, DeliveriesBuilder, DeliveryRow};
pub use delivery::{
    DeliveryBuilder, DeliveryView, EarlierBall, NeverBowled, RollTold, RulingTold, ScoreBeside,
    VoidingCorrection,
};
pub(crate) use difference::changes_in_order;
pub use difference::{CardChange, card_changes};
pub use fall_of_wickets::{FallOfWickets, InningsWickets};
pub use match_list::{MatchNow, MatchSummary, MatchTeams, Score};
pub use newspaper::newspaper_card;
pub use reviews::{Reviews, ReviewsLeft};
pub use rows::{FORM, Page, Rows};
pub use scorecard::{BatterLine, BowlerLine, ExtrasLine, InningsCard, InningsTotal, Scorecard};
pub use situation::{
    BatterNow, BowlerNow, Due, EndedPart, LastDelivery, MatchSituation, OverNow, PartnershipNow, RunsNeeded,
};
