//! The events of adjudication: corrections, and disputes with their rulings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::super::Subject;
use super::super::value_fault::{ValueFault, read_value};
use super::version::if_of_version;
use crate::canonical::{canonical_form, is_default};
use crate::scorebook::{Outcome, Side};

canonical_form! {
    /// A correction: from an earlier event on, all play is void. Void events stay in the log; tokens, client
    /// seeds and disputes are no play.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Correction {
        /// The first event that is void.
        pub voids_from_seq: u64,
        /// The delivery from which play is void, if one was named.
        #[serde(default, skip_serializing_if = "is_default")]
        pub voids_from: Option<u32>,
        /// The delivery that is amended, if one is: it and those after it are decided again in the events that
        /// follow.
        #[serde(default, skip_serializing_if = "is_default")]
        pub amends: Option<u32>,
        /// The delivery in whose place a ball is put that was missed: it follows at once, and this delivery and
        /// those after it by refit.
        #[serde(default, skip_serializing_if = "is_default")]
        pub inserts: Option<u32>,
        /// The delivery that is taken out, since it was never bowled: those after it follow by refit.
        #[serde(default, skip_serializing_if = "is_default")]
        pub removes: Option<u32>,
        /// The step before the play that is decided anew: it follows at once, and all play after it by refit.
        #[serde(default, skip_serializing_if = "is_default")]
        pub anew: Option<StepAnew>,
        /// The rule by which later play follows anew, for a refit; left out otherwise.
        #[serde(default, skip_serializing_if = "is_default")]
        pub cascade: Option<Cascade>,
        /// The innings that end by agreement in the play that follows anew, though the rules let them go on.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ended: Vec<EndedInnings>,
        /// The reason, of 1 to 1,000 characters.
        pub reason: String,
        /// Whether the void events show a coin, a ball or secret choices.
        pub dice_seen: bool,
    }
}

canonical_form! {
    /// A step before the play that a correction decides anew.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum StepAnew {
        /// The set-up before the toss.
        #[serde(rename = "set_up")]
        SetUp,
        /// The toss, which gives the winner.
        #[serde(rename = "toss")]
        Toss,
        /// The choice of its winner to bat or to bowl.
        #[serde(rename = "toss_decided")]
        TossDecided,
    }
}

impl StepAnew {
    /// The subject of its event.
    pub fn subject(self) -> Subject {
        match self {
            StepAnew::SetUp => Subject::SetUp,
            StepAnew::Toss => Subject::Toss,
            StepAnew::TossDecided => Subject::TossDecided,
        }
    }

    /// The step in a sentence.
    pub const fn as_words(self) -> &'static str {
        match self {
            StepAnew::SetUp => "the set-up",
            StepAnew::Toss => "the toss",
            StepAnew::TossDecided => "the choice to bat or to bowl",
        }
    }
}

canonical_form! {
    /// An innings that ended by agreement, though the rules let it go on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct EndedInnings {
        /// The innings, from 1.
        pub innings: u16,
        /// The number of the last delivery before its end; 0 where there is none.
        pub after: u32,
    }
}

canonical_form! {
    /// The proposal of a correction, in a match where both sides have to agree to it.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct CorrectionProposed {
        /// The number among the corrections of the match, from 1.
        pub number: u32,
        /// The side that proposes the correction, and so consents to it; left out when the scorer does.
        #[serde(default, skip_serializing_if = "is_default")]
        pub by: Option<Side>,
        /// The first event that would be void.
        pub voids_from_seq: u64,
        /// The delivery from which play would be void, if one is named.
        #[serde(default, skip_serializing_if = "is_default")]
        pub voids_from: Option<u32>,
        /// The correction or restoration whose void events would follow anew, if that is proposed.
        #[serde(default, skip_serializing_if = "is_default")]
        pub restores: Option<u64>,
        /// The amendment of a delivery, if one is proposed.
        #[serde(default, skip_serializing_if = "is_default")]
        pub amendment: Option<Amendment>,
        /// The reason, of 1 to 1,000 characters.
        pub reason: String,
    }
}

canonical_form! {
    /// The restoration of what the last correction, or restoration, has made void: the same events follow anew,
    /// in the place of those that had come with it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Restoration {
        /// The correction or restoration whose void events follow anew.
        pub restores: u64,
        /// The first event that is void, if there is one: the event after `restores`.
        pub voids_from_seq: u64,
        /// The reason, of 1 to 1,000 characters.
        pub reason: String,
        /// Whether the void events show a coin, a ball or secret choices.
        pub dice_seen: bool,
    }
}

/// A correction or a restoration: an event that makes earlier play void.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reversal<'a> {
    /// Void play does not come again, unless a delivery is amended.
    Correction(&'a Correction),
    /// What an earlier one made void comes again.
    Restoration(&'a Restoration),
}

/// The change by a correction after which later play follows anew: of one ball, with the number of its
/// delivery before the correction, or of a step before the play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayChange {
    /// The ball is decided again.
    Amends(u32),
    /// A ball that was missed takes its place.
    Inserts(u32),
    /// The ball was never bowled.
    Removes(u32),
    /// The set-up, the toss or its decision is decided again.
    Anew(StepAnew),
}

impl PlayChange {
    /// The number of the delivery, where it is a ball.
    pub fn delivery(self) -> Option<u32> {
        match self {
            PlayChange::Amends(delivery) | PlayChange::Inserts(delivery) | PlayChange::Removes(delivery) => {
                Some(delivery)
            }
            PlayChange::Anew(_) => None,
        }
    }

    /// The number of void events before the later play, of events with these subjects: up to the ball itself,
    /// up to the one before which another is put, or up to the first over.
    pub fn counts_own(self, void: impl IntoIterator<Item = Subject>) -> usize {
        let mut void = void.into_iter();
        match self {
            PlayChange::Amends(delivery) | PlayChange::Removes(delivery) => {
                void.position(|subject| subject == Subject::Ball { delivery }).map_or(0, |at| at + 1)
            }
            PlayChange::Inserts(_) => {
                void.take_while(|subject| matches!(subject, Subject::Over { .. })).count()
            }
            PlayChange::Anew(_) => {
                let is_step = |subject: &Subject| {
                    matches!(subject, Subject::SetUp | Subject::Toss | Subject::TossDecided)
                };
                void.take_while(is_step).count()
            }
        }
    }
}

impl<'a> Reversal<'a> {
    /// The first event that is void.
    pub fn voids_from_seq(self) -> u64 {
        match self {
            Reversal::Correction(correction) => correction.voids_from_seq,
            Reversal::Restoration(restoration) => restoration.voids_from_seq,
        }
    }

    /// The correction, if it is one.
    pub fn correction(self) -> Option<&'a Correction> {
        match self {
            Reversal::Correction(correction) => Some(correction),
            Reversal::Restoration(_) => None,
        }
    }

    /// The delivery from which play is void, if one was named.
    pub fn voids_from(self) -> Option<u32> {
        self.correction().and_then(|correction| correction.voids_from)
    }

    /// The delivery that is amended, if one is.
    pub fn amends(self) -> Option<u32> {
        self.correction().and_then(|correction| correction.amends)
    }

    /// The change after which later play follows anew.
    pub fn change(self) -> Option<PlayChange> {
        let correction = self.correction()?;
        let amends = correction.amends.map(PlayChange::Amends);
        let inserts = || correction.inserts.map(PlayChange::Inserts);
        let removes = || correction.removes.map(PlayChange::Removes);
        amends.or_else(inserts).or_else(removes).or_else(|| correction.anew.map(PlayChange::Anew))
    }

    /// The rule by which later play follows anew, for a refit.
    pub fn cascade(self) -> Option<Cascade> {
        self.correction().and_then(|correction| correction.cascade)
    }

    /// The innings that end by agreement in the play that follows anew, where a correction says so.
    pub fn ended(self) -> &'a [EndedInnings] {
        self.correction().map_or(&[], |correction| &correction.ended)
    }

    /// The event whose void events follow anew, for a restoration.
    pub fn restores(self) -> Option<u64> {
        match self {
            Reversal::Correction(_) => None,
            Reversal::Restoration(restoration) => Some(restoration.restores),
        }
    }

    /// The words in which somebody says why, of 1 to 1,000 characters.
    pub fn reason(self) -> &'a str {
        match self {
            Reversal::Correction(correction) => &correction.reason,
            Reversal::Restoration(restoration) => &restoration.reason,
        }
    }

    /// Whether the void events show a coin, a ball or secret choices.
    pub fn dice_seen(self) -> bool {
        match self {
            Reversal::Correction(correction) => correction.dice_seen,
            Reversal::Restoration(restoration) => restoration.dice_seen,
        }
    }
}

impl Correction {
    /// The version that has these members.
    pub(super) const fn version(&self) -> u32 {
        let is_of_ball = self.inserts.is_some() || self.removes.is_some();
        let is_new = is_of_ball || self.anew.is_some() || self.cascade.is_some();
        if is_new || !self.ended.is_empty() { 2 } else { 1 }
    }

    /// Reads the members of a version that this program knows.
    pub(super) fn read_version(v: u32, data: &Value) -> Result<Correction, ValueFault> {
        let read = read_value::<Correction>(data)?;
        let newer = match (read.inserts, read.removes, read.anew) {
            (Some(_), ..) => "inserts",
            (None, Some(_), _) => "removes",
            (None, None, Some(_)) => "anew",
            (None, None, None) if read.cascade.is_none() && !read.ended.is_empty() => "ended",
            (None, None, None) => "cascade",
        };
        if_of_version(v, read.version(), newer, read)
    }
}

impl CorrectionProposed {
    /// The version that has these members.
    pub(super) fn version(&self) -> u32 {
        let cascade = self.amendment.as_ref().map(|amendment| amendment.cascade);
        if cascade == Some(Cascade::Refit) || self.restores.is_some() || self.faces().is_some() {
            2
        } else {
            1
        }
    }

    /// Reads the members of a version that this program knows.
    pub(super) fn read_version(v: u32, data: &Value) -> Result<CorrectionProposed, ValueFault> {
        let read = read_value::<CorrectionProposed>(data)?;
        let newer = match (read.restores, read.faces()) {
            (Some(_), _) => "restores",
            (None, Some(_)) => "amendment.as_stood.faces",
            (None, None) => "amendment.cascade",
        };
        if_of_version(v, read.version(), newer, read)
    }

    /// The batter who faces after the amended ball, where that is agreed on.
    fn faces(&self) -> Option<&str> {
        self.amendment.as_ref()?.as_stood.as_ref()?.faces.as_deref()
    }
}

canonical_form! {
    /// The amendment of a delivery.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Amendment {
        /// The number of the delivery in the match.
        pub amends: u32,
        /// The choices of its over, when the delivery is the first of an over whose choices are amended too.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(value_type = Option<Object>)]
        pub over: Option<Map<String, Value>>,
        /// The choices of the delivery; left out, they do not change.
        #[serde(default, skip_serializing_if = "is_default")]
        #[schema(value_type = Option<Object>)]
        pub choices: Option<Map<String, Value>>,
        /// The agreed outcome; left out, the outcome follows from the rules.
        #[serde(default, skip_serializing_if = "is_default")]
        pub as_stood: Option<AgreedOutcome>,
        /// The treatment of later deliveries that become impossible.
        #[serde(default)]
        pub cascade: Cascade,
    }
}

canonical_form! {
    /// The treatment of later deliveries that an amendment makes impossible.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
    pub enum Cascade {
        /// The amendment is refused, and the refusal names the first of them.
        #[serde(rename = "refuse")]
        #[default]
        Refuse,
        /// The first of them and all after it are void.
        #[serde(rename = "void_rest")]
        VoidRest,
        /// Later deliveries keep their dice and the choices that somebody made, wherever they can.
        #[serde(rename = "refit")]
        Refit,
    }
}

canonical_form! {
    /// The agreed outcome of a ball, against the rules.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    #[schema(as = Agreed)]
    pub struct AgreedOutcome {
        /// The outcome: `runs`, `extras`, `legal`, `boundary` and `wicket` as in the outcome of a ball; a
        /// member that is left out is as by the rules. `runs.extras` and `runs.total` follow from the others.
        #[schema(value_type = Object)]
        pub outcome: Map<String, Value>,
        /// The batter who faces after the ball, of the two who are at the wicket then; left out, who faces is
        /// as by the rules.
        #[serde(default, skip_serializing_if = "is_default")]
        pub faces: Option<String>,
        /// The reason, of 1 to 1,000 characters.
        pub reason: String,
    }
}

canonical_form! {
    /// The note on a ball with an agreed outcome: why it differs from the rules.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    #[schema(as = AsStood)]
    pub struct AgreementNote {
        /// The reason of the agreement.
        pub reason: String,
        /// The outcome by the rules.
        pub by_rules: Outcome,
        /// The batter who faces after the ball, where that is not the one by the rules.
        #[serde(default, skip_serializing_if = "is_default")]
        pub faces: Option<String>,
    }
}

canonical_form! {
    /// The consent of a side to a proposed correction.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct CorrectionConsented {
        /// The number of the correction.
        pub number: u32,
        /// The side that consents.
        pub side: Side,
    }
}

canonical_form! {
    /// The dispute of a delivery.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Dispute {
        /// The number among the disputes of the match, from 1.
        pub number: u32,
        /// The number of the delivery in the match.
        pub delivery: u32,
        /// The claim, of 1 to 1,000 characters.
        pub claim: String,
        /// The side that disputes the delivery.
        pub by: Side,
    }
}

canonical_form! {
    /// The ruling on a dispute.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct DisputeRuled {
        /// The number of the dispute.
        pub number: u32,
        /// The ruling in words, of 1 to 1,000 characters.
        pub ruling: String,
        /// The finding of the ruling.
        pub finding: DisputeFinding,
    }
}

canonical_form! {
    /// The finding of a ruling on a dispute.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum DisputeFinding {
        /// The delivery stands as it was recorded.
        #[serde(rename = "stands")]
        Stands,
        /// The delivery was voided or amended since.
        #[serde(rename = "amended")]
        Amended,
        /// The delivery has an agreed outcome, against the rules.
        #[serde(rename = "as_stood")]
        AsStood,
    }
}
