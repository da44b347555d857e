//! A void event of play, and what it is decided again with.

use serde_json::Value;
use sha2::{Digest, Sha256};
use smallvec::SmallVec;

use crate::dice::Die;
use crate::log::{Actor, AgreedOutcome, Ball, DiceMode, Event, EventData, InvalidEvent, Subject};
use crate::matches::refit::{KeptParts, KeptPlay, KeptReview, dice_with, is_unknown, whole};
use crate::matches::{MadeChoices, Match, Replayable};
use crate::rules::{Choices, Play, agreed_of, agreement_in};

/// A void event of play, with what it is decided again with after an amendment.
pub struct VoidedPlay {
    pub(super) subject: Subject,
    /// The author of the event.
    pub(super) actor: Actor,
    /// The choices of the event.
    pub(super) choices: Choices,
    /// The faces of the event's dice: a choice that dice asked for was offered by them.
    faces: SmallVec<[u16; 8]>,
    /// The outcome that the table had agreed on, for a ball with one.
    agreed: Option<Box<AgreedOutcome>>,
    /// The fingerprint of what else has to repeat unchanged: seals, reveals, table dice. None for an event
    /// that never repeats.
    fingerprint: Option<Fingerprint>,
    /// Whether the event is a roll on the way to a ball that was bowled: the ball holds all its dice.
    pub(super) is_in_its_ball: bool,
    /// Whether the event may follow from the choices of an amended over.
    pub(super) follows_from_over: bool,
    /// Whether a choice in the event was drawn for a side that did not choose in time.
    pub(super) is_drawn: bool,
    /// Whether nobody knew the ball any more.
    pub(super) unknown: bool,
    /// The answer to a decision, for a review.
    pub(super) review: Option<KeptReview>,
    /// The event itself, where it repeats as it was or not at all.
    whole: Option<Box<EventData>>,
}

/// The author of a void event, and a fingerprint of all that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print {
    /// The author.
    pub actor: Actor,
    print: Fingerprint,
}

/// Half of a SHA-256: it is kept for every ball, so it is short. Whoever wants to write a log in which two
/// are equal has to hash some 2^64 times.
type Fingerprint = [u8; 16];

fn fingerprint<'a>(parts: impl IntoIterator<Item = Option<&'a [u8]>>) -> Fingerprint {
    let mut hasher = Sha256::new();
    for part in parts {
        // The length before each part keeps `["ab", "c"]` and `["a", "bc"]` apart.
        hasher.update(part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
        hasher.update(part.unwrap_or_default());
    }
    let mut half = Fingerprint::default();
    half.copy_from_slice(&hasher.finalize()[..16]);
    half
}

/// The fingerprint of an event of play.
fn fingerprint_of(data: &EventData, dice: DiceMode) -> Option<Fingerprint> {
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    let shown = |dice: &[Die]| dice.iter().flat_map(|die| die.value.to_le_bytes()).collect::<Vec<u8>>();
    let parts: Vec<Option<Vec<u8>>> = match data {
        EventData::ChoiceCalled(_) | EventData::MatchCompleted(_) => return None,
        EventData::Over(_) | EventData::Roll(_) => {
            data.reveals().iter().map(|reveal| reveal.salt.as_deref().and_then(bytes)).collect()
        }
        EventData::Choice(choice) => {
            let chosen = choice.choice.as_ref().map(|choice| Value::Object(choice.clone()).to_string());
            let sealed = choice.sealed.as_deref().and_then(bytes);
            vec![bytes(choice.side.as_str()), sealed, chosen.map(String::into_bytes)]
        }
        EventData::ChoiceOpened(opened) => vec![bytes(opened.side.as_str())],
        EventData::Ball(ball) if dice == DiceMode::Table => {
            vec![Some(shown(&ball.dice)), ball.unknown.then(Vec::new)]
        }
        EventData::Review(review) => {
            let made = review.made();
            let dice = made.filter(|_| dice == DiceMode::Table).map(|made| shown(&made.dice));
            vec![bytes(review.by().as_str()), made.map(|_| Vec::new()), dice]
        }
        EventData::MatchAbandoned(abandoned) => vec![bytes(&abandoned.reason)],
        EventData::Toss(_) | EventData::TossDecided(_) => vec![bytes(&data.to_value().to_string())],
        _ => return Some(Fingerprint::default()),
    };
    Some(fingerprint(parts.iter().map(Option::as_deref)))
}

impl VoidedPlay {
    /// An event of play, with what it would be decided again with; none for another event.
    pub fn of(event: &Event, dice: DiceMode) -> Option<VoidedPlay> {
        let Event { actor, data, .. } = event;
        let subject = data.subject()?;
        let fingerprint = fingerprint_of(data, dice);
        let choices = data.chosen();
        // A roll with reveals repeats as an event of its own.
        let is_in_its_ball = matches!(data, EventData::Roll(roll) if roll.reveals.is_empty());
        Some(VoidedPlay {
            subject,
            actor: *actor,
            choices,
            faces: data.rolled().iter().map(|die| die.value).collect(),
            agreed: None,
            fingerprint,
            is_in_its_ball,
            follows_from_over: false,
            is_drawn: data.drawn() > 0,
            unknown: is_unknown(data),
            review: KeptReview::of(data),
            whole: whole(data),
        })
    }

    /// An event of play as [`of`](Self::of) has it, with the outcome that the table had agreed on, where it
    /// is a ball with one.
    pub fn with_outcome(event: &Event, dice: DiceMode) -> Option<VoidedPlay> {
        VoidedPlay::of(event, dice).map(|play| play.with_agreed(agreement_in(&event.data)))
    }

    /// The event with the outcome that the table had agreed on, where it is a ball with one.
    pub fn with_agreed(self, agreed: Option<AgreedOutcome>) -> VoidedPlay {
        VoidedPlay { agreed: agreed.map(Box::new), ..self }
    }

    /// The choices of the event, on the match before it.
    pub fn made(&self, before: &Match) -> MadeChoices {
        MadeChoices::of(before, self.subject, self.choices.clone(), self.faces.iter().copied())
    }

    /// What a refit keeps of the event with this seq, on the match before it.
    pub fn kept(&self, before: &Match, seq: u64, agreed: Option<AgreedOutcome>) -> KeptPlay {
        let VoidedPlay { subject, actor, choices, faces, unknown, review, whole, .. } = self;
        let parts = KeptParts {
            dice: dice_with(before, *subject, choices, faces),
            agreed: agreed.map(Box::new),
            choices: choices.clone(),
            unknown: *unknown,
            whole: whole.clone(),
        };
        KeptPlay::of_parts(before, (seq, *actor, *subject), parts, *review)
    }

    /// The author of the event, and a fingerprint of all that decides it.
    pub(super) fn print(&self) -> Print {
        let VoidedPlay {
            subject, actor, choices, faces, agreed, fingerprint: unchanged, review, whole, ..
        } = self;
        let words = serde_json::json!({
            "subject": format!("{subject:?}"),
            "choices": choices,
            "faces": faces.as_slice(),
            "agreed": agreed,
            "unchanged": unchanged,
            "review": review.map(|review| (review.by, review.is_made)),
            "whole": whole.as_ref().map(|whole| whole.to_value()),
        });
        Print { actor: *actor, print: fingerprint([Some(words.to_string().as_bytes())]) }
    }

    /// Whether the event is a call on a side.
    pub(super) fn is_call(&self) -> bool {
        self.subject == Subject::Choice && self.whole.is_none()
    }

    /// Whether the event repeats as long as the match can go on unchanged.
    pub(super) fn can_repeat(&self) -> bool {
        self.fingerprint.is_some() && !self.is_in_its_ball
    }

    /// Whether the event does not repeat: the dice of a roll are in its ball, and a review is dropped where
    /// its side has nothing to review any more.
    pub(super) fn is_dropped(&self, the_match: &Match) -> bool {
        let is_open_for = |by| the_match.reviews().open().is_some_and(|open| open.by == by);
        !self.can_repeat() || self.review.is_some_and(|review| !is_open_for(review.by))
    }

    /// Whether an event is the repetition of this one, on the match as it is now.
    pub(super) fn repeats(&self, event: &Event, the_match: &Match) -> bool {
        if event.data.subject() != Some(self.subject)
            || fingerprint_of(&event.data, the_match.play().info().created.dice) != self.fingerprint
        {
            return false;
        }
        match &event.data {
            EventData::Ball(ball) => {
                self.ball_repeats(ball, the_match, &self.choices)
                    || (self.follows_from_over && self.ball_repeats(ball, the_match, &Choices::new()))
            }
            EventData::Over(over) if over.reveals.is_empty() => {
                the_match.play().check_follows(&event.data, Play::Over(self.choices.clone())).is_ok()
            }
            EventData::Roll(roll) if roll.reveals.is_empty() => {
                the_match.play().check_follows(&event.data, Play::Ball(self.choices.clone())).is_ok()
            }
            _ => true,
        }
    }

    /// The number of the delivery, for a ball.
    pub(super) fn delivery(&self) -> Option<u32> {
        match self.subject {
            Subject::Ball { delivery } => Some(delivery),
            _ => None,
        }
    }

    fn ball_repeats(&self, ball: &Ball, the_match: &Match, choices: &Choices) -> bool {
        let follows = |agreed| the_match.play().check_ball(ball, choices.clone(), agreed).is_ok();
        match self.agreed.as_deref() {
            None => follows(None),
            // The agreed outcome may be the outcome by the rules now.
            Some(agreed) => {
                let faces_by_rules = || the_match.play().faces_after(ball);
                let is_by_rules = agreed_of(&ball.outcome, &agreed.reason).outcome == agreed.outcome
                    && (agreed.faces.is_none() || agreed.faces == faces_by_rules());
                (is_by_rules && follows(None)) || follows(Some(agreed))
            }
        }
    }
}

impl Replayable<Match> for VoidedPlay {
    /// Each event has a snapshot before it, since what is kept of it cannot be replayed.
    const SNAPSHOT_INTERVAL: usize = 1;

    fn replay_on(&self, _: &mut Match) -> Result<(), InvalidEvent> {
        Err(InvalidEvent::new("data", "cannot be replayed: no snapshot is kept before it"))
    }
}
