//! The kinds of events, in five families: lifecycle, play, remote play, reviews and adjudication. In the log
//! they are all flat.

mod adjudication;
mod draw;
mod kinds;
mod lifecycle;
mod play;
mod remote;
mod review;
mod version;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

pub use self::adjudication::{
    AgreedOutcome, AgreementNote, Amendment, Cascade, Correction, CorrectionConsented, CorrectionProposed,
    Dispute, DisputeFinding, DisputeRuled, EndedInnings, PlayChange, Restoration, Reversal, StepAnew,
};
pub use self::draw::DrawRecord;
use self::kinds::kinds;
pub use self::lifecycle::{
    CalledToss, ClientSeeds, CoinFace, DiceMode, EditionRecord, MatchAbandoned, MatchCompleted, MatchCreated,
    ReportedToss, SeedSource, Toss, TossChoice, TossDecided,
};
pub use self::play::{Ball, Over, RecordedPlay, Roll, SetUp};
pub use self::remote::{
    CLIENT_SEED, Choice, ChoiceCalled, ChoiceOpened, Reveal, Role, SEED_COMMITMENT, SeedCommitted,
    SeedContributed, SideClaimed, TokenRotated,
};
pub use self::review::{Review, ReviewAccepted, ReviewVerdict, Reviewed};
use super::{Actor, InvalidEvent, Subject, read_value};
use crate::canonical::{Canonical, Cursor, NotCanonical};
use crate::dice::Die;

/// The highest version of a kind that this program knows.
pub const SCHEMA_VERSION: u32 = highest(EventData::LATEST);

kinds! {
    /// The creation of a match; always the first event.
    MatchCreated "match_created" in Lifecycle<'a>;
    /// The set-up of a match.
    SetUp "set_up" in Play<'a>;
    /// The toss of a match.
    Toss "toss" in Lifecycle<'a> of 2 versions;
    /// The decision of the winner of the toss.
    TossDecided "toss_decided" in Lifecycle<'a>;
    /// The start of an over.
    Over "over" in Play<'a>;
    /// A delivery that waits for a choice.
    Roll "roll" in Play<'a>;
    /// A ball that was bowled.
    Ball "ball" in Play<'a> of 2 versions;
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
    Correction "correction" in Adjudication<'a> of 2 versions;
    /// The restoration of what the last correction has made void.
    Restoration "restoration" in Adjudication<'a>;
    /// The proposal of a correction.
    CorrectionProposed "correction_proposed" in Adjudication<'a> of 2 versions;
    /// The consent of a side to a correction.
    CorrectionConsented "correction_consented" in Adjudication<'a>;
    /// The dispute of a delivery.
    Dispute "dispute" in Adjudication<'a>;
    /// The ruling on a dispute.
    DisputeRuled "dispute_ruled" in Adjudication<'a>;
}

const fn highest(versions: &[u32]) -> u32 {
    let (mut highest, mut at) = (1, 0);
    while at < versions.len() {
        if versions[at] > highest {
            highest = versions[at];
        }
        at += 1;
    }
    highest
}

fn unknown_kind(kind: &str) -> InvalidEvent {
    InvalidEvent::new("kind", format!("{kind:?} is not a kind of event"))
}

impl EventData {
    /// Refuses a kind or a version that this program does not know.
    pub fn known(kind: &str, v: u32) -> Result<(), InvalidEvent> {
        let place = Self::KINDS.iter().position(|known| *known == kind).ok_or_else(|| unknown_kind(kind))?;
        let latest = Self::LATEST[place];
        if (1..=latest).contains(&v) {
            return Ok(());
        }
        let known = if latest == 1 { "1".to_owned() } else { format!("1 to {latest}") };
        let reason = format!("version {v} of {kind} is not one this program knows; it knows {known}");
        Err(InvalidEvent::new("v", reason))
    }

    /// The data of the event as JSON, without its kind.
    pub fn to_value(&self) -> Value {
        match serde_json::to_value(self) {
            Ok(Value::Object(mut members)) => members.remove("data").unwrap_or_default(),
            _ => unreachable!("an event's data is a JSON object"),
        }
    }

    /// The author of the event, where this actor has brought it about: the service records the end of a
    /// match, whoever bowled the last ball.
    pub fn author(&self, by: Actor) -> Actor {
        if matches!(self, EventData::MatchCompleted(_)) { Actor::Service } else { by }
    }

    /// The choices of an event of play.
    pub fn chosen(&self) -> Map<String, Value> {
        match (self, self.play()) {
            (_, Some(RecordedPlay::SetUp(set_up))) => set_up.choices.clone(),
            (_, Some(RecordedPlay::Over(over))) => over.choices.clone(),
            (_, Some(RecordedPlay::Roll(roll))) => roll.choices.clone(),
            (_, Some(RecordedPlay::Choice(choice))) => choice.choice.clone().unwrap_or_default(),
            (_, Some(RecordedPlay::Ball(ball))) => ball.choices.clone(),
            (EventData::Toss(Toss::Called(toss)), None) => Map::from_iter([
                ("caller".to_owned(), json!(toss.caller)),
                ("call".to_owned(), json!(toss.call)),
            ]),
            (EventData::TossDecided(decided), None) => Map::from_iter([("to".to_owned(), json!(decided.to))]),
            (EventData::Review(review), None) => {
                Map::from_iter([("accept".to_owned(), json!(review.made().is_none()))])
            }
            (_, None) => Map::new(),
        }
    }

    /// The faces of the dice of an event of play, in order.
    pub fn faces(&self) -> impl Iterator<Item = u16> {
        self.play().map(RecordedPlay::dice).into_iter().flatten().map(|die| die.value)
    }

    /// The dice of an event of play or of a review, in order.
    pub fn rolled(&self) -> &[Die] {
        match self {
            EventData::Review(review) => review.made().map_or(&[], |made| &made.dice),
            _ => self.play().map_or(&[], RecordedPlay::dice),
        }
    }

    /// The correction or the restoration, if the event is one.
    pub fn reversal(&self) -> Option<Reversal<'_>> {
        match self {
            EventData::Correction(correction) => Some(Reversal::Correction(correction)),
            EventData::Restoration(restoration) => Some(Reversal::Restoration(restoration)),
            _ => None,
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

    /// The number of choices in the event that were drawn for a side that had timed out.
    pub fn drawn(&self) -> usize {
        match self {
            EventData::TossDecided(decided) => usize::from(decided.draw.is_some()),
            other => other.reveals().iter().filter(|reveal| reveal.draw.is_some()).count(),
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
