use std::collections::BTreeMap;

use super::book::Book;
use super::changed_choices::chosen;
use crate::editions::Editions;
use crate::log::{Broken, Correction, Event, EventData, Moment, Standing};
use crate::rules::Disagreement;

/// How many events of play are folded again at the most when one is taken back.
const APART: usize = 64;

/// A log that is read event by event: what stands of it, folded.
#[derive(Default)]
pub struct Reading {
    /// The editions that the log may be read with.
    editions: Editions,
    book: Option<Book>,
    standing: Standing<Event>,
    /// The book as it was when so many events of play stood.
    earlier: Vec<(usize, Book)>,
    /// What does not stand any more.
    struck: BTreeMap<u64, Struck>,
    last_correction: Option<u64>,
}

/// An event that was taken back.
struct Struck {
    by: u64,
    moment: Moment,
    /// How many deliveries stood after it.
    deliveries: u32,
}

impl Reading {
    /// A reading of a log that may be read with these editions.
    pub fn new(editions: Editions) -> Reading {
        Reading { editions, ..Reading::default() }
    }

    /// Reads the next event; the book after it. An event that cannot follow changes nothing.
    pub fn follow(&mut self, event: Event) -> Result<&Book, Broken> {
        let (book, done) = match (self.book.take(), &event.data) {
            (None, _) => (Book::open(&event, &self.editions)?, Ok(())),
            (Some(book), EventData::Correction(correction)) => self.correct(book, &event, correction),
            (Some(mut book), _) => {
                let done = self.follow_on(&mut book, event);
                (book, done)
            }
        };
        let book = self.book.insert(book);
        done.map(|()| &*book)
    }

    fn follow_on(&mut self, book: &mut Book, event: Event) -> Result<(), Broken> {
        let moment = event.data.moment();
        let stood = self.standing.stood().len();
        let is_due = self.earlier.last().is_none_or(|(at, _)| stood >= at + APART);
        let before = (moment.is_some() && is_due).then(|| book.bare());
        book.apply(&event)?;
        self.earlier.extend(before.map(|before| (stood, before)));
        if let Some(moment) = moment {
            self.standing.push(event.seq, moment, event.data.shows(), event);
        }
        Ok(())
    }

    /// Takes back what a correction says, and folds again what stands.
    fn correct(&mut self, book: Book, event: &Event, correction: &Correction) -> (Book, Result<(), Broken>) {
        let check = |book: &Book| {
            book.follows(event)?;
            let checked = book.fixture().check_correction(correction, &self.standing);
            checked.map_err(Disagreement::into_broken)?;
            self.fold_again(self.standing.before(correction.voids_from_seq))
        };
        let before = match check(&book) {
            Err(broken) => return (book, Err(broken)),
            Ok(before) => before,
        };
        let void = self.standing.void(correction.voids_from_seq);
        let stood = self.standing.stood().len();
        self.earlier.retain(|(at, _)| *at <= stood);
        let mut deliveries = before.fixture().deliveries();
        for stood in &void {
            if let Moment::Ball { delivery } = stood.moment {
                deliveries = delivery;
            }
            self.struck.insert(stood.seq, Struck { by: event.seq, moment: stood.moment, deliveries });
        }
        self.last_correction = Some(event.seq);
        let voided = void.iter().map(|stood| (stood.moment, stood.shows, chosen(&stood.kept.data)));
        (book.corrected(before, event, correction, voided), Ok(()))
    }

    /// The book as it was when only so many of the events stood that do.
    fn fold_again(&self, stood: usize) -> Result<Book, Broken> {
        let from = self.earlier.iter().rev().find(|(at, _)| *at <= stood);
        let Some((at, book)) = from else {
            return Err(Broken::new("data.voids_from_seq", "nothing of play stands"));
        };
        let mut book = book.clone();
        for stood in &self.standing.stood()[*at..stood] {
            book.fold_again(&stood.kept)?;
        }
        Ok(book)
    }

    /// The book after the last event.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// The same, when all is read.
    pub fn into_book(self) -> Option<Book> {
        self.book
    }

    /// The correction that has taken an event back, if one has.
    pub fn struck_by(&self, seq: u64) -> Option<u64> {
        self.struck.get(&seq).map(|struck| struck.by)
    }

    /// The events of play that stand, in order.
    pub fn standing(&self) -> &Standing<Event> {
        &self.standing
    }

    /// What the book says now about the match as it stood after an earlier event. `then` is the book as it was at the time.
    ///
    /// Where that event is void, what was played in its place counts, as far as it has been.
    pub fn about(&self, then: Book) -> Result<Book, Broken> {
        let at = then.head().seq;
        let known = self.last_correction.filter(|correction| *correction > at);
        let (Some(known), Some(now)) = (known, &self.book) else { return Ok(then) };
        let first = self.earlier.first().map_or(u64::MAX, |(_, book)| book.head().seq);
        // Corrections concern play, and before the first of it there was none.
        if at <= first {
            return Ok(then);
        }
        let about = self.fold_again(self.stood_after(at))?;
        Ok(about.known(then.head().clone(), known, now))
    }

    /// How many of the events that stand tell of the match up to an event.
    fn stood_after(&self, at: u64) -> usize {
        let stood = self.standing.stood();
        let up_to = |seq: u64| stood.partition_point(|stood| stood.seq <= seq);
        // What is not of play is about the moment of the event of play before it, of those that stood then.
        let mut struck_since = self.struck.range(..=at).rev().filter(|(_, struck)| struck.by > at);
        let Some((seq, struck)) = struck_since.next() else { return up_to(at) };
        if up_to(at).checked_sub(1).is_some_and(|last| stood[last].seq > *seq) {
            return up_to(at);
        }
        let again = |moment| stood.iter().rposition(|stood| stood.moment == moment).map(|place| place + 1);
        let last_ball = || again(Moment::Ball { delivery: struck.deliveries });
        match struck.moment {
            Moment::Choice | Moment::Abandoned => last_ball(),
            // Where the match ends with the same ball now, it had ended.
            Moment::Completed => last_ball().map(|place| match stood.get(place) {
                Some(next) if next.moment == Moment::Completed => place + 1,
                _ => place,
            }),
            moment => again(moment).or_else(last_ball),
        }
        .unwrap_or_else(|| match struck.deliveries {
            0 => stood.iter().take_while(|stood| !matches!(stood.moment, Moment::Over { .. })).count(),
            _ => stood.len(),
        })
    }
}
