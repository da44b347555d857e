//! The fold of a log into a match that corrections can take back: it keeps the live events and a snapshot
//! every few of them, and replays from a snapshot when a correction voids play or a reader asks for an
//! earlier state.

use std::collections::BTreeMap;

use super::changed_choices::chosen;
use super::projection::MatchProjection;
use crate::editions::Editions;
use crate::log::{Correction, Event, EventData, InvalidEvent, LiveEvents, Subject};
use crate::rules::Disagreement;

/// The number of events of play between two snapshots: the most that a correction replays.
const SNAPSHOT_INTERVAL: usize = 64;

/// A log read event by event, with its live events folded into a match.
#[derive(Default)]
pub struct History {
    /// The editions that the log may be read with.
    editions: Editions,
    projection: Option<MatchProjection>,
    live_events: LiveEvents<Event>,
    /// Snapshots of the match, each with the number of live events before it.
    snapshots: Vec<(usize, MatchProjection)>,
    /// The void events, by their seq.
    voided: BTreeMap<u64, Voided>,
    last_correction: Option<u64>,
}

/// A void event.
struct Voided {
    /// The correction that voided it.
    by: u64,
    subject: Subject,
    /// The number of deliveries after the event, when it was live.
    deliveries: u32,
}

impl History {
    /// An empty history of a log that may be read with these editions.
    pub fn new(editions: Editions) -> History {
        History { editions, ..History::default() }
    }

    /// Reads the next event, and returns the match after it. An event that cannot follow changes nothing.
    pub fn follow(&mut self, event: Event) -> Result<&MatchProjection, InvalidEvent> {
        let (projection, done) = match (self.projection.take(), &event.data) {
            (None, _) => (MatchProjection::open(&event, &self.editions)?, Ok(())),
            (Some(projection), EventData::Correction(correction)) => {
                self.correct(projection, &event, correction)
            }
            (Some(mut projection), _) => {
                let done = self.follow_on(&mut projection, event);
                (projection, done)
            }
        };
        let projection = self.projection.insert(projection);
        done.map(|()| &*projection)
    }

    fn follow_on(&mut self, projection: &mut MatchProjection, event: Event) -> Result<(), InvalidEvent> {
        let subject = event.data.subject();
        let live = self.live_events.events().len();
        let needs_snapshot = self.snapshots.last().is_none_or(|(at, _)| live >= at + SNAPSHOT_INTERVAL);
        let before = (subject.is_some() && needs_snapshot).then(|| projection.bare());
        projection.apply(&event)?;
        self.snapshots.extend(before.map(|before| (live, before)));
        if let Some(subject) = subject {
            self.live_events.push(event.seq, subject, event.data.shows(), event);
        }
        Ok(())
    }

    /// Voids the events that a correction names, and replays the match to before them.
    fn correct(
        &mut self,
        projection: MatchProjection,
        event: &Event,
        correction: &Correction,
    ) -> (MatchProjection, Result<(), InvalidEvent>) {
        let check = |projection: &MatchProjection| {
            projection.follows(event)?;
            let checked = projection.the_match().check_correction(correction, &self.live_events);
            checked.map_err(Disagreement::into_invalid)?;
            self.replay_to(self.live_events.before(correction.voids_from_seq))
        };
        let before = match check(&projection) {
            Err(broken) => return (projection, Err(broken)),
            Ok(before) => before,
        };
        let void = self.live_events.void(correction.voids_from_seq);
        let live = self.live_events.events().len();
        self.snapshots.retain(|(at, _)| *at <= live);
        let mut deliveries = before.the_match().deliveries();
        for voided in &void {
            if let Subject::Ball { delivery } = voided.subject {
                deliveries = delivery;
            }
            self.voided.insert(voided.seq, Voided { by: event.seq, subject: voided.subject, deliveries });
        }
        self.last_correction = Some(event.seq);
        let voided = void.iter().map(|voided| (voided.subject, voided.shows, chosen(&voided.kept.data)));
        (projection.corrected(before, event, correction, voided), Ok(()))
    }

    /// The match after this number of its live events, replayed from the last snapshot before.
    fn replay_to(&self, live: usize) -> Result<MatchProjection, InvalidEvent> {
        let from = self.snapshots.iter().rev().find(|(at, _)| *at <= live);
        let Some((at, projection)) = from else {
            return Err(InvalidEvent::new("data.voids_from_seq", "there is no live event of play"));
        };
        let mut projection = projection.clone();
        for event in &self.live_events.events()[*at..live] {
            projection.replay(&event.kept)?;
        }
        Ok(projection)
    }

    /// The match after the last event.
    pub fn projection(&self) -> Option<&MatchProjection> {
        self.projection.as_ref()
    }

    /// The match after the last event, when the log is read to its end.
    pub fn into_projection(self) -> Option<MatchProjection> {
        self.projection
    }

    /// The seq of the correction that voids an event; none for a live event.
    pub fn voided_by(&self, seq: u64) -> Option<u64> {
        self.voided.get(&seq).map(|voided| voided.by)
    }

    /// The live events of play, in order.
    pub fn live_events(&self) -> &LiveEvents<Event> {
        &self.live_events
    }

    /// The match as of an earlier event, with all corrections that the history knows. `then` is the match
    /// when that event was appended.
    ///
    /// Where that event is void, the play in its place counts, as far as it has come.
    pub fn as_of(&self, then: MatchProjection) -> Result<MatchProjection, InvalidEvent> {
        let at = then.head().seq;
        let known = self.last_correction.filter(|correction| *correction > at);
        let (Some(known), Some(now)) = (known, &self.projection) else { return Ok(then) };
        let first = self.snapshots.first().map_or(u64::MAX, |(_, projection)| projection.head().seq);
        // Corrections void play, so nothing changes before the first event of play.
        if at <= first {
            return Ok(then);
        }
        let projection = self.replay_to(self.live_up_to(at))?;
        Ok(projection.with_known(then.head().clone(), known, now))
    }

    /// The number of live events that give the match as of an event, which may be void itself.
    fn live_up_to(&self, at: u64) -> usize {
        let live = self.live_events.events();
        let up_to = |seq: u64| live.partition_point(|event| event.seq <= seq);
        // An event that is not of play is read as the last event of play before it that was live then.
        let mut voided_since = self.voided.range(..=at).rev().filter(|(_, voided)| voided.by > at);
        let Some((seq, voided)) = voided_since.next() else { return up_to(at) };
        if up_to(at).checked_sub(1).is_some_and(|last| live[last].seq > *seq) {
            return up_to(at);
        }
        let after = |subject| live.iter().rposition(|event| event.subject == subject).map(|place| place + 1);
        let after_last_ball = || after(Subject::Ball { delivery: voided.deliveries });
        match voided.subject {
            Subject::Choice | Subject::Abandoned => after_last_ball(),
            // Where the match still ends with this ball, its end counts as well.
            Subject::Completed => after_last_ball().map(|place| match live.get(place) {
                Some(next) if next.subject == Subject::Completed => place + 1,
                _ => place,
            }),
            subject => after(subject).or_else(after_last_ball),
        }
        .unwrap_or_else(|| match voided.deliveries {
            0 => live.iter().take_while(|event| !matches!(event.subject, Subject::Over { .. })).count(),
            _ => live.len(),
        })
    }
}
