//! Refusals: an input that the rules do not allow, with the kind, the ruling, the place, and the legal
//! inputs.

use serde_json::Value;

use crate::dice::DiceFault;
use crate::scorebook::Ruling;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// A die or a choice is missing.
    NeedsInput,
    /// A die or a choice is not one that is legal here.
    IllegalInput,
    /// The match waits for something else.
    OutOfTurn,
    /// A side has not made a choice that is its own to make, or not opened it.
    AwaitingChoice,
    /// The actor has no right to do this.
    NotYours,
    /// The match has no such token to replace.
    NoSuchToken,
    /// The match has no such dispute.
    NoSuchDispute,
    /// The match has no such correction.
    NoSuchCorrection,
    /// The subject is already decided: voided, ruled on, or consented to.
    Settled,
    /// The decision on the last ball has to be reviewed or accepted first.
    ReviewOpen,
    /// The match is completed or abandoned.
    MatchOver,
    /// The match has finished and its seeds are open, so nothing new may be bowled with them.
    SeedOpen,
    /// The outcome has to stay hidden until it is in the log.
    NoPreview,
}

/// The place of the fault in an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The input as a whole.
    Input,
    /// A field of the request, e.g. `reason`.
    Field(String),
    /// A choice, e.g. `bowler`.
    Choice(String),
    /// A die, counted from 0.
    Die(usize),
}

/// An input that the rules do not allow. Nothing has changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of the refusal.
    pub kind: RefusalKind,
    /// The ruling that refused, if it was a game's.
    pub ruling: Option<&'static Ruling>,
    /// The place of the fault.
    pub place: Place,
    /// The message: what is wrong, and what would be right.
    pub message: String,
    /// The legal inputs at that place; null when the message says all.
    pub legal: Value,
    /// The rulings that the input has led to so far, where it misses a die or a choice.
    pub so_far: Box<[&'static Ruling]>,
}

impl Refusal {
    /// A refusal without a ruling or a list of legal inputs.
    pub fn new(kind: RefusalKind, place: Place, message: impl Into<String>) -> Refusal {
        Refusal {
            kind,
            ruling: None,
            place,
            message: message.into(),
            legal: Value::Null,
            so_far: Box::default(),
        }
    }

    /// Whether the input was refused because of its time, whatever its content.
    pub fn is_of_time(&self) -> bool {
        match self.kind {
            RefusalKind::OutOfTurn
            | RefusalKind::AwaitingChoice
            | RefusalKind::ReviewOpen
            | RefusalKind::MatchOver
            | RefusalKind::SeedOpen
            | RefusalKind::Settled => true,
            RefusalKind::NeedsInput
            | RefusalKind::IllegalInput
            | RefusalKind::NotYours
            | RefusalKind::NoSuchToken
            | RefusalKind::NoSuchDispute
            | RefusalKind::NoSuchCorrection
            | RefusalKind::NoPreview => false,
        }
    }

    /// The refusal of a choice that is not legal.
    pub fn choice(name: impl Into<String>, message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::IllegalInput, Place::Choice(name.into()), message)
    }

    /// Adds the ruling to the refusal.
    pub fn by(self, ruling: &'static Ruling) -> Refusal {
        Refusal { ruling: Some(ruling), ..self }
    }

    /// Adds the rulings so far to the refusal of an input that misses a die or a choice.
    pub fn after(self, so_far: &[&'static Ruling]) -> Refusal {
        match self.kind {
            RefusalKind::NeedsInput => Refusal { so_far: so_far.into(), ..self },
            _ => self,
        }
    }

    /// Adds the legal inputs to the refusal.
    pub fn legal(self, legal: impl Into<Value>) -> Refusal {
        Refusal { legal: legal.into(), ..self }
    }
}

impl From<DiceFault> for Refusal {
    fn from(fault: DiceFault) -> Refusal {
        let (why, place) = match &fault {
            DiceFault::Missing { at, .. } => (RefusalKind::NeedsInput, Place::Die(*at)),
            DiceFault::Impossible { at, .. } | DiceFault::Misplaced { at, .. } => {
                (RefusalKind::IllegalInput, Place::Die(*at))
            }
            DiceFault::TooMany { used, .. } => (RefusalKind::IllegalInput, Place::Die(*used)),
            DiceFault::Misdealt { .. } | DiceFault::NotDealt => (RefusalKind::IllegalInput, Place::Input),
        };
        let legal = match &fault {
            DiceFault::Missing { sides, what, .. }
            | DiceFault::Impossible { sides, what, .. }
            | DiceFault::Misplaced { sides, what, .. } => {
                serde_json::json!({"for": what, "minimum": 1, "maximum": sides})
            }
            DiceFault::TooMany { .. } | DiceFault::Misdealt { .. } | DiceFault::NotDealt => Value::Null,
        };
        Refusal::new(why, place, fault.to_string()).legal(legal)
    }
}
