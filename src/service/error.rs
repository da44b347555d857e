//! The error of the service.

use super::system::ClockOff;
use crate::canonical::NotCanonical;
use crate::log::{Head, MatchId};
use crate::projection::AsOfError;
use crate::rules::Refusal;
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
    /// The match has moved on from the head that the client saw.
    #[error("the match is at event {} now, and not at the head that this request expects", .0.seq)]
    StaleHead(Head),
    /// The token is not of a role that may do this, or it was replaced.
    #[error("this token of the match does not allow that, or it has been replaced")]
    TokenRefused,
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
    /// Whether the error may be due to a cached match, token or key that is out of date.
    pub(super) fn may_be_of_old_state(&self) -> bool {
        match self {
            ServiceError::Store(error) => matches!(error, StoreError::Conflict),
            ServiceError::StoredBefore(_) => false,
            ServiceError::NoSuchMatch(_)
            | ServiceError::AsOf(_)
            | ServiceError::Refused(_)
            | ServiceError::StaleHead(_)
            | ServiceError::TokenRefused
            | ServiceError::KeyReused
            | ServiceError::Contended
            | ServiceError::BrokenLog { .. }
            | ServiceError::NoSuchEdition(_)
            | ServiceError::NoEntropy
            | ServiceError::Unwritable(_)
            | ServiceError::Panicked => true,
            ServiceError::ClockOff(_) | ServiceError::Busy => false,
        }
    }
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> ServiceError {
        ServiceError::Refused(Box::new(refusal))
    }
}
