use std::collections::BTreeMap;

use super::changed_choices::chosen;
use super::projection::MatchProjection;
use crate::editions::Editions;
use crate::log::{Correction, Event, EventData, InvalidEvent, LiveEvents, Subject};
use crate::rules::Disagreement;

/// How many events of play are folded again at the most when one is taken back.
const APART: usize = 64;

/// A log that is read event by event: what stands of it, folded.
#[derive(Default)]
pub struct History {
    /// The editions that the log may be read with.
    editions: Editions,
    projection: Option<MatchProjection>,
    standing: LiveEvents<Event>,
    /// The book as it was when so many events of play stood.
    earlier: Vec<(usize, MatchProjection)>,
    /// What does not stand any more.
    struck: BTreeMap<u64, Struck>,
    last_correction: Option<u64>,
}

/// An event that was taken back.
struct Struck {
    by: u64,
    moment: Subject,
    /// How many deliveries stood after it.
    deliveries: u32,
}

impl History {
    /// A reading of a log that may be read with these editions.
    pub fn new(editions: Editions) -> History {
        History { editions, ..History::default() }
    }

    /// Reads the next event; the book after it. An event that cannot follow changes nothing.
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
        let moment = event.data.subject();
        let stood = self.standing.events().len();
        let is_due = self.earlier.last().is_none_or(|(at, _)| stood >= at + APART);
        let before = (moment.is_some() && is_due).then(|| projection.bare());
        projection.apply(&event)?;
        self.earlier.extend(before.map(|before| (stood, before)));
        if let Some(moment) = moment {
            self.standing.push(event.seq, moment, event.data.shows(), event);
        }
        Ok(())
    }

    /// Takes back what a correction says, and folds again what stands.
    fn correct(
        &mut self,
        projection: MatchProjection,
        event: &Event,
        correction: &Correction,
    ) -> (MatchProjection, Result<(), InvalidEvent>) {
        let check = |projection: &MatchProjection| {
            projection.follows(event)?;
            let checked = projection.the_match().check_correction(correction, &self.standing);
            checked.map_err(Disagreement::into_invalid)?;
            self.fold_again(self.standing.before(correction.voids_from_seq))
        };
        let before = match check(&projection) {
            Err(broken) => return (projection, Err(broken)),
            Ok(before) => before,
        };
        let void = self.standing.void(correction.voids_from_seq);
        let stood = self.standing.events().len();
        self.earlier.retain(|(at, _)| *at <= stood);
        let mut deliveries = before.the_match().deliveries();
        for stood in &void {
            if let Subject::Ball { delivery } = stood.subject {
                deliveries = delivery;
            }
            self.struck.insert(stood.seq, Struck { by: event.seq, moment: stood.subject, deliveries });
        }
        self.last_correction = Some(event.seq);
        let voided = void.iter().map(|stood| (stood.subject, stood.shows, chosen(&stood.kept.data)));
        (projection.corrected(before, event, correction, voided), Ok(()))
    }

    /// The book as it was when only so many of the events stood that do.
    fn fold_again(&self, stood: usize) -> Result<MatchProjection, InvalidEvent> {
        let from = self.earlier.iter().rev().find(|(at, _)| *at <= stood);
        let Some((at, projection)) = from else {
            return Err(InvalidEvent::new("data.voids_from_seq", "nothing of play stands"));
        };
        let mut projection = projection.clone();
        for stood in &self.standing.events()[*at..stood] {
            projection.fold_again(&stood.kept)?;
        }
        Ok(projection)
    }

    /// The book after the last event.
    pub fn projection(&self) -> Option<&MatchProjection> {
        self.projection.as_ref()
    }

    /// The same, when all is read.
    pub fn into_projection(self) -> Option<MatchProjection> {
        self.projection
    }

    /// The correction that has taken an event back, if one has.
    pub fn voided_by(&self, seq: u64) -> Option<u64> {
        self.struck.get(&seq).map(|struck| struck.by)
    }

    /// The events of play that stand, in order.
    pub fn live_events(&self) -> &LiveEvents<Event> {
        &self.standing
    }

    /// What the book says now about the match as it stood after an earlier event. `then` is the book as it was at the time.
    ///
    /// Where that event is void, what was played in its place counts, as far as it has been.
    pub fn about(&self, then: MatchProjection) -> Result<MatchProjection, InvalidEvent> {
        let at = then.head().seq;
        let known = self.last_correction.filter(|correction| *correction > at);
        let (Some(known), Some(now)) = (known, &self.projection) else { return Ok(then) };
        let first = self.earlier.first().map_or(u64::MAX, |(_, projection)| projection.head().seq);
        // Corrections concern play, and before the first of it there was none.
        if at <= first {
            return Ok(then);
        }
        let about = self.fold_again(self.stood_after(at))?;
        Ok(about.known(then.head().clone(), known, now))
    }

    /// How many of the events that stand tell of the match up to an event.
    fn stood_after(&self, at: u64) -> usize {
        let stood = self.standing.events();
        let up_to = |seq: u64| stood.partition_point(|stood| stood.seq <= seq);
        // What is not of play is about the moment of the event of play before it, of those that stood then.
        let mut struck_since = self.struck.range(..=at).rev().filter(|(_, struck)| struck.by > at);
        let Some((seq, struck)) = struck_since.next() else { return up_to(at) };
        if up_to(at).checked_sub(1).is_some_and(|last| stood[last].seq > *seq) {
            return up_to(at);
        }
        let again = |moment| stood.iter().rposition(|stood| stood.subject == moment).map(|place| place + 1);
        let last_ball = || again(Subject::Ball { delivery: struck.deliveries });
        match struck.moment {
            Subject::Choice | Subject::Abandoned => last_ball(),
            // Where the match ends with the same ball now, it had ended.
            Subject::Completed => last_ball().map(|place| match stood.get(place) {
                Some(next) if next.subject == Subject::Completed => place + 1,
                _ => place,
            }),
            moment => again(moment).or_else(last_ball),
        }
        .unwrap_or_else(|| match struck.deliveries {
            0 => stood.iter().take_while(|stood| !matches!(stood.subject, Subject::Over { .. })).count(),
            _ => stood.len(),
        })
    }
}
