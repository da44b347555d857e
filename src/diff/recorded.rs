//! The recorded events of a log, as a comparison needs them: the live events of play, without what each
//! scorer records in a way of his own, such as ids and tokens.

use std::collections::BTreeSet;

use serde_json::Value;

use super::comparison::EventClaim;
use crate::audit::{Audit, AuditReport, Check, Divergence};
use crate::dice::Seeds;
use crate::editions::Editions;
use crate::log::{Entry, EventData, LiveEvents, RawData, RawEvent, Toss};
use crate::matches::History;
use crate::projection::LoadedMatch;
use crate::rules::{Registry, RulingCited};
use crate::scorebook::Side;
use crate::views::Scorecard;

/// The kinds of events that are compared; the others are about tokens, seals, calls and adjudication.
const OF_PLAY: [&str; 10] = [
    "match_created",
    "seed_contributed",
    "set_up",
    "toss",
    "toss_decided",
    "over",
    "ball",
    "review",
    "match_completed",
    "match_abandoned",
];
/// The members of the first event that are about how the log is kept, and not about the match.
const OF_THE_LOG: [&str; 3] = ["seed_source", "remote", "choice_timeout"];

/// A whole log: each event as it was read, with the text that was hashed.
pub(super) type Lines = Vec<(RawEvent, Entry)>;

/// An event of play and its place in the log, from 1.
#[derive(Clone, Copy)]
pub(super) struct ComparedEvent<'a> {
    pub place: u64,
    pub raw: &'a RawEvent,
}

/// The live events of play of a log, in order, which are compared.
pub(super) fn events_of_play(lines: &Lines) -> Vec<ComparedEvent<'_>> {
    let mut void = BTreeSet::new();
    let mut live_events: LiveEvents<()> = LiveEvents::default();
    for (place, (raw, _)) in (1..).zip(lines) {
        let Ok(event) = raw.clone().read() else { continue };
        if let Some(reversal) = event.data.reversal() {
            void.extend(live_events.void(reversal.voids_from_seq()).iter().map(|live| live.seq));
        } else if let Some(subject) = event.data.subject() {
            live_events.push(place, subject, event.data.shows(), ());
        }
    }
    let placed = (1..).zip(lines).map(|(place, (raw, _))| ComparedEvent { place, raw });
    placed.filter(|event| OF_PLAY.contains(&&*event.raw.kind) && !void.contains(&event.place)).collect()
}

impl ComparedEvent<'_> {
    /// The data of the event that are compared.
    pub fn compared_data(&self) -> Value {
        let mut data = match &self.raw.data {
            RawData::Whole(data) => data.to_value(),
            RawData::Unread(data) => data.clone(),
        };
        if let (true, Some(members)) = (self.is("match_created"), data.as_object_mut()) {
            members.retain(|name, _| !OF_THE_LOG.contains(&name.as_str()));
        }
        // The salt of a seal is a proof of a choice, and not a choice.
        for reveal in data.get_mut("reveals").and_then(Value::as_array_mut).into_iter().flatten() {
            reveal.as_object_mut().and_then(|members| members.remove("salt"));
        }
        data
    }

    /// Whether the event tells the same as another: it has the same kind and data. A toss without its coin
    /// agrees with one that has the same winner, but for a seeded match, which has its coin.
    pub fn agrees(&self, other: &ComparedEvent<'_>, seeded: bool) -> bool {
        if !seeded
            && let (Some(toss), Some(of_other)) = (self.toss(), other.toss())
            && (toss.called().is_none() || of_other.called().is_none())
        {
            return toss.winner() == of_other.winner();
        }
        self.is(&other.raw.kind) && self.compared_data() == other.compared_data()
    }

    fn toss(&self) -> Option<Toss> {
        if !self.is("toss") {
            return None;
        }
        match self.raw.clone().read().ok()?.data {
            EventData::Toss(toss) => Some(toss),
            _ => None,
        }
    }

    /// Whether the event is of this kind.
    pub fn is(&self, kind: &str) -> bool {
        self.raw.kind == kind
    }

    /// The place of the event, and the rulings it cites.
    pub fn located(&self, registry: Registry) -> EventClaim {
        let data = self.compared_data();
        let number = |name: &str| data.get(name).and_then(Value::as_u64);
        let cited = data.get("rulings").or_else(|| data.pointer("/outcome/rulings"));
        let cited = cited.and_then(Value::as_array);
        let rulings =
            cited.into_iter().flatten().filter_map(Value::as_str).filter_map(|id| registry.ruling(id));
        EventClaim {
            seq: self.raw.seq,
            kind: self.raw.kind.to_string(),
            innings: number("innings"),
            over: number("over"),
            ball: number("ball"),
            delivery: number("delivery"),
            rulings: rulings.map(RulingCited::from).collect(),
        }
    }
}

/// Audits a log, by its own seeds or by lent ones.
pub(super) fn audited(lines: &Lines, lent: Option<Seeds>, editions: &Editions) -> AuditReport {
    let mut audit = Audit::new(editions.clone());
    for (raw, entry) in lines {
        audit.follow(raw.clone(), entry);
    }
    if let Some(seeds) = lent {
        audit.lend_seeds(seeds);
    }
    audit.finish(None)
}

/// The seeds that a log reveals first with the client seeds that both sides revealed.
pub(super) fn opened_seeds(lines: &Lines) -> Option<Seeds> {
    let shown = client_seeds(lines);
    let ends = lines.iter().filter(|(raw, _)| matches!(&*raw.kind, "match_completed" | "match_abandoned"));
    let mut opened = ends.filter_map(|(raw, _)| seeds_in(raw.clone().read().ok()?.data));
    opened.find(|seeds| seeds.client_seeds == shown)
}

/// The client seeds that both sides revealed, home's first.
fn client_seeds(lines: &Lines) -> Vec<String> {
    let shown_by = |side| {
        lines.iter().find_map(|(raw, _)| match &raw.data {
            RawData::Whole(EventData::SeedContributed(shown)) if shown.side == side => {
                Some(shown.client_seed.clone())
            }
            _ => None,
        })
    };
    let both: Option<Vec<String>> = [Side::Home, Side::Away].into_iter().map(shown_by).collect();
    both.unwrap_or_default()
}

fn seeds_in(data: EventData) -> Option<Seeds> {
    match data {
        EventData::MatchCompleted(completed) => completed.seeds,
        EventData::MatchAbandoned(abandoned) => abandoned.seeds,
        _ => None,
    }
}

/// The place in a log of the event that diverges, from 1: its `seq`, unless the `seq` itself is wrong.
pub(super) fn place_of(divergence: &Divergence) -> u64 {
    let chain = divergence.findings.iter().filter(|finding| finding.check == Check::Chain);
    let due = chain.flat_map(|finding| &finding.differences).find(|difference| difference.field == "seq");
    due.and_then(|difference| difference.expected.as_ref()?.as_u64()).unwrap_or(divergence.seq)
}

/// The scorecard of a log as far as it can be folded, with the reason if it ends before the log does.
pub(super) fn folded(lines: &Lines, editions: &Editions) -> (Option<Scorecard>, Option<String>) {
    let mut history: History<LoadedMatch> = History::new(editions.clone());
    let stops = lines.iter().find_map(|(raw, _)| {
        let followed = raw.clone().read().and_then(|event| history.follow(event).map(drop));
        followed.err().map(|broken| format!("event {} cannot follow: {broken}", raw.seq))
    });
    (history.state().map(Scorecard::of), stops)
}
