use serde_json::Value;

use crate::dice::DiceFault;
use crate::scorebook::Ruling;

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A die or a choice is missing.
    NeedsInput,
    /// A die or a choice is not one that is legal here.
    IllegalInput,
    /// The match waits for something else.
    OutOfTurn,
    /// A side has not made a choice that is its own to make, or not opened it.
    AwaitingChoice,
    /// It is not for whoever asks to choose.
    NotYours,
    /// There is no such token to replace.
    NoSuchToken,
    /// There is no such dispute.
    NoSuchDispute,
    /// There is no such correction.
    NoSuchCorrection,
    /// It has been settled: taken back, ruled on, consented to.
    Settled,
    /// The decision on the last ball is to be reviewed or accepted first.
    ReviewOpen,
    /// The match is completed or abandoned.
    MatchOver,
    /// The match is over and its seeds are open, so nothing new may be bowled with them.
    SeedOpen,
}

/// Where in an input the fault lies.
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

/// An input the rules do not allow. Nothing has changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind.
    pub why: Why,
    /// The rule that refused, where a game's rule did.
    pub ruling: Option<&'static Ruling>,
    /// Where the fault lies.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
    /// What may be put in there instead; null where the message says all.
    pub legal: Value,
}

impl Refusal {
    /// A refusal without a rule or a list of what is legal.
    pub fn new(why: Why, place: Place, message: impl Into<String>) -> Refusal {
        Refusal { why, ruling: None, place, message: message.into(), legal: Value::Null }
    }

    /// Whether it is refused because of when it comes, whatever it says.
    pub fn is_of_time(&self) -> bool {
        match self.why {
            Why::OutOfTurn
            | Why::AwaitingChoice
            | Why::ReviewOpen
            | Why::MatchOver
            | Why::SeedOpen
            | Why::Settled => true,
            Why::NeedsInput
            | Why::IllegalInput
            | Why::NotYours
            | Why::NoSuchToken
            | Why::NoSuchDispute
            | Why::NoSuchCorrection => false,
        }
    }

    /// A choice that is not legal.
    pub fn choice(name: impl Into<String>, message: impl Into<String>) -> Refusal {
        Refusal::new(Why::IllegalInput, Place::Choice(name.into()), message)
    }

    /// The same, refused by a rule.
    pub fn by(self, ruling: &'static Ruling) -> Refusal {
        Refusal { ruling: Some(ruling), ..self }
    }

    /// The same, with what is legal.
    pub fn legal(self, legal: impl Into<Value>) -> Refusal {
        Refusal { legal: legal.into(), ..self }
    }
}

impl From<DiceFault> for Refusal {
    fn from(fault: DiceFault) -> Refusal {
        let (why, place) = match &fault {
            DiceFault::Missing { at, .. } => (Why::NeedsInput, Place::Die(*at)),
            DiceFault::Impossible { at, .. } | DiceFault::Misplaced { at, .. } => {
                (Why::IllegalInput, Place::Die(*at))
            }
            DiceFault::TooMany { used, .. } => (Why::IllegalInput, Place::Die(*used)),
            DiceFault::Misdealt { .. } | DiceFault::NotDealt => (Why::IllegalInput, Place::Input),
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
