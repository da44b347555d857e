//! The report of an audit, as JSON and as text: the verdict, what is proved and what is not, the first event
//! that diverges with its findings, and the corrections and disputes of the match.

use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::differences::{FieldDifference, compare};
use crate::log::{DeliveryPlace, EditionRecord, EndedInnings, Head, delivery_words, printable};
use crate::projection::{ChangedChoice, CorrectionEntry, CorrectionStatus, DisputeEntry};
use crate::rules::RulingCited;
use crate::scorebook::Outcome;

/// The verdict of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No event diverges.
    Clean,
    /// An event diverges.
    Diverges,
}

/// The report of an audit.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Report)]
pub struct AuditReport {
    /// The verdict: `clean` or `diverges`.
    pub verdict: Verdict,
    /// The id of the match, from the first event.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// The id of the game.
    pub game: Option<String>,
    /// The edition of the match, where its game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// The status of the match after the last valid event: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The number of events in the log.
    pub events: u64,
    /// The number of deliveries that were replayed, with those that are void.
    pub deliveries: u32,
    /// The number of deliveries that count, without those that are void.
    pub standing: u32,
    /// The last valid ball.
    pub verified_through: Option<VerifiedThrough>,
    /// The last event and its hash.
    pub head: Head,
    /// The statements that were proved.
    pub proved: Vec<String>,
    /// The statements that could not be proved, with the reason.
    pub not_proved: Vec<String>,
    /// The first event that diverges.
    pub divergence: Option<Divergence>,
    /// The balls with an outcome that the table agreed on. These are exceptions, not divergences.
    pub exceptions: Vec<ExceptionFound>,
    /// The corrections, made or only proposed.
    pub corrections: Vec<CorrectionEntry>,
    /// Choices that differ after a correction from those before it, made when the outcome of the earlier ones
    /// was known.
    pub changed_choices: Vec<ChangedChoice>,
    /// Values that were read off the table, like dice, and read anew after a correction; left out where there
    /// are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_anew: Vec<ChangedChoice>,
    /// The disputes, with their rulings.
    pub disputes: Vec<DisputeEntry>,
    /// What the lists leave out. Only the report of a service on a stored log does so, where a list is longer
    /// than 160 KiB; the audit of the log file has every entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
}

/// The entries that the lists of a report leave out: those after the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LeftOut {
    /// The number of balls with an agreed outcome that are left out.
    pub exceptions: usize,
    /// The number of corrections that are left out.
    pub corrections: usize,
    /// The number of changed choices that are left out.
    pub changed_choices: usize,
    /// The number of values read anew that are left out.
    pub read_anew: usize,
    /// The number of disputes that are left out.
    pub disputes: usize,
}

impl LeftOut {
    /// The number of entries of each list that are left out, and what they are.
    pub fn counts(&self) -> [(usize, &'static str); 5] {
        [
            (self.exceptions, "exceptions"),
            (self.corrections, "corrections"),
            (self.changed_choices, "changed choices"),
            (self.read_anew, "values read anew"),
            (self.disputes, "disputes"),
        ]
    }
}

/// A ball of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Through)]
pub struct VerifiedThrough {
    /// The seq of its event.
    pub seq: u64,
    /// The number of the delivery in the match.
    pub delivery: u32,
    /// The number of its innings.
    pub innings: u16,
    /// The number of its over.
    pub over: u16,
    /// The number of the ball in the over, counting every delivery.
    pub ball: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
}

/// A ball with an outcome that the table agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ExceptionFound {
    /// The seq of its event.
    pub seq: u64,
    /// The number of the delivery in the match.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The reason that the table gave.
    pub reason: String,
    /// The agreed outcome, which counts.
    pub stands: Outcome,
    /// The outcome by the rules.
    pub by_rules: Outcome,
    /// The batter who faces after the ball by agreement; left out where that is the one by the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<String>,
}

/// The first event of a log that diverges.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Divergence {
    /// The seq of the event.
    pub seq: u64,
    /// The kind of the event, as recorded.
    pub kind: String,
    /// The number of its innings.
    pub innings: Option<u16>,
    /// The number of its over.
    pub over: Option<u16>,
    /// The number of the ball in the over.
    pub ball: Option<u32>,
    /// The number of the delivery in the match.
    pub delivery: Option<u32>,
    /// The place of that delivery; null where the log does not tell it.
    pub place: Option<DeliveryPlace>,
    /// The findings on the event, one for each failed check.
    pub findings: Vec<Finding>,
}

/// A check of the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// The chain: hashes, sequence numbers and the match id.
    Chain,
    /// The data of the event: its form, and whether it is possible.
    Data,
    /// The rules: the event follows from its choices and dice.
    Rules,
    /// The seed: the dice and the coin follow from it.
    Seed,
    /// The seal: a revealed choice is the sealed one.
    Seal,
    /// The head: the log ends as expected.
    Head,
}

/// One fault of an event.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Finding {
    /// The check that failed.
    pub check: Check,
    /// The message that explains the fault.
    pub message: String,
    /// The fields in which the log differs from the expectation.
    pub differences: Vec<FieldDifference>,
    /// The rulings concerned, with their sentences.
    pub rulings: Vec<RulingCited>,
}

impl Display for AuditReport {
    /// The report as text, several lines, each with its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.divergence {
            None if matches!(self.status, "completed" | "abandoned") => {
                writeln!(f, "CLEAN: nothing diverges in {} events", self.events)?;
            }
            None => {
                let status = self.status.replace('_', " ");
                writeln!(f, "CLEAN so far: {status}, ends at event {}", self.head.seq)?;
            }
            Some(divergence) => write!(f, "{divergence}")?,
        }
        if let (Some(id), Some(game)) = (self.match_id, &self.game) {
            let status = self.status.replace('_', " ");
            let void = match self.deliveries.saturating_sub(self.standing) {
                void @ 1.. if self.divergence.is_none() => format!(", {void} of them void"),
                _ => String::new(),
            };
            writeln!(f, "match {id}, {game}, {status}, {} deliveries{void}", self.deliveries)?;
        }
        if let Some(EditionRecord { id, sha256 }) = &self.edition {
            writeln!(f, "edition: {} {}", printable(id), printable(sha256))?;
        }
        if let Some(through) = &self.verified_through {
            let VerifiedThrough { seq, delivery, place, .. } = through;
            writeln!(f, "verified through: {}, event {seq}", delivery_words(*delivery, Some(place)))?;
        }
        for line in &self.proved {
            writeln!(f, "proved: {line}")?;
        }
        for line in &self.not_proved {
            writeln!(f, "not proved: {line}")?;
        }
        self.exceptions.iter().try_for_each(|exception| write!(f, "{exception}"))?;
        self.corrections.iter().try_for_each(|correction| write_correction(f, correction))?;
        for changed in &self.changed_choices {
            let number = changed.correction;
            writeln!(
                f,
                "choice changed after its outcome was seen (correction {number}): {}",
                printable(&changed.text())
            )?;
        }
        for read in &self.read_anew {
            writeln!(f, "read anew (correction {}): {}", read.correction, printable(&read.text()))?;
        }
        self.disputes.iter().try_for_each(|dispute| write_dispute(f, dispute))?;
        for (count, what) in self.left_out.iter().flat_map(LeftOut::counts).filter(|(count, _)| *count > 0) {
            writeln!(f, "left out: {count} more {what}; the audit of the log file has all")?;
        }
        writeln!(f, "head: {} {}", self.head.seq, printable(&self.head.hash))
    }
}

impl Display for ExceptionFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExceptionFound { seq, delivery, place, reason, stands, by_rules, faces } = self;
        let delivery = delivery_words(*delivery, Some(place));
        writeln!(
            f,
            "exception: {delivery}, event {seq}, has the outcome that the table agreed on: {}",
            printable(reason)
        )?;
        let mut differences = Vec::new();
        let [stands, by_rules] = [stands, by_rules].map(|outcome| serde_json::json!(outcome));
        compare("", Some(&stands), Some(&by_rules), &mut differences);
        for FieldDifference { field, recorded, expected } in differences {
            let line =
                format!("{field}: agreed {}, by the rules {}", value_text(&recorded), value_text(&expected));
            writeln!(f, "    {}", printable(&line))?;
        }
        match faces {
            Some(faces) => writeln!(f, "    faces after it: agreed {}", printable(faces)),
            None => Ok(()),
        }
    }
}

fn value_text(value: &Option<Value>) -> String {
    value.as_ref().map_or("nothing".to_owned(), Value::to_string)
}

fn write_correction(f: &mut fmt::Formatter<'_>, correction: &CorrectionEntry) -> fmt::Result {
    let CorrectionEntry { number, seq, voids_from_seq, voided, reason, .. } = correction;
    let named = |delivery| delivery_words(delivery, correction.place.as_ref());
    let CorrectionEntry { amends, inserts, removes, restores, voids_from, .. } = correction;
    let target = match (amends, inserts, removes, restores, voids_from) {
        (Some(delivery), ..) => match correction.void_from {
            None => format!("{} amended", named(*delivery)),
            Some(void) => {
                let void = delivery_words(void, correction.void_from_place.as_ref());
                format!("{} amended, void from {void} on", named(*delivery))
            }
        },
        (_, Some(delivery), ..) => format!("a ball put in before {}", named(*delivery)),
        (_, _, Some(delivery), ..) => format!("{} taken out", named(*delivery)),
        (_, _, _, Some(seq), _) => format!("what event {seq} made void is back"),
        (.., Some(delivery)) => format!("void from {} on", named(*delivery)),
        (.., None) => match correction.anew {
            Some(step) => format!("{} decided anew", step.as_words()),
            None => format!("void from event {voids_from_seq} on"),
        },
    };
    let status = match correction.status {
        CorrectionStatus::Made => {
            let events = match voided.unwrap_or_default() {
                1 => "1 event".to_owned(),
                many => format!("{many} events"),
            };
            let seen = if correction.dice_seen == Some(true) { ", with dice already seen" } else { "" };
            format!("{events} voided{seen}")
        }
        CorrectionStatus::Proposed => "proposed, not made".to_owned(),
        CorrectionStatus::Lapsed => "proposed, then lapsed".to_owned(),
    };
    let ended = |EndedInnings { innings, after }: &EndedInnings| {
        format!(", innings {innings} ended by agreement after delivery {after}")
    };
    let ended: String = correction.ended.iter().map(ended).collect();
    writeln!(f, "correction {number} (event {seq}): {target}{ended}, {status}: {}", printable(reason))
}

fn write_dispute(f: &mut fmt::Formatter<'_>, dispute: &DisputeEntry) -> fmt::Result {
    let DisputeEntry { number, seq, delivery, place, now, claim, by, ruled } = dispute;
    let delivery = delivery_words(*delivery, place.as_ref());
    let now = now.map(|now| format!(", now delivery {now}")).unwrap_or_default();
    write!(f, "dispute {number} (event {seq}), {delivery}{now}, by {by}: {}", printable(claim))?;
    match ruled {
        None => writeln!(f, "; open"),
        Some(ruled) => {
            writeln!(f, "; {} (event {}): {}", ruled.finding.as_str(), ruled.seq, printable(&ruled.ruling))
        }
    }
}

impl Divergence {
    /// Writes the innings, the over and the ball, as far as the event tells them.
    fn write_over(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(innings), Some(over)) = (self.innings, self.over) {
            write!(f, ", innings {innings}, over {over}")?;
        }
        match self.ball {
            Some(ball) => write!(f, ", ball {ball}"),
            None => Ok(()),
        }
    }
}

impl Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DIVERGES at event {} ({})", self.seq, printable(&self.kind))?;
        if let Some(delivery) = self.delivery {
            write!(f, ", {}", delivery_words(delivery, self.place.as_ref()))?;
        }
        if self.delivery.is_none() || self.place.is_none() {
            self.write_over(f)?;
        }
        f.write_char('\n')?;
        self.findings.iter().try_for_each(|finding| write!(f, "{finding}"))
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let check = match self.check {
            Check::Chain => "chain",
            Check::Data => "data",
            Check::Rules => "rules",
            Check::Seed => "seed",
            Check::Seal => "seal",
            Check::Head => "head",
        };
        writeln!(f, "  {check}: {}", printable(&self.message))?;
        for FieldDifference { field, recorded, expected } in &self.differences {
            let (recorded, expected) = (value_text(recorded), value_text(expected));
            let line = format!("{field}: the log says {recorded}, and it should be {expected}");
            writeln!(f, "    {}", printable(&line))?;
        }
        self.rulings.iter().try_for_each(|ruling| writeln!(f, "    {}: {}", ruling.id, ruling.text))
    }
}
