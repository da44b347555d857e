//! What has to follow a correction in a log, event by event: an amended delivery and the play after it, or
//! what a restoration brings back. An audit checks each event against it; a restoration is decided with it,
//! since what a correction made void can be brought back only as long as nothing was played since.

mod amended;
mod refitted;
mod unawaited;
mod voided;

use std::collections::VecDeque;

use self::amended::AfterAmendment;
pub use self::unawaited::Unawaited;
use self::voided::Print;
pub use self::voided::VoidedPlay;
use super::Match;
use super::refit::KeptPlay;
use crate::log::{Actor, Amendment, BallChange, Event, LiveEvent, Subject};
use crate::rules::{Choices, Place, Refusal, RefusalKind};

/// What has to follow the last correction or restoration of a log, and what a restoration would bring back.
#[derive(Default)]
pub struct FollowUp {
    /// The seq of the last correction or restoration; none where there is none.
    last: Option<u64>,
    amended: AfterAmendment,
    /// What a restoration brings back, as far as it has not come.
    restored: VecDeque<Print>,
    /// What the next restoration would bring back, in order.
    void: Vec<Print>,
    /// Whether a choice among it was drawn for a side.
    has_drawn: bool,
    /// Whether anything was played since.
    is_played_on: bool,
}

/// An amendment, and what it makes void.
pub struct Amending {
    /// The ball that is changed.
    pub change: BallChange,
    /// The author of the correction.
    pub by: Actor,
    /// The amendment that both sides have consented to, in remote play.
    pub agreed: Option<Amendment>,
    /// What is kept of the void play, for a refit.
    pub kept: Option<Vec<KeptPlay>>,
}

impl FollowUp {
    /// What has to follow the correction with this seq, which makes these events void.
    pub fn of_correction(seq: u64, void: Vec<LiveEvent<VoidedPlay>>, amending: Option<Amending>) -> FollowUp {
        let (void_prints, has_drawn) = (prints(&void), has_drawn(&void));
        let void = void.into_iter().map(|live| live.kept).collect();
        let amended = amending.map_or_else(AfterAmendment::default, |amending| {
            let Amending { change, by, agreed, kept } = amending;
            AfterAmendment::of(change, by, void, agreed, kept)
        });
        FollowUp { last: Some(seq), amended, void: void_prints, has_drawn, ..FollowUp::default() }
    }

    /// What has to follow the restoration with this seq, which makes these events void.
    pub fn of_restoration(self, seq: u64, void: &[LiveEvent<VoidedPlay>]) -> FollowUp {
        FollowUp {
            last: Some(seq),
            restored: self.void.into(),
            void: prints(void),
            has_drawn: has_drawn(void),
            ..FollowUp::default()
        }
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
        if self.amended.is_awaited() {
            Some(("ball", "the amended delivery is missing"))
        } else if self.amended.is_refit_awaited(the_match) {
            Some(("ball", "play that a correction by refit keeps is missing"))
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
        let follows = self.amended.follow(event, the_match)?;
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

fn prints(void: &[LiveEvent<VoidedPlay>]) -> Vec<Print> {
    comes_back(void, VoidedPlay::is_call).map(|live| live.kept.print()).collect()
}

fn has_drawn(void: &[LiveEvent<VoidedPlay>]) -> bool {
    void.iter().any(|live| live.kept.is_drawn)
}
