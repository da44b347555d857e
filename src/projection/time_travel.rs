//! Time travel: a match as of an earlier event, with the corrections that are known now.

use super::LoadedMatch;
use crate::log::{InvalidEvent, Subject};
use crate::matches::History;

impl History<LoadedMatch> {
    /// The match as of an earlier event, with all corrections that the history knows. `then` is the match
    /// when that event was appended.
    ///
    /// Where that event is void, the play in its place counts, as far as it has come.
    pub fn as_of(&self, then: LoadedMatch) -> Result<LoadedMatch, InvalidEvent> {
        let at = then.head().seq;
        let known = self.last_correction().filter(|correction| *correction > at);
        let (Some(known), Some(now)) = (known, self.state()) else { return Ok(then) };
        let first = self.before_play().map_or(u64::MAX, |loaded| loaded.head().seq);
        // Corrections void play, so nothing changes before the first event of play.
        if at <= first {
            return Ok(then);
        }
        let loaded = self.state_after(self.live_up_to(at, Some(&then)))?;
        Ok(loaded.with_known(then.head().clone(), known, now))
    }

    /// The last live event of play that counts in the match as of an event; 0 where none does. `then` is the
    /// match when that event was appended.
    pub fn last_live_up_to(&self, at: u64, then: Option<&LoadedMatch>) -> u64 {
        let live = self.live_up_to(at, then).checked_sub(1).and_then(|last| self.live().events().get(last));
        live.map_or(0, |event| event.seq)
    }

    /// The number of live events that give the match as of an event, which may be void itself.
    fn live_up_to(&self, at: u64, then: Option<&LoadedMatch>) -> usize {
        let live = self.live().events();
        let up_to = |seq: u64| live.partition_point(|event| event.seq <= seq);
        // An event that is not of play is read as the last event of play before it that was live then.
        let mut voided_since = self.voided_up_to(at).filter(|(_, voided)| voided.by > at);
        let Some((seq, voided)) = voided_since.next() else { return up_to(at) };
        if up_to(at).checked_sub(1).is_some_and(|last| live[last].seq > seq) {
            return up_to(at);
        }
        let after = |subject| live.iter().rposition(|event| event.subject == subject).map(|place| place + 1);
        let after_last_ball = || after(Subject::Ball { delivery: self.stands_for(voided.deliveries, then) });
        match voided.subject {
            Subject::Choice | Subject::Abandoned => after_last_ball(),
            // Where the match still ends with this ball, its end counts as well.
            Subject::Completed => after_last_ball().map(|place| match live.get(place) {
                Some(next) if next.subject == Subject::Completed => place + 1,
                _ => place,
            }),
            subject => {
                let stands = subject.with_delivery(|delivery| self.stands_for(delivery, then));
                after(stands).or_else(after_last_ball)
            }
        }
        .unwrap_or_else(|| match self.stands_for(voided.deliveries, then) {
            0 => live.iter().take_while(|event| !matches!(event.subject, Subject::Over { .. })).count(),
            _ => live.len(),
        })
    }

    /// The number that a delivery of an earlier match has now; where it does not stand any more, that of the
    /// last one before it that does.
    fn stands_for(&self, delivery: u32, then: Option<&LoadedMatch>) -> u32 {
        let (Some(then), Some(now)) = (then, self.state()) else { return delivery };
        let (then, now) =
            (then.the_match().adjudication().numbers(), now.the_match().adjudication().numbers());
        if !then.have_moved() && !now.have_moved() {
            return delivery;
        }
        (1..=delivery).rev().find_map(|before| now.number(then.key(before))).unwrap_or(0)
    }
}
