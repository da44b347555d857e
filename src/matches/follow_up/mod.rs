//! What has to follow a correction in a log, event by event: an amended delivery and the play after it, or
//! what a restoration brings back. An audit checks each event against it; a restoration is decided with it,
//! since what a correction made void can be brought back only as long as nothing was played since.

mod amended;
mod anew;
mod refitted;
mod unawaited;
mod voided;

use std::collections::VecDeque;

use self::amended::AfterAmendment;
pub use self::unawaited::Unawaited;
use self::voided::Print;
pub use self::voided::VoidedPlay;
use super::Match;
use super::refit::{KeptPlay, is_unknown};
use crate::log::{Actor, Amendment, EndedInnings, Event, LiveEvent, Reversal, Subject};
use crate::rules::{Choices, Place, Refusal, RefusalKind};

/// What has to follow the last correction or restoration of a log, and what a restoration would bring back.
#[derive(Default)]
pub struct FollowUp {
    /// The seq of the last correction or restoration; none where there is none.
    last: Option<u64>,
    amended: AfterAmendment,
    /// The innings that end by agreement in what follows.
    ended: VecDeque<EndedInnings>,
    /// What a restoration brings back, as far as it has not come.
    restored: VecDeque<Print>,
    /// What the next restoration would bring back, in order.
    void: Vec<Print>,
    /// Whether a choice among it was drawn for a side.
    has_drawn: bool,
    /// Whether anything was played since.
    is_played_on: bool,
}

impl FollowUp {
    /// What has to follow a correction or a restoration, which makes these events void, after what had to
    /// follow the one before it. `agreed` is the amendment that both sides have consented to, in remote
    /// play, and `kept` what a refit keeps of the void play.
    pub fn begin(
        self,
        (event, reversal): (&Event, Reversal<'_>),
        void: Vec<LiveEvent<VoidedPlay>>,
        agreed: Option<Amendment>,
        kept: Option<Vec<KeptPlay>>,
    ) -> FollowUp {
        let begun = FollowUp {
            last: Some(event.seq),
            has_drawn: void.iter().any(|live| live.kept.is_drawn),
            void: comes_back(&void, VoidedPlay::is_call).map(|live| live.kept.print()).collect(),
            ..FollowUp::default()
        };
        if reversal.restores().is_some() {
            return FollowUp { restored: self.void.into(), ..begun };
        }
        let Some(change) = reversal.change() else { return begun };
        let void = void.into_iter().map(|live| live.kept).collect();
        let ended = reversal.ended().iter().copied().collect();
        let amended = AfterAmendment::of(change, event.actor, void, agreed, kept);
        FollowUp { amended, ended, ..begun }
    }

    /// Refuses a restoration of what an event made void.
    pub fn check_restores(&self, restores: u64) -> Result<(), Refusal> {
        let refuse = |kind, message| Err(Refusal::new(kind, Place::Field("restores".to_owned()), message));
        match self.last {
            None => refuse(RefusalKind::IllegalInput, "nothing was taken back or put right yet".to_owned()),
            Some(last) if last != restores => {
                let message = format!(
                    "event {restores} is not the last correction; only what event {last} has changed can be taken back"
                );
                refuse(RefusalKind::IllegalInput, message)
            }
            Some(_) if self.is_played_on => {
                let message =
                    format!("play has gone on since event {restores}, so what it made void stays void");
                refuse(RefusalKind::Settled, message)
            }
            Some(_) if self.has_drawn => {
                let message = format!(
                    "a choice that event {restores} made void was drawn for a side that did not choose in time; what is drawn does not come again"
                );
                refuse(RefusalKind::Settled, message)
            }
            Some(_) => Ok(()),
        }
    }

    /// Takes the amendment that both sides have consented to, for the ball that comes now.
    pub fn take_agreed(&mut self) -> Option<(Amendment, Choices)> {
        self.amended.take_agreed()
    }

    /// What is still missing at the end of a log, as the kind of its next event and in words.
    pub fn awaits(&mut self, the_match: &Match) -> Option<(&'static str, &'static str)> {
        if let Some(step) = self.amended.awaits_step() {
            Some((step, "a step that a correction decides anew is missing"))
        } else if self.amended.is_awaited() {
            Some(("ball", "the amended delivery is missing"))
        } else if self.amended.is_refit_awaited(the_match) {
            Some(("ball", "play that a correction by refit keeps is missing"))
        } else if self.check_ends(the_match).is_err() || !self.ended.is_empty() {
            Some(("ball", "an innings that ends by agreement in a correction has not come to that end"))
        } else if !self.restored.is_empty() {
            Some(("ball", "play that a restoration brings back is missing"))
        } else {
            None
        }
    }

    /// Stops the repetition: no further void event repeats.
    pub fn stop(&mut self) {
        self.amended.stop();
    }

    /// Takes the first delivery that did not repeat, once that is known.
    pub fn cut(&mut self) -> Option<u32> {
        self.amended.cut()
    }

    /// Refuses an end by agreement of an innings that ends otherwise, or that has kept balls left.
    fn check_ends(&mut self, the_match: &Match) -> Result<(), Unawaited> {
        while let Some(ended @ EndedInnings { innings, after }) = self.ended.front() {
            let has_ended = the_match.play().ended().contains(ended);
            let is_due = the_match.play().ends_by_agreement(ended);
            if !is_due || has_ended && !self.amended.can_end(*innings, the_match) {
                return Err(Unawaited::from(format!(
                    "the correction ends innings {innings} by agreement after delivery {after}, and that innings does not go on past its last ball there"
                )));
            }
            if !has_ended {
                break;
            }
            self.ended.pop_front();
        }
        Ok(())
    }

    /// Takes the next event, on the match before it, and returns the author it must have where it follows
    /// from the correction.
    pub fn follow(&mut self, event: &Event, the_match: &Match) -> Result<Option<Actor>, Unawaited> {
        if let Some(awaited) = self.restored.pop_front() {
            let dice = the_match.play().info().created.dice;
            return match VoidedPlay::with_outcome(event, dice).map(|play| play.print()) {
                Some(print) if print == awaited => Ok(Some(awaited.actor)),
                _ => {
                    let message = "the restoration before this event brings back what was void, in its order and by its authors, and this event is not what comes next";
                    Err(Unawaited::from(message))
                }
            };
        }
        self.check_ends(the_match)?;
        let follows = self.amended.follow(event, the_match)?;
        if follows.is_none() && is_unknown(&event.data) {
            let message = "a ball that nobody knows stands only where a correction leaves an innings short";
            return Err(Unawaited::from(message));
        }
        if follows.is_none() && event.data.subject().is_some() && !self.is_played_on {
            self.is_played_on = true;
            self.void = Vec::new();
        }
        Ok(follows)
    }
}

/// What a restoration brings back of void events: all but the calls, and the choices at the end that had
/// waited for others.
pub fn comes_back<K>(
    void: &[LiveEvent<K>],
    is_call: impl Fn(&K) -> bool,
) -> impl Iterator<Item = &LiveEvent<K>> {
    let until = void.iter().rposition(|live| live.subject != Subject::Choice).map_or(0, |last| last + 1);
    void[..until].iter().filter(move |live| !is_call(&live.kept))
}
