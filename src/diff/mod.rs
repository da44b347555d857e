//! The comparison of two scorers' logs of one match: the first event in which they differ, the log that rules
//! and seed support there, and the difference on the scorecard.
//!
//! Only live events of play are compared. Ids, times, authors, hashes and tokens differ between two scorers
//! in any case.

mod comparison;
mod judgement;
mod recorded;
mod text;

use std::io::BufRead;

pub use comparison::{
    Agreement, AuditedLog, EventClaim, FieldClaim, FirstDifference, Ground, Judgement, LogComparison, Scorer,
    Supported,
};

use self::judgement::{LogEvidence, judge, judged};
use self::recorded::{ComparedEvent, Lines, events_of_play, folded, opened_seeds};
use crate::editions::{Editions, MatchLog};
use crate::log::BrokenLine;
use crate::rules::Registry;
use crate::views::{CardChange, Scorecard, card_changes, changes_in_order};

/// The error of a file that is not a match log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("log {scorer:?} is not a match log: {broken}")]
pub struct NotAMatchLog {
    /// The scorer of the file.
    pub scorer: Scorer,
    /// The broken line.
    pub broken: BrokenLine,
}

/// Compares two match logs of built-in games. A file that is not a match log at all is an error that names
/// the line.
pub fn diff(a: impl BufRead, b: impl BufRead) -> Result<LogComparison, NotAMatchLog> {
    diff_with(a, b, &Editions::default())
}

/// Compares two match logs that may be read with these games and editions.
pub fn diff_with(
    a: impl BufRead,
    b: impl BufRead,
    editions: &Editions,
) -> Result<LogComparison, NotAMatchLog> {
    let (mut a, mut b) = (MatchLog::new(a, editions.clone()), MatchLog::new(b, editions.clone()));
    let (a_lines, b_lines) = (read(&mut a, Scorer::A)?, read(&mut b, Scorer::B)?);
    // One file may hold the edition of both.
    a.add_editions(b.editions());
    b.add_editions(a.editions());
    check_edition(&a, &a_lines, Scorer::A)?;
    check_edition(&b, &b_lines, Scorer::B)?;
    Ok(compare(&a_lines, &b_lines, a.editions()))
}

fn read(log: &mut MatchLog<impl BufRead>, scorer: Scorer) -> Result<Lines, NotAMatchLog> {
    log.collect::<Result<_, _>>().map_err(|broken| NotAMatchLog { scorer, broken })
}

fn check_edition(log: &MatchLog<impl BufRead>, lines: &Lines, scorer: Scorer) -> Result<(), NotAMatchLog> {
    let misfit = lines.first().and_then(|(first, entry)| log.misfit(first, entry));
    misfit.map_or(Ok(()), |misfit| Err(NotAMatchLog { scorer, broken: misfit.into() }))
}

fn compare(a: &Lines, b: &Lines, editions: &Editions) -> LogComparison {
    let (a_play, b_play) = (events_of_play(a), events_of_play(b));
    let seeded = a_play.first().is_some_and(|created| created.compared_data()["dice"] == "seeded");
    let same = a_play.iter().zip(&b_play).take_while(|(a, b)| a.agrees(b, seeded)).count();
    let (a_next, b_next) = (a_play.get(same), b_play.get(same));
    let agreement = agreement(a_next, b_next);
    let ((a, a_card), (b, b_card)) = (audited_log(a, b, editions), audited_log(b, a, editions));
    let first_difference = first_difference(editions.registry(), a_next, b_next);
    let of_one_match = first_difference.as_ref().filter(|_| agreement != Agreement::AnotherMatch);
    let judgement =
        of_one_match.map(|first| judge(first, seeded, evidence_at(&a, a_next), evidence_at(&b, b_next)));
    LogComparison {
        agreement,
        same_events: same as u64,
        same_deliveries: deliveries(&a_play[..same]),
        judgement,
        first_difference,
        card_changes: changes(agreement, a_card, b_card),
        a,
        b,
    }
}

/// The evidence about a log at its first event that differs.
fn evidence_at<'a>(log: &'a AuditedLog, next: Option<&ComparedEvent<'_>>) -> LogEvidence<'a> {
    let place = next.map_or(log.events + 1, |event| event.place);
    LogEvidence { divergence: log.divergence.as_ref(), place }
}

fn deliveries(events: &[ComparedEvent<'_>]) -> u64 {
    events.iter().filter(|event| event.is("ball")).count() as u64
}

/// The agreement of two logs, by their first events that differ.
fn agreement(a: Option<&ComparedEvent<'_>>, b: Option<&ComparedEvent<'_>>) -> Agreement {
    let settles = |event: &ComparedEvent<'_>| event.is("match_created") || event.is("seed_contributed");
    match (a, b) {
        (None, None) => Agreement::Same,
        (Some(_), None) | (None, Some(_)) => Agreement::Beginning,
        (Some(a), Some(b)) if settles(a) || settles(b) => Agreement::AnotherMatch,
        (Some(_), Some(_)) => Agreement::Differ,
    }
}

fn first_difference(
    registry: Registry,
    a: Option<&ComparedEvent<'_>>,
    b: Option<&ComparedEvent<'_>>,
) -> Option<FirstDifference> {
    a.or(b)?;
    let fields = match (a, b) {
        (Some(a), Some(b)) => fields(a, b),
        (Some(_) | None, None) | (None, Some(_)) => Vec::new(),
    };
    let located = |event: &ComparedEvent<'_>| event.located(registry);
    Some(FirstDifference { a: a.map(located), b: b.map(located), fields })
}

fn fields(a: &ComparedEvent<'_>, b: &ComparedEvent<'_>) -> Vec<FieldClaim> {
    if !a.is(&b.raw.kind) {
        let [a, b] = [a, b].map(|event| Some(event.raw.kind.as_ref().into()));
        return vec![FieldClaim { field: "kind".to_owned(), a, b }];
    }
    let changes = changes_in_order(&a.compared_data(), &b.compared_data()).into_iter();
    changes.map(|CardChange { field, before, after }| FieldClaim { field, a: before, b: after }).collect()
}

/// Audits and folds a log. Where only the other log reveals the seeds, the dice are checked against those.
fn audited_log(own: &Lines, other: &Lines, editions: &Editions) -> (AuditedLog, Option<Scorecard>) {
    let (report, divergence) = judged(own, other, editions);
    let (card, card_ends) = folded(own, editions);
    let read = AuditedLog {
        match_id: report.match_id,
        game: report.game,
        status: report.status,
        events: report.events,
        deliveries: deliveries(&events_of_play(own)),
        seeds_open: opened_seeds(own).is_some(),
        card_at: card.as_ref().map_or(0, |card| card.at_seq),
        card_ends,
        divergence,
    };
    (read, card)
}

/// The differences of the scorecards, for two logs of one match that differ.
fn changes(agreement: Agreement, a: Option<Scorecard>, b: Option<Scorecard>) -> Vec<CardChange> {
    match (agreement, a, b) {
        (Agreement::Beginning | Agreement::Differ, Some(a), Some(b)) => card_changes(&a, &b),
        (Agreement::Same | Agreement::AnotherMatch, ..)
        | (Agreement::Beginning | Agreement::Differ, _, _) => Vec::new(),
    }
}
