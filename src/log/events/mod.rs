//! The kinds of events, in five families: a match's beginning and end, play, sides that play from devices of their own, reviews,
//! and corrections with disputes. In the log they stand side by side.

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
    Agreed, Amendment, AsStood, Cascade, Correction, CorrectionConsented, CorrectionProposed, Dispute,
    DisputeFinding, DisputeRuled,
};
pub use self::lifecycle::{
    ClientSeeds, CoinFace, DiceMode, EditionRecord, MatchAbandoned, MatchCompleted, MatchCreated, SeedSource,
    Toss, TossChoice, TossDecided,
};
pub use self::play::{Ball, DrawRecord, Over, Played, Roll, SetUp};
pub use self::remote::{
    CLIENT_SEED, Choice, ChoiceCalled, ChoiceOpened, Reveal, Role, SEED_COMMITMENT, SeedCommitted,
    SeedContributed, SideClaimed, TokenRotated,
};
pub use self::review::{Review, ReviewAccepted, ReviewVerdict, Reviewed};
use super::codec::{Form, Text};
use super::event::{Broken, SCHEMA_VERSION};
use super::{Moment, NotCanonical};

macro_rules! kinds {
    ($($(#[$doc:meta])+ $Kind:ident $name:literal;)+) => {
        /// What an event says, by kind.
        #[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
        #[serde(tag = "kind", content = "data", rename_all = "snake_case")]
        pub enum EventData {
            $($(#[$doc])+ $Kind($Kind)),+
        }

        impl EventData {
            /// The kinds there are, as they stand in the log.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The kind as it stands in the log.
            pub const fn kind(&self) -> &'static str {
                match self { $(EventData::$Kind(_) => $name),+ }
            }

            /// Reads an event's data as its kind and version have it. Older versions are brought up to this one
            /// here; there is only one so far.
            pub fn read(kind: &str, v: u32, data: &Value) -> Result<EventData, Broken> {
                Self::known(kind, v)?;
                match kind {
                    $($name => read_data(data).map(EventData::$Kind),)+
                    other => Err(unknown_kind(other)),
                }
            }

            /// Reads data in canonical form, as its kind has it.
            pub(super) fn read_form(kind: &str, text: &mut Text<'_>) -> Option<EventData> {
                match kind {
                    $($name => Form::read(text).map(EventData::$Kind),)+
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
    /// The first event.
    MatchCreated "match_created";
    /// A match is prepared.
    SetUp "set_up";
    /// The toss.
    Toss "toss";
    /// What the winner of the toss chose.
    TossDecided "toss_decided";
    /// An over begins.
    Over "over";
    /// A delivery has come so far that somebody has to choose.
    Roll "roll";
    /// A ball was bowled.
    Ball "ball";
    /// A decision was reviewed, or accepted.
    Review "review";
    /// The match is over.
    MatchCompleted "match_completed";
    /// The match was given up.
    MatchAbandoned "match_abandoned";
    /// A side was claimed.
    SideClaimed "side_claimed";
    /// A token was replaced.
    TokenRotated "token_rotated";
    /// A side has settled on its client seed.
    SeedCommitted "seed_committed";
    /// A side has shown its client seed.
    SeedContributed "seed_contributed";
    /// A side has sealed a choice.
    Choice "choice";
    /// A side has opened a choice to the service.
    ChoiceOpened "choice_opened";
    /// A side has been called to do what the match waits for.
    ChoiceCalled "choice_called";
    /// From an earlier event on nothing of play stands any more.
    Correction "correction";
    /// A correction is proposed.
    CorrectionProposed "correction_proposed";
    /// A side consents to a correction.
    CorrectionConsented "correction_consented";
    /// A delivery is in dispute.
    Dispute "dispute";
    /// A dispute is ruled on.
    DisputeRuled "dispute_ruled";
}

fn unknown_kind(kind: &str) -> Broken {
    Broken::new("kind", format!("{kind:?} is not a kind of event"))
}

impl EventData {
    /// Refuses a kind or a version that this program cannot read; a later one may.
    pub fn known(kind: &str, v: u32) -> Result<(), Broken> {
        if v != SCHEMA_VERSION {
            let reason = format!("version {v} is not one this program knows; it knows {SCHEMA_VERSION}");
            return Err(Broken::new("v", reason));
        }
        if Self::KINDS.contains(&kind) { Ok(()) } else { Err(unknown_kind(kind)) }
    }

    /// The data alone, as JSON.
    pub fn to_value(&self) -> Value {
        match serde_json::to_value(self) {
            Ok(Value::Object(mut members)) => members.remove("data").unwrap_or_default(),
            _ => unreachable!("an event's data is a JSON object"),
        }
    }

    /// The secret choices that are turned up in it, home's first.
    pub fn reveals(&self) -> &[Reveal] {
        match self {
            EventData::Over(over) => &over.reveals,
            EventData::Roll(roll) => &roll.reveals,
            _ => &[],
        }
    }

    /// The set-up, over, roll or ball, where it is one: what a game decides.
    pub fn played(&self) -> Option<Played<'_>> {
        match self {
            EventData::SetUp(set_up) => Some(Played::SetUp(set_up)),
            EventData::Over(over) => Some(Played::Over(over)),
            EventData::Roll(roll) => Some(Played::Roll(roll)),
            EventData::Ball(ball) => Some(Played::Ball(ball)),
            EventData::Choice(choice) if choice.choice.is_some() => Some(Played::Choice(choice)),
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

    /// The number in the match, for a delivery, its rolls and its review.
    pub fn delivery(&self) -> Option<u32> {
        match self.moment()? {
            Moment::Roll { delivery } | Moment::Ball { delivery } | Moment::Review { delivery } => {
                Some(delivery)
            }
            Moment::SetUp
            | Moment::Toss
            | Moment::TossDecided
            | Moment::Choice
            | Moment::Over { .. }
            | Moment::Completed
            | Moment::Abandoned => None,
        }
    }

    /// The innings, over and place in the over, for what happens in one.
    pub fn place(&self) -> Option<(u16, u16, Option<u32>)> {
        match (self, self.played()) {
            (_, Some(Played::Over(over))) => Some((over.innings, over.over, None)),
            (_, Some(Played::Ball(ball))) => Some((ball.innings, ball.over, Some(ball.ball))),
            (_, Some(Played::Choice(choice))) | (EventData::Choice(choice), None) => {
                Some((choice.innings, choice.over, None))
            }
            (EventData::ChoiceOpened(opened), None) => Some((opened.innings, opened.over, None)),
            (_, Some(Played::SetUp(_) | Played::Roll(_)) | None) => None,
        }
    }
}

fn read_data<T: DeserializeOwned>(data: &Value) -> Result<T, Broken> {
    serde_path_to_error::deserialize(data).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "data".to_owned() } else { format!("data.{path}") };
        Broken { field, reason: error.into_inner().to_string() }
    })
}
