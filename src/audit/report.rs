use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::{EditionRecord, Head, printable};
use crate::scorebook::{Outcome, Ruling};
use crate::views::{ChangedChoice, CorrectionEntry, CorrectionStatus, DisputeEntry};

/// Whether a log holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing diverges.
    Clean,
    /// Something does.
    Diverges,
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Report {
    /// Whether the log holds.
    pub verdict: Verdict,
    /// The match, as the first event has it.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// The game.
    pub game: Option<String>,
    /// The edition it is played with, where its game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// `created|in_play|completed|abandoned`, as far as the log was followed.
    pub status: &'static str,
    /// How many events the log has.
    pub events: u64,
    /// How many deliveries were followed, those that are void now among them.
    pub deliveries: u32,
    /// How many of them stand.
    pub standing: u32,
    /// The last ball that holds.
    pub verified_through: Option<Through>,
    /// The last event and its hash.
    pub head: Head,
    /// What was proved.
    pub proved: Vec<String>,
    /// What could not be, and why.
    pub not_proved: Vec<String>,
    /// The first event that diverges.
    pub divergence: Option<Divergence>,
    /// Balls of which stands what the table agreed on: exceptions, not divergences.
    pub exceptions: Vec<ExceptionFound>,
    /// Corrections, be they made or only proposed.
    pub corrections: Vec<CorrectionEntry>,
    /// Choices that were made otherwise after a correction, when what had followed from them was known.
    pub changed_choices: Vec<ChangedChoice>,
    /// Disputes, and how they were ruled on.
    pub disputes: Vec<DisputeEntry>,
}

/// A ball of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Through {
    /// Its event.
    pub seq: u64,
    /// Its number in the match.
    pub delivery: u32,
    /// The innings.
    pub innings: u16,
    /// The over.
    pub over: u16,
    /// The place in the over, counting every delivery.
    pub ball: u32,
}

/// A ball of which stands what the table agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ExceptionFound {
    /// Its event.
    pub seq: u64,
    /// Its number in the match.
    pub delivery: u32,
    /// Why.
    pub reason: String,
    /// What stands.
    pub stands: Outcome,
    /// What the rules come to.
    pub by_rules: Outcome,
}

/// The first event of a log that diverges.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Divergence {
    /// Its place in the log.
    pub seq: u64,
    /// Its kind, as recorded.
    pub kind: String,
    /// The innings it belongs to.
    pub innings: Option<u16>,
    /// The over it belongs to.
    pub over: Option<u16>,
    /// Its place in the over.
    pub ball: Option<u32>,
    /// Its number in the match.
    pub delivery: Option<u32>,
    /// What is wrong with it, one finding a check.
    pub findings: Vec<Finding>,
}

/// Which check failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// The hashes, the order, the match.
    Chain,
    /// What the event says cannot be said.
    Data,
    /// The rules come to something else.
    Rules,
    /// The seed gives something else.
    Seed,
    /// What was turned up is not what was sealed.
    Seal,
    /// The log does not end as expected.
    Head,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Finding {
    /// Which check failed.
    pub check: Check,
    /// What is wrong, in words.
    pub message: String,
    /// Where log and expectation part, field by field.
    pub differences: Vec<Difference>,
    /// The rules concerned, with their sentences.
    pub rulings: Vec<RulingCited>,
}

/// A field in which the log and the expectation differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Difference {
    /// The field, e.g. `outcome.runs.batter`.
    pub field: String,
    /// What the log says; left out where it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub recorded: Option<Value>,
    /// What the rules, the seed or the chain say; left out where there should be nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub expected: Option<Value>,
}

/// A ruling with its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulingCited {
    /// The id.
    pub id: String,
    /// The sentence.
    pub text: String,
}

impl From<&Ruling> for RulingCited {
    fn from(ruling: &Ruling) -> RulingCited {
        RulingCited { id: ruling.id.to_owned(), text: ruling.text.to_owned() }
    }
}

impl Display for Report {
    /// The report as text, several lines, each with its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.divergence {
            None => writeln!(f, "CLEAN: nothing diverges in {} events", self.events)?,
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
            let Through { seq, delivery, innings, over, ball } = through;
            writeln!(
                f,
                "verified through: delivery {delivery} (innings {innings}, over {over}, ball {ball}), event {seq}"
            )?;
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
            writeln!(f, "changed after it was seen (correction {number}): {}", printable(&changed.told()))?;
        }
        self.disputes.iter().try_for_each(|dispute| write_dispute(f, dispute))?;
        writeln!(f, "head: {} {}", self.head.seq, printable(&self.head.hash))
    }
}

impl Display for ExceptionFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExceptionFound { seq, delivery, reason, stands, by_rules } = self;
        writeln!(
            f,
            "exception: delivery {delivery} (event {seq}) stands as the table agreed: {}",
            printable(reason)
        )?;
        let mut differences = Vec::new();
        let [stands, by_rules] = [stands, by_rules].map(|outcome| serde_json::json!(outcome));
        super::findings::compare("", Some(&stands), Some(&by_rules), &mut differences);
        for Difference { field, recorded, expected } in differences {
            let line = format!("{field}: {} stands, by the rules {}", told(&recorded), told(&expected));
            writeln!(f, "    {}", printable(&line))?;
        }
        Ok(())
    }
}

fn told(value: &Option<Value>) -> String {
    value.as_ref().map_or("nothing".to_owned(), Value::to_string)
}

fn write_correction(f: &mut fmt::Formatter<'_>, correction: &CorrectionEntry) -> fmt::Result {
    let CorrectionEntry { number, seq, voids_from_seq, voided, reason, .. } = correction;
    let what = match (correction.amends, correction.voids_from) {
        (Some(delivery), _) => match correction.void_from {
            None => format!("delivery {delivery} put right"),
            Some(void) => format!("delivery {delivery} put right, taken back from {void} on"),
        },
        (None, Some(delivery)) => format!("taken back from delivery {delivery} on"),
        (None, None) => format!("taken back from event {voids_from_seq} on"),
    };
    let how = match correction.status {
        CorrectionStatus::Made => {
            let events = match voided.unwrap_or_default() {
                1 => "1 event".to_owned(),
                many => format!("{many} events"),
            };
            let seen = if correction.dice_seen == Some(true) { " that had been seen" } else { "" };
            format!("{events} void{seen}")
        }
        CorrectionStatus::Proposed => "proposed, not made".to_owned(),
        CorrectionStatus::Lapsed => "proposed, and lapsed".to_owned(),
    };
    writeln!(f, "correction {number} (event {seq}): {what}, {how}: {}", printable(reason))
}

fn write_dispute(f: &mut fmt::Formatter<'_>, dispute: &DisputeEntry) -> fmt::Result {
    let DisputeEntry { number, seq, delivery, claim, by, ruled } = dispute;
    write!(f, "dispute {number} (event {seq}), delivery {delivery}, by {by}: {}", printable(claim))?;
    match ruled {
        None => writeln!(f, "; open"),
        Some(ruled) => {
            writeln!(f, "; {} (event {}): {}", ruled.finding.as_str(), ruled.seq, printable(&ruled.ruling))
        }
    }
}

impl Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DIVERGES at event {} ({})", self.seq, printable(&self.kind))?;
        if let Some(delivery) = self.delivery {
            write!(f, ", delivery {delivery}")?;
        }
        if let (Some(innings), Some(over)) = (self.innings, self.over) {
            write!(f, ", innings {innings}, over {over}")?;
        }
        if let Some(ball) = self.ball {
            write!(f, ", ball {ball}")?;
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
        for Difference { field, recorded, expected } in &self.differences {
            let line =
                format!("{field}: the log says {}, and it should be {}", told(recorded), told(expected));
            writeln!(f, "    {}", printable(&line))?;
        }
        self.rulings.iter().try_for_each(|ruling| writeln!(f, "    {}: {}", ruling.id, ruling.text))
    }
}
