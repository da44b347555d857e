//! The projection of a match: the aggregate's state, and the folds from which all views are made. Events are
//! applied one by one; a correction needs a `History`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::adjudication::{AdjudicationRecord, AgreedException};
use super::describe::{CommentaryLine, describe};
use super::innings::InningsFold;
use super::reviews::ReviewEntry;
use crate::editions::Editions;
use crate::log::{
    Ball, Correction, Event, EventData, Head, InvalidEvent, MatchCreated, MatchId, Over, Review, Reviewed,
    Subject,
};
use crate::matches::Match;
use crate::scorebook::{BySide, Side};

/// A match folded from its events: the state of the match, and the folds for its views.
#[derive(Clone)]
pub struct MatchProjection {
    match_id: MatchId,
    created_at: DateTime<Utc>,
    head: Head,
    the_match: Match,
    bats_first: Side,
    innings: Vec<Arc<InningsFold>>,
    /// The ball that may be reviewed, and the innings before it.
    reviewable: Option<Arc<(Ball, InningsFold)>>,
    reviews: Arc<Vec<ReviewEntry>>,
    /// The players on the team sheets who were dropped in the set-up, and take no part.
    dropped_players: Arc<BySide<Vec<String>>>,
    abandoned_for: Option<String>,
    adjudication: Arc<AdjudicationRecord>,
    /// The last correction that counts here, where it came after the head.
    known: Option<u64>,
}

impl MatchProjection {
    /// Opens a match with the first event of its log. The edition that the event names is one of those handed
    /// in.
    pub fn open(event: &Event, editions: &Editions) -> Result<MatchProjection, InvalidEvent> {
        if event.seq != 1 {
            return Err(InvalidEvent::new("seq", "a log begins with event 1"));
        }
        Ok(MatchProjection {
            match_id: event.match_id,
            created_at: event.at,
            head: event.head(),
            the_match: Match::from_log(event.match_id, &event.data, editions)?,
            bats_first: Side::Home,
            innings: Vec::new(),
            reviewable: None,
            reviews: Arc::default(),
            dropped_players: Arc::default(),
            abandoned_for: None,
            adjudication: Arc::default(),
            known: None,
        })
    }

    /// Opens a match with the first event of its log, or applies the next, as [`apply`](Self::apply) does.
    pub fn follow(
        projection: &mut Option<MatchProjection>,
        event: &Event,
        editions: &Editions,
    ) -> Result<(), InvalidEvent> {
        match projection {
            Some(projection) => projection.apply(event),
            None => MatchProjection::open(event, editions).map(|opened| *projection = Some(opened)),
        }
    }

    /// Describes the event that was applied last.
    pub fn describe(&self, event: &Event) -> CommentaryLine {
        describe(self.the_match.game(), self.created(), self.innings.last().map(Arc::as_ref), event)
    }

    /// Admits the next event and applies it. An event that cannot follow changes nothing. A correction needs
    /// the log that it corrects, and is for a [`History`](super::History).
    pub fn apply(&mut self, event: &Event) -> Result<(), InvalidEvent> {
        self.follows(event)?;
        self.the_match.replay(&event.data)?;
        self.head.seq = event.seq;
        self.head.hash.clone_from(&event.hash);
        self.fold(event);
        if self.adjudication.concerns(&event.data) {
            Arc::make_mut(&mut self.adjudication).apply(event);
        }
        Ok(())
    }

    /// Checks that an event is the next of the log.
    pub(super) fn follows(&self, event: &Event) -> Result<(), InvalidEvent> {
        let next = self.head.seq + 1;
        if event.seq != next || event.match_id != self.match_id {
            let message = format!("event {next} of match {} is expected", self.match_id);
            return Err(InvalidEvent::new("seq", message));
        }
        if event.prev != self.head.hash {
            return Err(InvalidEvent::new("prev", "is not the hash of the event before"));
        }
        Ok(())
    }

    /// Applies a live event of play once more, without its place in the log.
    pub(super) fn replay(&mut self, event: &Event) -> Result<(), InvalidEvent> {
        self.the_match.replay(&event.data)?;
        self.fold(event);
        Ok(())
    }

    /// The match after a correction; `before` is the match before the void events.
    pub(super) fn corrected<'a>(
        mut self,
        before: MatchProjection,
        event: &Event,
        correction: &Correction,
        voided: impl DoubleEndedIterator<Item = (Subject, bool, Map<String, Value>)> + ExactSizeIterator + 'a,
    ) -> MatchProjection {
        Arc::make_mut(&mut self.adjudication).correct(event, voided);
        MatchProjection {
            head: event.head(),
            the_match: self.the_match.corrected(before.the_match, correction),
            adjudication: self.adjudication,
            known: None,
            ..before
        }
    }

    /// A snapshot of the match for a correction, without what corrections do not take back.
    pub(super) fn bare(&self) -> MatchProjection {
        MatchProjection {
            the_match: self.the_match.without_adjudication(),
            adjudication: Arc::default(),
            ..self.clone()
        }
    }

    /// The match as of an earlier event, with the corrections and disputes that are known now.
    pub(super) fn with_known(self, head: Head, known: u64, now: &MatchProjection) -> MatchProjection {
        let adjudication = Arc::new(now.adjudication.as_of(head.seq));
        MatchProjection { head, known: Some(known), adjudication, ..self }
    }

    fn fold(&mut self, event: &Event) {
        match &event.data {
            EventData::TossDecided(decided) => self.bats_first = decided.bats_first(),
            EventData::Over(over) => self.begin_over(over),
            EventData::SetUp(set_up) => {
                self.dropped_players = Arc::new((self.the_match.game().dropped)(set_up));
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
        let is_open = self.the_match.open_review().is_some();
        let Some(innings) = self.innings.last_mut() else { return };
        self.reviewable = is_open.then(|| Arc::new((ball.clone(), InningsFold::clone(innings))));
        Arc::make_mut(innings).apply(ball);
    }

    /// Counts a ball anew with its outcome after the review.
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
            &self.the_match.created().sheet(made.by).name,
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
        let openers = (self.the_match.game().openers)(over);
        if let (Some(openers), Some(innings)) = (openers, self.innings.last_mut()) {
            openers.iter().for_each(|opener| Arc::make_mut(innings).come_in(opener));
        }
    }

    /// The match's id.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// The time of the match's creation.
    pub fn created_at(&self) -> DateTime<Utc> {
        self.created_at
    }

    /// The settings of the match, from its first event.
    pub fn created(&self) -> &MatchCreated {
        self.the_match.created()
    }

    /// The last event that was applied, and its hash.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The state of the match.
    pub fn the_match(&self) -> &Match {
        &self.the_match
    }

    /// The corrections, disputes and agreed outcomes of the match.
    pub fn adjudication(&self) -> &AdjudicationRecord {
        &self.adjudication
    }

    /// The balls with an outcome that the table agreed on.
    pub fn exceptions(&self) -> Vec<AgreedException> {
        let is_played = |exception: &&AgreedException| exception.delivery <= self.the_match.deliveries();
        self.adjudication.exceptions().iter().filter(is_played).cloned().collect()
    }

    /// The last correction that counts here, where it came after the head.
    pub fn known_at(&self) -> Option<u64> {
        self.known
    }

    /// The reason for the abandonment, if the match was abandoned.
    pub fn abandoned_for(&self) -> Option<&str> {
        self.abandoned_for.as_deref()
    }

    /// The reviews that were made, in order.
    pub fn reviews(&self) -> &[ReviewEntry] {
        &self.reviews
    }

    /// The players on a side's team sheet who were dropped in the set-up, and take no part.
    pub fn dropped_players(&self, side: Side) -> &[String] {
        &self.dropped_players[side]
    }

    pub(super) fn innings(&self) -> &[Arc<InningsFold>] {
        &self.innings
    }
}
