//! The kinds of events, in five families: lifecycle, play, remote play, reviews and adjudication. In the log
//! they are all flat.

mod adjudication;
mod lifecycle;
mod play;
mod remote;
mod review;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

pub use self::adjudication::{
    AgreedOutcome, AgreementNote, Amendment, Cascade, Correction, CorrectionConsented, CorrectionProposed,
    Dispute, DisputeFinding, DisputeRuled,
};
pub use self::lifecycle::{
    ClientSeeds, CoinFace, DiceMode, EditionRecord, MatchAbandoned, MatchCompleted, MatchCreated, SeedSource,
    Toss, TossChoice, TossDecided,
};
pub use self::play::{Ball, DrawRecord, Over, RecordedPlay, Roll, SetUp};
pub use self::remote::{
    CLIENT_SEED, Choice, ChoiceCalled, ChoiceOpened, Reveal, Role, SEED_COMMITMENT, SeedCommitted,
    SeedContributed, SideClaimed, TokenRotated,
};
pub use self::review::{Review, ReviewAccepted, ReviewVerdict, Reviewed};
use super::codec::{Canonical, Cursor};
use super::event::{InvalidEvent, SCHEMA_VERSION};
use super::{NotCanonical, Subject};

macro_rules! kinds {
    ($($(#[$doc:meta])+ $Kind:ident $name:literal;)+) => {
        /// The data of an event, by kind.
        #[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
        #[serde(tag = "kind", content = "data", rename_all = "snake_case")]
        pub enum EventData {
            $($(#[$doc])+ $Kind($Kind)),+
        }

        impl EventData {
            /// All kinds, by their names in the log.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The name of the kind in the log.
            pub const fn kind(&self) -> &'static str {
                match self { $(EventData::$Kind(_) => $name),+ }
            }

            /// Reads the data of an event by its kind and version. Older versions are migrated to this one
            /// here; there is only one so far.
            pub fn read(kind: &str, v: u32, data: &Value) -> Result<EventData, InvalidEvent> {
                Self::known(kind, v)?;
                match kind {
                    $($name => read_data(data).map(EventData::$Kind),)+
                    other => Err(unknown_kind(other)),
                }
            }

            /// Reads data in canonical form, by its kind.
            pub(super) fn read_canonical(kind: &str, text: &mut Cursor<'_>) -> Option<EventData> {
                match kind {
                    $($name => Canonical::read(text).map(EventData::$Kind),)+
                    _ => None,
                }
            }

            /// Writes the data in canonical form.
            pub(super) fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                match self { $(EventData::$Kind(data) => data.write(out)),+ }
            }
        }
    };
}

kinds! {
    /// The creation of a match; always the first event.
    MatchCreated "match_created";
    /// The set-up of a match.
    SetUp "set_up";
    /// The toss of a match.
    Toss "toss";
    /// The decision of the winner of the toss.
    TossDecided "toss_decided";
    /// The start of an over.
    Over "over";
    /// A delivery that waits for a choice.
    Roll "roll";
    /// A ball that was bowled.
    Ball "ball";
    /// The review of a decision, or its acceptance.
    Review "review";
    /// The end of the match, with its result.
    MatchCompleted "match_completed";
    /// The abandonment of the match.
    MatchAbandoned "match_abandoned";
    /// The claim of a side.
    SideClaimed "side_claimed";
    /// The rotation of a token.
    TokenRotated "token_rotated";
    /// The commitment of a side to its client seed.
    SeedCommitted "seed_committed";
    /// The reveal of a side's client seed.
    SeedContributed "seed_contributed";
    /// A choice of a side, sealed or open.
    Choice "choice";
    /// The opening of a sealed choice to the service.
    ChoiceOpened "choice_opened";
    /// A call on a side to do what the match waits for.
    ChoiceCalled "choice_called";
    /// A correction, which makes earlier play void.
    Correction "correction";
    /// The proposal of a correction.
    CorrectionProposed "correction_proposed";
    /// The consent of a side to a correction.
    CorrectionConsented "correction_consented";
    /// The dispute of a delivery.
    Dispute "dispute";
    /// The ruling on a dispute.
    DisputeRuled "dispute_ruled";
}

fn unknown_kind(kind: &str) -> InvalidEvent {
    InvalidEvent::new("kind", format!("{kind:?} is not a kind of event"))
}

impl EventData {
    /// Refuses a kind or a version that this program does not know.
    pub fn known(kind: &str, v: u32) -> Result<(), InvalidEvent> {
        if v != SCHEMA_VERSION {
            let reason = format!("version {v} is not one this program knows; it knows {SCHEMA_VERSION}");
            return Err(InvalidEvent::new("v", reason));
        }
        if Self::KINDS.contains(&kind) { Ok(()) } else { Err(unknown_kind(kind)) }
    }

    /// The data of the event as JSON, without its kind.
    pub fn to_value(&self) -> Value {
        match serde_json::to_value(self) {
            Ok(Value::Object(mut members)) => members.remove("data").unwrap_or_default(),
            _ => unreachable!("an event's data is a JSON object"),
        }
    }

    /// The secret choices that the event reveals, home's first.
    pub fn reveals(&self) -> &[Reveal] {
        match self {
            EventData::Over(over) => &over.reveals,
            EventData::Roll(roll) => &roll.reveals,
            _ => &[],
        }
    }

    /// The play that the event records, if it is one that a game decides.
    pub fn play(&self) -> Option<RecordedPlay<'_>> {
        match self {
            EventData::SetUp(set_up) => Some(RecordedPlay::SetUp(set_up)),
            EventData::Over(over) => Some(RecordedPlay::Over(over)),
            EventData::Roll(roll) => Some(RecordedPlay::Roll(roll)),
            EventData::Ball(ball) => Some(RecordedPlay::Ball(ball)),
            EventData::Choice(choice) if choice.choice.is_some() => Some(RecordedPlay::Choice(choice)),
            EventData::MatchCreated(_)
            | EventData::Review(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::Correction(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => None,
        }
    }

    /// The number of the delivery in the match, for a ball, its rolls and its review.
    pub fn delivery(&self) -> Option<u32> {
        match self.subject()? {
            Subject::Roll { delivery } | Subject::Ball { delivery } | Subject::Review { delivery } => {
                Some(delivery)
            }
            Subject::SetUp
            | Subject::Toss
            | Subject::TossDecided
            | Subject::Choice
            | Subject::Over { .. }
            | Subject::Completed
            | Subject::Abandoned => None,
        }
    }

    /// The innings, the over and the number in the over, for an event that happens in an over.
    pub fn place(&self) -> Option<(u16, u16, Option<u32>)> {
        match (self, self.play()) {
            (_, Some(RecordedPlay::Over(over))) => Some((over.innings, over.over, None)),
            (_, Some(RecordedPlay::Ball(ball))) => Some((ball.innings, ball.over, Some(ball.ball))),
            (_, Some(RecordedPlay::Choice(choice))) | (EventData::Choice(choice), None) => {
                Some((choice.innings, choice.over, None))
            }
            (EventData::ChoiceOpened(opened), None) => Some((opened.innings, opened.over, None)),
            (_, Some(RecordedPlay::SetUp(_) | RecordedPlay::Roll(_)) | None) => None,
        }
    }
}

fn read_data<T: DeserializeOwned>(data: &Value) -> Result<T, InvalidEvent> {
    serde_path_to_error::deserialize(data).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "data".to_owned() } else { format!("data.{path}") };
        InvalidEvent { field, reason: error.into_inner().to_string() }
    })
}
