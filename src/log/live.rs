//! Which events of a log stand: those of play that no correction has taken back.

use super::EventData;

/// What an event of play is about. What is played again is about the same as what is void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The preparation before the toss.
    SetUp,
    /// The toss.
    Toss,
    /// What its winner chose.
    TossDecided,
    /// A choice of one side, in secret or in the open, and what belongs to it.
    Choice,
    /// An over begins.
    Over {
        /// The innings.
        innings: u16,
        /// The over.
        over: u16,
    },
    /// What comes of a delivery before somebody chooses how it goes on.
    Roll {
        /// Its number in the match.
        delivery: u32,
    },
    /// A ball.
    Ball {
        /// Its number in the match.
        delivery: u32,
    },
    /// A review of a ball.
    Review {
        /// The ball's number in the match.
        delivery: u32,
    },
    /// The match is over, with its last ball.
    Completed,
    /// The match is given up.
    Abandoned,
}

impl EventData {
    /// What it is about, for an event of play. What is not of play stands whatever is corrected.
    pub fn moment(&self) -> Option<Moment> {
        match self {
            EventData::SetUp(_) => Some(Moment::SetUp),
            EventData::Toss(_) => Some(Moment::Toss),
            EventData::TossDecided(_) => Some(Moment::TossDecided),
            // A call for a seed is no play, as the seed is none.
            EventData::ChoiceCalled(called) if called.is_for_seed() => None,
            EventData::Choice(_) | EventData::ChoiceOpened(_) | EventData::ChoiceCalled(_) => {
                Some(Moment::Choice)
            }
            EventData::Over(over) => Some(Moment::Over { innings: over.innings, over: over.over }),
            EventData::Roll(roll) => Some(Moment::Roll { delivery: roll.delivery }),
            EventData::Ball(ball) => Some(Moment::Ball { delivery: ball.delivery }),
            EventData::Review(review) => Some(Moment::Review { delivery: review.delivery() }),
            EventData::MatchCompleted(_) => Some(Moment::Completed),
            EventData::MatchAbandoned(_) => Some(Moment::Abandoned),
            EventData::MatchCreated(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Correction(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => None,
        }
    }

    /// Whether it shows what nobody knew before: the coin, any die, choices that were secret.
    pub fn shows(&self) -> bool {
        match self {
            EventData::Over(over) => !over.dice.is_empty() || !over.reveals.is_empty(),
            EventData::SetUp(set_up) => !set_up.dice.is_empty(),
            EventData::Review(review) => review.made().is_some_and(|made| !made.dice.is_empty()),
            other => {
                matches!(other.moment(), Some(Moment::Toss | Moment::Roll { .. } | Moment::Ball { .. }))
            }
        }
    }
}

/// The events of play that stand, in order; `T` is what is kept with each.
#[derive(Debug, Clone)]
pub struct Standing<T> {
    stood: Vec<Stood<T>>,
    /// The highest number a delivery has had.
    deliveries: u32,
    /// The first and the last of the events that each correction has taken back.
    void: Vec<(u64, u64)>,
}

/// An event of play that stands, or stood.
#[derive(Debug, Clone)]
pub struct Stood<T> {
    /// Its place in the log.
    pub seq: u64,
    /// What it is about.
    pub moment: Moment,
    /// Whether it shows what nobody knew before.
    pub shows: bool,
    /// What is kept with it.
    pub kept: T,
}

/// What cannot be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotStanding {
    /// No such delivery has been bowled.
    #[error("there is no delivery {0}; the last was {1}")]
    NoDelivery(u32, u32),
    /// The delivery has been taken back.
    #[error("delivery {0} is void already, and has not been bowled again")]
    VoidDelivery(u32),
    /// The event has been taken back.
    #[error("event {0} is void already")]
    VoidEvent(u64),
    /// Not an event that can be named.
    #[error(
        "event {0} is none that can be taken back: the set-up, the toss, its decision, an over, a review or the abandonment of the match; a ball is named by its delivery, and a result goes with its last ball"
    )]
    NoSuchEvent(u64),
}

impl<T> Default for Standing<T> {
    fn default() -> Standing<T> {
        Standing { stood: Vec::new(), deliveries: 0, void: Vec::new() }
    }
}

impl<T> Standing<T> {
    /// Takes an event of play in.
    pub fn push(&mut self, seq: u64, moment: Moment, shows: bool, kept: T) {
        if let Moment::Ball { delivery } = moment {
            self.deliveries = self.deliveries.max(delivery);
        }
        self.stood.push(Stood { seq, moment, shows, kept });
    }

    /// The events that stand.
    pub fn stood(&self) -> &[Stood<T>] {
        &self.stood
    }

    /// The event of a delivery.
    pub fn ball(&self, delivery: u32) -> Result<u64, NotStanding> {
        self.place_of(delivery).map(|at| self.stood[at].seq)
    }

    /// The event with which a delivery begins: its ball, or the first of the rolls before it.
    pub fn begin_of(&self, delivery: u32) -> Result<u64, NotStanding> {
        self.place_of(delivery).map(|at| self.stood[self.with_rolls(at)].seq)
    }

    fn place_of(&self, delivery: u32) -> Result<usize, NotStanding> {
        let moment = Moment::Ball { delivery };
        let at = self.stood.iter().rposition(|stood| stood.moment == moment);
        at.ok_or(if (1..=self.deliveries).contains(&delivery) {
            NotStanding::VoidDelivery(delivery)
        } else {
            NotStanding::NoDelivery(delivery, self.deliveries)
        })
    }

    /// The event from which on a delivery is taken back: an over goes with its first ball, rolls and secret choices with
    /// their ball, and secret choices with their over.
    pub fn from_delivery(&self, delivery: u32) -> Result<u64, NotStanding> {
        let begin = self.with_choices(self.place_of(delivery)?);
        let first = begin.checked_sub(1).filter(|&at| matches!(self.stood[at].moment, Moment::Over { .. }));
        Ok(self.stood[first.map_or(begin, |over| self.with_choices(over))].seq)
    }

    /// The event of the over of which this delivery is the first ball.
    pub fn over_of_first(&self, delivery: u32) -> Option<u64> {
        let over = &self.stood[self.with_choices(self.place_of(delivery).ok()?).checked_sub(1)?];
        matches!(over.moment, Moment::Over { .. }).then_some(over.seq)
    }

    /// The event from which on this one is taken back.
    pub fn from_seq(&self, seq: u64) -> Result<u64, NotStanding> {
        let at = self.stood.binary_search_by_key(&seq, |stood| stood.seq);
        match at {
            // A result follows from the last ball: without it alone the match would neither be over nor go on.
            Ok(at) if self.is_named_by_seq(at) => Ok(self.stood[self.with_choices(at)].seq),
            Err(_) if self.void.iter().any(|(from, to)| (*from..=*to).contains(&seq)) => {
                Err(NotStanding::VoidEvent(seq))
            }
            Ok(_) | Err(_) => Err(NotStanding::NoSuchEvent(seq)),
        }
    }

    /// Whether an event can be taken back without a delivery being named. A roll can while its ball has not been bowled.
    fn is_named_by_seq(&self, at: usize) -> bool {
        match self.stood[at].moment {
            Moment::Ball { .. } | Moment::Completed => false,
            Moment::Roll { delivery } => self.place_of(delivery).is_err(),
            Moment::SetUp
            | Moment::Toss
            | Moment::TossDecided
            | Moment::Choice
            | Moment::Over { .. }
            | Moment::Review { .. }
            | Moment::Abandoned => true,
        }
    }

    /// Where the rolls of a delivery begin, for one of them or its ball.
    fn with_rolls(&self, at: usize) -> usize {
        let (Moment::Ball { delivery } | Moment::Roll { delivery }) = self.stood[at].moment else {
            return at;
        };
        let roll = Moment::Roll { delivery };
        let before = self.stood[..at].iter().enumerate().rev();
        let of_it = before.take_while(|(_, stood)| stood.moment == roll || stood.moment == Moment::Choice);
        of_it.filter(|(_, stood)| stood.moment == roll).last().map_or(at, |(first, _)| first)
    }

    /// Where the secret choices begin that an event follows from.
    fn with_choices(&self, at: usize) -> usize {
        match self.stood[at].moment {
            Moment::SetUp
            | Moment::Over { .. }
            | Moment::Choice
            | Moment::Roll { .. }
            | Moment::Ball { .. } => {
                let at = self.with_rolls(at);
                let choices =
                    self.stood[..at].iter().rev().take_while(|stood| stood.moment == Moment::Choice);
                at - choices.count()
            }
            Moment::Toss
            | Moment::TossDecided
            | Moment::Review { .. }
            | Moment::Completed
            | Moment::Abandoned => at,
        }
    }

    /// Whether anything is shown from this event on.
    pub fn shows_from(&self, seq: u64) -> bool {
        self.stood.iter().rev().take_while(|stood| stood.seq >= seq).any(|stood| stood.shows)
    }

    /// How many of the events stand that come before this one.
    pub fn before(&self, seq: u64) -> usize {
        self.stood.partition_point(|stood| stood.seq < seq)
    }

    /// Takes back everything from this event on, and gives it.
    pub fn void(&mut self, from_seq: u64) -> Vec<Stood<T>> {
        let void = self.stood.split_off(self.before(from_seq));
        if let (Some(first), Some(last)) = (void.first(), void.last()) {
            self.void.push((first.seq, last.seq));
        }
        void
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands of a match in which delivery 1 is the first of an over, and 3 waits for a choice.
    fn standing() -> Standing<()> {
        let over = Moment::Over { innings: 1, over: 1 };
        let [ball, roll, review] = [
            |delivery| Moment::Ball { delivery },
            |delivery| Moment::Roll { delivery },
            |delivery| Moment::Review { delivery },
        ];
        let moments = [
            Moment::SetUp,
            Moment::Toss,
            Moment::TossDecided,
            over,
            Moment::Choice,
            roll(1),
            roll(1),
            ball(1),
            review(1),
            roll(2),
            ball(2),
            Moment::Choice,
            roll(3),
            roll(3),
        ];
        let mut standing = Standing::default();
        for (seq, moment) in (2..).zip(moments) {
            standing.push(seq, moment, true, ());
        }
        standing
    }

    #[test]
    fn rolls_and_secret_choices_go_with_their_ball_and_an_over_with_its_first() {
        let standing = standing();
        assert_eq!((standing.from_delivery(1), standing.from_delivery(2)), (Ok(5), Ok(11)));
        assert_eq!((standing.begin_of(1), standing.begin_of(2)), (Ok(7), Ok(11)));
        assert_eq!((standing.ball(1), standing.ball(2)), (Ok(9), Ok(12)));
        assert_eq!((standing.over_of_first(1), standing.over_of_first(2)), (Some(5), None));
    }

    #[test]
    fn a_roll_is_named_by_itself_while_its_ball_has_not_been_bowled() {
        let standing = standing();
        assert_eq!(standing.from_delivery(3), Err(NotStanding::NoDelivery(3, 2)));
        for (seq, from) in [(2, 2), (5, 5), (10, 10), (13, 13), (14, 13), (15, 13)] {
            assert_eq!(standing.from_seq(seq), Ok(from), "event {seq}");
        }
        for seq in [7, 8, 9, 11, 12] {
            assert_eq!(standing.from_seq(seq), Err(NotStanding::NoSuchEvent(seq)));
        }
    }
}
