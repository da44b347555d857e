//! The live events of a log: the events of play that no correction has made void.

use super::{EventData, EventFamily, LifecycleEvent, PlayEvent, RemoteEvent, StepAnew, Subject};

impl EventData {
    /// The subject of an event of play. Other events have none, and no correction makes them void.
    pub fn subject(&self) -> Option<Subject> {
        match self.family() {
            EventFamily::Lifecycle(event) => match event {
                LifecycleEvent::MatchCreated(_) => None,
                LifecycleEvent::Toss(_) => Some(Subject::Toss),
                LifecycleEvent::TossDecided(_) => Some(Subject::TossDecided),
                LifecycleEvent::MatchCompleted(_) => Some(Subject::Completed),
                LifecycleEvent::MatchAbandoned(_) => Some(Subject::Abandoned),
            },
            EventFamily::Play(event) => Some(match event {
                PlayEvent::SetUp(_) => Subject::SetUp,
                PlayEvent::Over(over) => Subject::Over { innings: over.innings, over: over.over },
                PlayEvent::Roll(roll) => Subject::Roll { delivery: roll.delivery },
                PlayEvent::Ball(ball) => Subject::Ball { delivery: ball.delivery },
            }),
            EventFamily::Remote(event) => match event {
                // A call for a seed is no play, as a seed is none.
                RemoteEvent::ChoiceCalled(called) if called.is_for_seed() => None,
                RemoteEvent::Choice(_) | RemoteEvent::ChoiceOpened(_) | RemoteEvent::ChoiceCalled(_) => {
                    Some(Subject::Choice)
                }
                RemoteEvent::SideClaimed(_)
                | RemoteEvent::TokenRotated(_)
                | RemoteEvent::SeedCommitted(_)
                | RemoteEvent::SeedContributed(_) => None,
            },
            EventFamily::Review(review) => Some(Subject::Review { delivery: review.delivery() }),
            EventFamily::Adjudication(_) => None,
        }
    }

    /// Whether the event reveals a fact that nobody knew before: the coin, a die, or secret choices.
    pub fn shows(&self) -> bool {
        match self {
            EventData::Over(over) => !over.dice.is_empty() || !over.reveals.is_empty(),
            EventData::SetUp(set_up) => !set_up.dice.is_empty(),
            EventData::Review(review) => review.made().is_some_and(|made| !made.dice.is_empty()),
            other => {
                matches!(other.subject(), Some(Subject::Toss | Subject::Roll { .. } | Subject::Ball { .. }))
            }
        }
    }
}

/// The live events of play, in order; `T` is data kept with each.
#[derive(Debug, Clone)]
pub struct LiveEvents<T> {
    live: Vec<LiveEvent<T>>,
    /// The highest number of a delivery so far.
    deliveries: u32,
    /// The first and the last of the events that each correction has made void.
    void: Vec<(u64, u64)>,
}

/// An event of play that is live, or was before a correction.
#[derive(Debug, Clone)]
pub struct LiveEvent<T> {
    /// The sequence number in the log.
    pub seq: u64,
    /// The subject of the event.
    pub subject: Subject,
    /// Whether the event reveals a fact that nobody knew before.
    pub shows: bool,
    /// The data kept with the event.
    pub kept: T,
}

/// The reason why something cannot be made void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotLive {
    /// A delivery that has not been bowled.
    #[error("there is no delivery {0}; the last was {1}")]
    NoDelivery(u32, u32),
    /// A delivery that is already void.
    #[error("delivery {0} is already void, and has not been bowled again")]
    VoidDelivery(u32),
    /// An event that is already void.
    #[error("event {0} is already void")]
    VoidEvent(u64),
    /// An event that a correction cannot name.
    #[error(
        "event {0} cannot be voided by its number: only the set-up, the toss, its decision, an over, a review or the abandonment of the match can; a ball is named by its delivery, and a result goes with its last ball"
    )]
    NoSuchEvent(u64),
    /// A step before the play that has not been made.
    #[error("{} has not been made yet", .0.as_words())]
    NoStep(StepAnew),
}

impl<T> Default for LiveEvents<T> {
    fn default() -> LiveEvents<T> {
        LiveEvents { live: Vec::new(), deliveries: 0, void: Vec::new() }
    }
}

impl<T> LiveEvents<T> {
    /// Adds an event of play.
    pub fn push(&mut self, seq: u64, subject: Subject, shows: bool, kept: T) {
        if let Subject::Ball { delivery } = subject {
            self.deliveries = self.deliveries.max(delivery);
        }
        self.live.push(LiveEvent { seq, subject, shows, kept });
    }

    /// The live events, in order.
    pub fn events(&self) -> &[LiveEvent<T>] {
        &self.live
    }

    /// The sequence number of a delivery's ball.
    pub fn ball(&self, delivery: u32) -> Result<u64, NotLive> {
        self.place_of(delivery).map(|at| self.live[at].seq)
    }

    /// The sequence number of the event with which a delivery begins: its ball, or the first of its rolls.
    pub fn begin_of(&self, delivery: u32) -> Result<u64, NotLive> {
        self.place_of(delivery).map(|at| self.live[self.with_rolls(at)].seq)
    }

    fn place_of(&self, delivery: u32) -> Result<usize, NotLive> {
        let subject = Subject::Ball { delivery };
        let at = self.live.iter().rposition(|live| live.subject == subject);
        at.ok_or(if (1..=self.deliveries).contains(&delivery) {
            NotLive::VoidDelivery(delivery)
        } else {
            NotLive::NoDelivery(delivery, self.deliveries)
        })
    }

    /// The sequence number from which events are void when a delivery is: an over goes with its first ball,
    /// rolls and secret choices with their ball, and secret choices with their over.
    pub fn from_delivery(&self, delivery: u32) -> Result<u64, NotLive> {
        let begin = self.with_choices(self.place_of(delivery)?);
        let first = begin.checked_sub(1).filter(|&at| matches!(self.live[at].subject, Subject::Over { .. }));
        Ok(self.live[first.map_or(begin, |over| self.with_choices(over))].seq)
    }

    /// The sequence number of the first over of a later innings than this one.
    pub fn begin_after(&self, innings: u16) -> Option<u64> {
        let is_later =
            |live: &&LiveEvent<T>| matches!(live.subject, Subject::Over { innings: of, .. } if of > innings);
        self.live.iter().find(is_later).map(|live| live.seq)
    }

    /// The number of deliveries before this event.
    pub fn deliveries_before(&self, seq: u64) -> u32 {
        let delivery_of = |live: &LiveEvent<T>| match live.subject {
            Subject::Ball { delivery } => Some(delivery),
            _ => None,
        };
        self.live[..self.before(seq)].iter().rev().find_map(delivery_of).unwrap_or(0)
    }

    /// The sequence number of the over of which this delivery is the first ball.
    pub fn over_of_first(&self, delivery: u32) -> Option<u64> {
        let over = &self.live[self.with_choices(self.place_of(delivery).ok()?).checked_sub(1)?];
        matches!(over.subject, Subject::Over { .. }).then_some(over.seq)
    }

    /// The sequence number from which events are void when this one is.
    pub fn from_seq(&self, seq: u64) -> Result<u64, NotLive> {
        let at = self.live.binary_search_by_key(&seq, |live| live.seq);
        match at {
            // A result follows from the last ball: if it alone were void, the match would neither be finished
            // nor go on.
            Ok(at) if self.is_named_by_seq(at) => Ok(self.live[self.with_choices(at)].seq),
            Err(_) if self.void.iter().any(|(from, to)| (*from..=*to).contains(&seq)) => {
                Err(NotLive::VoidEvent(seq))
            }
            Ok(_) | Err(_) => Err(NotLive::NoSuchEvent(seq)),
        }
    }

    /// The sequence number from which events are void when a step before the play is.
    pub fn from_step(&self, step: StepAnew) -> Result<u64, NotLive> {
        let found = self.live.iter().find(|live| live.subject == step.subject());
        found.map_or(Err(NotLive::NoStep(step)), |live| self.from_seq(live.seq))
    }

    /// Whether a correction names an event by its sequence number, not by a delivery. A roll is named so
    /// while its ball has not been bowled.
    fn is_named_by_seq(&self, at: usize) -> bool {
        match self.live[at].subject {
            Subject::Ball { .. } | Subject::Completed => false,
            Subject::Roll { delivery } => self.place_of(delivery).is_err(),
            Subject::SetUp
            | Subject::Toss
            | Subject::TossDecided
            | Subject::Choice
            | Subject::Over { .. }
            | Subject::Review { .. }
            | Subject::Abandoned => true,
        }
    }

    /// The index at which the rolls of a delivery begin, for one of them or its ball.
    fn with_rolls(&self, at: usize) -> usize {
        let (Subject::Ball { delivery } | Subject::Roll { delivery }) = self.live[at].subject else {
            return at;
        };
        let roll = Subject::Roll { delivery };
        let before = self.live[..at].iter().enumerate().rev();
        let of_delivery =
            before.take_while(|(_, live)| live.subject == roll || live.subject == Subject::Choice);
        of_delivery.filter(|(_, live)| live.subject == roll).last().map_or(at, |(first, _)| first)
    }

    /// The index at which the secret choices behind an event begin.
    fn with_choices(&self, at: usize) -> usize {
        match self.live[at].subject {
            Subject::SetUp
            | Subject::Over { .. }
            | Subject::Choice
            | Subject::Roll { .. }
            | Subject::Ball { .. } => {
                let at = self.with_rolls(at);
                let choices = self.live[..at].iter().rev().take_while(|live| live.subject == Subject::Choice);
                at - choices.count()
            }
            Subject::Toss
            | Subject::TossDecided
            | Subject::Review { .. }
            | Subject::Completed
            | Subject::Abandoned => at,
        }
    }

    /// Whether an event from this one on reveals a fact that nobody knew before.
    pub fn shows_from(&self, seq: u64) -> bool {
        self.live.iter().rev().take_while(|live| live.seq >= seq).any(|live| live.shows)
    }

    /// The number of live events before this one.
    pub fn before(&self, seq: u64) -> usize {
        self.live.partition_point(|live| live.seq < seq)
    }

    /// The live events from this one on.
    pub fn from(&self, seq: u64) -> &[LiveEvent<T>] {
        self.live.get(self.before(seq)..).unwrap_or_default()
    }

    /// Makes every event from this one on void, and returns them.
    pub fn void(&mut self, from_seq: u64) -> Vec<LiveEvent<T>> {
        let void = self.live.split_off(self.before(from_seq));
        if let (Some(first), Some(last)) = (void.first(), void.last()) {
            self.void.push((first.seq, last.seq));
        }
        void
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The live events of a match in which delivery 1 is the first of an over, and 3 waits for a choice.
    fn live_events() -> LiveEvents<()> {
        let over = Subject::Over { innings: 1, over: 1 };
        let [ball, roll, review] = [
            |delivery| Subject::Ball { delivery },
            |delivery| Subject::Roll { delivery },
            |delivery| Subject::Review { delivery },
        ];
        let subjects = [
            Subject::SetUp,
            Subject::Toss,
            Subject::TossDecided,
            over,
            Subject::Choice,
            roll(1),
            roll(1),
            ball(1),
            review(1),
            roll(2),
            ball(2),
            Subject::Choice,
            roll(3),
            roll(3),
        ];
        let mut live_events = LiveEvents::default();
        for (seq, subject) in (2..).zip(subjects) {
            live_events.push(seq, subject, true, ());
        }
        live_events
    }

    #[test]
    fn rolls_and_secret_choices_are_void_with_their_ball_and_an_over_with_its_first() {
        let live_events = live_events();
        assert_eq!((live_events.from_delivery(1), live_events.from_delivery(2)), (Ok(5), Ok(11)));
        assert_eq!((live_events.begin_of(1), live_events.begin_of(2)), (Ok(7), Ok(11)));
        assert_eq!((live_events.ball(1), live_events.ball(2)), (Ok(9), Ok(12)));
        assert_eq!((live_events.over_of_first(1), live_events.over_of_first(2)), (Some(5), None));
    }

    #[test]
    fn a_roll_is_named_by_its_own_number_while_its_ball_has_not_been_bowled() {
        let live_events = live_events();
        assert_eq!(live_events.from_delivery(3), Err(NotLive::NoDelivery(3, 2)));
        for (seq, from) in [(2, 2), (5, 5), (10, 10), (13, 13), (14, 13), (15, 13)] {
            assert_eq!(live_events.from_seq(seq), Ok(from), "event {seq}");
        }
        for seq in [7, 8, 9, 11, 12] {
            assert_eq!(live_events.from_seq(seq), Err(NotLive::NoSuchEvent(seq)));
        }
    }
}
