//! The history of a match: a fold of its log that corrections can take back.
//!
//! A history keeps the live events, and a snapshot of the folded state before some of them. A correction goes
//! back to the last snapshot before the first void event, and replays the live events after it.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::Match;
use crate::editions::Editions;
use crate::log::{Event, InvalidEvent, LiveEvent, LiveEvents, Reversal, Subject};
use crate::rules::Disagreement;

/// A state into which the log of a match is folded, and which corrections can take back. `K` is what a
/// history keeps of a live event.
pub trait Reversible<K>: Clone {
    /// A snapshot of the state, without what corrections do not take back.
    fn snapshot(&self) -> Self;

    /// A snapshot, with what corrections since then have said of the play after it.
    fn resumed(self, _now: &Self) -> Self {
        self
    }

    /// The state after a correction; `before` is the state before the events that it has made void.
    fn corrected(self, before: Self, event: &Event, reversal: Reversal<'_>, void: &[LiveEvent<K>]) -> Self;
}

/// What a history keeps of a live event of play, to apply it to a state `S` once more.
pub trait Replayable<S> {
    /// The number of live events from one snapshot to the next: the most that a correction replays.
    const SNAPSHOT_INTERVAL: usize = 64;

    /// Applies the event once more, without its place in the log.
    fn replay_on(&self, state: &mut S) -> Result<(), InvalidEvent>;
}

/// A state into which a whole log is folded, in a history that keeps whole events.
pub trait LogFold: Reversible<Event>
where
    Event: Replayable<Self>,
{
    /// The state after the first event of a log.
    fn open(event: &Event, editions: &Editions) -> Result<Self, InvalidEvent>;

    /// Admits the next event of the log, other than a correction, and applies it.
    fn follow(&mut self, event: &Event) -> Result<(), InvalidEvent>;

    /// Refuses a correction that cannot come next, or that names other events than it may.
    fn admit_correction(
        &self,
        event: &Event,
        reversal: Reversal<'_>,
        live: &LiveEvents<Event>,
    ) -> Result<(), InvalidEvent>;
}

/// A log folded into a state, event by event.
pub struct History<S, K = Event> {
    /// The games and editions with which the log may be read.
    editions: Editions,
    /// The state after the last event; none before the first.
    state: Option<S>,
    live: LiveEvents<K>,
    /// Snapshots of the state, each with the number of live events before it.
    snapshots: Vec<(usize, S)>,
    /// The void events, by their seq.
    voided: BTreeMap<u64, Voided>,
    last_correction: Option<u64>,
}

/// A void event.
#[derive(Debug, Clone, Copy)]
pub struct Voided {
    /// The correction that voided the event.
    pub by: u64,
    /// The subject of the event.
    pub subject: Subject,
    /// The number of deliveries after the event, when it was live.
    pub deliveries: u32,
}

/// The step to the next event, prepared before the state changes.
pub struct HistoryStep<S> {
    seq: u64,
    subject: Option<Subject>,
    shows: bool,
    snapshot: Option<S>,
}

impl<K: Replayable<S>, S: Reversible<K>> History<S, K> {
    /// An empty history of a log that may be read with these games and editions.
    pub fn new(editions: Editions) -> History<S, K> {
        History {
            editions,
            state: None,
            live: LiveEvents::default(),
            snapshots: Vec::new(),
            voided: BTreeMap::new(),
            last_correction: None,
        }
    }

    /// The games and editions with which the log may be read.
    pub fn editions(&self) -> &Editions {
        &self.editions
    }

    /// The state after the last event; none before the first.
    pub fn state(&self) -> Option<&S> {
        self.state.as_ref()
    }

    /// The state after the last event, to be changed by the next one.
    pub fn state_mut(&mut self) -> Option<&mut S> {
        self.state.as_mut()
    }

    /// The state after the last event, when the log is read to its end.
    pub fn into_state(self) -> Option<S> {
        self.state
    }

    /// The live events of play, in order.
    pub fn live(&self) -> &LiveEvents<K> {
        &self.live
    }

    /// The void events up to this one, the last first.
    pub fn voided_up_to(&self, seq: u64) -> impl Iterator<Item = (u64, Voided)> {
        self.voided.range(..=seq).rev().map(|(seq, voided)| (*seq, *voided))
    }

    /// The correction that voids an event; none for a live event.
    pub fn voided_by(&self, seq: u64) -> Option<u64> {
        self.voided.get(&seq).map(|voided| voided.by)
    }

    /// The last correction so far.
    pub fn last_correction(&self) -> Option<u64> {
        self.last_correction
    }

    /// Opens the state with the first event of the log.
    pub fn open(&mut self, opened: S) {
        self.state = Some(opened);
    }

    /// Prepares the step to the next event, other than a correction.
    pub fn step(&self, event: &Event) -> HistoryStep<S> {
        let subject = event.data.subject();
        let live = self.live.events().len();
        let is_due = self.snapshots.last().is_none_or(|(at, _)| live >= at + K::SNAPSHOT_INTERVAL);
        let snapshot = self.state.as_ref().filter(|_| subject.is_some() && is_due).map(S::snapshot);
        HistoryStep { seq: event.seq, subject, shows: event.data.shows(), snapshot }
    }

    /// Makes a step, after the event was applied to the state; `kept` is what is kept of the event.
    pub fn keep(&mut self, step: HistoryStep<S>, kept: K) {
        let HistoryStep { seq, subject: Some(subject), shows, snapshot } = step else { return };
        self.snapshots.extend(snapshot.map(|before| (self.live.events().len(), before)));
        self.live.push(seq, subject, shows, kept);
    }

    /// Goes back to before the first event that a correction voids, and returns the void events. A
    /// restoration need not void any.
    pub fn correct(
        &mut self,
        event: &Event,
        reversal: Reversal<'_>,
    ) -> Result<Vec<LiveEvent<K>>, InvalidEvent> {
        let live = self.live.before(reversal.voids_from_seq());
        let before = self.state_after(live)?;
        let void = self.live.void(reversal.voids_from_seq());
        if void.is_empty() && reversal.restores().is_none() {
            return Err(no_live_event());
        }
        self.snapshots.retain(|(at, _)| *at <= live);
        let delivery_of = |live: &LiveEvent<K>| match live.subject {
            Subject::Ball { delivery } => Some(delivery),
            _ => None,
        };
        let mut deliveries = self.live.events().iter().rev().find_map(delivery_of).unwrap_or(0);
        for live in &void {
            deliveries = delivery_of(live).unwrap_or(deliveries);
            self.voided.insert(live.seq, Voided { by: event.seq, subject: live.subject, deliveries });
        }
        self.last_correction = Some(event.seq);
        self.state = self.state.take().map(|state| state.corrected(before, event, reversal, &void));
        Ok(void)
    }

    /// The state before the first event of play, which no correction changes.
    pub fn before_play(&self) -> Option<&S> {
        self.snapshots.first().map(|(_, state)| state)
    }

    /// The state after this number of the live events, replayed from the last snapshot before.
    pub fn state_after(&self, live: usize) -> Result<S, InvalidEvent> {
        let up_to = self.snapshots.partition_point(|(at, _)| *at <= live);
        let (at, snapshot) = self.snapshots[..up_to].last().cloned().ok_or_else(no_live_event)?;
        let mut state = match &self.state {
            Some(now) => snapshot.resumed(now),
            None => snapshot,
        };
        for event in self.live.events().iter().take(live).skip(at) {
            event.kept.replay_on(&mut state)?;
        }
        Ok(state)
    }
}

fn no_live_event() -> InvalidEvent {
    InvalidEvent::new("data.voids_from_seq", "there is no live event from there on")
}

impl<S: LogFold> History<S>
where
    Event: Replayable<S>,
{
    /// Reads the next event of the log, and returns the state after it. An event that cannot follow changes
    /// nothing.
    pub fn follow(&mut self, event: Event) -> Result<&S, InvalidEvent> {
        let step = self.step(&event);
        match (&mut self.state, event.data.reversal()) {
            (None, _) => self.state = Some(S::open(&event, &self.editions)?),
            (Some(state), Some(reversal)) => {
                state.admit_correction(&event, reversal, &self.live)?;
                self.correct(&event, reversal)?;
            }
            (Some(state), None) => {
                state.follow(&event)?;
                self.keep(step, event);
            }
        }
        self.state.as_ref().ok_or_else(no_live_event)
    }
}

impl<K> Reversible<K> for Match {
    fn snapshot(&self) -> Match {
        self.without_adjudication()
    }

    fn resumed(self, now: &Match) -> Match {
        Match::resumed(self, now)
    }

    fn corrected(self, before: Match, _: &Event, reversal: Reversal<'_>, _: &[LiveEvent<K>]) -> Match {
        Match::corrected(self, before, reversal)
    }
}

impl Replayable<Match> for Event {
    fn replay_on(&self, the_match: &mut Match) -> Result<(), InvalidEvent> {
        the_match.replay(&self.data)
    }
}

impl LogFold for Match {
    fn open(event: &Event, editions: &Editions) -> Result<Match, InvalidEvent> {
        Match::from_log(event.match_id, &event.data, editions)
    }

    fn follow(&mut self, event: &Event) -> Result<(), InvalidEvent> {
        self.replay(&event.data)
    }

    fn admit_correction(
        &self,
        _: &Event,
        reversal: Reversal<'_>,
        live: &LiveEvents<Event>,
    ) -> Result<(), InvalidEvent> {
        self.adjudication().check_correction(reversal, live).map_err(Disagreement::into_invalid)
    }
}

/// The key of the delivery that has this number at the end of a log. It keeps the key whatever number it has.
pub fn delivery_key(log: &[Event], editions: &Editions, delivery: u32) -> Result<u32, (u64, InvalidEvent)> {
    let moves = |event: &Event| event.data.reversal().is_some_and(|made| made.cascade().is_some());
    if !log.iter().any(moves) {
        return Ok(delivery);
    }
    let mut history: History<Match> = History::new(editions.clone());
    for event in log {
        history.follow(event.clone()).map_err(|invalid| (event.seq, invalid))?;
    }
    Ok(history.state().map_or(delivery, |the_match| the_match.adjudication().numbers().key(delivery)))
}
