use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::adjudication::{Exception, Settled};
use super::describe::{CommentaryLine, tell};
use super::innings::InningsFold;
use super::reviews::ReviewEntry;
use crate::editions::Editions;
use crate::games;
use crate::log::{
    Ball, Broken, Correction, Event, EventData, Head, MatchCreated, MatchId, Moment, Over, Review, Reviewed,
};
use crate::matches::Fixture;
use crate::scorebook::{BySide, Side};

/// A match folded from its events: the game's state, and what readers want to know.
#[derive(Clone)]
pub struct Book {
    match_id: MatchId,
    created_at: DateTime<Utc>,
    head: Head,
    fixture: Fixture,
    bats_first: Side,
    innings: Vec<Arc<InningsFold>>,
    /// The ball that may be reviewed, and the innings before it.
    reviewable: Option<Arc<(Ball, InningsFold)>>,
    reviews: Arc<Vec<ReviewEntry>>,
    /// Players on the sheets who take no part.
    left_out: Arc<BySide<Vec<String>>>,
    abandoned_for: Option<String>,
    settled: Arc<Settled>,
    /// The last correction that was taken into account, where it came after the head.
    known: Option<u64>,
}

impl Book {
    /// Opens the book with the first event of a log. The edition that the event names is one of those handed in.
    pub fn open(event: &Event, editions: &Editions) -> Result<Book, Broken> {
        if event.seq != 1 {
            return Err(Broken::new("seq", "a log begins with event 1"));
        }
        Ok(Book {
            match_id: event.match_id,
            created_at: event.at,
            head: event.head(),
            fixture: Fixture::from_log(event.match_id, &event.data, editions)?,
            bats_first: Side::Home,
            innings: Vec::new(),
            reviewable: None,
            reviews: Arc::default(),
            left_out: Arc::default(),
            abandoned_for: None,
            settled: Arc::default(),
            known: None,
        })
    }

    /// Opens the book with the first event of a log, or applies the next, as [`apply`](Self::apply) does.
    pub fn follow(book: &mut Option<Book>, event: &Event, editions: &Editions) -> Result<(), Broken> {
        match book {
            Some(book) => book.apply(event),
            None => Book::open(event, editions).map(|opened| *book = Some(opened)),
        }
    }

    /// Tells the event that was applied last.
    pub fn tell(&self, event: &Event) -> CommentaryLine {
        tell(self.created(), self.innings.last().map(Arc::as_ref), event)
    }

    /// Admits the next event and applies it. An event that cannot follow changes nothing. A correction needs the log
    /// that it corrects, and is for a [`Reading`](super::Reading).
    pub fn apply(&mut self, event: &Event) -> Result<(), Broken> {
        self.follows(event)?;
        self.fixture.replay(&event.data)?;
        self.head.seq = event.seq;
        self.head.hash.clone_from(&event.hash);
        self.fold(event);
        if self.settled.hears(&event.data) {
            Arc::make_mut(&mut self.settled).apply(event);
        }
        Ok(())
    }

    /// Makes sure that an event is the next of the log.
    pub(super) fn follows(&self, event: &Event) -> Result<(), Broken> {
        let due = self.head.seq + 1;
        if event.seq != due || event.match_id != self.match_id {
            return Err(Broken::new("seq", format!("event {due} of match {} is due", self.match_id)));
        }
        if event.prev != self.head.hash {
            return Err(Broken::new("prev", "is not the hash of the event before"));
        }
        Ok(())
    }

    /// Applies an event of play that stands, once more, wherever it stood in the log.
    pub(super) fn fold_again(&mut self, event: &Event) -> Result<(), Broken> {
        self.fixture.replay(&event.data)?;
        self.fold(event);
        Ok(())
    }

    /// The book after a correction; `before` is the book as it was before what is void.
    pub(super) fn corrected<'a>(
        mut self,
        before: Book,
        event: &Event,
        correction: &Correction,
        voided: impl DoubleEndedIterator<Item = (Moment, bool, Map<String, Value>)> + ExactSizeIterator + 'a,
    ) -> Book {
        Arc::make_mut(&mut self.settled).correct(event, voided);
        Book {
            head: event.head(),
            fixture: self.fixture.corrected(before.fixture, correction),
            settled: self.settled,
            known: None,
            ..before
        }
    }

    /// The same without what is said about the match, to be kept as it was for a correction.
    pub(super) fn bare(&self) -> Book {
        Book { fixture: self.fixture.bare(), settled: Arc::default(), ..self.clone() }
    }

    /// The book about an earlier moment, as it is known now.
    pub(super) fn known(self, moment: Head, known: u64, now: &Book) -> Book {
        let settled = Arc::new(now.settled.about(moment.seq));
        Book { head: moment, known: Some(known), settled, ..self }
    }

    fn fold(&mut self, event: &Event) {
        match &event.data {
            EventData::TossDecided(decided) => self.bats_first = decided.bats_first(),
            EventData::Over(over) => self.begin_over(over),
            EventData::SetUp(set_up) => {
                if let Some(game) = games::find(&self.created().game) {
                    self.left_out = Arc::new((game.left_out)(set_up));
                }
            }
            EventData::Ball(ball) => self.count(ball),
            EventData::Review(Review::Made(made)) => self.review(event.seq, made),
            EventData::MatchAbandoned(abandoned) => self.abandoned_for = Some(abandoned.reason.clone()),
            EventData::MatchCreated(_)
            | EventData::Roll(_)
            | EventData::Review(Review::Accepted(_))
            | EventData::Toss(_)
            | EventData::MatchCompleted(_)
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
            | EventData::DisputeRuled(_) => {}
        }
    }

    fn count(&mut self, ball: &Ball) {
        let is_open = self.fixture.open_review().is_some();
        let Some(innings) = self.innings.last_mut() else { return };
        self.reviewable = is_open.then(|| Arc::new((ball.clone(), InningsFold::clone(innings))));
        Arc::make_mut(innings).apply(ball);
    }

    /// Counts a ball anew, as it was reviewed.
    fn review(&mut self, seq: u64, made: &Reviewed) {
        let (Some(reviewed), Some(innings)) = (self.reviewable.take(), self.innings.last_mut()) else {
            return;
        };
        let (ball, before) = reviewed.as_ref();
        let original = Arc::clone(innings);
        if made.is_upheld() {
            let mut revised = before.clone();
            revised.apply(&Ball { outcome: made.outcome.clone(), ..ball.clone() });
            *innings = Arc::new(revised);
        }
        let entry = ReviewEntry::of(
            self.reviews.len() as u32 + 1,
            seq,
            &self.fixture.created().sheet(made.by).name,
            (ball, made),
            [&original, innings],
        );
        Arc::make_mut(&mut self.reviews).push(entry);
    }

    fn begin_over(&mut self, over: &Over) {
        if self.innings.last().is_none_or(|innings| innings.number != over.innings) {
            let batting = if over.innings % 2 == 1 { self.bats_first } else { self.bats_first.other() };
            self.innings.push(Arc::new(InningsFold::new(over.innings, batting)));
        }
        let openers = over.choices.get("openers").and_then(Value::as_array);
        if let (Some(openers), Some(innings)) = (openers, self.innings.last_mut()) {
            for opener in openers.iter().filter_map(Value::as_str) {
                Arc::make_mut(innings).come_in(opener);
            }
        }
    }

    /// The match.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// When it was created.
    pub fn created_at(&self) -> DateTime<Utc> {
        self.created_at
    }

    /// Everything that was settled before play.
    pub fn created(&self) -> &MatchCreated {
        self.fixture.created()
    }

    /// The last event applied.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The match as its game sees it.
    pub fn fixture(&self) -> &Fixture {
        &self.fixture
    }

    /// What was settled, and what is to be.
    pub fn settled(&self) -> &Settled {
        &self.settled
    }

    /// The balls that stand as the table agreed.
    pub fn exceptions(&self) -> Vec<Exception> {
        let stands = |exception: &&Exception| exception.delivery <= self.fixture.deliveries();
        self.settled.exceptions().iter().filter(stands).cloned().collect()
    }

    /// The last correction that was taken into account, where it came after the head.
    pub fn known_at(&self) -> Option<u64> {
        self.known
    }

    /// Why it was given up, if it was.
    pub fn abandoned_for(&self) -> Option<&str> {
        self.abandoned_for.as_deref()
    }

    /// The reviews that were made, in order.
    pub fn reviews(&self) -> &[ReviewEntry] {
        &self.reviews
    }

    /// The players on a side's sheet who take no part.
    pub fn left_out(&self, side: Side) -> &[String] {
        &self.left_out[side]
    }

    pub(super) fn innings(&self) -> &[Arc<InningsFold>] {
        &self.innings
    }
}
