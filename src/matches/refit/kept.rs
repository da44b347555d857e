//! What a refit keeps of a void event of play: what somebody made of it, and its dice.

use crate::dice::{Die, RecordedDice};
use crate::log::{Actor, AgreedOutcome, Event, EventData, InvalidEvent, LiveEvent, PlayChange, Subject};
use crate::matches::Match;
use crate::rules::{Choices, Play, agreement_in};
use crate::scorebook::Side;

/// A void event of play, with what a refit keeps of it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPlay {
    /// The sequence number of the void event.
    pub seq: u64,
    /// The subject of the void event.
    pub subject: Subject,
    /// The author of the void event.
    pub actor: Actor,
    /// The innings and the over of the void event.
    pub over: (u16, u16),
    /// The choices that somebody made.
    pub made: Choices,
    /// The dice of the void event, in order.
    pub dice: Box<[Die]>,
    /// The outcome that the table had agreed on, for a ball with one.
    pub agreed: Option<Box<AgreedOutcome>>,
    /// Whether nobody knew the ball any more.
    pub unknown: bool,
    /// The answer to the decision, for a review.
    pub review: Option<KeptReview>,
    /// Whether the side of the review had batted on its ball; none for another event.
    pub has_batted: Option<bool>,
    /// The event itself, where it repeats as it was or not at all: a secret choice, what reveals one, and the
    /// abandonment.
    pub whole: Option<Box<EventData>>,
}

/// The answer of a side to a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptReview {
    /// The side.
    pub by: Side,
    /// Whether the side had the decision reviewed, and did not accept it.
    pub is_made: bool,
}

impl KeptPlay {
    /// What is kept of an event of play, on the match before it; none of another event.
    pub fn of(before: &Match, (seq, actor): (u64, Actor), data: &EventData) -> Option<KeptPlay> {
        let agreed = agreement_in(data).map(Box::new);
        let parts = KeptParts {
            dice: data.rolled().into(),
            agreed,
            choices: data.chosen(),
            unknown: is_unknown(data),
            whole: whole(data),
        };
        Some(KeptPlay::of_parts(before, (seq, actor, data.subject()?), parts, KeptReview::of(data)))
    }

    /// What is kept of void play; `before` is the match before it.
    pub fn keep_all(mut before: Match, void: &[LiveEvent<Event>]) -> Result<Vec<KeptPlay>, InvalidEvent> {
        let mut kept = Vec::with_capacity(void.len());
        for live in void {
            let Event { actor, data, .. } = &live.kept;
            kept.extend(KeptPlay::of(&before, (live.seq, *actor), data));
            before.replay(data)?;
        }
        Ok(kept)
    }

    /// What a refit plays once more of the void play: what comes after the ball or the step that is changed.
    /// An over whose first ball is taken out comes again as well.
    pub fn later(kept: Vec<KeptPlay>, change: PlayChange) -> Vec<KeptPlay> {
        let own = change.counts_own(kept.iter().map(|kept| kept.subject));
        let comes_again = |at: usize, kept: &KeptPlay| {
            let is_over = matches!(kept.subject, Subject::Over { .. });
            at >= own || is_over && matches!(change, PlayChange::Removes(_))
        };
        let kept = kept.into_iter().enumerate().filter(|(at, kept)| comes_again(*at, kept));
        kept.map(|(_, kept)| kept).collect()
    }

    /// What is kept of an event of play of which only these parts are known, on the match before it.
    pub fn of_parts(
        before: &Match,
        (seq, actor, subject): (u64, Actor, Subject),
        parts: KeptParts,
        review: Option<KeptReview>,
    ) -> KeptPlay {
        let KeptParts { dice, agreed, choices, unknown, whole } = parts;
        let made = match whole.is_some() || unknown {
            true => Choices::new(),
            false => made(before, subject, choices, &dice),
        };
        let over = match subject {
            Subject::Over { innings, over } => (innings, over),
            _ => before.play().next_over(),
        };
        let has_batted = review.and_then(|_| before.reviews().open_is_of_batting_side());
        KeptPlay { seq, subject, actor, over, made, dice, agreed, unknown, review, has_batted, whole }
    }

    /// The number of the delivery, for a ball.
    pub fn delivery(&self) -> Option<u32> {
        match self.subject {
            Subject::Ball { delivery } => Some(delivery),
            _ => None,
        }
    }
}

/// The choices of an event without those that a default gives: one after the other, by name, each without
/// which the event has the same choices. What dice ask for and what is read off the table has no default.
fn made(before: &Match, subject: Subject, choices: Choices, dice: &[Die]) -> Choices {
    let play: fn(Choices) -> Play = match subject {
        Subject::Over { .. } => Play::Over,
        Subject::Ball { .. } | Subject::Roll { .. } => Play::Ball,
        _ => return choices,
    };
    let is_same = |fewer: &Choices| {
        let decided = before.play().decide(play(fewer.clone()), &mut RecordedDice::new(dice));
        let data = decided.ok().and_then(|decided| decided.events.into_iter().next());
        data.is_some_and(|data| data.subject() == Some(subject) && data.chosen() == choices)
    };
    let mut made = choices.clone();
    for name in choices.keys() {
        if let Some(value) = made.remove(name)
            && !is_same(&made)
        {
            made.insert(name.clone(), value);
        }
    }
    made
}

/// The parts of an event of play of which a refit keeps something.
#[derive(Debug, Clone, Default)]
pub struct KeptParts {
    /// The dice of the event, in order.
    pub dice: Box<[Die]>,
    /// The outcome that the table had agreed on, for a ball with one.
    pub agreed: Option<Box<AgreedOutcome>>,
    /// The choices of the event, with the defaults filled in.
    pub choices: Choices,
    /// Whether nobody knew the ball any more.
    pub unknown: bool,
    /// The event itself, where it repeats as it was or not at all.
    pub whole: Option<Box<EventData>>,
}

impl KeptReview {
    /// The answer in an event, if it is a review.
    pub fn of(data: &EventData) -> Option<KeptReview> {
        let EventData::Review(review) = data else { return None };
        Some(KeptReview { by: review.by(), is_made: review.made().is_some() })
    }
}

/// Whether an event is a ball that nobody knows any more.
pub fn is_unknown(data: &EventData) -> bool {
    matches!(data, EventData::Ball(ball) if ball.unknown)
}

/// The event, where it repeats as it was or not at all.
pub fn whole(data: &EventData) -> Option<Box<EventData>> {
    let is_whole = match data {
        EventData::Over(_) | EventData::Roll(_) => !data.reveals().is_empty(),
        EventData::Choice(_) | EventData::ChoiceOpened(_) | EventData::MatchAbandoned(_) => true,
        _ => false,
    };
    is_whole.then(|| Box::new(data.clone()))
}
