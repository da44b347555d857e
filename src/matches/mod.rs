//! The aggregate: a match of any game, from its first event on, in parts: play, reviews, remote play and
//! adjudication. Beside it are the creation of a match, permissions and corrections.

mod adjudication;
mod aggregate;
pub mod corrections;
mod creation;
pub mod follow_up;
mod history;
mod info;
mod input;
mod made_choices;
mod out_of_turn;
mod permissions;
mod play;
mod recorded_names;
pub mod refit;
mod remote;
mod requests;
mod reviews;
#[cfg(test)]
mod test_match;

pub use self::adjudication::{Adjudication, DeliveryNumbers};
pub use self::aggregate::{Decided, Match};
pub use self::creation::{MatchSettings, new_match};
pub use self::history::{History, LogFold, Replayable, Reversible, Voided, delivery_key};
pub use self::info::MatchInfo;
pub use self::input::Input;
pub use self::made_choices::{MadeChoice, MadeChoices};
pub use self::permissions::{Action, PermissionQuestion, Permissions, PrecedingEvent, permit_creation};
pub use self::play::{AfterDice, GameInPlay, Phase};
pub use self::remote::{
    ClaimedChoice, PendingChoice, Remote, RemoteDecided, SealOpening, ServerSecrets, TIMEOUT_TOSS, seal,
    seed_hash, timeout_toss_die,
};
use self::requests::made_before_dice;
pub use self::requests::{Preview, PreviewRequest, RequestKind, StepRequest};
pub use self::reviews::{MatchReviews, OpenReview, REVIEW};
