//! Restorations: what the last correction made void comes back, as long as nothing was played since.

use super::redecide::refuse_reopened;
use crate::log::{Actor, Event, EventData, InvalidEvent, LiveEvent, Restoration, Reversal};
use crate::matches::follow_up::{FollowUp, Unawaited, VoidedPlay, comes_back};
use crate::matches::refit::KeptPlay;
use crate::matches::{History, Match};
use crate::rules::{Place, Refusal, RefusalKind};

/// A log that is read with what its last correction made void.
pub(super) struct Restorable {
    /// The log, read to its end.
    pub history: History<Match>,
    follow_up: FollowUp,
    /// What the last correction made void.
    void: Vec<LiveEvent<Event>>,
}

/// The decision on a restoration.
pub(super) struct Restored {
    pub restoration: Restoration,
    /// What comes back, each event with its author.
    pub events: Vec<(EventData, Actor)>,
}

impl Restorable {
    /// Reads a log into an empty history.
    pub fn read(mut history: History<Match>, log: &[Event]) -> Result<Restorable, InvalidEvent> {
        let (mut follow_up, mut void) = (FollowUp::default(), Vec::new());
        // A restoration brings back what the last correction before it made void, or voids what it brought.
        let last = log.iter().rposition(|event| matches!(event.data, EventData::Correction(_)));
        for (at, event) in log.iter().enumerate() {
            if let Some(the_match) = history.state().filter(|_| last.is_some_and(|last| at >= last)) {
                match event.data.reversal() {
                    Some(reversal) => {
                        void = history.live().from(reversal.voids_from_seq()).to_vec();
                        follow_up = after(follow_up, (event, reversal), (&history, the_match), &void)?;
                    }
                    None => {
                        let invalid = |why: Unawaited| InvalidEvent::new("event", why.to_string());
                        follow_up.follow(event, the_match).map_err(invalid)?;
                    }
                }
            }
            history.follow(event.clone())?;
        }
        Ok(Restorable { history, follow_up, void })
    }

    /// Decides the restoration of what an event made void.
    pub fn restore(&self, restores: u64, reason: &str) -> Result<Restored, Refusal> {
        self.follow_up.check_restores(restores)?;
        let live = self.history.live();
        let voids_from_seq = restores + 1;
        let restoration = Restoration {
            restores,
            voids_from_seq,
            reason: reason.to_owned(),
            dice_seen: live.shows_from(voids_from_seq),
        };
        let invalid = |invalid: InvalidEvent| {
            Refusal::new(RefusalKind::OutOfTurn, Place::Field("restores".to_owned()), invalid.to_string())
        };
        let before = self.history.state_after(live.before(voids_from_seq)).map_err(invalid)?;
        let now = self.history.state().cloned().unwrap_or_else(|| before.clone());
        let mut the_match = now.corrected(before, Reversal::Restoration(&restoration));
        let is_call = |event: &Event| matches!(event.data, EventData::ChoiceCalled(_));
        let mut events = Vec::with_capacity(self.void.len());
        for LiveEvent { kept: Event { data, actor, .. }, .. } in comes_back(&self.void, is_call) {
            the_match.replay(data).map_err(invalid)?;
            events.push((data.clone(), *actor));
        }
        if events.is_empty() && live.from(voids_from_seq).is_empty() {
            let message = format!("event {restores} made nothing void that could come again");
            let place = Place::Field("restores".to_owned());
            return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
        }
        refuse_reopened(&the_match)?;
        Ok(Restored { restoration, events })
    }
}

/// What has to follow a correction or a restoration, which makes these events void.
fn after(
    before: FollowUp,
    (event, reversal): (&Event, Reversal<'_>),
    (history, the_match): (&History<Match>, &Match),
    void: &[LiveEvent<Event>],
) -> Result<FollowUp, InvalidEvent> {
    let dice = the_match.play().info().created.dice;
    let played = |live: &LiveEvent<Event>| {
        let kept = VoidedPlay::with_outcome(&live.kept, dice)?;
        Some(LiveEvent { seq: live.seq, subject: live.subject, shows: live.shows, kept })
    };
    let kept = match reversal.cascade() {
        Some(_) => {
            let before = history.state_after(history.live().before(reversal.voids_from_seq()))?;
            Some(KeptPlay::keep_all(before, void)?)
        }
        None => None,
    };
    let proposed = the_match.adjudication().proposed();
    let agreed = proposed.and_then(|(proposed, _)| proposed.amendment.clone());
    Ok(before.begin((event, reversal), void.iter().filter_map(played).collect(), agreed, kept))
}
