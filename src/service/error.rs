//! The error of the service.

use chrono::{DateTime, SecondsFormat, Utc};

use super::system::ClockOff;
use crate::canonical::NotCanonical;
use crate::log::{Head, MatchId};
use crate::projection::{AsOfError, LoadedMatch};
use crate::rules::{Next, Refusal, RefusalKind};
use crate::scorebook::Side;
use crate::store::StoreError;

/// The error of a command or a read.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no match with this id.
    #[error("there is no match {0}")]
    NoSuchMatch(MatchId),
    /// There is no such event, or it was not known yet.
    #[error(transparent)]
    AsOf(#[from] AsOfError),
    /// The rules refuse the command.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The match waits for something else than the command.
    #[error("{refusal}")]
    OutOfTurn {
        /// The refusal by the rules.
        refusal: Box<Refusal>,
        /// The step that the match waits for.
        next: Box<Next>,
    },
    /// The match has moved on from the head that the client saw.
    #[error("the match is at event {} now, and not at the head that this request expects", .0.seq)]
    StaleHead(Head),
    /// The match does not know the token.
    #[error("this match does not know the token: it is of another match, or it has been replaced")]
    TokenUnknown,
    /// The token is an invite of the match.
    #[error("this is an invite, not a token: claim the side with it first, and send the token that you get")]
    TokenIsInvite,
    /// The token is an invite of the match with which its side was claimed before.
    #[error(
        "this invite was used when {side} was claimed: send the token that the claim returned; if that is lost, \
         ask {} to replace it with POST .../tokens/{side}/rotate",
        if *.is_remote { "the admin" } else { "the scorer" }
    )]
    InviteIsUsed {
        /// The side of the invite.
        side: Side,
        /// Whether the match is played remotely, where the scorer may not replace the token of a side.
        is_remote: bool,
    },
    /// The match has a token or an invite with the hash of a new token.
    #[error("this match has a token or an invite with this hash already; make a new token")]
    HashKnown,
    /// The id of a new match is that of another match.
    #[error("another match has this id: make a new one")]
    IdTaken,
    /// The scoring invite was used.
    #[error(
        "somebody has this already: the invite was used to take over the scoring; ask who scores for a new one"
    )]
    ScoringInviteUsed,
    /// The scoring invite has run out.
    #[error("this invite ran out at {}; ask who scores for a new one", .0.to_rfc3339_opts(SecondsFormat::Secs, true))]
    ScoringInviteOld(DateTime<Utc>),
    /// The scoring invite has ended before its time.
    #[error(
        "this invite has ended: it was stopped, or another invite or another token of the scorer took its place; \
         ask who scores for a new one"
    )]
    ScoringInviteStopped,
    /// The token was handed over, and whoever took over has scored.
    #[error("this token was handed over, and whoever took over has written since; ask them for an invite")]
    WayBackClosed,
    /// The scoring of the match cannot be handed over.
    #[error("the scoring of this match is not handed over: {0}")]
    NoHandOver(&'static str),
    /// The match is over, so that nobody scores it any more.
    #[error("the match is over, so there is nothing left to score; a rotation replaces the scorer's token")]
    ScoringEnded,
    /// A stored time is none.
    #[error("a stored time is not valid: {0}")]
    BrokenTime(i64),
    /// The idempotency key was used for another request.
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// Other instances appended first at every try.
    #[error("other requests append to this match; try again")]
    Contended,
    /// The stored log does not fold.
    #[error("the stored log is not valid at event {seq}: {reason}")]
    BrokenLog {
        /// The seq of the event that is not valid.
        seq: u64,
        /// The reason why it is not valid.
        reason: String,
    },
    /// There is no edition with this hash.
    #[error("there is no edition {0} here")]
    NoSuchEdition(String),
    /// The operating system gave no random bytes.
    #[error("the operating system gives no random bytes")]
    NoEntropy,
    /// An earlier try of the request was stored, but its answer cannot be read now.
    #[error("an earlier try of this request was stored, and its answer cannot be read: {0}")]
    StoredBefore(StoreError),
    /// The system's clock shows a time that no log can have.
    #[error("{0}; nothing was stored by this request")]
    ClockOff(#[from] ClockOff),
    /// Other long work keeps every core busy.
    #[error("other long work keeps every core busy; nothing was stored by this request")]
    Busy,
    /// The rest of the match is not dice alone.
    #[error(
        "how the dice fell is told only where they alone decide a match: of extended Howzat without reviews (drs \"off\")"
    )]
    NotDiceAlone,
    /// Too many requests wait for a table of chances.
    #[error("too many wait for a table of chances already; try again in a moment")]
    TablesFull,
    /// The data of an event have no canonical form.
    #[error("an event cannot be written: {0}")]
    Unwritable(#[from] NotCanonical),
    /// The work for the request panicked, on a thread of its own.
    #[error("the service could not do this")]
    Panicked,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// The error of a command that the rules refuse in this match.
    pub(super) fn refused(refusal: Refusal, loaded: &LoadedMatch) -> ServiceError {
        let refusal = Box::new(refusal);
        match refusal.kind {
            RefusalKind::OutOfTurn => {
                ServiceError::OutOfTurn { refusal, next: Box::new(loaded.the_match().next()) }
            }
            _ => ServiceError::Refused(refusal),
        }
    }

    /// Whether the error may be due to a cached match, token or key that is out of date.
    pub(super) fn may_be_of_old_state(&self) -> bool {
        match self {
            ServiceError::Store(error) => matches!(error, StoreError::Conflict),
            ServiceError::StoredBefore(_) => false,
            ServiceError::NoSuchMatch(_)
            | ServiceError::AsOf(_)
            | ServiceError::Refused(_)
            | ServiceError::OutOfTurn { .. }
            | ServiceError::StaleHead(_)
            | ServiceError::TokenUnknown
            | ServiceError::TokenIsInvite
            | ServiceError::InviteIsUsed { .. }
            | ServiceError::HashKnown
            | ServiceError::ScoringInviteUsed
            | ServiceError::ScoringInviteOld(_)
            | ServiceError::ScoringInviteStopped
            | ServiceError::WayBackClosed
            | ServiceError::NoHandOver(_)
            | ServiceError::ScoringEnded
            | ServiceError::BrokenTime(_)
            | ServiceError::IdTaken
            | ServiceError::KeyReused
            | ServiceError::Contended
            | ServiceError::BrokenLog { .. }
            | ServiceError::NoSuchEdition(_)
            | ServiceError::NoEntropy
            | ServiceError::Unwritable(_)
            | ServiceError::Panicked => true,
            ServiceError::ClockOff(_)
            | ServiceError::Busy
            | ServiceError::NotDiceAlone
            | ServiceError::TablesFull => false,
        }
    }
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> ServiceError {
        ServiceError::Refused(Box::new(refusal))
    }
}
