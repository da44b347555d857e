//! The second decision of a match: an amended delivery, and the events after it on top of that.

use serde_json::Value;

use super::dice_source::DiceSource;
use super::insertion::Insertion;
use super::later::LaterAnswer;
use super::missing::AskedMissing;
use super::notes::RefitNote;
use crate::dice::ServerSeed;
use crate::log::{
    Actor, Amendment, Ball, Cascade, DeliveryPlace, Event, EventData, LiveEvent, Over, Review, Subject,
    delivery_words,
};
use crate::matches::{Decided, Input, Match, OpenReview, made_before_dice};
use crate::rules::{AskedStep, Choices, Place, Play, Refusal, RefusalKind, agreement_in};
use crate::scorebook::Side;

/// Whether everything in an event is also in the ball that follows: true for dice on the way to it, but not
/// for revealed choices.
fn is_in_its_ball(data: &EventData) -> bool {
    matches!(data, EventData::Roll(roll) if roll.reveals.is_empty())
}

/// Whether an event is not repeated on the way to the amended ball, because the ball has it, or because it
/// was a call that has been answered.
fn is_not_repeated(data: &EventData) -> bool {
    is_in_its_ball(data) || matches!(data, EventData::ChoiceCalled(_))
}

/// A ball or an over of which a die or a choice is missing: the amended ball at a table, or a later step of a
/// refit.
pub struct UndecidedDelivery {
    /// The match before the step.
    pub before: Match,
    /// The ball, or the over that begins with it.
    pub step: AskedStep,
    /// The choices of the step: those that are given, or else the recorded ones that no dice had asked for.
    pub choices: Choices,
    /// The dice of the step so far.
    pub dice: Vec<i64>,
    /// The ball that the step belongs to.
    pub asked: AskedBall,
}

/// The ball of which a correction misses a die or a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedBall {
    /// The ball that is changed.
    Changed,
    /// A later ball of a refit.
    Later(AskedLater),
    /// A ball that an innings misses.
    Missing(AskedMissing),
}

impl AskedLater {
    /// The answers of a request, with a place for the one of this delivery.
    pub(super) fn among(&self, answers: &[LaterAnswer]) -> Value {
        let mut answers = answers.to_vec();
        if self.at == answers.len() {
            answers.push(LaterAnswer { delivery: self.delivery, ..LaterAnswer::default() });
        }
        answers.iter().map(LaterAnswer::to_value).collect()
    }
}

/// A later delivery of a refit, of which a die or a choice is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedLater {
    /// The number of the delivery before the correction.
    pub delivery: u32,
    /// The place of its answer among those of the request.
    pub at: usize,
    /// The number of its dice that are kept.
    pub kept: usize,
}

/// The second decision of a match, event by event.
pub(super) struct Redecide<'a> {
    pub(super) the_match: Match,
    /// The new events, each with its author.
    pub events: Vec<(EventData, Actor)>,
    pub(super) seed: Option<&'a ServerSeed>,
    /// Whether the seed is public, so that every die is known.
    pub(super) is_open: bool,
    /// The over whose choices are amended.
    over: Option<(u16, u16)>,
    /// Whether a die was rolled that is neither in the log nor known from a public seed.
    pub new_die: bool,
    /// The step of which a die or a choice is missing.
    pub unfinished: Option<Box<UndecidedDelivery>>,
    /// What a refit could not keep.
    pub notes: Vec<RefitNote>,
}

impl<'a> Redecide<'a> {
    /// Starts on the match before the first void event; with its seed, if it has one, which is open or not.
    pub fn new(before: Match, seed: Option<&'a ServerSeed>, is_open: bool) -> Redecide<'a> {
        Redecide {
            the_match: before,
            events: Vec::new(),
            seed,
            is_open,
            over: None,
            new_die: false,
            unfinished: None,
            notes: Vec::new(),
        }
    }

    /// Decides an amended delivery; `own` are the void events up to its ball.
    pub fn amend(
        &mut self,
        own: &[LiveEvent<Event>],
        (amendment, dice): (&Amendment, Option<&[i64]>),
        actor: Actor,
    ) -> Result<(), Refusal> {
        let amended: Vec<&LiveEvent<Event>> =
            own.iter().filter(|event| !is_not_repeated(&event.kept.data)).collect();
        for event in &amended {
            match &event.kept.data {
                EventData::Over(over) => self.amend_over(over, amendment.over.as_ref(), actor)?,
                EventData::Ball(ball) => self.amend_ball(ball, amendment, dice, actor)?,
                other => self.redecide_event(other, event.kept.actor).map_err(contradicts_first_ball)?,
            }
        }
        let events = self.events.iter().map(|(data, _)| data).take(amended.len());
        if events.eq(amended.iter().map(|event| &event.kept.data)) {
            let message =
                format!("delivery {} is already like that: this amendment changes nothing", amendment.amends);
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("amends".to_owned()), message));
        }
        Ok(())
    }

    /// Decides a ball that was missed; `own` are the void events before the delivery in whose place it comes:
    /// its over, where the choices of that are changed.
    pub fn insert(
        &mut self,
        own: &[LiveEvent<Event>],
        insertion: &Insertion,
        actor: Actor,
    ) -> Result<(), Refusal> {
        for event in own {
            if let EventData::Over(over) = &event.kept.data {
                self.amend_over(over, insertion.over.as_ref(), actor)?;
            }
        }
        let Insertion { choices, dice, .. } = insertion;
        let before = self.the_match.clone();
        let decided = self.decide(Input::Play(Play::Ball(choices.clone())), &DiceSource::Entered(dice));
        if misses_input(&decided) {
            self.misses(before, choices.clone(), dice.clone());
        }
        self.events.extend(decided?.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    /// Keeps the changed ball of a match at the table, of which a die or a choice is missing.
    fn misses(&mut self, before: Match, choices: Choices, dice: Vec<i64>) {
        let step = AskedStep::Ball;
        let asked = AskedBall::Changed;
        self.unfinished = Some(Box::new(UndecidedDelivery { before, step, choices, dice, asked }));
    }

    /// Decides the later events again. When one becomes impossible under `void_rest`, a seal for a choice
    /// that is never revealed is left out as well: nobody has the choice any more.
    pub fn redecide_later(&mut self, later: &[LiveEvent<Event>], cascade: Cascade) -> Result<(), Refusal> {
        let mut unsealed: Option<(Match, usize)> = None;
        for (i, event) in later.iter().enumerate() {
            if let Subject::Roll { delivery } = event.subject
                && is_in_its_ball(&event.kept.data)
                && later[i..].iter().any(|later| later.subject == Subject::Ball { delivery })
            {
                continue;
            }
            let is_play =
                matches!(event.subject, Subject::Over { .. } | Subject::Roll { .. } | Subject::Ball { .. });
            // A refusal after a new die is rolled would reveal the die.
            let would_reveal = self.new_die && cascade == Cascade::Refuse && is_play;
            let data = &event.kept.data;
            let before = (self.the_match.clone(), self.events.len());
            if matches!(data, EventData::Choice(choice) if choice.sealed.is_some()) {
                unsealed.get_or_insert_with(|| before.clone());
            }
            let begins = match event.subject {
                Subject::Over { innings, .. } => innings,
                _ => 0,
            };
            self.end_as_agreed(begins);
            let redecided = if would_reveal {
                Err(depends_on_new_die())
            } else {
                self.accept_open_review(event.subject)
                    .and_then(|()| self.redecide_event(data, event.kept.actor))
            };
            match (redecided, cascade) {
                (Ok(()), _) if !data.reveals().is_empty() => unsealed = None,
                (Ok(()), _) => {}
                (Err(_), Cascade::VoidRest) => {
                    // A review accepted for a later event is left out with that event.
                    let (the_match, events) = unsealed.unwrap_or(before);
                    self.the_match = the_match;
                    self.events.truncate(events);
                    self.end_as_agreed(begins);
                    return Ok(());
                }
                (Err(refusal), Cascade::Refuse | Cascade::Refit) => {
                    return Err(impossible(&event.kept.data, refusal));
                }
            }
        }
        self.end_as_agreed(u16::MAX);
        Ok(())
    }

    /// Ends the innings in progress and those after it, as far as they had ended by agreement, up to this
    /// one.
    fn end_as_agreed(&mut self, up_to: u16) {
        let had_ended = |the_match: &Match| {
            let play = the_match.play();
            let innings = play.next_over().0;
            !play.has_finished() && innings < up_to && play.had_ended(innings)
        };
        while had_ended(&self.the_match) {
            self.end_innings();
        }
    }

    /// Ends the innings in progress, by agreement.
    pub(super) fn end_innings(&mut self) {
        let ended = self.the_match.end_innings();
        self.take(ended, Actor::Service);
    }

    /// Goes on with a decision, whose events have this author.
    pub(super) fn take(&mut self, decided: Decided, actor: Actor) {
        self.the_match = decided.after;
        self.events.extend(decided.events.into_iter().map(|data| (data, actor)));
    }

    fn amend_over(&mut self, over: &Over, choices: Option<&Choices>, actor: Actor) -> Result<(), Refusal> {
        let place = |name: &str| Place::Field(format!("over.{name}"));
        if !over.reveals.is_empty() {
            let message = "sealed choices cannot be amended; void the over, and both sides choose again";
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("over".to_owned()), message));
        }
        let choices = choices.unwrap_or(&over.choices).clone();
        let decided = self.decide(Input::Play(Play::Over(choices)), &DiceSource::Over(over));
        let decided = decided.map_err(|refusal| match &refusal.place {
            Place::Choice(name) => Refusal { place: place(name), ..refusal },
            Place::Input | Place::Field(_) | Place::Die(_) => refusal,
        })?;
        self.over = Some((over.innings, over.over));
        self.events.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    fn amend_ball(
        &mut self,
        ball: &Ball,
        amendment: &Amendment,
        dice: Option<&[i64]>,
        actor: Actor,
    ) -> Result<(), Refusal> {
        if dice.is_some() && self.seed.is_some() {
            let message = "the dice of this match come from its seed; leave dice out";
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("dice".to_owned()), message));
        }
        let source = dice.map_or(DiceSource::Ball(ball), DiceSource::Entered);
        let (choices, decided) = match &amendment.choices {
            Some(choices) => (choices.clone(), self.decide(as_amended(amendment, choices), &source)),
            None => self.decide_with_recorded_choices(ball, amendment, &source),
        };
        if amendment.as_stood.is_none() {
            self.note_unfinished(&decided, amendment, &choices, dice);
        }
        // Choices or outcomes given before a new die is rolled would learn the die from the answer.
        let guesses = amendment.choices.is_some() || amendment.as_stood.is_some();
        let decided = if guesses && self.new_die { Err(depends_on_new_die()) } else { decided };
        let decided = decided.map_err(|refusal| {
            if dice.is_none() && self.seed.is_none() { with_hint_on_dice(refusal) } else { refusal }
        })?;
        self.events.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    /// Decides an amended ball whose choices are not given: with the recorded ones, or with those of them
    /// that are still possible. Returns the choices as well.
    fn decide_with_recorded_choices(
        &mut self,
        ball: &Ball,
        amendment: &Amendment,
        source: &DiceSource<'_>,
    ) -> (Choices, Result<Vec<EventData>, Refusal>) {
        let mut choices = ball.choices.clone();
        let mut decided = self.decide(as_amended(amendment, &choices), source);
        if let (DiceSource::Entered(_), None, Err(refusal)) = (source, &amendment.as_stood, &decided) {
            let before_dice = made_before_dice(&self.the_match, &choices);
            // What the old dice had asked for, the new dice may not ask for.
            if let Place::Choice(name) = &refusal.place
                && choices.contains_key(name)
                && !before_dice.contains_key(name)
            {
                decided = self.decide(as_amended(amendment, &before_dice), source);
                choices = before_dice;
            }
        }
        if decided.is_err() && self.follows_from_over(ball) {
            let by_default = self.decide(as_amended(amendment, &Choices::new()), source);
            if by_default.is_ok() || !misses_input(&decided) {
                (choices, decided) = (Choices::new(), by_default);
            }
        }
        (choices, decided)
    }

    /// Keeps the amended ball of a match at the table where the decision misses a die or a choice of it.
    fn note_unfinished(
        &mut self,
        decided: &Result<Vec<EventData>, Refusal>,
        amendment: &Amendment,
        choices: &Choices,
        dice: Option<&[i64]>,
    ) {
        if self.seed.is_none() && misses_input(decided) {
            let (before, dice) = (self.the_match.clone(), dice.unwrap_or_default().to_vec());
            let choices = match amendment.choices {
                Some(_) => choices.clone(),
                None => made_before_dice(&before, choices),
            };
            self.misses(before, choices, dice);
        }
    }

    /// Whether the choices of a ball may depend on choices of its over that are amended now.
    fn follows_from_over(&self, ball: &Ball) -> bool {
        self.over == Some((ball.innings, ball.over))
    }

    /// Accepts an open decision that had no review before, because the match went on then.
    fn accept_open_review(&mut self, next: Subject) -> Result<(), Refusal> {
        let goes_on = match next {
            Subject::Over { .. }
            | Subject::Roll { .. }
            | Subject::Ball { .. }
            | Subject::Choice
            | Subject::Completed => true,
            Subject::SetUp
            | Subject::Toss
            | Subject::TossDecided
            | Subject::Review { .. }
            | Subject::Abandoned => false,
        };
        if let Some(OpenReview { by, .. }) = self.the_match.reviews().open().filter(|_| goes_on) {
            let accepted = self.decide(Input::Accept { by }, &DiceSource::Accepted)?;
            self.events.extend(accepted.into_iter().map(|data| (data, Actor::Service)));
        }
        Ok(())
    }

    /// Decides a review again; leaves it out when its side has nothing to review any more.
    pub(super) fn redecide_review(&mut self, review: &Review) -> Result<Vec<EventData>, Refusal> {
        match self.the_match.reviews().open() {
            Some(open) if open.by == review.by() => self.answer_review(review, open.by),
            _ => Ok(Vec::new()),
        }
    }

    /// Decides a review again, by the side that has the open decision.
    pub(super) fn answer_review(&mut self, review: &Review, by: Side) -> Result<Vec<EventData>, Refusal> {
        match review.made() {
            None => self.decide(Input::Accept { by }, &DiceSource::Accepted),
            Some(made) => self.decide(Input::Review { by }, &DiceSource::Review(made)),
        }
    }

    /// Decides an event again, with its own choices and dice.
    fn redecide_event(&mut self, data: &EventData, actor: Actor) -> Result<(), Refusal> {
        let decided = match data {
            EventData::Over(over) if over.reveals.is_empty() => {
                self.decide(Input::Play(Play::Over(over.choices.clone())), &DiceSource::Over(over))?
            }
            EventData::Roll(roll) if roll.reveals.is_empty() => {
                self.decide(Input::Play(Play::Ball(roll.choices.clone())), &DiceSource::Roll(roll))?
            }
            EventData::Ball(ball) => self.redecide_ball(ball)?,
            EventData::Review(review) => self.redecide_review(review)?,
            // The match ends by itself, and a call was answered or followed by a draw.
            EventData::MatchCompleted(_) | EventData::ChoiceCalled(_) => Vec::new(),
            EventData::MatchAbandoned(_) if self.the_match.play().has_finished() => Vec::new(),
            other if other.drawn() > 0 => {
                let message = "a choice in it was drawn after a timeout, and cannot be drawn again";
                return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
            }
            other => {
                self.the_match
                    .replay(other)
                    .map_err(|invalid| Refusal::new(RefusalKind::OutOfTurn, Place::Input, invalid.reason))?;
                vec![other.clone()]
            }
        };
        self.events.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    fn redecide_ball(&mut self, ball: &Ball) -> Result<Vec<EventData>, Refusal> {
        if ball.unknown {
            let decided = self.the_match.decide_unknown()?;
            self.the_match = decided.after;
            return Ok(decided.events);
        }
        let by_rules = || Input::Play(Play::Ball(ball.choices.clone()));
        let Some(agreed) = agreement_in(&EventData::Ball(ball.clone())) else {
            return match self.decide(by_rules(), &DiceSource::Ball(ball)) {
                Err(_) if self.follows_from_over(ball) => {
                    self.decide(Input::Play(Play::Ball(Choices::new())), &DiceSource::Ball(ball))
                }
                decided => decided,
            };
        };
        let before = self.the_match.clone();
        let events = self.decide(by_rules(), &DiceSource::Ball(ball))?;
        let by_rules = Decided { events, after: self.the_match.clone(), opening: None };
        if by_rules.comes_to(&agreed) {
            return Ok(by_rules.events);
        }
        self.the_match = before;
        self.decide(Input::Agreed(ball.choices.clone(), agreed), &DiceSource::Ball(ball))
    }

    pub(super) fn decide(
        &mut self,
        input: Input,
        source: &DiceSource<'_>,
    ) -> Result<Vec<EventData>, Refusal> {
        if self.the_match.play().has_finished() {
            return Err(Refusal::new(
                RefusalKind::MatchOver,
                Place::Input,
                "the match has ended before this event",
            ));
        }
        let mut dice = source.dice(&self.the_match, self.seed);
        let decided = self.the_match.decide(input, dice.as_mut(), self.seed);
        self.new_die |= dice.has_new_dice() && !self.is_open;
        let decision =
            decided.map_err(|refusal| if self.new_die { depends_on_new_die() } else { refusal })?;
        let is_expected = matches!(
            (source, decision.events.first()),
            (DiceSource::Over(_), Some(EventData::Over(_)))
                | (DiceSource::Roll(_), Some(EventData::Roll(_)))
                | (DiceSource::Review(_) | DiceSource::Accepted, Some(EventData::Review(_)))
                | (DiceSource::Ball(_) | DiceSource::Entered(_), Some(EventData::Ball(_)))
        );
        if !is_expected && self.new_die {
            return Err(depends_on_new_die());
        }
        if !is_expected {
            let message = match decision.events.first() {
                Some(EventData::Roll(_)) => "the ball waits for a decision: add it to its choices",
                _ => "its over has ended before it, and no other has begun",
            };
            return Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message));
        }
        self.the_match = decision.after;
        Ok(decision.events)
    }
}

/// Refuses a match that has lost its end when its seeds are open.
pub(super) fn refuse_reopened(the_match: &Match) -> Result<(), Refusal> {
    if the_match.play().is_reopened() {
        let message =
            "the match would lose its end; its seeds are open, so nothing new can be bowled with them";
        return Err(Refusal::new(RefusalKind::SeedOpen, Place::Input, message));
    }
    Ok(())
}

/// The input of an amended ball with these choices.
fn as_amended(amendment: &Amendment, choices: &Choices) -> Input {
    match &amendment.as_stood {
        None => Input::Play(Play::Ball(choices.clone())),
        Some(agreed) => Input::Agreed(choices.clone(), agreed.clone()),
    }
}

/// Whether a decision misses a die or a choice.
fn misses_input(decided: &Result<Vec<EventData>, Refusal>) -> bool {
    decided.as_ref().is_err_and(|refusal| refusal.kind == RefusalKind::NeedsInput)
}

/// The refusal in place of one that would reveal a die.
pub(super) fn depends_on_new_die() -> Refusal {
    let message = "it depends on a die that has not been rolled yet; void the ball and bowl it again";
    Refusal::new(RefusalKind::IllegalInput, Place::Input, message)
}

/// The refusal when amended choices of an over contradict the choices of its first ball.
fn contradicts_first_ball(refusal: Refusal) -> Refusal {
    let message = format!(
        "the choices of its first ball are not amended, and are no longer possible: {}; void the ball instead",
        refusal.message
    );
    Refusal {
        ruling: refusal.ruling,
        ..Refusal::new(RefusalKind::IllegalInput, Place::Field("over".to_owned()), message)
    }
}

/// A refusal of an amended ball, with a hint when it needs other dice.
fn with_hint_on_dice(refusal: Refusal) -> Refusal {
    match refusal.place {
        Place::Die(_) => {
            let message = format!(
                "{}; if the ball needs other dice than it had, enter all of them as dice",
                refusal.message
            );
            Refusal { message, ..refusal }
        }
        Place::Input | Place::Field(_) | Place::Choice(_) => refusal,
    }
}

/// The refusal that names the first event that is no longer possible.
fn impossible(data: &EventData, refusal: Refusal) -> Refusal {
    let event = match data {
        EventData::Ball(ball) => delivery_words(ball.delivery, Some(&DeliveryPlace::of(ball))),
        EventData::Over(over) => format!("over {} of innings {}", over.over, over.innings),
        other => other.kind().replace('_', " "),
    };
    let message = format!(
        "after this amendment {event} is no longer possible: {}; \"cascade\": \"void_rest\" voids it and everything after it",
        refusal.message
    );
    let place = Place::Field("cascade".to_owned());
    Refusal { ruling: refusal.ruling, ..Refusal::new(RefusalKind::IllegalInput, place, message) }
}
