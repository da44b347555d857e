//! A match in memory: the state that commands are decided on, and beside it the projection that views read.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::adjudication::{AgreedException, Compared};
use super::correction_difference::{BallInWords, CorrectionDifference};
use super::describe::{CommentaryLine, describe, describe_ball};
use super::{AdjudicationRecord, IssuedTokens, MatchProjection};
use crate::editions::Editions;
use crate::log::{
    AdjudicationEvent, DeliveryPlace, Event, EventData, EventFamily, Head, InvalidEvent, LiveEvent,
    LiveEvents, MatchCreated, MatchId, Reversal,
};
use crate::matches::{LogFold, MadeChoices, Match, Replayable, Reversible};
use crate::rules::{Disagreement, ResultView};

/// A match folded from its log: its state, and the projection of its events for views.
#[derive(Clone)]
pub struct LoadedMatch {
    created_at: DateTime<Utc>,
    /// The time of the last event that was applied.
    last_at: DateTime<Utc>,
    head: Head,
    the_match: Match,
    projection: MatchProjection,
    adjudication: Arc<AdjudicationRecord>,
    issued: IssuedTokens,
    /// The last correction that counts here, where it came after the head.
    known: Option<u64>,
}

/// What the match before an event tells of it for the adjudication.
struct SeenBefore {
    /// The choices of the event, where they are compared with void ones.
    compared: Option<Compared>,
    /// The event in words, where it is the ball in the place of an amended one.
    in_place_of_amended: Option<BallInWords>,
}

impl LoadedMatch {
    /// Opens a match with the first event of its log. The edition that the event names is one of those handed
    /// in.
    pub fn open(event: &Event, editions: &Editions) -> Result<LoadedMatch, InvalidEvent> {
        if event.seq != 1 {
            return Err(InvalidEvent::new("seq", "a log begins with event 1"));
        }
        let mut issued = IssuedTokens::default();
        issued.apply(event);
        Ok(LoadedMatch {
            created_at: event.at,
            last_at: event.at,
            head: event.head(),
            the_match: Match::from_log(event.match_id, &event.data, editions)?,
            projection: MatchProjection::default(),
            adjudication: Arc::default(),
            issued,
            known: None,
        })
    }

    /// Opens a match with the first event of its log, or goes on with the next, as
    /// [`follow`](LogFold::follow) does.
    pub fn open_or_follow(
        loaded: &mut Option<LoadedMatch>,
        event: &Event,
        editions: &Editions,
    ) -> Result<(), InvalidEvent> {
        match loaded {
            Some(loaded) => loaded.follow(event),
            None => LoadedMatch::open(event, editions).map(|opened| *loaded = Some(opened)),
        }
    }

    /// The match after events that were decided on it, and `after`, the match that the decision came to: the
    /// events are not decided or replayed again.
    pub fn append(&self, events: &[&Event], after: Match) -> LoadedMatch {
        debug_assert!(self.replays_to(events, &after), "a replay of decided events gives another match");
        let mut loaded = self.clone();
        for (i, event) in events.iter().enumerate() {
            // An event in the midst of a decision does not wait for a review: the next one has answered it.
            let is_open = i + 1 == events.len() && after.reviews().open().is_some();
            let compared = loaded.compared_after(&events[..i], event);
            loaded.go_on(event, is_open, SeenBefore { compared, in_place_of_amended: None });
        }
        LoadedMatch { the_match: after, ..loaded }
    }

    /// The choices of an event that was decided after these, where they are compared with void ones.
    fn compared_after(&self, decided: &[&Event], event: &Event) -> Option<Compared> {
        if self.adjudication.compares_nothing() {
            return None;
        }
        if decided.is_empty() {
            return self.adjudication.compared(&self.the_match, &event.data);
        }
        let mut before = self.the_match.clone();
        decided.iter().try_for_each(|event| before.replay(&event.data)).ok()?;
        self.adjudication.compared(&before, &event.data)
    }

    /// Whether a replay of events comes to this match.
    fn replays_to(&self, events: &[&Event], after: &Match) -> bool {
        let mut replayed = self.the_match.clone();
        events.iter().all(|event| replayed.replay(&event.data).is_ok()) && replayed == *after
    }

    /// Goes on with the next event, which the match has applied; `is_open` says whether its decision waits
    /// for a review, and `seen` is what the match before it tells of it.
    fn go_on(&mut self, event: &Event, is_open: bool, seen: SeenBefore) {
        self.last_at = event.at;
        self.head.seq = event.seq;
        self.head.hash.clone_from(&event.hash);
        self.issued.apply(event);
        self.projection.apply(event, self.the_match.play().info(), is_open);
        if seen.compared.is_some() || self.adjudication.concerns(&event.data) {
            let adjudication = Arc::make_mut(&mut self.adjudication);
            adjudication.apply(event, seen.compared, self.projection.places());
            adjudication.date(event);
        }
        if self.adjudication.differs_with(event) {
            let adjudication = Arc::make_mut(&mut self.adjudication);
            adjudication.go_on_differing(event, seen.in_place_of_amended, &self.projection);
        }
        let adjudication = self.the_match.adjudication();
        if matches!(event.data, EventData::Ball(_)) && self.adjudication.moves_with(adjudication) {
            Arc::make_mut(&mut self.adjudication).renumber(self.the_match.adjudication());
        }
    }

    /// Checks that an event is the next of the log.
    fn check_next(&self, event: &Event) -> Result<(), InvalidEvent> {
        let next = self.head.seq + 1;
        if event.seq != next || event.match_id != self.match_id() {
            let message = format!("event {next} of match {} is expected", self.match_id());
            return Err(InvalidEvent::new("seq", message));
        }
        if event.prev != self.head.hash {
            return Err(InvalidEvent::new("prev", "is not the hash of the event before"));
        }
        Ok(())
    }

    /// Describes the event that was applied last.
    pub fn describe(&self, event: &Event) -> CommentaryLine {
        let innings = self.projection.innings().last().map(Arc::as_ref);
        let play = self.the_match.play();
        let delivery = self.delivery_of(event);
        describe(play.info().game, |ball| play.cards_of(ball), self.created(), innings, delivery, event)
    }

    /// The delivery that the event that was applied last is about, with its place.
    fn delivery_of(&self, event: &Event) -> Option<(u32, Option<DeliveryPlace>)> {
        if let Some(delivery) = event.data.delivery() {
            return Some((delivery, self.projection.places().place_of_begun(delivery)));
        }
        match event.data.family() {
            EventFamily::Adjudication(AdjudicationEvent::Dispute(_)) => {
                let dispute = self.adjudication.disputes().last()?;
                Some((dispute.delivery, dispute.place.clone()))
            }
            EventFamily::Adjudication(
                AdjudicationEvent::Correction(_)
                | AdjudicationEvent::Restoration(_)
                | AdjudicationEvent::CorrectionProposed(_),
            ) => {
                let correction = self.adjudication.corrections().last()?;
                Some((correction.delivery()?, correction.place.clone()))
            }
            EventFamily::Adjudication(
                AdjudicationEvent::CorrectionConsented(_) | AdjudicationEvent::DisputeRuled(_),
            )
            | EventFamily::Lifecycle(_)
            | EventFamily::Play(_)
            | EventFamily::Remote(_)
            | EventFamily::Review(_) => None,
        }
    }

    /// The commentary's sentence on the last delivery, with its outcome after a review.
    pub fn describe_last_delivery(&self) -> Option<String> {
        let ball = &self.projection.last_over().last()?.ball;
        let innings = self.projection.innings().iter().find(|fold| fold.number == ball.innings);
        let play = self.the_match.play();
        Some(describe_ball(play.info().game, |ball| play.cards_of(ball), ball, innings.map(Arc::as_ref)))
    }

    /// The match as of an earlier event, with the corrections and disputes that are known now.
    pub(super) fn with_known(self, head: Head, known: u64, now: &LoadedMatch) -> LoadedMatch {
        let adjudication = Arc::new(now.adjudication.as_of(head.seq));
        LoadedMatch { head, known: Some(known), adjudication, ..self }
    }

    /// The match's id.
    pub fn match_id(&self) -> MatchId {
        self.the_match.play().info().match_id
    }

    /// The time of the match's creation.
    pub fn created_at(&self) -> DateTime<Utc> {
        self.created_at
    }

    /// The time of the last event that was applied.
    pub fn last_at(&self) -> DateTime<Utc> {
        self.last_at
    }

    /// The settings of the match, from its first event.
    pub fn created(&self) -> &MatchCreated {
        &self.the_match.play().info().created
    }

    /// The result in words, once the match is completed.
    pub fn result(&self) -> Option<ResultView> {
        let result = self.the_match.play().result()?;
        Some(ResultView::of(self.created(), result))
    }

    /// The last event that was applied, and its hash.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The state of the match.
    pub fn the_match(&self) -> &Match {
        &self.the_match
    }

    /// The projection of the events of play.
    pub fn projection(&self) -> &MatchProjection {
        &self.projection
    }

    /// The corrections, disputes and agreed outcomes of the match.
    pub fn adjudication(&self) -> &AdjudicationRecord {
        &self.adjudication
    }

    /// The events that issued the tokens of the match.
    pub fn issued_tokens(&self) -> &IssuedTokens {
        &self.issued
    }

    /// The balls with an outcome that the table agreed on.
    pub fn exceptions(&self) -> impl Iterator<Item = &AgreedException> + Clone {
        let deliveries = self.the_match.play().deliveries();
        self.adjudication.exceptions().iter().filter(move |exception| exception.delivery <= deliveries)
    }

    /// The last correction that counts here, where it came after the head.
    pub fn known_at(&self) -> Option<u64> {
        self.known
    }
}

impl Replayable<LoadedMatch> for Event {
    fn replay_on(&self, loaded: &mut LoadedMatch) -> Result<(), InvalidEvent> {
        loaded.the_match.replay(&self.data)?;
        let is_open = loaded.the_match.reviews().open().is_some();
        loaded.projection.apply(self, loaded.the_match.play().info(), is_open);
        Ok(())
    }
}

impl Reversible<Event> for LoadedMatch {
    fn snapshot(&self) -> LoadedMatch {
        let the_match = self.the_match.without_adjudication();
        LoadedMatch { the_match, adjudication: Arc::default(), ..self.clone() }
    }

    fn resumed(self, now: &LoadedMatch) -> LoadedMatch {
        let the_match = self.the_match.resumed(&now.the_match);
        LoadedMatch { the_match, ..self }
    }

    fn corrected(
        mut self,
        before: LoadedMatch,
        event: &Event,
        reversal: Reversal<'_>,
        void: &[LiveEvent<Event>],
    ) -> LoadedMatch {
        let voided = voided_choices(before.the_match.clone(), void);
        let difference =
            CorrectionDifference::of(&self.projection, &before.the_match, (event, reversal), void);
        let numbers = self.the_match.adjudication();
        let before_it = (self.projection.places(), numbers.numbers());
        let adjudication = Arc::make_mut(&mut self.adjudication);
        adjudication.correct(event, voided, before_it);
        adjudication.differ(event.at, difference, &before.projection);
        self.issued.apply(event);
        LoadedMatch {
            last_at: event.at,
            head: event.head(),
            the_match: self.the_match.corrected(before.the_match, reversal),
            adjudication: self.adjudication,
            issued: self.issued,
            known: None,
            ..before
        }
    }
}

impl LogFold for LoadedMatch {
    fn open(event: &Event, editions: &Editions) -> Result<LoadedMatch, InvalidEvent> {
        LoadedMatch::open(event, editions)
    }

    fn follow(&mut self, event: &Event) -> Result<(), InvalidEvent> {
        self.check_next(event)?;
        let seen = SeenBefore {
            compared: self.adjudication.compared(&self.the_match, &event.data),
            in_place_of_amended: self.adjudication.in_place_of_amended(&self.the_match, event),
        };
        self.the_match.replay(&event.data)?;
        let is_open = self.the_match.reviews().open().is_some();
        self.go_on(event, is_open, seen);
        Ok(())
    }

    fn admit_correction(
        &self,
        event: &Event,
        reversal: Reversal<'_>,
        live: &LiveEvents<Event>,
    ) -> Result<(), InvalidEvent> {
        self.check_next(event)?;
        let checked = self.the_match.adjudication().check_correction(reversal, live);
        checked.map_err(Disagreement::into_invalid)
    }
}

/// The choices of void events; `before` is the match before the first of them.
fn voided_choices(mut before: Match, void: &[LiveEvent<Event>]) -> Vec<LiveEvent<MadeChoices>> {
    let choices = |live: &LiveEvent<Event>| {
        let Event { data, .. } = &live.kept;
        let made = MadeChoices::of(&before, live.subject, data.chosen(), data.faces());
        // It was live, so it can follow.
        let replayed = before.replay(data);
        debug_assert!(replayed.is_ok(), "event {} does not replay: {replayed:?}", live.seq);
        LiveEvent { seq: live.seq, subject: live.subject, shows: live.shows, kept: made }
    };
    void.iter().map(choices).collect()
}
