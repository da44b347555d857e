//! A match that is decided again, on top of what is put right.

use super::Kept;
use crate::dice::{Dice, DiceFault, Die, Draw, RecordedDice, SeededDice, ServerSeed, TableDice};
use crate::log::{
    Actor, Amendment, Ball, Cascade, EventData, Moment, Over, Played, Review, Reviewed, Roll, Stood,
};
use crate::matches::{Fixture, Input, OpenReview, Phase};
use crate::rules::{Choices, Place, Play, Refusal, Why, agreed_of};

/// Whether all that an event says is in the ball that follows: dice on the way to it, but not what was turned up.
fn is_in_its_ball(data: &EventData) -> bool {
    matches!(data, EventData::Roll(roll) if roll.reveals.is_empty())
}

/// Whether an event does not come again on the way to the ball that is put right: that is in the ball, or was a call that is
/// answered.
fn is_left_out(data: &EventData) -> bool {
    is_in_its_ball(data) || matches!(data, EventData::ChoiceCalled(_))
}

/// A match that is decided again.
pub(super) struct Again<'a> {
    now: Fixture,
    /// What follows, and on whose word each is.
    pub said: Vec<(EventData, Actor)>,
    seed: Option<&'a ServerSeed>,
    /// Whether the seed is open, so that every die is known.
    is_open: bool,
    /// The over whose choices are put right.
    over: Option<(u16, u16)>,
    /// Whether a die was rolled that is neither in the log nor known from an open seed.
    pub new_die: bool,
}

impl<'a> Again<'a> {
    /// A match as it is now, with its seed, if it has one.
    pub fn new(now: &Fixture, seed: Option<&'a ServerSeed>) -> Again<'a> {
        let is_open = matches!(now.phase(), Phase::Completed(_) | Phase::Abandoned);
        Again { now: now.clone(), said: Vec::new(), seed, is_open, over: None, new_die: false }
    }

    /// Decides a delivery as it is put right, and then what came after it, on a match as it was `before` what is void.
    pub fn amend(
        &mut self,
        before: Fixture,
        void: &[Stood<Kept>],
        (amendment, dice): (&Amendment, Option<&[i64]>),
        actor: Actor,
    ) -> Result<(), Refusal> {
        self.now = before;
        let delivery = Moment::Ball { delivery: amendment.amends };
        let first = void.iter().position(|stood| stood.moment == delivery).map_or(0, |at| at + 1);
        let (amended, later) = void.split_at(first);
        let amended: Vec<&Stood<Kept>> =
            amended.iter().filter(|stood| !is_left_out(&stood.kept.data)).collect();
        for stood in &amended {
            match &stood.kept.data {
                EventData::Over(over) => self.put_over_right(over, amendment, actor)?,
                EventData::Ball(ball) => self.put_right(ball, amendment, dice, actor)?,
                other => self.take_again(other, stood.kept.actor).map_err(unlike)?,
            }
        }
        let said = self.said.iter().map(|(data, _)| data).take(amended.len());
        if said.eq(amended.iter().map(|stood| &stood.kept.data)) {
            let message = format!("delivery {} is like that already: this changes nothing", amendment.amends);
            return Err(Refusal::new(Why::IllegalInput, Place::Field("amends".to_owned()), message));
        }
        self.go_on(later, amendment.cascade)?;
        if self.now.is_reopened() {
            let message = "the match would be left without its end, and its seeds are open: nothing new can be bowled with them";
            return Err(Refusal::new(Why::SeedOpen, Place::Input, message));
        }
        Ok(())
    }

    /// Decides what came after, as it was. Where it cannot go on, what was sealed for what does not come is left out as well:
    /// nobody has it any more.
    fn go_on(&mut self, later: &[Stood<Kept>], cascade: Cascade) -> Result<(), Refusal> {
        let mut unsealed: Option<(Fixture, usize)> = None;
        for (i, stood) in later.iter().enumerate() {
            if let Moment::Roll { delivery } = stood.moment
                && is_in_its_ball(&stood.kept.data)
                && later[i..].iter().any(|later| later.moment == Moment::Ball { delivery })
            {
                continue;
            }
            let is_play =
                matches!(stood.moment, Moment::Over { .. } | Moment::Roll { .. } | Moment::Ball { .. });
            // What is refused once a new die is rolled would tell it.
            let tells = self.new_die && cascade == Cascade::Refuse && is_play;
            let data = &stood.kept.data;
            let before = (self.now.clone(), self.said.len());
            if matches!(data, EventData::Choice(choice) if choice.sealed.is_some()) {
                unsealed.get_or_insert_with(|| before.clone());
            }
            let done = if tells {
                Err(untold())
            } else {
                self.go_past_review(stood.moment).and_then(|()| self.take_again(data, stood.kept.actor))
            };
            match (done, cascade) {
                (Ok(()), _) if !data.reveals().is_empty() => unsealed = None,
                (Ok(()), _) => {}
                (Err(_), Cascade::VoidRest) => {
                    // Nothing was accepted for what does not come.
                    let (now, said) = unsealed.unwrap_or(before);
                    self.now = now;
                    self.said.truncate(said);
                    return Ok(());
                }
                (Err(refusal), Cascade::Refuse) => return Err(impossible(&stood.kept.data, refusal)),
            }
        }
        Ok(())
    }

    fn put_over_right(&mut self, over: &Over, amendment: &Amendment, actor: Actor) -> Result<(), Refusal> {
        let place = |name: &str| Place::Field(format!("over.{name}"));
        if !over.reveals.is_empty() {
            let message = "what was sealed is not put right; take the over back, and both choose again";
            return Err(Refusal::new(Why::IllegalInput, Place::Field("over".to_owned()), message));
        }
        let choices = amendment.over.clone().unwrap_or_else(|| over.choices.clone());
        let decided = self.decide(Input::Play(Play::Over(choices)), &Shown::Over(over));
        let decided = decided.map_err(|refusal| match &refusal.place {
            Place::Choice(name) => Refusal { place: place(name), ..refusal },
            Place::Input | Place::Field(_) | Place::Die(_) => refusal,
        })?;
        self.over = Some((over.innings, over.over));
        self.said.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    fn put_right(
        &mut self,
        ball: &Ball,
        amendment: &Amendment,
        dice: Option<&[i64]>,
        actor: Actor,
    ) -> Result<(), Refusal> {
        if dice.is_some() && self.seed.is_some() {
            let message = "the dice of this match come from its seed; leave dice out";
            return Err(Refusal::new(Why::IllegalInput, Place::Field("dice".to_owned()), message));
        }
        let input = |choices: Choices| match &amendment.as_stood {
            None => Input::Play(Play::Ball(choices)),
            Some(agreed) => Input::AsStood(choices, agreed.clone()),
        };
        let shown = dice.map_or(Shown::Ball(ball), Shown::Entered);
        let choices = amendment.choices.clone().unwrap_or_else(|| ball.choices.clone());
        let decided = match self.decide(input(choices), &shown) {
            Err(_) if self.follows_from_over(ball) && amendment.choices.is_none() => {
                self.decide(input(Choices::new()), &shown)
            }
            decided => decided,
        };
        // Whoever says what comes of a die before it is rolled would know it by the answer.
        let guesses = amendment.choices.is_some() || amendment.as_stood.is_some();
        let decided = if guesses && self.new_die { Err(untold()) } else { decided };
        let decided = decided.map_err(|refusal| {
            if dice.is_none() && self.seed.is_none() { as_rolled(refusal) } else { refusal }
        })?;
        self.said.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    /// Whether what a ball was bowled with may follow from choices of its over that are other now.
    fn follows_from_over(&self, ball: &Ball) -> bool {
        self.over == Some((ball.innings, ball.over))
    }

    /// Accepts a decision that could not be reviewed before, where the match went on.
    fn go_past_review(&mut self, next: Moment) -> Result<(), Refusal> {
        let goes_on = match next {
            Moment::Over { .. }
            | Moment::Roll { .. }
            | Moment::Ball { .. }
            | Moment::Choice
            | Moment::Completed => true,
            Moment::SetUp
            | Moment::Toss
            | Moment::TossDecided
            | Moment::Review { .. }
            | Moment::Abandoned => false,
        };
        if let Some(OpenReview { by, .. }) = self.now.open_review().filter(|_| goes_on) {
            let accepted = self.decide(Input::Accept { by }, &Shown::Accepted)?;
            self.said.extend(accepted.into_iter().map(|data| (data, Actor::Service)));
        }
        Ok(())
    }

    /// Takes a review in as it was; where there is nothing for its side to review any more, it is left out.
    fn review_again(&mut self, review: &Review) -> Result<Vec<EventData>, Refusal> {
        let by = review.by();
        if self.now.open_review().is_none_or(|open| open.by != by) {
            return Ok(Vec::new());
        }
        match review.made() {
            None => self.decide(Input::Accept { by }, &Shown::Accepted),
            Some(made) => self.decide(Input::Review { by }, &Shown::Review(made)),
        }
    }

    /// Takes an event in as it was, if it can be.
    fn take_again(&mut self, data: &EventData, actor: Actor) -> Result<(), Refusal> {
        let decided = match data {
            EventData::Over(over) if over.reveals.is_empty() => {
                self.decide(Input::Play(Play::Over(over.choices.clone())), &Shown::Over(over))?
            }
            EventData::Roll(roll) if roll.reveals.is_empty() => {
                self.decide(Input::Play(Play::Ball(roll.choices.clone())), &Shown::Roll(roll))?
            }
            EventData::Ball(ball) => self.bowl_again(ball)?,
            EventData::Review(review) => self.review_again(review)?,
            // It is over by itself; and who was called has answered, or what he was to do was drawn.
            EventData::MatchCompleted(_) | EventData::ChoiceCalled(_) => Vec::new(),
            EventData::MatchAbandoned(_) if self.is_over() => Vec::new(),
            other if other.reveals().iter().any(|reveal| reveal.draw.is_some()) => {
                let message =
                    "a choice in it was drawn for a side that had been called, and is not drawn again";
                return Err(Refusal::new(Why::OutOfTurn, Place::Input, message));
            }
            other => {
                self.now
                    .replay(other)
                    .map_err(|broken| Refusal::new(Why::OutOfTurn, Place::Input, broken.reason))?;
                vec![other.clone()]
            }
        };
        self.said.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    fn bowl_again(&mut self, ball: &Ball) -> Result<Vec<EventData>, Refusal> {
        let by_rules = || Input::Play(Play::Ball(ball.choices.clone()));
        let Some(as_stood) = &ball.as_stood else {
            return match self.decide(by_rules(), &Shown::Ball(ball)) {
                Err(_) if self.follows_from_over(ball) => {
                    self.decide(Input::Play(Play::Ball(Choices::new())), &Shown::Ball(ball))
                }
                decided => decided,
            };
        };
        let agreed = agreed_of(&ball.outcome, &as_stood.reason);
        let before = self.now.clone();
        match self.decide(by_rules(), &Shown::Ball(ball))?.as_slice() {
            // What was agreed on is now what the rules come to.
            events @ [EventData::Ball(again), ..]
                if agreed_of(&again.outcome, &as_stood.reason) == agreed =>
            {
                Ok(events.to_vec())
            }
            _ => {
                self.now = before;
                self.decide(Input::AsStood(ball.choices.clone(), agreed), &Shown::Ball(ball))
            }
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.now.phase(), Phase::Completed(_) | Phase::Abandoned)
    }

    fn decide(&mut self, input: Input, shown: &Shown<'_>) -> Result<Vec<EventData>, Refusal> {
        if self.is_over() {
            return Err(Refusal::new(Why::MatchOver, Place::Input, "the match has ended before it"));
        }
        let mut dice = shown.dice(&self.now, self.seed);
        let decided = self.now.decide(input, dice.as_mut(), self.seed);
        self.new_die |= dice.shows_more() && !self.is_open;
        let decision = decided.map_err(|refusal| if self.new_die { untold() } else { refusal })?;
        let is_begun = matches!(
            (shown, decision.events.first()),
            (Shown::Over(_), Some(EventData::Over(_)))
                | (Shown::Roll(_), Some(EventData::Roll(_)))
                | (Shown::Review(_) | Shown::Accepted, Some(EventData::Review(_)))
                | (Shown::Ball(_) | Shown::Entered(_), Some(EventData::Ball(_)))
        );
        if !is_begun && self.new_die {
            return Err(untold());
        }
        if !is_begun {
            let message = match decision.events.first() {
                Some(EventData::Roll(_)) => "somebody has to decide how it goes on: say so in its choices",
                _ => "its over has ended before it, and no other has begun",
            };
            return Err(Refusal::new(Why::OutOfTurn, Place::Input, message));
        }
        self.now = decision.after;
        Ok(decision.events)
    }
}

/// What is said of a refusal that would tell a die.
fn untold() -> Refusal {
    let message = "it depends on a die that has not been rolled yet; take it back, and bowl it again";
    Refusal::new(Why::IllegalInput, Place::Input, message)
}

/// What is said where an over cannot be so because of what was chosen for its first ball.
fn unlike(refusal: Refusal) -> Refusal {
    let message = format!(
        "what was chosen for its first ball is not put right, and could not be as it was: {}; take the ball back",
        refusal.message
    );
    Refusal {
        ruling: refusal.ruling,
        ..Refusal::new(Why::IllegalInput, Place::Field("over".to_owned()), message)
    }
}

/// A refusal of a ball that was put right with the dice it had.
fn as_rolled(refusal: Refusal) -> Refusal {
    match refusal.place {
        Place::Die(_) => {
            let message = format!(
                "{}; where it takes other dice than it had, enter all of them as dice",
                refusal.message
            );
            Refusal { message, ..refusal }
        }
        Place::Input | Place::Field(_) | Place::Choice(_) => refusal,
    }
}

/// Names the first event that cannot be as it was.
fn impossible(data: &EventData, refusal: Refusal) -> Refusal {
    let what = match data {
        EventData::Ball(ball) => {
            format!(
                "delivery {} (innings {}, over {}, ball {})",
                ball.delivery, ball.innings, ball.over, ball.ball
            )
        }
        EventData::Over(over) => format!("over {} of innings {}", over.over, over.innings),
        other => other.kind().replace('_', " "),
    };
    let message = format!(
        "with this, {what} cannot be as it was: {}; \"cascade\": \"void_rest\" takes it and all after it back",
        refusal.message
    );
    let place = Place::Field("cascade".to_owned());
    Refusal { ruling: refusal.ruling, ..Refusal::new(Why::IllegalInput, place, message) }
}

/// What the dice showed that are rolled again.
enum Shown<'a> {
    Over(&'a Over),
    Roll(&'a Roll),
    Ball(&'a Ball),
    Review(&'a Reviewed),
    Accepted,
    Entered(&'a [i64]),
}

impl Shown<'_> {
    /// What may have been dealt.
    fn played(&self) -> Option<Played<'_>> {
        match self {
            Shown::Over(over) => Some(Played::Over(over)),
            Shown::Roll(roll) => Some(Played::Roll(roll)),
            Shown::Ball(ball) => Some(Played::Ball(ball)),
            Shown::Review(_) | Shown::Accepted | Shown::Entered(_) => None,
        }
    }

    /// The dice the log has.
    fn on_record(&self) -> &[Die] {
        match self {
            Shown::Review(made) => &made.dice,
            _ => self.played().map_or(&[], Played::dice),
        }
    }

    fn dice<'b>(&'b self, now: &Fixture, seed: Option<&ServerSeed>) -> Box<dyn DiceAgain + 'b> {
        match (seed, self) {
            (Some(seed), _) => {
                let in_log = self.on_record().len();
                let known = self.played().map(|played| now.dealt(played)).unwrap_or_default();
                let dice = now.dice(seed);
                Box::new(FromSeed { dice, draw: Draw::TOSS, in_log, rolled: 0, known, is_dealt: false })
            }
            (None, Shown::Entered(values)) => Box::new(TableDice::new(values)),
            (None, _) => Box::new(RecordedDice::new(self.on_record())),
        }
    }
}

/// Dice that are rolled again.
trait DiceAgain: Dice {
    /// Whether more was rolled than the log has.
    fn shows_more(&self) -> bool {
        false
    }
}

impl DiceAgain for RecordedDice<'_> {}

impl DiceAgain for TableDice<'_> {}

impl DiceAgain for FromSeed {
    fn shows_more(&self) -> bool {
        self.rolled > self.in_log || self.is_dealt
    }
}

/// The dice of a seed, as far as they are in the log and further.
struct FromSeed {
    dice: SeededDice,
    draw: Draw,
    in_log: usize,
    rolled: usize,
    /// What was dealt, by the log.
    known: Vec<(Draw, Vec<u8>)>,
    /// Whether anything else was dealt.
    is_dealt: bool,
}

impl Dice for FromSeed {
    fn begin(&mut self, draw: Draw) {
        self.draw = draw;
        self.dice.begin(draw);
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        self.rolled += 1;
        self.dice.roll(what, sides)
    }

    /// Whoever decides again has what was recorded.
    fn are_recorded(&self) -> bool {
        true
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        let dealt = self.dice.deal(from, take)?;
        self.is_dealt |= !self.known.iter().any(|known| *known == (self.draw, dealt.clone()));
        Ok(dealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        self.dice.end()
    }
}
