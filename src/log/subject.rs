/// The subject of an event of play. An event that is played again has the subject of the void one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The set-up before the toss.
    SetUp,
    /// The toss of the match.
    Toss,
    /// The decision of the winner of the toss.
    TossDecided,
    /// A choice of one side, secret or open, and its opening or call.
    Choice,
    /// The start of an over.
    Over {
        /// The number of the innings, from 1.
        innings: u16,
        /// The number of the over in the innings, from 1.
        over: u16,
    },
    /// A part of a delivery, which then waits for a choice.
    Roll {
        /// The number of the delivery in the match.
        delivery: u32,
    },
    /// A ball that was bowled.
    Ball {
        /// The number of the delivery in the match.
        delivery: u32,
    },
    /// The review of a ball.
    Review {
        /// The number of the ball in the match.
        delivery: u32,
    },
    /// The end of the match, which comes with its last ball.
    Completed,
    /// The abandonment of the match.
    Abandoned,
}

impl Subject {
    /// The subject with another number for its delivery, where it has one.
    pub fn with_delivery(self, number: impl FnOnce(u32) -> u32) -> Subject {
        match self {
            Subject::Roll { delivery } => Subject::Roll { delivery: number(delivery) },
            Subject::Ball { delivery } => Subject::Ball { delivery: number(delivery) },
            Subject::Review { delivery } => Subject::Review { delivery: number(delivery) },
            other => other,
        }
    }
}
