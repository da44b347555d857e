//! What has to follow an amendment in a log: the amended delivery at once, and then the void play after it,
//! decided again with its own choices. An audit checks each event against this.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;
use sha2::{Digest, Sha256};
use smallvec::SmallVec;

use super::refitted::{RefitCheck, RefitPlace};
use super::{Check, ExceptionFound, Finding};
use crate::dice::Die;
use crate::log::{
    Actor, AgreedOutcome, Amendment, Ball, DiceMode, Event, EventData, InvalidEvent, LiveEvent, Review,
    Subject,
};
use crate::matches::refit::{KeptParts, KeptPlay, KeptReview, dice_with, whole};
use crate::matches::{History, MadeChoices, Match, Replayable};
use crate::rules::{Choices, Play, agreed_of};

/// A void event of play, with what it is decided again with after an amendment.
pub(super) struct VoidedPlay {
    subject: Subject,
    /// The author of the event.
    actor: Actor,
    /// The choices of the event.
    pub choices: Choices,
    /// The faces of the event's dice: a choice that dice asked for was offered by them.
    faces: SmallVec<[u16; 8]>,
    /// The outcome that the table had agreed on, for a ball with one.
    agreed: Option<Box<AgreedOutcome>>,
    /// The fingerprint of what else has to repeat unchanged: seals, reveals, table dice. None for an event
    /// that never repeats.
    fingerprint: Option<Fingerprint>,
    /// Whether the event is a roll on the way to a ball that was bowled: the ball holds all its dice.
    is_in_its_ball: bool,
    /// Whether the event may follow from the choices of an amended over.
    follows_from_over: bool,
    /// The answer to a decision, for a review.
    review: Option<KeptReview>,
    /// The event itself, where it repeats as it was or not at all.
    whole: Option<Box<EventData>>,
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
        EventData::Ball(ball) if dice == DiceMode::Table => vec![Some(shown(&ball.dice))],
        EventData::Review(review) => {
            let made = review.made();
            let dice = made.filter(|_| dice == DiceMode::Table).map(|made| shown(&made.dice));
            vec![bytes(review.by().as_str()), made.map(|_| Vec::new()), dice]
        }
        EventData::MatchAbandoned(abandoned) => vec![bytes(&abandoned.reason)],
        _ => return Some(Fingerprint::default()),
    };
    Some(fingerprint(parts.iter().map(Option::as_deref)))
}

impl VoidedPlay {
    /// An event of play, with what it would be decided again with; none for another event.
    pub(super) fn of(event: &Event, dice: DiceMode) -> Option<VoidedPlay> {
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
            review: KeptReview::of(data),
            whole: whole(data),
        })
    }

    /// The event with the outcome that the table had agreed on, where it is a ball with one.
    pub(super) fn with_agreed(self, agreed: Option<&ExceptionFound>) -> VoidedPlay {
        let agreed = agreed.map(|it| Box::new(agreed_of(&it.stands, &it.reason)));
        VoidedPlay { agreed, ..self }
    }

    /// Whether the event repeats as long as the match can go on unchanged.
    fn can_repeat(&self) -> bool {
        self.fingerprint.is_some() && !self.is_in_its_ball
    }

    /// Whether the event does not repeat: the dice of a roll are in its ball, and a review is dropped where
    /// its side has nothing to review any more.
    fn is_dropped(&self, the_match: &Match) -> bool {
        let is_open_for = |by| the_match.reviews().open().is_some_and(|open| open.by == by);
        !self.can_repeat() || self.review.is_some_and(|review| !is_open_for(review.by))
    }

    /// Whether an event is the repetition of this one, on the match as it is now.
    fn repeats(&self, event: &Event, the_match: &Match) -> bool {
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
    fn delivery(&self) -> Option<u32> {
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
                (agreed_of(&ball.outcome, &agreed.reason) == *agreed && follows(None))
                    || follows(Some(agreed))
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

/// The choices of the live events from this one on, each on the match before it.
pub(super) fn voided_choices(
    history: &History<Match, VoidedPlay>,
    from_seq: u64,
) -> Result<Vec<LiveEvent<MadeChoices>>, InvalidEvent> {
    let live = history.live();
    let choices = |(at, event): (usize, &LiveEvent<VoidedPlay>)| {
        let before = history.state_after(at)?;
        let VoidedPlay { choices, faces, .. } = &event.kept;
        let kept = MadeChoices::of(&before, event.subject, choices.clone(), faces.iter().copied());
        Ok(LiveEvent { seq: event.seq, subject: event.subject, shows: event.shows, kept })
    };
    (live.before(from_seq)..).zip(live.from(from_seq)).map(choices).collect()
}

/// What a refit keeps of the live events from this one on, which have these agreed outcomes.
pub(super) fn kept_play(
    history: &History<Match, VoidedPlay>,
    from_seq: u64,
    agreed: &[ExceptionFound],
) -> Result<Vec<KeptPlay>, InvalidEvent> {
    let live = history.live();
    let keep = |(at, event): (usize, &LiveEvent<VoidedPlay>)| {
        let before = history.state_after(at)?;
        let agreed = agreed.iter().find(|exception| exception.seq == event.seq);
        let VoidedPlay { actor, choices, faces, review, whole, .. } = &event.kept;
        let parts = KeptParts {
            dice: dice_with(&before, event.subject, choices, faces),
            agreed: agreed.map(|it| Box::new(agreed_of(&it.stands, &it.reason))),
            choices: choices.clone(),
            whole: whole.clone(),
        };
        Ok(KeptPlay::of_parts(&before, (event.seq, *actor, event.subject), parts, *review))
    };
    (live.before(from_seq)..).zip(live.from(from_seq)).map(keep).collect()
}

/// The events that are awaited after an amendment.
#[derive(Default)]
pub(super) struct AfterAmendment {
    /// The amended events, which have to follow at once, each with its author.
    awaited: VecDeque<(Subject, Actor)>,
    /// The amendment that both sides have consented to, in remote play, with the choices that the ball had.
    agreed: Option<(Amendment, Choices)>,
    /// The void events after them, which repeat as far as they can.
    rest: VecDeque<VoidedPlay>,
    /// The first delivery that did not repeat.
    cut: Option<u32>,
    /// Whether the match was finished before the amendment.
    was_finished: bool,
    /// The refit of the void events after them, where the amendment names it.
    refit: Option<RefitCheck>,
}

impl AfterAmendment {
    /// The events that are awaited when an actor amends a delivery, which voids these events.
    pub(super) fn of(
        amends: u32,
        by: Actor,
        void: Vec<VoidedPlay>,
        agreed: Option<Amendment>,
        kept: Option<Vec<KeptPlay>>,
    ) -> AfterAmendment {
        let ball = Subject::Ball { delivery: amends };
        let first = void.iter().position(|voided| voided.subject == ball).map_or(0, |at| at + 1);
        let mut rest = VecDeque::from(void);
        let bowled: BTreeSet<u32> = rest.iter().filter_map(|voided| voided.delivery()).collect();
        for voided in rest.iter_mut() {
            // A roll without its ball, as before an abandonment, repeats as an event of its own.
            voided.is_in_its_ball &=
                matches!(voided.subject, Subject::Roll { delivery } if bowled.contains(&delivery));
        }
        let was_finished = rest.iter().any(|voided| voided.subject == Subject::Completed);
        let amended: Vec<VoidedPlay> = rest.drain(..first).filter(VoidedPlay::can_repeat).collect();
        if amended.iter().any(|voided| matches!(voided.subject, Subject::Over { .. })) {
            let of_the_over =
                rest.iter_mut().take_while(|voided| !matches!(voided.subject, Subject::Over { .. }));
            let balls = of_the_over.filter(|voided| matches!(voided.subject, Subject::Ball { .. }));
            balls.for_each(|voided| voided.follows_from_over = true);
        }
        let agreed = agreed.zip(amended.last().map(|voided| voided.choices.clone()));
        let awaited = amended.iter().map(|voided| match voided.subject {
            Subject::Over { .. } | Subject::Ball { .. } => (voided.subject, by),
            subject => (subject, voided.actor),
        });
        let awaited = awaited.collect();
        let refit = kept.map(|mut kept| RefitCheck::of(kept.split_off(first), by));
        if refit.is_some() {
            rest.clear();
        }
        AfterAmendment { awaited, agreed, rest, cut: None, was_finished, refit }
    }

    /// Takes the amendment that both sides have consented to, for the ball that comes now.
    pub(super) fn take_agreed(&mut self) -> Option<(Amendment, Choices)> {
        self.agreed.take()
    }

    /// Whether an amended event is still missing.
    pub(super) fn is_awaited(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Stops the repetition: no further void event repeats.
    pub(super) fn stop(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let refit = self.refit.take().into_iter().flat_map(RefitCheck::into_gone);
        self.cut = self.cut.or(rest.iter().filter_map(VoidedPlay::delivery).chain(refit).min());
    }

    /// Whether a step of the refit is still missing.
    pub(super) fn is_refit_awaited(&mut self, the_match: &Match) -> bool {
        self.refit.as_mut().is_some_and(|refit| refit.is_awaited(the_match))
    }

    /// Takes the first delivery that did not repeat, once that is known.
    pub(super) fn cut(&mut self) -> Option<u32> {
        self.cut.take()
    }

    /// Whether an event is the service's acceptance of a decision that could not be reviewed before the
    /// amendment, in a match that went on from there.
    fn is_accepted_for(&self, event: &Event) -> bool {
        let accepted =
            matches!(&event.data, EventData::Review(Review::Accepted(_))) && event.actor == Actor::Service;
        let goes_on = self.rest.front().is_some_and(|voided| voided.review.is_none());
        accepted && (goes_on || self.was_finished)
    }

    /// Takes the next event, and returns the author it must have where it follows from the amendment. In a
    /// match that was finished before, every event has to follow from it.
    pub(super) fn follow(&mut self, event: &Event, the_match: &Match) -> Result<Option<Actor>, Finding> {
        let subject = event.data.subject();
        if let Some((awaited, by)) = self.awaited.front().copied() {
            if Some(awaited) == subject {
                self.awaited.pop_front();
                return Ok(Some(by));
            }
            let message = "the correction before this event amends a delivery, and the amended delivery must follow at once";
            return Err(Finding::new(Check::Rules, message));
        }
        if let Some(refit) = self.refit.as_mut().filter(|_| subject != Some(Subject::Completed)) {
            match refit.follow(event, the_match)? {
                RefitPlace::Step(by) => return Ok(Some(by)),
                RefitPlace::Ended => self.stop(),
            }
        }
        if subject == Some(Subject::Completed) {
            self.stop();
            return Ok(Some(Actor::Service));
        }
        while self.rest.front().is_some_and(|voided| voided.is_dropped(the_match)) {
            self.rest.pop_front();
        }
        if let Some(voided) = self.rest.pop_front_if(|voided| voided.repeats(event, the_match)) {
            return Ok(Some(voided.actor));
        }
        if self.is_accepted_for(event) {
            return Ok(Some(Actor::Service));
        }
        self.stop();
        if the_match.play().is_reopened() {
            let message = "the seeds are revealed, so all play must repeat unchanged after an amendment, and this event differs";
            return Err(Finding::new(Check::Rules, message));
        }
        Ok(None)
    }
}
