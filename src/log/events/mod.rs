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

/// The table of the kinds: the doc of each in one line, its type, its name in the log, and its family. The
/// lifetime after a family is what tells the families apart here; it is that of the borrowed views.
macro_rules! kinds {
    ($(
        #[doc = $doc:tt]
        $Kind:ident $name:literal in
            $(Lifecycle<$lifecycle:lifetime>)? $(Play<$play:lifetime>)? $(Remote<$remote:lifetime>)?
            $(Review<$review:lifetime>)? $(Adjudication<$adjudication:lifetime>)?;
    )+) => {
        /// The data of an event, by kind.
        #[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
        #[serde(tag = "kind", content = "data", rename_all = "snake_case")]
        pub enum EventData {
            $(#[doc = $doc] $Kind($Kind)),+
        }

        /// The data of an event, borrowed, by family and kind.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum EventFamily<'a> {
            /// An event of the match's beginning or end.
            Lifecycle(LifecycleEvent<'a>),
            /// An event of play.
            Play(PlayEvent<'a>),
            /// An event of remote play.
            Remote(RemoteEvent<'a>),
            /// The review of a decision, or its acceptance.
            Review(&'a Review),
            /// An event of adjudication.
            Adjudication(AdjudicationEvent<'a>),
        }

        /// An event of the match's beginning or end, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum LifecycleEvent<'a> {
            $($(#[doc = $doc] $Kind(&$lifecycle $Kind),)?)+
        }

        /// An event of play, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum PlayEvent<'a> {
            $($(#[doc = $doc] $Kind(&$play $Kind),)?)+
        }

        /// An event of remote play, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum RemoteEvent<'a> {
            $($(#[doc = $doc] $Kind(&$remote $Kind),)?)+
        }

        /// An event of adjudication, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum AdjudicationEvent<'a> {
            $($(#[doc = $doc] $Kind(&$adjudication $Kind),)?)+
        }

        impl EventData {
            /// All kinds, by their names in the log.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The name of the kind in the log.
            pub const fn kind(&self) -> &'static str {
                match self { $(EventData::$Kind(_) => $name),+ }
            }

            /// The family of the event, with its data.
            pub const fn family<'a>(&'a self) -> EventFamily<'a> {
                match self {
                    $(EventData::$Kind(data) => {
                        $(EventFamily::Lifecycle(LifecycleEvent::<$lifecycle>::$Kind(data)))?
                        $(EventFamily::Play(PlayEvent::<$play>::$Kind(data)))?
                        $(EventFamily::Remote(RemoteEvent::<$remote>::$Kind(data)))?
                        $(EventFamily::<$review>::Review(data))?
                        $(EventFamily::Adjudication(AdjudicationEvent::<$adjudication>::$Kind(data)))?
                    })+
                }
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
    MatchCreated "match_created" in Lifecycle<'a>;
    /// The set-up of a match.
    SetUp "set_up" in Play<'a>;
    /// The toss of a match.
    Toss "toss" in Lifecycle<'a>;
    /// The decision of the winner of the toss.
    TossDecided "toss_decided" in Lifecycle<'a>;
    /// The start of an over.
    Over "over" in Play<'a>;
    /// A delivery that waits for a choice.
    Roll "roll" in Play<'a>;
    /// A ball that was bowled.
    Ball "ball" in Play<'a>;
    /// The review of a decision, or its acceptance.
    Review "review" in Review<'a>;
    /// The end of the match, with its result.
    MatchCompleted "match_completed" in Lifecycle<'a>;
    /// The abandonment of the match.
    MatchAbandoned "match_abandoned" in Lifecycle<'a>;
    /// The claim of a side.
    SideClaimed "side_claimed" in Remote<'a>;
    /// The rotation of a token.
    TokenRotated "token_rotated" in Remote<'a>;
    /// The commitment of a side to its client seed.
    SeedCommitted "seed_committed" in Remote<'a>;
    /// The reveal of a side's client seed.
    SeedContributed "seed_contributed" in Remote<'a>;
    /// A choice of a side, sealed or open.
    Choice "choice" in Remote<'a>;
    /// The opening of a sealed choice to the service.
    ChoiceOpened "choice_opened" in Remote<'a>;
    /// A call on a side to do what the match waits for.
    ChoiceCalled "choice_called" in Remote<'a>;
    /// A correction, which makes earlier play void.
    Correction "correction" in Adjudication<'a>;
    /// The proposal of a correction.
    CorrectionProposed "correction_proposed" in Adjudication<'a>;
    /// The consent of a side to a correction.
    CorrectionConsented "correction_consented" in Adjudication<'a>;
    /// The dispute of a delivery.
    Dispute "dispute" in Adjudication<'a>;
    /// The ruling on a dispute.
    DisputeRuled "dispute_ruled" in Adjudication<'a>;
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
        match self.family() {
            EventFamily::Play(PlayEvent::SetUp(set_up)) => Some(RecordedPlay::SetUp(set_up)),
            EventFamily::Play(PlayEvent::Over(over)) => Some(RecordedPlay::Over(over)),
            EventFamily::Play(PlayEvent::Roll(roll)) => Some(RecordedPlay::Roll(roll)),
            EventFamily::Play(PlayEvent::Ball(ball)) => Some(RecordedPlay::Ball(ball)),
            EventFamily::Remote(RemoteEvent::Choice(choice)) if choice.choice.is_some() => {
                Some(RecordedPlay::Choice(choice))
            }
            EventFamily::Lifecycle(_)
            | EventFamily::Remote(_)
            | EventFamily::Review(_)
            | EventFamily::Adjudication(_) => None,
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
