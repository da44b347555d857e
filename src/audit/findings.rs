//! The findings of an audit: how each kind of fault becomes a message, with the fields in which the event
//! differs.

use serde_json::Value;

use super::differences::{FieldDifference, compare};
use super::{Check, Finding};
use crate::editions::EditionMismatch;
use crate::log::{ChainBreak, Event, EventData, RawData, RawEvent, Review};
use crate::rules::{Disagreement, Registry, RulingCited};

impl Finding {
    pub(super) fn new(check: Check, message: impl Into<String>) -> Finding {
        Finding { check, message: message.into(), differences: Vec::new(), rulings: Vec::new() }
    }
}

pub(super) fn difference(
    field: &str,
    recorded: impl Into<Value>,
    expected: impl Into<Value>,
) -> FieldDifference {
    FieldDifference {
        field: field.to_owned(),
        recorded: Some(recorded.into()),
        expected: Some(expected.into()),
    }
}

/// Reads an event's data, and checks that reading lost nothing: written again, the data is the same.
pub(super) fn read(raw: RawEvent) -> Result<Event, Finding> {
    let recorded = match &raw.data {
        RawData::Whole(_) => None,
        RawData::Unread(data) => Some(data.clone()),
    };
    let event = raw.read().map_err(|broken| Finding::new(Check::Data, broken.to_string()))?;
    let mut finding = Finding::new(Check::Data, "the data is not in the form of this kind of event");
    if recorded.is_some() {
        compare("", recorded.as_ref(), Some(&event.data.to_value()), &mut finding.differences);
    }
    if finding.differences.is_empty() { Ok(event) } else { Err(finding) }
}

/// The number of sealed choices that an event reveals.
pub(super) fn unsealed(data: &EventData) -> u64 {
    data.reveals().iter().filter(|reveal| reveal.salt.is_some()).count() as u64
}

/// The finding of a log whose edition is not the one that its first event names.
pub(super) fn edition_finding(misfit: &EditionMismatch) -> Finding {
    let mut finding = Finding::new(Check::Data, misfit.to_string());
    if let EditionMismatch::Another { given, played } = misfit {
        let played = played.as_ref().map(|played| played.sha256.as_str());
        finding.differences.push(difference("edition.sha256", played, given.sha256.as_str()));
    }
    finding
}

pub(super) fn chain_finding(broken: &ChainBreak) -> Finding {
    let mut finding = Finding::new(Check::Chain, broken.to_string());
    finding.differences.push(match broken {
        ChainBreak::Sequence { expected, found } => difference("seq", *found, *expected),
        ChainBreak::Previous { expected, found } => difference("prev", found.as_str(), expected.as_str()),
        ChainBreak::Hash { expected, found } => difference("hash", found.as_str(), expected.as_str()),
        ChainBreak::OtherMatch { expected, found } => {
            difference("match", found.to_string(), expected.to_string())
        }
    });
    finding
}

pub(super) fn rules_finding(registry: Registry, recorded: &EventData, disagreement: Disagreement) -> Finding {
    match disagreement {
        Disagreement::Impossible(broken) => Finding::new(Check::Data, broken.to_string()),
        Disagreement::Unsealed(broken) => Finding::new(Check::Seal, broken.to_string()),
        Disagreement::Refused(refusal) => {
            let mut finding =
                Finding::new(Check::Rules, format!("the rules refuse this event: {}", refusal.message));
            finding.rulings = refusal.ruling.map(RulingCited::from).into_iter().collect();
            finding
        }
        Disagreement::Otherwise(expected) => {
            let mut finding =
                Finding::new(Check::Rules, "the rules give another outcome for these choices and dice");
            if expected.kind() != recorded.kind() {
                finding.differences.push(difference("kind", recorded.kind(), expected.kind()));
            } else {
                compare("", Some(&recorded.to_value()), Some(&expected.to_value()), &mut finding.differences);
            }
            finding.rulings = cited(registry, &[&expected, recorded]);
            finding
        }
    }
}

/// The rulings that events cite, each once.
fn cited(registry: Registry, events: &[&EventData]) -> Vec<RulingCited> {
    let mut rulings: Vec<RulingCited> = Vec::new();
    for event in events {
        let ids = match event {
            EventData::Ball(ball) => &ball.outcome.rulings,
            EventData::Review(Review::Made(made)) => &made.rulings,
            _ => continue,
        };
        for ruling in ids.iter().filter_map(|id| registry.ruling(id)) {
            if rulings.iter().all(|cited| cited.id != ruling.id) {
                rulings.push(ruling.into());
            }
        }
    }
    rulings
}
