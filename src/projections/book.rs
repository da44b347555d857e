use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::innings::InningsFold;
use super::telling::{CommentaryLine, tell};
use crate::games::Fixture;
use crate::log::{Broken, Event, EventData, Head, MatchCreated, MatchId, Over};
use crate::scorebook::Side;

/// A match folded from its events: the game's state, and what readers want to know.
#[derive(Clone)]
pub struct Book {
    match_id: MatchId,
    created_at: DateTime<Utc>,
    head: Head,
    fixture: Fixture,
    bats_first: Side,
    innings: Vec<Arc<InningsFold>>,
    abandoned_for: Option<String>,
}

impl Book {
    /// Opens the book with the first event of a log.
    pub fn open(event: &Event) -> Result<Book, Broken> {
        if event.seq != 1 {
            return Err(Broken::new("seq", "a log begins with event 1"));
        }
        Ok(Book {
            match_id: event.match_id,
            created_at: event.at,
            head: event.head(),
            fixture: Fixture::from_log(event.match_id, &event.data)?,
            bats_first: Side::Home,
            innings: Vec::new(),
            abandoned_for: None,
        })
    }

    /// Opens the book with the first event of a log, or applies the next; the book after it.
    pub fn follow<'a>(book: &'a mut Option<Book>, event: &Event) -> Result<&'a Book, Broken> {
        match book {
            Some(book) => {
                book.apply(event)?;
                Ok(book)
            }
            None => Ok(book.insert(Book::open(event)?)),
        }
    }

    /// Tells the event that was applied last.
    pub fn tell(&self, event: &Event) -> CommentaryLine {
        tell(self.created(), self.innings.last().map(Arc::as_ref), event)
    }

    /// Admits the next event and applies it. An event that cannot follow changes nothing.
    pub fn apply(&mut self, event: &Event) -> Result<(), Broken> {
        let due = self.head.seq + 1;
        if event.seq != due || event.match_id != self.match_id {
            return Err(Broken::new("seq", format!("event {due} of match {} is due", self.match_id)));
        }
        if event.prev != self.head.hash {
            return Err(Broken::new("prev", "is not the hash of the event before"));
        }
        self.fixture.replay(&event.data)?;
        self.head.seq = event.seq;
        self.head.hash.clone_from(&event.hash);
        self.fold(&event.data);
        Ok(())
    }

    fn fold(&mut self, data: &EventData) {
        match data {
            EventData::TossDecided(decided) => self.bats_first = decided.bats_first(),
            EventData::Over(over) => self.begin_over(over),
            EventData::Ball(ball) => {
                if let Some(innings) = self.innings.last_mut() {
                    Arc::make_mut(innings).apply(ball);
                }
            }
            EventData::MatchCreated(_)
            | EventData::Toss(_)
            | EventData::MatchCompleted(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_) => {}
            EventData::MatchAbandoned(abandoned) => self.abandoned_for = Some(abandoned.reason.clone()),
        }
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

    /// Why it was given up, if it was.
    pub fn abandoned_for(&self) -> Option<&str> {
        self.abandoned_for.as_deref()
    }

    pub(super) fn innings(&self) -> &[Arc<InningsFold>] {
        &self.innings
    }
}
