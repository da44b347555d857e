//! Corrections: what a log comes to when a delivery is taken back or put right.
//!
//! What is void stays in the log. What is put right is decided again, and all that came after it on top of that, with the
//! choices and dice it had: as new events, behind the correction.

use crate::dice::{Dice, DiceFault, Draw, RecordedDice, SeededDice, ServerSeed, TableDice};
use crate::games::{Choices, Fixture, Input, Phase, Place, Play, Refusal, Why, agreed_of};
use crate::log::{
    Actor, Amendment, Ball, Broken, Cascade, Correction, CorrectionConsented, CorrectionProposed, Event,
    EventData, Moment, Over, Standing, Stood,
};
use crate::scorebook::Side;

/// What is asked to be corrected, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What.
    pub what: What,
    /// Why: 1 to 1,000 characters.
    pub reason: String,
}

/// What is asked to be corrected.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Everything from this delivery on is taken back.
    FromDelivery(u32),
    /// Everything from this event on is taken back.
    FromEvent(u64),
    /// A delivery is put right; with what its dice showed, where they are entered.
    Amend(Amendment, Option<Vec<i64>>),
}

/// How far it is agreed on, where it takes both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// It is to be asked for.
    Needed,
    /// Both have consented.
    Given,
    /// As if both had consented.
    Supposed,
}

/// What follows from a correction.
#[derive(Debug)]
pub struct Corrected {
    /// The events, in order, and on whose word each is.
    pub said: Vec<(EventData, Actor)>,
    /// Whether they show a die that is not in the log yet, and that no open seed gives.
    pub shows_new_dice: bool,
}

/// A match and what stands of its log.
struct Book {
    now: Fixture,
    standing: Standing<Kept>,
}

/// What is kept with an event that stands.
struct Kept {
    before: Fixture,
    data: EventData,
    actor: Actor,
}

fn read(log: &[Event]) -> Result<Book, Broken> {
    let (first, rest) = log.split_first().ok_or_else(|| Broken::new("seq", "the log is empty"))?;
    let mut now = Fixture::from_log(first.match_id, &first.data)?;
    let mut standing = Standing::default();
    for event in rest {
        if let EventData::Correction(correction) = &event.data {
            let void: Vec<Stood<Kept>> = standing.void(correction.voids_from_seq);
            let before = void.first().map(|stood| &stood.kept.before);
            let nothing = || Broken::new("data.voids_from_seq", "nothing stands from there on");
            now = now.corrected(before.ok_or_else(nothing)?, correction);
            continue;
        }
        let before = event.data.moment().map(|moment| (moment, now.of_play()));
        now.replay(&event.data)?;
        if let Some((moment, before)) = before {
            let kept = Kept { before, data: event.data.clone(), actor: event.actor };
            standing.push(event.seq, moment, event.data.shows(), kept);
        }
    }
    Ok(Book { now, standing })
}

/// Decides a correction of a log. Where the sides play from afar it is only proposed, until both have agreed to it.
pub fn decide(
    log: &[Event],
    ask: &Ask,
    actor: Actor,
    seed: Option<&ServerSeed>,
    agreement: Agreement,
) -> Result<Corrected, Refusal> {
    let broken = |broken: Broken| Refusal::new(Why::OutOfTurn, Place::Input, broken.to_string());
    let Book { now, mut standing } = read(log).map_err(broken)?;
    let from = begins_at(&standing, &ask.what)?;
    let (voids_from, amends) = match &ask.what {
        What::FromDelivery(delivery) => (Some(*delivery), None),
        What::FromEvent(_) => (None, None),
        What::Amend(amendment, _) => (None, Some(amendment.amends)),
    };
    now.check_correctable(&ask.reason, amends.is_some())?;
    let dice_seen = standing.shows_from(from);
    let reason = ask.reason.clone();
    let correction = Correction { voids_from_seq: from, voids_from, amends, reason, dice_seen };
    let proposed = (now.created().remote && agreement != Agreement::Given)
        .then(|| (propose(&now, ask, side_of(actor), &correction), actor));
    let correction_said = EventData::Correction(correction.clone());
    now.permit_word(actor, proposed.as_ref().map_or(&correction_said, |(proposal, _)| proposal))?;
    let mut again = Again { now: now.clone(), said: Vec::new(), seed, new_die: false };
    if let What::Amend(amendment, dice) = &ask.what {
        let void = standing.void(from);
        let before = void.first().map_or(&now, |stood| &stood.kept.before);
        again.now = now.corrected(before, &correction);
        again.amend(&void, amendment, dice.as_deref(), actor)?;
        if again.now.is_reopened() {
            let message = "the match would be left without its end, and its seeds are open: nothing new can be bowled with them";
            return Err(Refusal::new(Why::SeedOpen, Place::Input, message));
        }
    }
    let over = matches!(now.phase(), Phase::Completed(_) | Phase::Abandoned);
    let shows_new_dice = again.new_die && !over;
    let mut said: Vec<(EventData, Actor)> = proposed.into_iter().collect();
    if agreement == Agreement::Supposed {
        said.extend(missing_consents(&said, actor));
    }
    if said.is_empty() || agreement == Agreement::Supposed {
        said.push((correction_said, actor));
        said.extend(again.said);
    }
    Ok(Corrected { said, shows_new_dice })
}

/// What is still to be said for a proposal that would be agreed on.
fn missing_consents(said: &[(EventData, Actor)], actor: Actor) -> Vec<(EventData, Actor)> {
    let Some((EventData::CorrectionProposed(proposed), _)) = said.first() else { return Vec::new() };
    let number = proposed.number;
    let missing = [Side::Home, Side::Away].into_iter().filter(|side| Actor::from(*side) != actor);
    let consent =
        |side| (EventData::CorrectionConsented(CorrectionConsented { number, side }), Actor::from(side));
    missing.map(consent).collect()
}

/// The side that speaks, if one does.
pub fn side_of(actor: Actor) -> Option<Side> {
    match actor {
        Actor::Home => Some(Side::Home),
        Actor::Away => Some(Side::Away),
        Actor::Scorer | Actor::Umpire | Actor::Admin | Actor::Service => None,
    }
}

/// What both sides have consented to, as it was asked.
pub fn as_asked(proposed: &CorrectionProposed) -> Ask {
    let what = match (&proposed.amendment, proposed.voids_from) {
        (Some(amendment), _) => What::Amend(amendment.clone(), None),
        (None, Some(delivery)) => What::FromDelivery(delivery),
        (None, None) => What::FromEvent(proposed.voids_from_seq),
    };
    Ask { what, reason: proposed.reason.clone() }
}

fn propose(now: &Fixture, ask: &Ask, by: Option<Side>, correction: &Correction) -> EventData {
    let amendment = match &ask.what {
        What::Amend(amendment, _) => Some(amendment.clone()),
        What::FromDelivery(_) | What::FromEvent(_) => None,
    };
    EventData::CorrectionProposed(CorrectionProposed {
        number: now.corrections() + 1,
        by,
        voids_from_seq: correction.voids_from_seq,
        voids_from: correction.voids_from,
        amendment,
        reason: ask.reason.clone(),
    })
}

/// The first event that is void.
fn begins_at(standing: &Standing<Kept>, what: &What) -> Result<u64, Refusal> {
    let at = |name: &str| {
        let place = Place::Field(name.to_owned());
        move |fault: crate::log::NotStanding| Refusal { place, ..Refusal::from(fault) }
    };
    match what {
        What::FromDelivery(delivery) => standing.from_delivery(*delivery).map_err(at("voids_from")),
        What::FromEvent(seq) => standing.from_seq(*seq).map_err(at("voids_from_seq")),
        What::Amend(amendment, _) => {
            let ball = standing.ball(amendment.amends).map_err(at("amends"))?;
            if amendment.over.is_none() {
                return Ok(ball);
            }
            let message = "the choices of an over are put right with its first ball: amend that";
            standing
                .over_of_first(amendment.amends)
                .ok_or_else(|| Refusal::new(Why::IllegalInput, Place::Field("over".to_owned()), message))
        }
    }
}

/// A match that is decided again.
struct Again<'a> {
    now: Fixture,
    said: Vec<(EventData, Actor)>,
    seed: Option<&'a ServerSeed>,
    /// Whether a die was rolled from the seed that is not in the log.
    new_die: bool,
}

impl Again<'_> {
    /// Decides a delivery as it is put right, and then what came after it.
    fn amend(
        &mut self,
        void: &[Stood<Kept>],
        amendment: &Amendment,
        dice: Option<&[i64]>,
        actor: Actor,
    ) -> Result<(), Refusal> {
        let delivery = Moment::Ball { delivery: amendment.amends };
        let first = void.iter().position(|stood| stood.moment == delivery).map_or(0, |at| at + 1);
        let (amended, later) = void.split_at(first);
        for stood in amended {
            match &stood.kept.data {
                EventData::Over(over) => self.put_over_right(over, amendment, actor)?,
                EventData::Ball(ball) => self.put_right(ball, amendment, dice, actor)?,
                other => self.take_again(other, stood.kept.actor)?,
            }
        }
        let said = self.said.iter().map(|(data, _)| data);
        if said.eq(amended.iter().map(|stood| &stood.kept.data)) {
            let message = format!("delivery {} is like that already: this changes nothing", amendment.amends);
            return Err(Refusal::new(Why::IllegalInput, Place::Field("amends".to_owned()), message));
        }
        self.go_on(later, amendment.cascade)
    }

    /// Decides what came after, as it was.
    fn go_on(&mut self, later: &[Stood<Kept>], cascade: Cascade) -> Result<(), Refusal> {
        for stood in later {
            let is_play = matches!(stood.moment, Moment::Over { .. } | Moment::Ball { .. });
            // What is refused once a new die is rolled would tell it.
            let tells = self.new_die && cascade == Cascade::Refuse && is_play;
            let done = if tells {
                let message = "it may depend on a die that has not been rolled yet";
                Err(Refusal::new(Why::NeedsInput, Place::Input, message))
            } else {
                self.take_again(&stood.kept.data, stood.kept.actor)
            };
            match (done, cascade) {
                (Ok(()), _) => {}
                (Err(_), Cascade::VoidRest) => return Ok(()),
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
            // What follows from the choices of the over follows from those it has now.
            Err(_) if amendment.over.is_some() && amendment.choices.is_none() => {
                self.decide(input(Choices::new()), &shown)?
            }
            decided => decided?,
        };
        self.said.extend(decided.into_iter().map(|data| (data, actor)));
        Ok(())
    }

    /// Takes an event in as it was, if it can be.
    fn take_again(&mut self, data: &EventData, actor: Actor) -> Result<(), Refusal> {
        let decided = match data {
            EventData::Over(over) if over.reveals.is_empty() => {
                self.decide(Input::Play(Play::Over(over.choices.clone())), &Shown::Over(over))?
            }
            EventData::Ball(ball) => self.bowl_again(ball)?,
            // It is over by itself; and who was called has answered, or what he was to do was drawn.
            EventData::MatchCompleted(_) | EventData::ChoiceCalled(_) => Vec::new(),
            EventData::MatchAbandoned(_) if self.is_over() => Vec::new(),
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
        let Some(as_stood) = &ball.as_stood else { return self.decide(by_rules(), &Shown::Ball(ball)) };
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
        let decision = self.now.decide(input, dice.as_mut(), self.seed)?;
        let new_die = dice.shows_more();
        let is_begun = matches!(
            (shown, decision.events.first()),
            (Shown::Over(_), Some(EventData::Over(_)))
                | (Shown::Ball(_) | Shown::Entered(_), Some(EventData::Ball(_)))
        );
        if !is_begun {
            let message = "its over has ended before it, and no other has begun";
            return Err(Refusal::new(Why::OutOfTurn, Place::Input, message));
        }
        self.new_die |= new_die;
        self.now = decision.after;
        Ok(decision.events)
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
    Ball(&'a Ball),
    Entered(&'a [i64]),
}

impl Shown<'_> {
    fn dice<'b>(&'b self, now: &Fixture, seed: Option<&ServerSeed>) -> Box<dyn DiceAgain + 'b> {
        let in_log = match self {
            Shown::Over(over) => over.dice.len(),
            Shown::Ball(ball) => ball.dice.len(),
            Shown::Entered(_) => 0,
        };
        match (seed, self) {
            (Some(seed), _) => Box::new(FromSeed { dice: now.dice(seed), in_log, rolled: 0 }),
            (None, Shown::Over(over)) => Box::new(RecordedDice::new(&over.dice)),
            (None, Shown::Ball(ball)) => Box::new(RecordedDice::new(&ball.dice)),
            (None, Shown::Entered(values)) => Box::new(TableDice::new(values)),
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
        self.rolled > self.in_log
    }
}

/// The dice of a seed, as far as they are in the log and further.
struct FromSeed {
    dice: SeededDice,
    in_log: usize,
    rolled: usize,
}

impl Dice for FromSeed {
    fn begin(&mut self, draw: Draw) {
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
        self.dice.deal(from, take)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        self.dice.end()
    }
}
