//! Two scorers' books of one match, side by side: the first event in which they differ, which of them rules and seed
//! support there, and what the difference comes to on the card.
//!
//! Only what a book says about the match is compared. Ids, times, authors, hashes and tokens are the book's own.

mod comparison;
mod judgement;
mod recorded;
mod text;

use std::io::BufRead;

pub use comparison::{
    Agreement, BookRead, Comparison, EventSaid, FieldSaid, FirstDifference, Ground, Judgement, Scorer,
    Supported,
};

use self::judgement::{Heard, judge, judged};
use self::recorded::{Lines, PlayEvent, events_of_play, folded, opened_seeds};
use crate::editions::{Editions, MatchLog};
use crate::log::BrokenLine;
use crate::views::{CardChange, Scorecard, card_changes, changes_in_order};

/// A book that is not a match log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("book {scorer:?} is not a match log: {broken}")]
pub struct NotABook {
    /// Which of the two.
    pub scorer: Scorer,
    /// The line, and what is wrong with it.
    pub broken: BrokenLine,
}

/// Compares two books. A file that is not a match log at all is an error, naming the line.
pub fn diff(a: impl BufRead, b: impl BufRead) -> Result<Comparison, NotABook> {
    let (mut a, mut b) = (MatchLog::new(a, Editions::default()), MatchLog::new(b, Editions::default()));
    let (a_lines, b_lines) = (read(&mut a, Scorer::A)?, read(&mut b, Scorer::B)?);
    // One book may bring the edition of both.
    a.lend(b.editions());
    b.lend(a.editions());
    fits(&a, &a_lines, Scorer::A)?;
    fits(&b, &b_lines, Scorer::B)?;
    Ok(compare(&a_lines, &b_lines, a.editions()))
}

fn read(book: &mut MatchLog<impl BufRead>, scorer: Scorer) -> Result<Lines, NotABook> {
    book.collect::<Result<_, _>>().map_err(|broken| NotABook { scorer, broken })
}

fn fits(book: &MatchLog<impl BufRead>, lines: &Lines, scorer: Scorer) -> Result<(), NotABook> {
    let misfit = lines.first().and_then(|(first, entry)| book.misfit(first, entry));
    misfit.map_or(Ok(()), |misfit| Err(NotABook { scorer, broken: misfit.into() }))
}

fn compare(a: &Lines, b: &Lines, editions: &Editions) -> Comparison {
    let (a_play, b_play) = (events_of_play(a), events_of_play(b));
    let same = a_play.iter().zip(&b_play).take_while(|(a, b)| a.agrees(b)).count();
    let (a_next, b_next) = (a_play.get(same), b_play.get(same));
    let agreement = agreement(a_next, b_next);
    let ((a, a_card), (b, b_card)) = (book_read(a, b, editions), book_read(b, a, editions));
    let first_difference = first_difference(a_next, b_next);
    let of_one_match = first_difference.as_ref().filter(|_| agreement != Agreement::AnotherMatch);
    let seeded = a_play.first().is_some_and(|created| created.says()["dice"] == "seeded");
    let judgement = of_one_match.map(|first| judge(first, seeded, heard(&a, a_next), heard(&b, b_next)));
    Comparison {
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

/// What is known of a book at its next event, after all that are the same.
fn heard<'a>(book: &'a BookRead, next: Option<&PlayEvent<'_>>) -> Heard<'a> {
    let place = next.map_or(book.events + 1, |event| event.place);
    Heard { divergence: book.divergence.as_ref(), place }
}

fn deliveries(events: &[PlayEvent<'_>]) -> u64 {
    events.iter().filter(|event| event.is("ball")).count() as u64
}

/// How two books stand to each other whose next events, after all that are the same, are these.
fn agreement(a: Option<&PlayEvent<'_>>, b: Option<&PlayEvent<'_>>) -> Agreement {
    let settles = |event: &PlayEvent<'_>| event.is("match_created") || event.is("seed_contributed");
    match (a, b) {
        (None, None) => Agreement::Same,
        (Some(_), None) | (None, Some(_)) => Agreement::Beginning,
        (Some(a), Some(b)) if settles(a) || settles(b) => Agreement::AnotherMatch,
        (Some(_), Some(_)) => Agreement::Differ,
    }
}

fn first_difference(a: Option<&PlayEvent<'_>>, b: Option<&PlayEvent<'_>>) -> Option<FirstDifference> {
    a.or(b)?;
    let fields = match (a, b) {
        (Some(a), Some(b)) => fields(a, b),
        (Some(_) | None, None) | (None, Some(_)) => Vec::new(),
    };
    Some(FirstDifference { a: a.map(PlayEvent::said), b: b.map(PlayEvent::said), fields })
}

fn fields(a: &PlayEvent<'_>, b: &PlayEvent<'_>) -> Vec<FieldSaid> {
    if !a.is(&b.raw.kind) {
        let [a, b] = [a, b].map(|event| Some(event.raw.kind.as_ref().into()));
        return vec![FieldSaid { field: "kind".to_owned(), a, b }];
    }
    let changes = changes_in_order(&a.says(), &b.says()).into_iter();
    changes.map(|CardChange { field, before, after }| FieldSaid { field, a: before, b: after }).collect()
}

/// What is in a book, and its card. Where seeds are open only in the other, they judge this one's dice.
fn book_read(own: &Lines, other: &Lines, editions: &Editions) -> (BookRead, Option<Scorecard>) {
    let (report, divergence) = judged(own, other, editions);
    let (card, card_ends) = folded(own, editions);
    let read = BookRead {
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

/// In what the cards differ, of books of one match that do not say the same.
fn changes(agreement: Agreement, a: Option<Scorecard>, b: Option<Scorecard>) -> Vec<CardChange> {
    match (agreement, a, b) {
        (Agreement::Beginning | Agreement::Differ, Some(a), Some(b)) => card_changes(&a, &b),
        (Agreement::Same | Agreement::AnotherMatch, ..)
        | (Agreement::Beginning | Agreement::Differ, _, _) => Vec::new(),
    }
}
